"""All legal plays of a batch of positions and rolls: `one_roll` over all of them, and over all cores."""

from typing import NamedTuple

import numpy as np
from numba import njit

from bgai.board import CHECKERS, InvalidBoard, check, outcome
from bgai.one_roll import MAX_PLAYS, generate
from bgai.threads import in_chunks


class Plays(NamedTuple):
    """The legal plays of N rolls. Those of roll i are rows `offsets[i]:offsets[i + 1]`, never none.

    boards   int8[M, 26]    the position after each play; the opponent is on roll there if `flipped`
    offsets  int64[N + 1]
    moved    bool[N]        false where the roll can't be played: then the one result is the unchanged position (R13)
    moves    int8[M, 4, 2]  (from, to), seen by the player who moves: from 25 is from the bar, to 0 is off, unused rows
                            are -1. [0, 4, 2] where they aren't asked for
    """

    boards: np.ndarray
    offsets: np.ndarray
    moved: np.ndarray
    moves: np.ndarray = np.empty((0, 4, 2), dtype=np.int8)


def legal_plays(boards: np.ndarray, dice: np.ndarray, *, flipped: bool = True, checkers: int = CHECKERS) -> Plays:
    """Every distinct position that each roll can lead to.

    boards    int8[N, 26], player on roll
    dice      int8[N, 2], 1..6 in either order
    flipped   return the boards as the opponent, who is then on roll, sees them; else as the player who moved does
    checkers  how many a side has (3 in hypergammon)
    Raises InvalidBoard for an impossible board or a finished game, ValueError for other dice or shapes.
    """
    return _generate_all(boards, dice, flipped, checkers, False)


def legal_plays_with_moves(
    boards: np.ndarray, dice: np.ndarray, *, flipped: bool = True, checkers: int = CHECKERS
) -> Plays:
    """`legal_plays`, and the moves of each play. Costs more; for text, not for search."""
    return _generate_all(boards, dice, flipped, checkers, True)


def index_of(play: np.ndarray, plays: np.ndarray) -> int:
    """Which of the plays of one roll is `play`: its index in `plays`.

    Both are boards, `int8[26]` in `int8[M, 26]`, or moves, `int8[4, 2]` in `int8[M, 4, 2]`, written as `Plays` has
    them. No two plays have the same; ValueError if none is this one.
    """
    (index,) = np.flatnonzero((plays == play).reshape(len(plays), -1).all(axis=1))
    return int(index)


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
    return Plays(_join(outs), offsets, _join(moved), _join(moves))


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


@njit(cache=True, nogil=True, no_cpython_wrapper=True)
def _with_more_room(rows, used):
    """The first `used` rows, in an array half as long again and with room for one more roll."""
    larger = np.empty((len(rows) * 3 // 2 + MAX_PLAYS, rows.shape[1]), dtype=np.int8)
    for i in range(used):
        for j in range(rows.shape[1]):
            larger[i, j] = rows[i, j]
    return larger


@njit(cache=True, nogil=True, no_cpython_wrapper=True)
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
