"""Exact values of any race that is small enough, on demand: up to 15 checkers a side, anywhere, gammons included, for
money and at any score of a match.

The positions that each side can come to are collected roll by roll, as long as the other side is still playing;
`race_recursion` then works out all pairs, for every place that the cube can come to from where it is.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bgai.board import CHECKERS, OUTCOMES, check, is_race
from bgai.evaluator import race_recursion as recursion
from bgai.evaluator.cube import LOSE, Stakes, cube_values, stakes_of
from bgai.evaluator.race_plays import POINTS, all_plays, all_positions, index_all
from bgai.game import State, other_side

MAX_PAIRS = 200_000
MONEY = State()
RACE_OVER = 0  # index of the position with all checkers off


class NotReachable(ValueError):
    """A board that the solved race can't lead to."""


@dataclass(frozen=True, eq=False)
class SolvedRace:
    """The values of every position that a race can lead to.

    Side 0 is the player on roll in the board that was solved, side 1 the opponent. For each side:
    positions  int64[n]                its positions by `race_plays.index` over 24 points, ascending
    reachable  bool[n, other n]        pairs that the race can come to with this side on roll
    rows       float64[n, other n, C]  their values before the roll, columns as in `race_recursion`
    """

    positions: tuple[np.ndarray, ...]
    reachable: tuple[np.ndarray, ...]
    rows: tuple[np.ndarray, ...]

    def values(self, boards: np.ndarray, side: int) -> np.ndarray:
        """Values `float64[N, S]` of boards seen by `side`, which is on roll and doesn't double this turn: units and
        columns as in `cube`.

        Raises NotReachable for a board that the race can't lead to or that is over.
        """
        rows = self._rows(boards, side)
        return rows[:, : (rows.shape[1] - 1 - len(OUTCOMES)) // 2]

    def outcomes(self, boards: np.ndarray, side: int) -> np.ndarray:
        """Outcomes `float64[N, 6]` if plays maximise what they are worth at the present cube, and nobody turns it.

        Boards and errors as in `values`.
        """
        return self._rows(boards, side)[:, -len(OUTCOMES) :]

    def _rows(self, boards: np.ndarray, side: int) -> np.ndarray:
        own, other = (_find(self.positions[s], keys) for s, keys in zip((side, 1 - side), _keys(boards), strict=True))
        known = (own >= 0) & (other >= 0) & self.reachable[side][own, other]
        if not known.all():
            raise NotReachable(f"the race can't come to board {int(known.argmin())} with side {side} on roll")
        return self.rows[side][own, other]


def solve(board: np.ndarray, state: State = MONEY) -> SolvedRace | None:
    """The exact values of `board int8[26]` and all that it can lead to; None if it isn't a race, is over, or can lead
    to more than 200,000 pairs of positions.

    state  seen by the player on roll, nothing pending; the values are for all places of the cube from its value on
    Raises InvalidBoard, ImpossibleState.
    """
    return _solve(check(board).tobytes(), state)


@lru_cache(maxsize=2)  # the play and the cube action of one position are often asked for together
def _solve(board: bytes, state: State) -> SolvedRace | None:
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
    sides = []
    for own, other, pairs, seen in zip(positions, positions[::-1], reachable, (state, other_side(state)), strict=True):
        stakes = stakes_of(seen)
        lost = _lost(own, stakes)
        rows = np.zeros((own.size, other.size, lost.shape[1]))
        rows[:, RACE_OVER] = lost
        plays, offsets = all_plays(np.where(pairs.any(axis=1), own, RACE_OVER), POINTS)
        sides.append(recursion.Side(rows, np.searchsorted(own, plays), offsets, pairs, stakes))
    recursion.solve(*sides, 0, positions[0].size)
    return SolvedRace(positions, reachable, tuple(side.values for side in sides))


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
        levels[side].append(_after_a_roll(playing, MAX_PAIRS // waiting.size + 1))  # one of them may be all off
        side = 1 - side


def _after_a_roll(positions: np.ndarray, most: int) -> np.ndarray:
    """The positions that one roll can make of these, ascending; only some if there are more than `most`.

    A few thousand positions of many checkers can be played in millions of ways. More and more of them are looked at, so
    that a race that is too large is known to be in a moment.
    """
    found, done, more = np.empty(0, dtype=np.int64), 0, 16
    while done < positions.size and found.size <= most:
        found = np.union1d(found, all_plays(positions[done : done + more], POINTS)[0])
        done, more = done + more, 2 * more
    return found


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


def _lost(positions: np.ndarray, stakes: Stakes) -> np.ndarray:
    """Rows `float64[n, C]` of the side that has these positions when the other bears off its last. (R27 to R29)"""
    counts = all_positions(positions, POINTS)
    gammon = counts.sum(axis=1) == CHECKERS
    backgammon = gammon & counts[:, 18:].any(axis=1)  # points 19 to 24, the winner's home board
    outcomes = np.eye(len(OUTCOMES))[LOSE + gammon + backgammon]
    values = cube_values(outcomes, 0.0, stakes)  # of a game that is over, whatever the efficiency
    return np.hstack([values, values, outcomes @ stakes.after[:1].T, outcomes])


def _keys(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`race_plays.index` over 24 points of the player on roll and of the opponent."""
    own, opponent = boards[:, 1:25], -boards[:, 24:0:-1]
    return index_all(np.maximum(own, 0)), index_all(np.maximum(opponent, 0))


def _find(positions: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The row of each key in `positions`, -1 where it is not there."""
    rows = np.minimum(np.searchsorted(positions, keys), positions.size - 1)
    return np.where(positions[rows] == keys, rows, -1)
