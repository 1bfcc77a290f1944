"""Exact values of a race by working backwards from its end: one recursion for the bear-off table and for any race, for
money and for matches.

There are two sides, each with a list of positions in order of index, 0 being all off. A row of values says what a pair
of positions is worth to the side on roll, before the roll, in the units of its `cube.Stakes`; these have S slots, one
for each place of the cube. The columns of a row:

    0 .. S - 1        the value in each slot if this roll is thrown without a double, as in `cube`
    S .. 2S - 1       the same before the cube action: doubled where that is better
    2S                the value if the cube stays where it is, at level 0, to the end
    2S + 1 .. 2S + 6  the outcomes when plays maximise that; a table of races without gammons does without them
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from bgai.evaluator.cube import Stakes, double_where_better
from bgai.evaluator.race_plays import CHANCE, ROLLS


class Side(NamedTuple):
    """One side of a race, with n positions; the other side has m.

    values     float64[n, m, columns], this side on roll; `values[i, 0]` is a lost game, and must be set
    plays      int64[M], and `offsets` int64[21 n + 1]: those of `race_plays.all_plays`, in row numbers of the own list
    reachable  bool[n, m]: pairs to work out with this side on roll
    stakes     seen by this side
    """

    values: np.ndarray
    plays: np.ndarray
    offsets: np.ndarray
    reachable: np.ndarray
    stakes: Stakes


@njit(cache=True, nogil=True)
def solve(one, other, start, stop):
    """Fill the values of all pairs where `one` has a position in start..stop - 1; those of smaller ones must be there.

    Both sides may be one and the same; then only pairs up to stop - 1 on both sides are filled.
    """
    symmetric = one.values is other.values
    for a in range(max(start, 1), stop):
        for b in range(1, a + 1 if symmetric else len(other.values)):
            if one.reachable[a, b]:
                _before_roll(one.values[a, b], other.values[b], a, one.plays, one.offsets, one.stakes)
            if other.reachable[b, a]:
                _before_roll(other.values[b, a], one.values[a], b, other.plays, other.offsets, other.stakes)


@njit(cache=True, nogil=True)
def _before_roll(value, replies, position, plays, offsets, stakes):
    """Fill the row `value` of the side on roll; `replies[i]` is the row of the other side after a play to position i.

    In each slot, and at a cube that stays, each roll is played to what is worth least to the other side.
    """
    slots = 1 + 2 * len(stakes.after)
    stays = 2 * slots
    value[:] = 0
    for roll in range(len(ROLLS)):
        found = plays[offsets[len(ROLLS) * position + roll] : offsets[len(ROLLS) * position + roll + 1]]
        best = 0
        for i in range(slots, stays + 1):
            least = np.inf
            for play in found:
                if replies[play, i] < least:
                    best, least = play, replies[play, i]
            value[i] += CHANCE[roll] * least
        if value.size > stays + 1:
            for i in range(1, 4):
                value[stays + i] += CHANCE[roll] * replies[best, stays + 3 + i]
                value[stays + 3 + i] += CHANCE[roll] * replies[best, stays + i]
    total = 0.0 if stakes.money else 1.0  # what the values of both sides add up to
    value[stays] = total - value[stays]
    value[0] = total - value[slots]
    for own in range(1, slots, 2):  # the opponent's slot of the same level comes next
        value[own] = total - value[slots + own + 1]
        value[own + 1] = total - value[slots + own]
    value[slots:stays] = value[:slots]
    double_where_better(value[slots:stays], stakes)
