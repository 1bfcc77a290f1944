"""Exact values of any race that is small enough, on demand: up to 15 checkers a side, anywhere, gammons included.

The positions that each side can come to are collected roll by roll, as long as the other side is still playing;
`race_recursion` then works out all pairs. Beavers aren't considered: without Jacoby a double that could be beavered is
never right in a race.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bgai.board import CHECKERS, check, is_race
from bgai.evaluator import race_recursion as recursion
from bgai.evaluator.bearoff_twosided import COLUMNS
from bgai.evaluator.race_plays import POINTS, all_plays, all_positions, index_all

MAX_PAIRS = 200_000
RACE_OVER = 0  # index of the position with all checkers off


class NotReachable(ValueError):
    """A board that the solved race can't lead to."""


@dataclass(frozen=True, eq=False)
class SolvedRace:
    """The values of every position that a race can lead to.

    Side 0 is the player on roll in the board that was solved, side 1 the opponent. For each side:
    positions  int64[n]                its positions by `race_plays.index` over 24 points, ascending
    reachable  bool[n, other n]        pairs that the race can come to with this side on roll
    values     float64[n, other n, 12] their values before the roll, columns as in `race_recursion`
    """

    positions: tuple[np.ndarray, ...]
    reachable: tuple[np.ndarray, ...]
    values: tuple[np.ndarray, ...]

    def equities(self, boards: np.ndarray, side: int) -> np.ndarray:
        """Money equities `float64[N, 4]` of boards seen by `side`, which is on roll: columns as in `bearoff.equities`.

        Raises NotReachable for a board that the race can't lead to or that is over.
        """
        return self._rows(boards, side)[:, COLUMNS]

    def outcomes(self, boards: np.ndarray, side: int) -> np.ndarray:
        """Outcomes `float64[N, 6]` if plays maximise the cubeless equity; boards and errors as in `equities`."""
        return self._rows(boards, side)[:, recursion.WIN :]

    def _rows(self, boards: np.ndarray, side: int) -> np.ndarray:
        own, other = (_find(self.positions[s], keys) for s, keys in zip((side, 1 - side), _keys(boards), strict=True))
        known = (own >= 0) & (other >= 0) & self.reachable[side][own, other]
        if not known.all():
            raise NotReachable(f"the race can't come to board {int(known.argmin())} with side {side} on roll")
        return self.values[side][own, other]


def solve(board: np.ndarray, *, jacoby: bool = False) -> SolvedRace | None:
    """The exact values of `board int8[26]` and all that it can lead to; None if it isn't a race, is over, or can lead
    to more than 200,000 pairs of positions.

    With `jacoby`, gammons count single while the cube is centred (R36). Raises InvalidBoard.
    """
    return _solve(check(board).tobytes(), jacoby)


@lru_cache(maxsize=2)  # the play and the cube action of one position are often asked for together
def _solve(board: bytes, jacoby: bool) -> SolvedRace | None:
    boards = np.frombuffer(board, dtype=np.int8)[None]
    starts = [int(keys[0]) for keys in _keys(boards)]
    if not is_race(boards).all() or RACE_OVER in starts:
        return None
    levels = _levels(starts)
    if levels is None:
        return None
    positions = tuple(np.unique(np.concatenate([*side, [RACE_OVER]])) for side in levels)
    reachable = _reachable(positions, levels)
    if np.count_nonzero(reachable[0] | reachable[1].T) > MAX_PAIRS:
        return None
    sides, values = [], []
    for own, other, pairs in zip(positions, positions[::-1], reachable, strict=True):
        plays, offsets = all_plays(np.where(pairs.any(axis=1), own, RACE_OVER), POINTS)
        values.append(np.zeros((own.size, other.size, recursion.COLUMNS_WITH_OUTCOMES)))
        values[-1][:, RACE_OVER] = _lost(own, jacoby)
        sides += [values[-1], np.searchsorted(own, plays), offsets, pairs]
    recursion.solve(*sides, 0, positions[0].size)
    return SolvedRace(positions, reachable, tuple(values))


def _levels(starts: list[int]) -> list[list[np.ndarray]] | None:
    """For each side, all positions that it can have after 0, 1, 2, ... rolls; None if that makes too many pairs."""
    levels = [[np.array([start])] for start in starts]
    side = 0
    while True:
        playing, waiting = (level[-1][level[-1] != RACE_OVER] for level in (levels[side], levels[1 - side]))
        if playing.size * waiting.size > MAX_PAIRS:
            return None
        if playing.size * waiting.size == 0:
            return levels
        levels[side].append(np.unique(all_plays(playing, POINTS)[0]))
        side = 1 - side


def _reachable(positions: tuple, levels: list[list[np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs `bool[own, other]` of unfinished positions that can meet, with side 0 on roll and with side 1 on roll."""
    rolls = max(map(len, levels))
    # at[side][t, i]: the side can have position i after t rolls
    at = [np.zeros((rolls, own.size), dtype=np.float32) for own in positions]
    for side in (0, 1):
        for t, level in enumerate(levels[side]):
            at[side][t, _find(positions[side], level[level != RACE_OVER])] = 1
    first, second = at
    return first.T @ second > 0, second[:-1].T @ first[1:] > 0


def _lost(positions: np.ndarray, jacoby: bool) -> np.ndarray:
    """Values `float64[n, 12]` of the side that has these positions when the other bears off its last. (R27 to R29)"""
    counts = all_positions(positions, POINTS)
    gammon = counts.sum(axis=1) == CHECKERS
    backgammon = gammon & counts[:, 18:].any(axis=1)  # points 19 to 24, the winner's home board
    worse = gammon.astype(int) + backgammon  # 0 single game, 1 gammon, 2 backgammon
    values = np.zeros((positions.size, recursion.COLUMNS_WITH_OUTCOMES))
    values[:, : recursion.NO_DOUBLE_CENTRED] = -(1.0 + worse)[:, None]
    if jacoby:
        values[:, recursion.CENTRED] = -1
    values[np.arange(positions.size), recursion.LOSE + worse] = 1
    return values


def _keys(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`race_plays.index` over 24 points of the player on roll and of the opponent."""
    own, opponent = boards[:, 1:25], -boards[:, 24:0:-1]
    return index_all(np.maximum(own, 0)), index_all(np.maximum(opponent, 0))


def _find(positions: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The row of each key in `positions`, -1 where it is not there."""
    rows = np.minimum(np.searchsorted(positions, keys), positions.size - 1)
    return np.where(positions[rows] == keys, rows, -1)
