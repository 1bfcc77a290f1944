"""Computed features: what a player sees at a glance and a sum over single points can't express.

Each side gets the same `N_SIDE` features, seen from its own end of the board: first those of the player on roll, then
the opponent's. Then come three that belong to the position. All are scaled to about 0..1; `docs/inputs.md` describes
each. Sets of points are bit masks (bit p is point p), so that questions about many rolls are a few shifts.

The ideas are old: Berliner, Tesauro, and the published input lists of the strong programs that followed.
"""

import numpy as np
from numba import njit

from bgai.board import BAR

(
    PIPS,
    HOME_POINTS,
    HOME_POINTS_SQUARED,
    PRIME,
    BLOCK,
    ESCAPES,
    ESCAPES_SQUARED,
    LEAST_ESCAPES,
    BACK_CHECKERS,
    ANCHORS,
    BEST_ANCHOR,
    BLOTS,
    SHUT_OUT,
    SHOTS,
    SHOTS_SQUARED,
    HIT_PIPS,
    BREAK_CONTACT,
    TIMING,
    MOBILITY,
    SPREAD,
    OUTSIDE_PIPS,
    ZONE,
) = range(22)
N_SIDE = 22
RACE, CONTACT, LEAD = range(2 * N_SIDE, 2 * N_SIDE + 3)
N_FEATURES = 2 * N_SIDE + 3

_ON_BOARD = (1 << 25) - 2  # points 1..24


def _escape_table() -> np.ndarray:
    """`uint8[4096]`: with how many of the 36 rolls a checker escapes the points blocked ahead of it.

    Bit 12 - d of the index: the point d pips ahead is blocked. To escape is to land beyond the last blocked point of
    the next six, alone, by one die, by both or by up to four moves of a double.
    """
    index = np.arange(4096)
    free = np.array([np.ones(4096, bool)] + [index >> (12 - d) & 1 == 0 for d in range(1, 13)])
    last = np.zeros(4096, int)  # the last blocked point of the next six
    for d in range(1, 7):
        last[~free[d]] = d
    rolls = np.zeros(4096, np.uint8)
    for a in range(1, 7):
        for b in range(1, a):
            both = free[a + b] & (free[a] | free[b]) & (a + b > last)
            rolls += 2 * (free[a] & (a > last) | free[b] & (b > last) | both).astype(np.uint8)
        away, moving = np.zeros(4096, bool), np.ones(4096, bool)
        for d in range(a, min(4 * a, 12) + 1, a):
            moving &= free[d]
            away |= moving & (d > last)
        rolls += away
    return rolls


_ESCAPES = _escape_table()
_BITS = np.array([bin(m).count("1") for m in range(64)], dtype=np.uint8)  # how many of six points
_TOP = np.array([m.bit_length() for m in range(8192)], dtype=np.uint8)  # the highest of 13 points, 0 for none


@njit(cache=True, nogil=True)
def features(board, out):
    """Fill `out float32[N_FEATURES]` with the features of one board `int8[26]`."""
    own, own_rear = _side(board, 1, 0, out[:N_SIDE])
    opponent, opponent_rear = _side(board, -1, 25, out[N_SIDE : 2 * N_SIDE])
    contact = max(own_rear + opponent_rear - 25, 0)  # pips until the two rearmost checkers have passed each other
    out[RACE] = contact == 0
    out[CONTACT] = contact / 25
    out[LEAD] = (opponent - own) / max(opponent + own, 1)


