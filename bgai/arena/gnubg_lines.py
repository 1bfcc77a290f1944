"""What is said to GNU Backgammon as an external player, and how its plays are read: whole batches at once.

A question is the position as 52 fields in the manner of FIBS's boards, always seen here by "us", who are positive and
on roll (or have doubled). Every number is padded with zeros to a fixed width: so all questions have the same length,
and those of a batch are one array of characters in which points and dice are filled in by column.
"""

import re
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from bgai.arena.states import States
from bgai.board import BAR, CHECKERS, on_board
from bgai.game import State

_POINTS = ":".join(["PPP"] * (BAR + 1))
_BACKWARDS = (BAR - 1, BAR)  # what no checker can do
_PLACES = {"bar": BAR, "off": 0}
_MOVES = re.compile(r"((?:bar|\d{1,2})(?:/(?:off|\d{1,2})\*?)+)(?:\((\d)\))?", re.ASCII)


def _digits(numbers: range, width: int) -> np.ndarray:
    """Each number in so many characters, `uint8[len(numbers), width]`."""
    return np.array([list(f"{n:0{width}d}".encode()) for n in numbers], dtype=np.uint8)


_ON_POINT, _OFF = _digits(range(-CHECKERS, CHECKERS + 1), 3), _digits(range(CHECKERS + 1), 2)


def _form(state: State | None, doubled: bool) -> bytes:
    """The question about a position in this state, with letters where points, roll (twice) and checkers off will be."""
    state = state or State()
    own, opponent = state.score
    score = (own, opponent) if doubled else (opponent, own)  # asked whether to take, it reads them swapped
    may_double = {"centred": "1:1", "mover": "1:0", "opponent": "0:1"}[state.owner]
    crawford = f"{int(state.post_crawford)}:{int(not state.crawford)}"
    return (
        f"board:opponent:us:{state.length:02}:{score[0]:02}:{score[1]:02}:{_POINTS}:1:D:D:D:D:{state.cube:04}"
        f":{may_double}:{int(doubled)}:1:-1:0:25:FF:FF:0:0:0:0:{crawford}"
    ).encode()


_FORM = np.frombuffer(_form(None, False), dtype=np.uint8)
_POINT_COLUMNS, _DICE_COLUMNS, _OFF_COLUMNS = (np.flatnonzero(np.equal(_FORM, letter)) for letter in b"PDF")


def questions(states: States, boards: np.ndarray, dice: np.ndarray | None = None, doubled: bool = False) -> list[bytes]:
    """A line about each of `boards int8[N, 26]`: what to play with `dice int8[N, 2]`, or without them whether to double
    or, if it is `doubled` already, whether to take."""
    count = len(boards)
    forms = states.map(partial(_form, doubled=doubled), f"S{len(_FORM)}")
    text = forms.view(np.uint8).reshape(count, -1)
    text[:, _POINT_COLUMNS] = _ON_POINT[boards + CHECKERS].reshape(count, -1)
    text[:, _DICE_COLUMNS] = ord("0") + (0 if dice is None else np.tile(dice, 2))
    text[:, _OFF_COLUMNS] = _OFF[CHECKERS - np.stack(on_board(boards), axis=1)].reshape(count, -1)
    return forms.tolist()


def after_plays(boards: np.ndarray, replies: list[bytes]) -> np.ndarray:
    """The boards after these plays, not flipped; what can't be read as a play leads to a board that no
    play leads to."""
    after = boards.copy()
    rows = np.arange(len(boards))
    moves = np.frombuffer(b"".join(map(_moves, replies)), dtype=np.int8).reshape(-1, 4, 2)
    for source, to in moves.transpose(1, 2, 0):
        moved, stays_on = source > 0, to > 0
        after[rows, source] -= moved
        hit = moved & stays_on & (after[rows, to] < 0)
        after[hit, 0] += after[hit, to[hit]]
        after[hit, to[hit]] = 0
        after[rows, to] += moved & stays_on
    return after


@lru_cache(maxsize=2**16)
def _moves(reply: bytes) -> bytes:
    """The moves of a play such as `25/20* 13/11` as four (from, to), a byte each; (0, 0) stands for none."""
    moves = [move for word in reply.decode("ascii", "replace").split() for move in _moves_of(word)]
    if len(moves) > 4 or not all(0 <= to < source <= BAR for source, to in moves):
        moves = [_BACKWARDS] * 4
    return bytes(place for move in moves for place in move).ljust(8, b"\0")


@lru_cache(maxsize=2**14)
def _moves_of(word: str) -> list[tuple[int, int]]:
    """Those of one checker, such as `13/8(2)` or `24/18*/14`."""
    match = _MOVES.fullmatch(word)
    if match is None:
        return [_BACKWARDS]
    stops = [int(_PLACES.get(place, place)) for place in match[1].replace("*", "").split("/")]
    return list(pairwise(stops)) * int(match[2] or 1)
