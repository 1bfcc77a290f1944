"""All legal plays of a batch of positions and rolls (rules R5 to R26).

Two facts keep the generator small. Points that block (two or more opposing checkers) stay blocked during a roll, and a
checker that may move once others have come home may move no earlier. So:

- A double is complete when its moves are made from the rear forwards: any legal set of moves can be put in that order,
  and two different sets of starting points never lead to the same board. Nothing needs to be compared.
- With two different dice each order is tried; results that end in the same position are found by a key that is a sum
  over the checkers, so that a move changes it by two terms, and then compared whole. (R14)
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from bgai.board import CHECKERS, InvalidBoard, check, outcome
from bgai.threads import in_chunks

# No roll has more plays than this. Four moves are shared out among at most 15 checkers as 1+1+1+1, 2+1+1, 2+2, 3+1
# or 4: C(15,4) + 15 C(14,2) + C(15,2) + 15*14 + 15 = 3060 ways; two dice give fewer.
MAX_PLAYS = 3060

# Weights of the board key: odd 64-bit numbers from a fixed generator. Equal boards have equal keys; equal keys are
# checked by comparing the boards.
_KEY = np.random.default_rng(1991).integers(1, 2**62, size=26, dtype=np.uint64) * np.uint64(2) + np.uint64(1)

# How much of the roll a play uses. A play is legal only if no other play of the roll ranks higher. (R9 to R11)
_SMALLER_DIE, _LARGER_DIE, _BOTH_DICE = 1, 2, 3

# Kernels that only kernels call: without a way in from Python, and with loops in place of array expressions, the whole
# file compiles in less than half the time.
_kernel = njit(cache=True, nogil=True, no_cpython_wrapper=True)


class Plays(NamedTuple):
    """The legal plays of N rolls. Those of roll i are rows `offsets[i]:offsets[i + 1]`, never none.

    boards   int8[M, 26]  the position after each play; the opponent is on roll there if `flipped`
    offsets  int64[N + 1]
    moved    bool[N]      false where the roll can't be played: then the one result is the unchanged position (R13)
    """

    boards: np.ndarray
    offsets: np.ndarray
    moved: np.ndarray


class PlaysWithMoves(NamedTuple):
    """`Plays` and the moves that make each: `moves int8[M, 4, 2]`, (from, to), seen by the player who moves.

    From 25 is from the bar, to 0 is off; unused rows are -1.
    """

    boards: np.ndarray
    offsets: np.ndarray
    moved: np.ndarray
    moves: np.ndarray


def legal_plays(boards: np.ndarray, dice: np.ndarray, *, flipped: bool = True, checkers: int = CHECKERS) -> Plays:
    """Every distinct position that each roll can lead to.

    boards    int8[N, 26], player on roll
    dice      int8[N, 2], 1..6 in either order
    flipped   return the boards as the opponent, who is then on roll, sees them; else as the player who moved does
    checkers  how many a side has (3 in hypergammon)
    Raises InvalidBoard for an impossible board or a finished game, ValueError for other dice or shapes.
    """
    out, offsets, moved, _ = _generate_all(boards, dice, flipped, checkers, False)
    return Plays(out, offsets, moved)


def legal_plays_with_moves(
    boards: np.ndarray, dice: np.ndarray, *, flipped: bool = True, checkers: int = CHECKERS
) -> PlaysWithMoves:
    """`legal_plays`, and the moves of each play. Costs more; for text, not for search."""
    return PlaysWithMoves(*_generate_all(boards, dice, flipped, checkers, True))


def _generate_all(boards, dice, flipped, checkers, with_moves):
    boards, dice = np.asarray(boards), np.asarray(dice)
    if boards.ndim != 2 or boards.shape[1] != 26 or dice.shape != (len(boards), 2):
        raise ValueError(f"expected boards [N, 26] and dice [N, 2], got {boards.shape} and {dice.shape}")
    if boards.dtype != np.int8:  # the kernel checks int8, but would not see what a conversion to it hides
        boards = check(boards, checkers)
    if dice.dtype != np.int8:
        dice = _check_dice(dice)
    # Writable too, because Numba compiles once more for read-only arrays such as START.
    boards, dice = np.require(boards, requirements=["C", "W"]), np.require(dice, requirements=["C", "W"])

    def work(start, stop):
        return _generate_batch(boards[start:stop], dice[start:stop], flipped, checkers, with_moves)

    chunks = in_chunks(work, len(boards), 1024)
    if any(len(counts) < n for _, counts, _, _, n in chunks):
        _explain_fault(boards, dice, checkers)
    outs, counts, moved, moves, _ = zip(*chunks, strict=True)
    offsets = np.zeros(len(boards) + 1, dtype=np.int64)
    np.cumsum(_join(counts), out=offsets[1:])
    return _join(outs), offsets, _join(moved), _join(moves)


def _join(parts):
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _explain_fault(boards, dice, checkers):
    """Raise what is wrong with the first bad row, which the kernel only noticed."""
    check(boards, checkers)
    over = outcome(boards, checkers) >= 0
    if over.any():
        raise InvalidBoard(f"the game in row {int(over.argmax())} is over: there is nothing to play")
    _check_dice(dice)


def _check_dice(dice):
    """`dice [N, 2]` as int8, or ValueError naming the first roll that two dice can't show."""
    bad = ~np.isin(dice, np.arange(1, 7)).all(axis=1)
    if bad.any():
        i = int(bad.argmax())
        raise ValueError(f"dice are 1 to 6, row {i} has {tuple(dice[i].tolist())}")
    return dice.astype(np.int8)


