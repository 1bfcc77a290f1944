"""Exact values of a race by working backwards from its end: one recursion for the bear-off table and for any race.

Two sides, A and B, each with a list of positions in order of index, 0 being all off. `values_a[a, b]` is what a pair
of them is worth to A on roll, `values_b[b, a]` what it is worth to B on roll, both for a cube of 1 and before the
roll. The columns of a row:
"""

import numpy as np
from numba import njit

from bgai.evaluator.race_plays import CHANCE, ROLLS

CENTRED, OWNED, OPPONENTS, CUBELESS = 0, 1, 2, 3  # money equity by cube, doubling where that is right; and without one
NO_DOUBLE_CENTRED, NO_DOUBLE_OWNED = 4, 5  # the same if this roll is thrown without a double
WIN, LOSE = 6, 9  # first columns of the two triples of outcomes, when plays maximise the cubeless equity
COLUMNS, COLUMNS_WITH_OUTCOMES = 6, 12


@njit(cache=True, nogil=True)
def solve(values_a, plays_a, offsets_a, reachable_a, values_b, plays_b, offsets_b, reachable_b, start, stop):
    """Fill the values of all pairs whose A position is in start..stop - 1; those of smaller A positions must be there.

    plays, offsets  as of `race_plays.all_plays`, in row numbers of the side's own list
    reachable       bool[own, other], pairs to work out with that side on roll

    Rows of finished games must be set: `values[i, 0]` is a lost game. Both sides may be one and the same; then only
    pairs up to stop - 1 on both sides are filled.
    """
    symmetric = values_a is values_b
    for a in range(max(start, 1), stop):
        for b in range(1, a + 1 if symmetric else len(values_b)):
            if reachable_a[a, b]:
                _before_roll(values_a[a, b], values_b[b], a, plays_a, offsets_a)
            if reachable_b[b, a]:
                _before_roll(values_b[b, a], values_a[a], b, plays_b, offsets_b)


@njit(cache=True, nogil=True)
def _before_roll(value, replies, position, plays, offsets):
    """Fill the row `value` of the side on roll; `replies[i]` is the row of the other side after a play to position i.

    For each cube position, and without a cube, each roll is played to what is worth least to the other side.
    """
    least = np.empty(4)
    value[:] = 0
    for roll in range(len(ROLLS)):
        least[:] = np.inf
        best = 0
        for k in range(offsets[len(ROLLS) * position + roll], offsets[len(ROLLS) * position + roll + 1]):
            reply = replies[plays[k]]
            if reply[CUBELESS] < least[CUBELESS]:
                best = plays[k]
            for column in range(4):
                least[column] = min(least[column], reply[column])
        value[NO_DOUBLE_CENTRED] -= CHANCE[roll] * least[CENTRED]
        value[NO_DOUBLE_OWNED] -= CHANCE[roll] * least[OPPONENTS]
        value[OPPONENTS] -= CHANCE[roll] * least[OWNED]
        value[CUBELESS] -= CHANCE[roll] * least[CUBELESS]
        if value.size == COLUMNS_WITH_OUTCOMES:
            for i in range(3):
                value[WIN + i] += CHANCE[roll] * replies[best, LOSE + i]
                value[LOSE + i] += CHANCE[roll] * replies[best, WIN + i]
    double = min(2 * value[OPPONENTS], 1.0)  # the opponent takes, or passes and loses 1
    value[CENTRED] = max(value[NO_DOUBLE_CENTRED], double)
    value[OWNED] = max(value[NO_DOUBLE_OWNED], double)
