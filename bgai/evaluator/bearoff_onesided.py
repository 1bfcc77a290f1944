"""How many rolls one side still needs: distributions for all 54,264 positions of up to 15 checkers in the home board.

Each side is taken to play for the smallest mean number of rolls, whatever the other does. That isn't always the play
that wins most often, so what follows from two such distributions is very close but not exact.
"""

from collections.abc import Callable
from itertools import pairwise
from math import comb

import numpy as np
from numba import njit

from bgai.board import CHECKERS, HOME
from bgai.evaluator.race_plays import CHANCE, ROLLS, plays, set_position
from bgai.one_roll import MAX_PLAYS

POSITIONS = comb(CHECKERS + HOME, HOME)
MAX_ROLLS = 30  # 15 checkers on the 6 point and nothing but 2-1
MAX_ROLLS_FIRST = 10  # to the first checker off: dice too large for a gap while others stand behind it bear off none

_NONE_OFF = comb(CHECKERS - 1 + HOME, HOME)  # the first position that has all 15 checkers


def build(progress: Callable[[float], None]) -> tuple[np.ndarray, np.ndarray]:
    """The chance of needing exactly n rolls to bear off all checkers, and the first one of 15.

    Returns (float64[54264, 31], float64[54264, 11]), indexed by `race_plays.index` and n; 0 rolls to the first checker
    where one is off already. `progress` is told the share that is done, up to 1.
    """
    all_off = np.zeros((POSITIONS, MAX_ROLLS + 1))
    all_off[0, 0] = 1
    first_off = np.zeros((POSITIONS, MAX_ROLLS_FIRST + 1))
    first_off[:_NONE_OFF, 0] = 1
    mean_all, mean_first = np.zeros(POSITIONS), np.zeros(POSITIONS)
    edges = np.linspace(1, POSITIONS, 21).astype(np.int64)
    for start, stop in pairwise(edges):
        _build(all_off, mean_all, first_off, mean_first, start, stop)
        progress((stop - 1) / (POSITIONS - 1))
    return all_off, first_off


@njit(cache=True, nogil=True)
def _build(all_off, mean_all, first_off, mean_first, start, stop):
    """Fill rows start..stop - 1; every row a roll can lead to lies before them."""
    counts = np.zeros(HOME, dtype=np.int8)
    found = np.empty(MAX_PLAYS, dtype=np.int64)
    for position in range(start, stop):
        set_position(position, counts)
        for roll in range(len(ROLLS)):
            after = found[: plays(counts, roll, found)]
            _add_quickest(all_off, mean_all, position, after, CHANCE[roll])
            if position >= _NONE_OFF:
                _add_quickest(first_off, mean_first, position, after, CHANCE[roll])


@njit(cache=True, nogil=True)
def _add_quickest(distribution, mean, position, after, chance):
    """Add one roll, played to the quickest of the positions `after`, to the distribution of `position`."""
    best = after[0]
    for candidate in after:
        if mean[candidate] < mean[best]:
            best = candidate
    mean[position] += chance * (1 + mean[best])
    for n in range(1, distribution.shape[1]):
        distribution[position, n] += chance * distribution[best, n - 1]


@njit(cache=True, nogil=True)
def outcomes_of(own_all, own_first, opponent_all, opponent_first, out):
    """Write the six outcomes of a race between two sides that bear off by these distributions, own side on roll first.

    The own nth roll wins if the opponent, after n - 1 rolls, still has checkers: P(opponent needs n or more). It wins a
    gammon if no checker is off yet. The opponent's nth roll comes after n of the own rolls.
    """
    win, win_gammon, lose_gammon = 0.0, 0.0, 0.0
    opponent_needs, opponent_first_needs, own_first_needs = 1.0, 1.0, 1.0  # n rolls or more
    for n in range(MAX_ROLLS + 1):
        win += own_all[n] * opponent_needs
        opponent_needs -= opponent_all[n]
        if n <= MAX_ROLLS_FIRST:
            win_gammon += own_all[n] * opponent_first_needs
            opponent_first_needs -= opponent_first[n]
            own_first_needs -= own_first[n]
            lose_gammon += opponent_all[n] * own_first_needs
    win_gammon, lose_gammon = max(win_gammon, 0.0), max(lose_gammon, 0.0)  # rounding leaves them at -1e-8
    win = min(max(win, win_gammon), 1.0 - lose_gammon)
    out[0], out[1], out[2] = win - win_gammon, win_gammon, 0.0
    out[3], out[4], out[5] = 1.0 - win - lose_gammon, lose_gammon, 0.0
