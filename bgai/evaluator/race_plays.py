"""One side of a race: how its positions are numbered and what each roll can make of them.

With no contact left a side plays alone, so its position is only how many checkers stand on each of its points:
`counts int8[P]`, `counts[p - 1]` being those on point p, P = 6 when all are home and 24 otherwise. No die is ever
blocked, so R9 to R13 ask for nothing: each die is played until the last checker is off.

Positions are numbered by the combinatorial number system,

    index = sum over k = 1..P of C(checkers on the k rearmost points + k - 1, k),

which numbers the positions of at most n checkers from 0 (all off) without a gap, whatever n is: 924 positions of up to
6 checkers in the home board come first, then the rest of the 54,264 of up to 15. Every move makes the index smaller,
so increasing index is an order in which exact values can be worked out.
"""

from math import comb

import numpy as np
from numba import njit

from bgai.board import CHECKERS, HOME
from bgai.one_roll import MAX_PLAYS

POINTS = 24
ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], dtype=np.int8)  # the 21 rolls
CHANCE = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1 / 36, 2 / 36)
OPENING_CHANCE = np.where(ROLLS[:, 0] == ROLLS[:, 1], 0, 1 / 15)  # never a double (R2)

# C(n, k) for every term of the index: n <= 15 + 24 - 1.
BINOMIAL = np.array([[comb(n, k) for k in range(POINTS + 1)] for n in range(CHECKERS + POINTS)], dtype=np.int64)


def roll_index(dice: np.ndarray) -> np.ndarray:
    """Which of `ROLLS` each roll is, `int64[N]` from `dice int8[N, 2]` in either order."""
    larger, smaller = dice.max(axis=1).astype(np.int64), dice.min(axis=1)
    return larger * (larger - 1) // 2 + smaller - 1


@njit(cache=True, nogil=True)
def index(counts):
    """The number of the position `counts int8[P]`."""
    number, checkers = 0, 0
    for k in range(1, counts.size + 1):
        checkers += counts[counts.size - k]
        number += BINOMIAL[checkers + k - 1, k]
    return number


@njit(cache=True, nogil=True)
def set_position(number, counts):
    """Fill `counts int8[P]` with the position that has this number: `index` undone, largest term first."""
    behind = CHECKERS  # checkers on the k rearmost points
    for k in range(counts.size, 0, -1):
        checkers = behind
        while BINOMIAL[checkers + k - 1, k] > number:
            checkers -= 1
        number -= BINOMIAL[checkers + k - 1, k]
        if k < counts.size:
            counts[counts.size - k - 1] = behind - checkers
        behind = checkers
    counts[counts.size - 1] = behind


@njit(cache=True, nogil=True)
def index_all(counts):
    """`index` of each of `counts int8[N, P]`: int64[N]."""
    numbers = np.empty(len(counts), dtype=np.int64)
    for i in range(len(counts)):
        numbers[i] = index(counts[i])
    return numbers


@njit(cache=True, nogil=True)
def all_positions(numbers, points):
    """`counts int8[N, points]` of the positions with these numbers, `int64[N]`."""
    counts = np.empty((len(numbers), points), dtype=np.int8)
    for i in range(len(numbers)):
        set_position(numbers[i], counts[i])
    return counts


@njit(cache=True, nogil=True)
def plays(counts, roll, found):
    """Write the index of each position that `ROLLS[roll]` can lead to into `found int64[MAX_PLAYS]`, once.

    Returns how many there are.
    """
    high, low = ROLLS[roll]
    moves = 4 if high == low else 2
    n = 0
    for first, second in ((high, low), (low, high)):
        if first != second or n == 0:
            n = _play(counts, first, second, moves, found, n)
    return n


@njit(cache=True, nogil=True)
def _play(counts, first, second, moves, found, n):
    """Play the two dice in turn, `moves` in all, in every way; add what isn't in `found[:n]` yet and return the new n.

    The moves of a double are made from the rear forwards: every set of them can be, and no two sets lead to the same
    position. Only two different dice can find a position again.
    """
    double = first == second
    source = np.zeros(4, dtype=np.int64)  # the point that each move made so far started from
    depth, start = 0, counts.size
    while True:
        die = first if depth % 2 == 0 else second
        point = _next_source(counts, die, start)
        if point > 0:
            _move(counts, point, point - die)
            source[depth] = point
            if depth + 1 < moves and counts.any():
                depth += 1
                start = point if double else counts.size
                continue
            number = index(counts)
            if double or number not in found[:n]:
                found[n] = number
                n += 1
        else:
            depth -= 1
            if depth < 0:
                return n
            die = first if depth % 2 == 0 else second
        _move(counts, source[depth] - die, source[depth])
        start = source[depth] - 1


@njit(cache=True, nogil=True)
def _next_source(counts, die, start):
    """The rearmost point from `start` on from which `die` can be played, or 0. (R21 to R24)"""
    rear = counts.size
    while rear > 0 and counts[rear - 1] == 0:
        rear -= 1
    for point in range(min(start, rear), 0, -1):
        if counts[point - 1] > 0 and (point > die or (rear <= HOME and point >= min(die, rear))):
            return point
    return 0


@njit(cache=True, nogil=True)
def _move(counts, source, target):
    """Move one checker from point to point; 0 and less is off the board."""
    if source > 0:
        counts[source - 1] -= 1
    if target > 0:
        counts[target - 1] += 1


@njit(cache=True, nogil=True)
def all_plays(positions, points):
    """What each roll can make of each of N positions on P `points`, given by their index `int64[N]`.

    Returns (plays int64[M], offsets int64[21 N + 1]): those of position i and `ROLLS[r]` are the indices
    `plays[offsets[21 * i + r]:offsets[21 * i + r + 1]]`, each once. A finished position has none.
    """
    counts = np.zeros(points, dtype=np.int8)
    results = np.empty(MAX_PLAYS, dtype=np.int64)
    offsets = np.zeros(len(ROLLS) * positions.size + 1, dtype=np.int64)
    n = 0
    for i in range(positions.size):
        set_position(positions[i], counts)
        for roll in range(len(ROLLS)):
            if results.size < n + MAX_PLAYS:
                results = np.concatenate((results, np.empty_like(results)))
            if positions[i] > 0:
                n += plays(counts, roll, results[n:])
            offsets[len(ROLLS) * i + roll + 1] = n
    return results[:n], offsets