@njit(cache=True, nogil=True)
def _generate_batch(boards, dice, flipped, checkers, with_moves):
    """Plays of each row, one after the other. Stops at an impossible row: then `counts` is shorter than N."""
    n = len(boards)
    out = np.empty((n * 20 + MAX_PLAYS, 26), dtype=np.int8)
    moves = np.empty((len(out) if with_moves else 0, 4, 2), dtype=np.int8)
    counts = np.empty(n, dtype=np.int64)
    moved = np.empty(n, dtype=np.bool_)
    keys = np.empty(MAX_PLAYS, dtype=np.uint64)
    total = 0
    for i in range(n):
        if not _playable(boards[i], dice[i], checkers):
            return out[:total].copy(), counts[:i], moved[:i], moves[: total * with_moves].copy(), n
        if total + MAX_PLAYS > len(out):
            out = _with_more_room(out, total)
            if with_moves:
                moves = _with_more_room(moves.reshape(-1, 8), total).reshape(-1, 4, 2)
        counts[i], moved[i] = generate(
            boards[i], dice[i, 0], dice[i, 1], flipped, out[total:], moves[total * with_moves :], keys
        )
        total += counts[i]
    return out[:total], counts, moved, moves[: total * with_moves], n


@_kernel
def _with_more_room(rows, used):
    """The first `used` rows, in an array half as long again and with room for one more roll."""
    larger = np.empty((len(rows) * 3 // 2 + MAX_PLAYS, rows.shape[1]), dtype=np.int8)
    for i in range(used):
        for j in range(rows.shape[1]):
            larger[i, j] = rows[i, j]
    return larger


@_kernel
def _playable(board, dice, checkers):
    """A possible board of a game that isn't over, and possible dice."""
    own = 0
    opponent = 0
    for p in range(26):
        if board[p] > 0:
            own += board[p]
        else:
            opponent -= board[p]
    return (
        0 < own <= checkers
        and 0 < opponent <= checkers
        and board[0] <= 0 <= board[25]
        and min(dice[0], dice[1]) >= 1
        and max(dice[0], dice[1]) <= 6
    )


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
    """`_next_source` of `_play_around`."""
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
