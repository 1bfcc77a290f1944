"""The plays of one roll (rules R5 to R26), in Numba kernels.

Two facts keep the generator small. Points that block (two or more opposing checkers) stay blocked during a roll, and a
checker that may move once others have come home may move no earlier. So:

- A double is complete when its moves are made from the rear forwards: any legal set of moves can be put in that order,
  and two different sets of starting points never lead to the same board. Nothing needs to be compared.
- With two different dice each order is tried. Mostly it is known beforehand which results come twice (`_play_around`);
  with a checker on the bar or about to be borne off they are found by a key that is a sum over the checkers, so that
  a move changes it by two terms, and then compared whole. (R14)
"""

import numpy as np
from numba import njit

# No roll has more plays than this. Four moves are shared out among at most 15 checkers as 1+1+1+1, 2+1+1, 2+2, 3+1
# or 4: C(15,4) + 15 C(14,2) + C(15,2) + 15*14 + 15 = 3060 ways; two dice give fewer.
MAX_PLAYS = 3060

# Weights of the board key: odd 64-bit numbers from a fixed generator. Equal boards have equal keys; equal keys are
# checked by comparing the boards.
_KEY = np.random.default_rng(1991).integers(1, 2**62, size=26, dtype=np.uint64) * np.uint64(2) + np.uint64(1)

# How much of the roll a play uses. A play is legal only if no other play of the roll ranks higher. (R9 to R11)
_SMALLER_DIE, _LARGER_DIE, _BOTH_DICE = 1, 2, 3

# Kernels that only kernels call: without a way in from Python, and with loops in place of array expressions, all of it
# compiles in less than half the time.
_kernel = njit(cache=True, nogil=True, no_cpython_wrapper=True)


@_kernel
def generate(board, die1, die2, flipped, out, moves, keys):
    """Write every play of one roll into `out int8[>=MAX_PLAYS, 26]`; returns (number of results, could it be played).

    The kernel that self-play and search call. `moves int8[>=MAX_PLAYS, 4, 2]` is filled too unless it is empty;
    `keys uint64[MAX_PLAYS]` is working space.
    """
    b = board.copy()
    path = np.full((4, 2), -1, dtype=np.int8)
    if die1 == die2:
        count, used = _play_double(b, die1, flipped, out, moves, path)
    else:
        count, used = _play_two_dice(b, max(die1, die2), min(die1, die2), flipped, out, moves, keys, path)
    if used == 0:
        _record(b, flipped, out, moves, 0, path, 0)
        return 1, False
    return count, True


@_kernel
def _play_double(b, die, flipped, out, moves, path):
    """Up to four moves of `die`, from the rear forwards; only the plays that make the most moves stay. (R8, R12)"""
    hits = np.zeros(4, dtype=np.bool_)
    outside = _outside_home(b)
    count = 0
    most = 0
    depth = 0
    source = 25
    extended = False  # has the play at this depth been carried on by a further move?
    while True:
        source = _next_source(b, source, die, outside) if depth < 4 else 0
        if source > 0:
            to = max(source - die, 0)
            hits[depth] = _move(b, source, to)
            outside -= source > 6 and to <= 6
            path[depth, 0], path[depth, 1] = source, to
            depth += 1
            extended = False  # the next move starts here or nearer home
            continue
        if not extended and depth >= most and depth > 0:
            if depth > most:
                most, count = depth, 0
            _record(b, flipped, out, moves, count, path, depth)
            count += 1
        if depth == 0:
            return count, most
        depth -= 1
        source, to = path[depth, 0], path[depth, 1]
        _take_back(b, source, to, hits[depth])
        outside += source > 6 and to <= 6
        source -= 1 if b[25] == 0 else 25  # while on the bar nothing else may move (R17)
        extended = True


@_kernel
def _play_two_dice(b, larger, smaller, flipped, out, moves, keys, path):
    """One move of each die, in either order; one move only where no play uses both. (R5, R9 to R11)"""
    outside = _outside_home(b)
    if b[25] == 0 and outside > 1:
        return _play_around(b, larger, smaller, flipped, out, moves, path)
    count = 0
    best = 0
    for order in range(2):
        first, second = (larger, smaller) if order == 0 else (smaller, larger)
        source = _next_source(b, 25, first, outside)
        while source > 0:
            to = max(source - first, 0)
            hit = _move(b, source, to)
            path[0, 0], path[0, 1] = source, to
            key1 = _key_change(source, to, hit)
            outside_then = outside - (source > 6 and to <= 6)
            source2 = _next_source(b, 25, second, outside_then)
            if source2 == 0:
                rank = _LARGER_DIE if order == 0 else _SMALLER_DIE
                if rank > best:
                    best, count = rank, 0
                if rank == best:
                    count += _record_new(b, key1, flipped, out, moves, keys, count, path, 1)
            elif best < _BOTH_DICE:
                best, count = _BOTH_DICE, 0
            while source2 > 0:
                to2 = max(source2 - second, 0)
                hit2 = _move(b, source2, to2)
                path[1, 0], path[1, 1] = source2, to2
                key2 = key1 + _key_change(source2, to2, hit2)
                count += _record_new(b, key2, flipped, out, moves, keys, count, path, 2)
                _take_back(b, source2, to2, hit2)
                source2 = 0 if b[25] > 0 else _next_source(b, source2 - 1, second, outside_then)
            _take_back(b, source, to, hit)
            source = 0 if b[25] > 0 else _next_source(b, source - 1, first, outside)
    return count, best


