"""The board line in which GNU Backgammon asks an external player what to do.

    board:NAME0:NAME1:LENGTH:SCORE0:SCORE1:b0:...:b25:TURN:D1:D2:D1:D2:CUBE:MAY1:MAY0:DOUBLED:1:-1:0:25:OFF1:OFF0
        :0:0:0:0:POSTCRAWFORD:NOTCRAWFORD

It looks like a board of the FIBS server, with meanings of its own. The checkers are always seen by player 1. TURN is 1
when player 1 is on roll (when asked for a take: has doubled) and -1 for player 0. Names and scores have player 0 first,
except that a line which asks for a take has player 1 first. Nothing in it tells of Jacoby or beavers.
"""

import re

import numpy as np

from bgai.board import InvalidBoard, flip
from bgai.game import ImpossibleState, State
from bgai.notation.gnubg_id import InvalidID, check_fits
from bgai.notation.position import Position

_NUMBERS = 50  # fields after the names, which may themselves hold colons
_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_FIBS_MONEY = 9999  # the length by which FIBS says that it is no match
_OWNERS = {(1, 1): "centred", (1, 0): "mover", (0, 1): "opponent", (0, 0): "centred"}


class InvalidLine(ValueError):
    """A line that is no board line, or one whose position no game can show."""


def parse_board_line(line: str, *, jacoby: bool = False) -> Position:
    """The position that a board line asks about; the question follows from it.

    With dice it is a play, without them whether to double; with `state.pending` a double is to be answered.

    jacoby   in money games the Jacoby rule is agreed
    Raises InvalidLine, also for a position that no ID can hold.
    """
    names, *fields = line.strip("\0\r\n ").rsplit(":", _NUMBERS)
    if not names.startswith("board:") or names.count(":") < 2:
        raise InvalidLine(f"expected board:NAME:NAME and {_NUMBERS} numbers, separated by colons")
    if not all(map(_NUMBER.fullmatch, fields)):
        raise InvalidLine(f"{next(f for f in fields if not _NUMBER.fullmatch(f))[:20]!r} is no number")
    numbers = list(map(int, fields))
    length, first_score, second_score = numbers[:3]
    points, (turn, *dice, _, _, cube, may1, may0, doubled) = np.array(numbers[3:29]), numbers[29:38]
    if turn not in (1, -1):
        raise InvalidLine(f"turn {turn}: it is 1 for player 1 or -1 for player 0")
    score = (first_score, second_score) if doubled else (second_score, first_score)  # player 1 first
    may_double = (may1, may0)
    if turn == -1:
        points, score, may_double = flip(points), score[::-1], may_double[::-1]
    if may_double not in _OWNERS:
        raise InvalidLine(f"who may double is told by 0 or 1 each, not {may1}:{may0}")
    length = 0 if length == _FIBS_MONEY else length
    state = State(
        cube=cube,
        owner=_OWNERS[may_double],
        length=length,
        score=score,
        crawford=length > 1 and numbers[-1] == 0,
        jacoby=jacoby and length == 0,
        pending="double" if doubled else None,
    )
    try:
        check_fits(state)
        return Position(points, state, (dice[0], dice[1]) if any(dice) else None)
    except (InvalidBoard, ImpossibleState, InvalidID) as fault:
        raise InvalidLine(str(fault)) from None
