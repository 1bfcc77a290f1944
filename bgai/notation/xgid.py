"""XGID, the position text of eXtreme Gammon: ten fields joined by colons.

`XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10` is the starting position of a money game. The fields are

 1  26 places seen by the bottom player: the top player's bar, points 1 to 24, the bottom player's bar. A letter is the
    number of checkers (A or a is 1), large for the bottom player's, small for the top player's, `-` is an empty place
 2  the cube's power of two          3  who owns it: 1 bottom, 0 nobody, -1 top
 4  who is on roll: 1 bottom, -1 top; while a cube waits for an answer, who doubled first
 5  the dice, `00` before the roll, or the cube that waits for an answer: D a double, B a beaver, R a raccoon
 6  score of the bottom player       7  score of the top player
 8  in a match 1 for the Crawford game; in a money game 1 for Jacoby plus 2 for beavers
 9  match length, 0 for money       10  the largest cube's power of two

Cube and owner are those before the first double until the whole exchange is settled.
"""

import re

import numpy as np

from bgai.board import CHECKERS, flip
from bgai.game import BEAVERS, State
from bgai.notation.gnubg_id import LARGEST_CUBE_OF_ID, LARGEST_SCORE, InvalidID, check_fits

PREFIX = "XGID="

_FIELD_NAMES = (
    "places",
    "cube",
    "owner",
    "turn",
    "dice",
    "score",
    "top player's score",
    "rules",
    "length",
    "largest cube",
)
_LETTERS = "-ABCDEFGHIJKLMNO" + "onmlkjihgfedcba"  # of a number of checkers; negative ones count from the end
_COUNTS = {_LETTERS[count]: count for count in range(-CHECKERS, CHECKERS + 1)}
_PENDING = {"D": "double", "B": "beaver", "R": "raccoon"}
_DICE_LETTERS = {pending: letter for letter, pending in _PENDING.items()}
_TURNED_AT_ONCE = {"beaver": 1, "raccoon": 2}  # how often the cube was turned since the double
_OWNERS = {1: "mover", 0: "centred", -1: "opponent"}
_LARGEST_CUBE_LOG = 10  # written in every XGID whose cube isn't larger: eXtreme Gammon's usual 1024
_NUMBER = re.compile("-?[0-9]{1,5}")


def encode(board: np.ndarray, state: State, dice: tuple[int, int] | None = None) -> str:
    """The XGID of a possible position, arguments as in `Position`; the player on roll is the bottom player.

    Raises InvalidID for what an XGID can't hold: an offered resignation, more than a raccoon, a cube above 2^15. It
    keeps whether beavers are agreed, not how many, and nothing of the Holland rule.
    """
    if state.resigned:
        raise InvalidID("an XGID can't hold an offer to resign; a Match ID can")
    if state.pending and state.pending not in _DICE_LETTERS:
        raise InvalidID(f"an XGID can't hold a {state.pending}: it goes up to a raccoon")
    check_fits(state)
    places = "".join([_LETTERS[count] for count in board.tolist()])
    log, owner = state.cube.bit_length() - 1, {"mover": 1, "centred": 0, "opponent": -1}[state.owner]
    if turned := _TURNED_AT_ONCE.get(state.pending):
        log -= turned
        owner = 1 if log else 0
    roll = _DICE_LETTERS[state.pending] if state.pending else f"{dice[0]}{dice[1]}" if dice else "00"
    rules = int(state.crawford) if state.length else state.jacoby + 2 * (state.beavers > 0)
    numbers = (*state.score, rules, state.length, max(log, _LARGEST_CUBE_LOG))
    return f"{PREFIX}{places}:{log}:{owner}:1:{roll}:" + ":".join(map(str, numbers))


def decode(text: str) -> tuple[np.ndarray, State, tuple[int, int] | None]:
    """Board int8[26], State and dice of an XGID (the prefix may be missing), seen by the player on roll.

    Raises InvalidID. Whether the board, score and cube are possible is left to `Position`.
    """
    fields = text.removeprefix(PREFIX).split(":")
    if len(fields) != len(_FIELD_NAMES):
        raise InvalidID(f"an XGID has {len(_FIELD_NAMES)} fields joined by colons; this has {len(fields)}")
    board = _board(fields[0])
    log = _number(fields, 1, 0, LARGEST_CUBE_OF_ID.bit_length() - 1)
    owner = _number(fields, 2, -1, 1)
    turn = _number(fields, 3, -1, 1)
    if turn == 0:
        raise InvalidID("the turn of an XGID is 1 (bottom player) or -1 (top player), not 0")
    bottom, top, length = (_number(fields, i, 0, LARGEST_SCORE) for i in (5, 6, 8))
    rules = _number(fields, 7, 0, 1 if length else 3)
    if _number(fields, 9, 0, 99) < log:
        raise InvalidID(f"the cube, 2^{log}, is above the XGID's own largest cube, 2^{fields[9]}")
    dice, pending = _dice_or_pending(fields[4])
    beavers = BEAVERS if not length and rules & 2 else 0
    turned = _TURNED_AT_ONCE.get(pending, 0)
    if turned and owner == -turn:
        raise InvalidID(f"{fields[4]} in an XGID whose cube belongs to the opponent of the player who doubled")
    state = State(
        cube=1 << log + turned,
        owner="opponent" if turned else _OWNERS[owner * turn],
        length=length,
        score=(bottom, top) if turn == 1 else (top, bottom),
        crawford=bool(length and rules),
        jacoby=bool(not length and rules & 1),
        beavers=beavers,
        pending=pending,
    )
    check_fits(state)
    return board if turn == 1 else flip(board), state, dice


def _board(places: str) -> np.ndarray:
    if len(places) != 26:
        raise InvalidID(f"an XGID shows 26 places (bar, points 1 to 24, bar); this shows {len(places)}")
    if wrong := re.search("[^-A-Oa-o]", places):
        why = "an XGID has - for none and A-O or a-o for 1 to 15 checkers"
        raise InvalidID(f"{wrong[0]!r} in place {wrong.start()}: {why}")
    return np.array([_COUNTS[letter] for letter in places], dtype=np.int8)


def _number(fields: list[str], i: int, least: int, most: int) -> int:
    text = fields[i]
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise InvalidID(
            f"{_FIELD_NAMES[i]} (field {i + 1} of the XGID) must be from {least} to {most}, not {text[:20]!r}"
        )
    return int(text)


def _dice_or_pending(text: str) -> tuple[tuple[int, int] | None, str | None]:
    if text in _PENDING:
        return None, _PENDING[text]
    if text == "00":
        return None, None
    if not re.fullmatch("[1-6][1-6]", text):
        raise InvalidID(f"the dice of an XGID are two numbers from 1 to 6, 00, D, B or R, not {text[:20]!r}")
    return (int(max(text)), int(min(text))), None