@njit(cache=True, nogil=True)
def _side(board, sign, end, out):
    """The features of one side; returns its pip count and its rearmost place.

    Its count of checkers on its own point p, negative for the other side's, is `sign * board[end + sign * p]`.
    """
    points = made = other_points = other_made = 0
    for p in range(26):  # no branches here and below: what stands where can't be predicted
        n = sign * board[end + sign * p]
        points |= (n > 0) << p
        made |= (n > 1) << p
        other_points |= (n < 0) << p
        other_made |= (n < -1) << p
    rear = _highest(points) if points else 0  # of this side, the bar included
    other_rear = _lowest(other_points)  # of the other side, by this side's numbers; its bar is 0
    other_blots = other_points & ~other_made & _ON_BOARD
    other_made &= _ON_BOARD

    checkers = pips = squares = outside = mobility = contact = timing = back = zone = 0
    for p in range(1, 26):
        n = max(sign * board[end + sign * p], 0)
        checkers += n
        pips += n * p
        squares += n * p * p
        contact += n * max(p - other_rear, 0)
        zone += n * (other_rear < p <= other_rear + 12)
    for p in range(1, 7):
        n = max(sign * board[end + sign * p], 0)
        timing += max(n - 2, n == 1) * (p - 1)
    for p in range(7, 26):
        n = max(sign * board[end + sign * p], 0)
        outside += n * (p - 6)
        mobility += n * (p - 6) * _escapes(p, other_made)
        timing += n * (p - 6) * (p <= 18)
        back += n * (p > 18)
    blots = _count((points & ~made & _ON_BOARD) >> (other_rear + 1))

    ahead = (made & _ON_BOARD) >> (other_rear + 1)  # points that the other side's last checker has yet to pass
    home = _BITS[(made >> 1) & 63]
    anchors = (made >> 19) & 63
    escapes = _escapes(rear, other_made) / 36
    other_home = _BITS[(other_made >> 19) & 63]
    bar = sign * board[end + sign * BAR]
    rolls, hit_pips = _shots(points & _ON_BOARD, bar, other_made, other_blots)
    mean = pips / max(checkers, 1)
    out[PIPS] = pips / 167
    out[HOME_POINTS] = home / 6
    out[HOME_POINTS_SQUARED] = home * home / 36
    out[PRIME] = _longest_run(ahead) / 6
    out[BLOCK] = _most_in_six(ahead) / 6
    out[ESCAPES] = escapes
    out[ESCAPES_SQUARED] = escapes * escapes
    out[LEAST_ESCAPES] = _least_escapes(other_made) / 36
    out[BACK_CHECKERS] = back / 4
    out[ANCHORS] = _BITS[anchors] / 3
    out[BEST_ANCHOR] = (7 - _TOP[anchors & -anchors]) / 6 if anchors else 0
    out[BLOTS] = blots / 5
    out[SHUT_OUT] = other_home * other_home / 36 if bar > 0 else 0
    out[SHOTS] = rolls / 36
    out[SHOTS_SQUARED] = rolls * rolls / 1296
    out[HIT_PIPS] = hit_pips / (36 * 12)
    out[BREAK_CONTACT] = contact / 150
    out[TIMING] = timing / 100
    out[MOBILITY] = mobility / 3600
    out[SPREAD] = (squares / max(checkers, 1) - mean * mean) / 100
    out[OUTSIDE_PIPS] = outside / 100
    out[ZONE] = zone / 10
    return pips, rear


@njit(cache=True, nogil=True)
def _escapes(p, blocked):
    """Rolls out of 36 with which a checker on place p escapes, `blocked` being the other side's points."""
    return int(_ESCAPES[(blocked << 12 >> p) & 4095])


@njit(cache=True, nogil=True)
def _least_escapes(blocked):
    """The fewest escapes that a checker would have anywhere in the other side's home board or on the bar."""
    least = 36
    for p in range(19, 26):
        least = min(least, _escapes(p, blocked))
    return least


@njit(cache=True, nogil=True)
def _longest_run(points):
    """Length of the longest row of neighbouring points, 6 at most."""
    length = 0
    while points and length < 6:
        points &= points >> 1
        length += 1
    return length


@njit(cache=True, nogil=True)
def _most_in_six(points):
    """Most points among six neighbours."""
    most = 0
    while points:
        most = max(most, _BITS[points & 63])
        points >>= 1
    return most


@njit(cache=True, nogil=True)
def _shots(points, bar, blocked, blots):
    """(rolls out of 36 that hit a blot, sum over the 36 of the pips that the costliest hit takes back).

    The side to move has checkers on `points` and `bar` of them on the bar; the other side's points and blots are by
    its numbers. Exact, points on the way and the bar included, but for one thing: a hit counts although a rule that
    makes the player use more of the roll (R9, R10, R12) may forbid it. That is rare.
    """
    if blots == 0:
        return 0, 0
    free = _ON_BOARD & ~blocked
    first = 1 << BAR if bar > 0 else points  # where a roll's first move starts
    rolls = pips = 0
    for a in range(1, 7):
        by_a = first >> a & free
        for b in range(1, a):
            by_b = first >> b & free
            landed = by_a | by_b
            if bar <= 1:
                if by_a:
                    landed |= (points | by_a) >> b
                if by_b:
                    landed |= (points | by_b) >> a
            hit = landed & blots
            if hit:
                rolls += 2
                pips += 2 * _highest(hit)
        hit = _reached_by_double(points, bar, a, by_a, free) & blots
        if hit:
            rolls += 1
            pips += _highest(hit)
    return rolls, pips


@njit(cache=True, nogil=True)
def _reached_by_double(points, bar, die, entered, free):
    """Points where up to four moves of `die` can land; `entered`: where the checkers on the bar come in, if there."""
    if bar == 0:
        landed, moving = 0, points
    elif entered == 0:
        return 0
    else:
        landed, moving = entered, points | entered
    for _ in range(bar, 4):
        moving = moving >> die & free
        landed |= moving
    return landed


@njit(cache=True, nogil=True)
def _highest(points):
    """The highest point of a set that isn't empty."""
    upper = points >> 13
    return int(_TOP[upper]) + 12 if upper else int(_TOP[points >> 1])


@njit(cache=True, nogil=True)
def _lowest(points):
    """The lowest place of a set; 25 if it is empty."""
    return _highest(points & -points) if points > 1 else 25 - 25 * points


@njit(cache=True, nogil=True)
def _count(points):
    """How many points are in a set."""
    return _BITS[points & 63] + _BITS[points >> 6 & 63] + _BITS[points >> 12 & 63] + _BITS[points >> 18 & 63]
