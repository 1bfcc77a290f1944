"""Pubeval, the fixed opponent of the field: G. Tesauro's linear evaluator, published in 1993 for comparisons.

It adds up a weight for each of 24 points and for both sides' checkers that are out of play, with one set of weights for
contact and one for races. `bgai/data/pubeval.json` holds the weights and says how they are laid out.
"""

import json
from functools import cache

import numpy as np
from numba import njit

from bgai import files
from bgai.arena.players import WithoutCube
from bgai.arena.states import States
from bgai.board import CHECKERS, is_race
from bgai.one_roll import MAX_PLAYS, generate
from bgai.threads import in_chunks

_OFF = 26  # the place of the own checkers borne off, after the 26 of the board
_CODE = 5  # weights a point


class Pubeval(WithoutCube):
    """The player: it takes the play with the highest score, without lookahead, and knows nothing of the cube.

    It plays backgammon with 15 checkers a side only.
    """

    name = "pubeval"

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        after = np.empty_like(boards)
        race = is_race(boards).astype(np.int64)  # before the play: one set of weights for all its candidates
        tables = _tables()

        def work(start, stop):
            _play(tables, race[start:stop], boards[start:stop], dice[start:stop], after[start:stop])

        in_chunks(work, len(boards), 256)
        return after


@cache
def _tables() -> np.ndarray:
    """What a count of checkers on each place adds, `float64[2 (contact, race), 27 places, -15..15 checkers]`."""
    data = json.loads(files.data_file("pubeval.json").read_text())
    tables = np.zeros((2, _OFF + 1, 2 * CHECKERS + 1))
    for table, kind in zip(tables, ("contact", "race"), strict=True):
        weights = np.array(data[kind])
        for count in range(-CHECKERS, CHECKERS + 1):
            code = np.array([count == -1, count == 1, count >= 2, count == 3, max(count - 3, 0) / 2])
            for point in range(1, 25):
                first = _CODE * (24 - point)
                table[point, count + CHECKERS] = weights[first : first + _CODE] @ code
            table[0, count + CHECKERS] = weights[24 * _CODE] * -count / 2
            table[_OFF, count + CHECKERS] = weights[24 * _CODE + 1] * count / CHECKERS
    return tables


@njit(cache=True, nogil=True)
def _play(tables, race, boards, dice, after):
    found = np.empty((MAX_PLAYS, 26), dtype=np.int8)
    keys = np.empty(MAX_PLAYS, dtype=np.uint64)
    no_moves = np.empty((0, 4, 2), dtype=np.int8)
    for i in range(len(boards)):
        count, _ = generate(boards[i], dice[i, 0], dice[i, 1], True, found, no_moves, keys)
        best = 0
        highest = -np.inf
        for k in range(count):
            score = _score(tables[race[i]], found[k])
            if score > highest:
                best, highest = k, score
        after[i] = found[best]


@njit(cache=True, nogil=True)
def _score(table, board):
    """How good a position is for the player who has just moved; `board` is seen by the other one."""
    score = 0.0
    off = CHECKERS
    for place in range(26):
        count = -board[25 - place]
        score += table[place, count + CHECKERS]
        off -= max(count, 0)
    return np.inf if off == CHECKERS else score + table[_OFF, off + CHECKERS]