@_kernel
def _play_around(b, larger, smaller, flipped, out, moves, path):
    """`_play_two_dice` with nobody on the bar and no checker about to be borne off, which is most rolls.

    Here it is known beforehand what would come twice. Two checkers may move in either order, so the smaller die goes
    first only for a checker that carries on, from a point that had none of its side. One checker's whole way comes
    again by its other stop, if no blot is hit at either; and so does the way from `x` when a checker on `x - smaller`
    moves the larger die first and the one on `x` takes its place.
    """
    count = 0
    best = 0
    source = _next_around(b, 24, larger)
    while source > 0:
        to = source - larger
        hit = _move(b, source, to)
        path[0, 0], path[0, 1] = source, to
        source2 = _next_around(b, 24, smaller)
        if source2 == 0 and best < _BOTH_DICE:
            best = _LARGER_DIE
            _record(b, flipped, out, moves, count, path, 1)
            count += 1
        elif source2 > 0 and best < _BOTH_DICE:
            best, count = _BOTH_DICE, 0
        while source2 > 0:
            to2 = source2 - smaller
            if to2 != source or b[source2 - larger] < 0:
                hit2 = _move(b, source2, to2)
                path[1, 0], path[1, 1] = source2, to2
                _record(b, flipped, out, moves, count, path, 2)
                count += 1
                _take_back(b, source2, to2, hit2)
            source2 = _next_around(b, source2 - 1, smaller)
        _take_back(b, source, to, hit)
        source = _next_around(b, source - 1, larger)

    source = _next_around(b, 24, smaller)
    while source > 0:
        stop = source - smaller
        to = stop - larger
        if b[stop] <= 0 and to > 0 and b[to] >= -1:
            if b[stop] < 0 or b[source - larger] < 0:
                if best < _BOTH_DICE:
                    best, count = _BOTH_DICE, 0
                hit, hit2 = _move(b, source, stop), _move(b, stop, to)
                path[0, 0], path[0, 1], path[1, 0], path[1, 1] = source, stop, stop, to
                _record(b, flipped, out, moves, count, path, 2)
                count += 1
                _take_back(b, stop, to, hit2)
                _take_back(b, source, stop, hit)
        elif best <= _SMALLER_DIE:
            best = _SMALLER_DIE
            hit = _move(b, source, stop)
            path[0, 0], path[0, 1] = source, stop
            _record(b, flipped, out, moves, count, path, 1)
            count += 1
            _take_back(b, source, stop, hit)
        source = _next_around(b, source - 1, smaller)
    return count, best


@_kernel
def _next_around(b, highest, die):
    """The rearmost point from `highest` down whose checker may move `die` and stay on the board; 0 if there is none."""
    for p in range(highest, die, -1):
        if b[p] > 0 and b[p - die] >= -1:  # R6
            return p
    return 0


@_kernel
def _next_source(b, highest, die, outside):
    """The rearmost place from `highest` down whose checker may move `die`; 0 if there is none.

    `outside` counts own checkers not yet in the home board, bar included.
    """
    if highest == 25 and b[25] > 0:  # R17, R18
        return 25 if b[25 - die] >= -1 else 0
    for p in range(min(highest, 24), die, -1):
        if b[p] > 0 and b[p - die] >= -1:  # R6
            return p
    if outside == 0:  # R21
        if highest >= die and b[die] > 0:  # R22
            return die
        rearmost = 6
        while rearmost > 0 and b[rearmost] <= 0:
            rearmost -= 1
        if rearmost < die and rearmost <= highest:  # R23
            return rearmost
    return 0


@_kernel
def _move(b, source, to):
    """Move one checker, `to` 0 being off; returns whether it hit. (R16)"""
    b[source] -= 1
    if to == 0:
        return False
    if b[to] == -1:
        b[to] = 1
        b[0] -= 1
        return True
    b[to] += 1
    return False


@_kernel
def _take_back(b, source, to, hit):
    b[source] += 1
    if to > 0:
        b[to] -= 1
        if hit:
            b[to] = -1
            b[0] += 1


@_kernel
def _key_change(source, to, hit):
    change = -_KEY[source]
    if to > 0:
        change += _KEY[to]
        if hit:
            change += _KEY[to] - _KEY[0]
    return change


@_kernel
def _outside_home(b):
    outside = 0
    for p in range(7, 26):
        if b[p] > 0:
            outside += b[p]
    return outside


@_kernel
def _record(b, flipped, out, moves, at, path, depth):
    """Write board `b` as result `at`, and the first `depth` moves of `path` if moves are wanted."""
    if flipped:
        for p in range(26):
            out[at, p] = -b[25 - p]
    else:
        for p in range(26):
            out[at, p] = b[p]
    if len(moves) > 0:
        for m in range(4):
            for end in range(2):
                moves[at, m, end] = path[m, end] if m < depth else -1


@_kernel
def _record_new(b, key, flipped, out, moves, keys, count, path, depth):
    """`_record` unless the same position is among the `count` results already; returns how many were added. (R14)"""
    _record(b, flipped, out, moves, count, path, depth)
    keys[count] = key
    for k in range(count):
        if keys[k] == key and _same(out[k], out[count]):
            return 0
    return 1


@_kernel
def _same(a, b):
    for p in range(26):
        if a[p] != b[p]:
            return False
    return True
