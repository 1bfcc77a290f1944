"""n-ply lookahead, as GNU Backgammon counts it: 0-ply is the evaluation alone, each ply looks one roll further ahead.

At each ply all 21 rolls are played with the reply that is best without lookahead; what comes out is averaged. A whole
level of the tree is a few array calls, whatever the number of positions. Two things travel up the tree: the six
outcomes, and the cubeful values for every place of the cube (`cube`), with the best cube action at each node.

A position that occurs twice in a level is looked into once. There is no memory beyond the call, so an answer can't
depend on what was asked before.
"""

from typing import NamedTuple

import numpy as np

from bgai.board import OUTCOME_POINTS, swap_outcomes
from bgai.evaluator.cube import Stakes, best_values, emg, other_view, stakes_of
from bgai.evaluator.evaluate import best_replies, known, outcomes_of, plays_outcomes, values_of, worth_of
from bgai.evaluator.race_plays import CHANCE, ROLLS
from bgai.game import State, other_side
from bgai.net.net import Net
from bgai.plays import Plays

MAX_PLY = 4
_AT_ONCE = 4096  # positions that are looked into together; bounds the memory of deep searches


class Sides(NamedTuple):
    """The stakes of a game for both players: the one on roll, and the opponent."""

    mover: Stakes
    opponent: Stakes


class Evaluation(NamedTuple):
    """What N positions are worth to the player on roll.

    outcomes  float64[N, 6]
    values    float64[N, S], in the units and columns of `cube`: before the roll, without a double this turn
    """

    outcomes: np.ndarray
    values: np.ndarray


def sides_of(state: State) -> Sides:
    """Both players' stakes in a state in which nothing is pending. Raises ImpossibleState, InvalidTable."""
    return Sides(stakes_of(state), stakes_of(other_side(state)))


def evaluate(net: Net, boards: np.ndarray, sides: Sides, ply: int) -> Evaluation:
    """Evaluate `boards int8[N, 26]` with `ply` rolls of lookahead; finished games have their exact value."""
    return look_ahead(net, boards, outcomes_of(net, boards), sides, ply)


def look_ahead(net: Net, boards: np.ndarray, outcomes: np.ndarray, sides: Sides, ply: int) -> Evaluation:
    """`evaluate` where the `outcomes` [N, 6] without lookahead are there already."""
    values = values_of(net, boards, outcomes, sides.mover)
    outcomes = outcomes.astype(np.float64)
    open_ = np.flatnonzero(~known(net, boards, sides.mover)) if ply else np.empty(0, dtype=int)
    if len(open_):
        rows, where = np.unique(np.ascontiguousarray(boards[open_]).view("V26"), return_inverse=True)
        distinct = rows.view(np.int8).reshape(-1, 26)
        parts = [
            _mean_over_rolls(net, distinct[i : i + _AT_ONCE], sides, ply) for i in range(0, len(distinct), _AT_ONCE)
        ]
        outcomes[open_], values[open_] = (np.concatenate(part)[where.ravel()] for part in zip(*parts, strict=True))
    return Evaluation(outcomes, values)


def _mean_over_rolls(net: Net, boards: np.ndarray, sides: Sides, ply: int) -> Evaluation:
    after, outcomes = best_replies(net, *each_roll(boards), worth_of(sides.mover))
    theirs = look_ahead(net, after, outcomes, Sides(*sides[::-1]), ply - 1)
    values = other_view(best_values(theirs.values, sides.opponent), sides.mover)
    return Evaluation(mean_over_rolls(swap_outcomes(theirs.outcomes)), mean_over_rolls(values))


def each_roll(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each board 21 times, and the 21 rolls: `int8[21 N, 26]`, `int8[21 N, 2]`."""
    return np.repeat(boards, len(ROLLS), axis=0), np.tile(ROLLS, (len(boards), 1))


def mean_over_rolls(values: np.ndarray) -> np.ndarray:
    """Means `float64[N, C]` over the rolls of `values [21 N, C]`, laid out as `each_roll` does.

    Summed roll by roll, not by BLAS: so a mean doesn't depend on how many are taken at once.
    """
    return (values.reshape(-1, len(ROLLS), values.shape[1]) * CHANCE[:, None]).sum(axis=1)


# Plays


class Filter(NamedTuple):
    """Which plays go on to the next ply: those within `margin` (EMG) of the best, the `most` best at most.

    first for 0-ply, `later` from 1-ply on.
    """

    first: tuple[float, float]
    later: tuple[float, float]


FILTERS = {  # (most, margin)
    "fast": Filter((8, 0.16), (2, 0.04)),
    "normal": Filter((12, 0.20), (4, 0.12)),
    "wide": Filter((20, 0.32), (8, 0.24)),
    "full": Filter((np.inf, np.inf), (np.inf, np.inf)),
}


class Judged(NamedTuple):
    """What M plays are worth to the player who makes them, in the order of the `Plays`.

    ply       int8[M]: how deep each was looked into; plays that a filter stopped stay at less than was asked for
    equity    float64[M], what plays of the same ply are ranked by, in EMG: cubeful, or by the outcomes at a dead cube
    outcomes  float64[M, 6]
    """

    ply: np.ndarray
    equity: np.ndarray
    outcomes: np.ndarray

    @property
    def cubeless(self) -> np.ndarray:
        """Points of a game without cube, `float64[M]`."""
        return self.outcomes @ OUTCOME_POINTS

    def ranking(self, offsets: np.ndarray) -> np.ndarray:
        """Indices `int64[M]` of the plays, each position's together and best first; a deeper ply comes first."""
        return np.lexsort((-self.equity, -self.ply, _segments(offsets)))


def judge_plays(
    net: Net,
    boards: np.ndarray,
    plays: Plays,
    sides: Sides,
    slots: np.ndarray | int,
    ply: int = 0,
    filter: Filter = FILTERS["normal"],
    cubeful: bool = True,
) -> Judged:
    """Judge the plays of many positions that share the score, at up to `ply` rolls of lookahead.

    boards   int8[N, 26], player on roll
    plays    those of `legal_plays(boards, ...)`, flipped
    sides    stakes of the player on roll and of the opponent
    slots    where the cube is (`cube.slot`), seen by the player on roll: one for all or int[N]
    cubeful  rank by cubeful equity, else by the outcomes alone
    """
    segments = _segments(plays.offsets)
    columns = np.broadcast_to(slots, len(boards))[segments]
    theirs = Sides(*sides[::-1])
    judged = Judged(
        np.zeros(len(segments), np.int8), np.empty(len(segments)), plays_outcomes(net, boards, plays).astype(np.float64)
    )

    def judge(rows: np.ndarray, at_ply: int) -> None:
        found = look_ahead(net, plays.boards[rows], judged.outcomes[rows], theirs, at_ply)
        judged.ply[rows] = at_ply
        judged.outcomes[rows] = found.outcomes
        if cubeful:
            values = other_view(best_values(found.values, theirs.mover), sides.mover)
            judged.equity[rows] = emg(values[np.arange(len(rows)), columns[rows]], sides.mover)
        else:
            judged.equity[rows] = swap_outcomes(found.outcomes) @ worth_of(sides.mover)

    rows = np.arange(len(segments))
    judge(rows, 0)
    for deeper in range(1, ply + 1):
        rows = within(judged.equity, segments, rows, *(filter.first if deeper == 1 else filter.later))
        judge(rows, deeper)
    return judged._replace(outcomes=swap_outcomes(judged.outcomes))


def _segments(offsets: np.ndarray) -> np.ndarray:
    """The position that each play belongs to, `int64[M]`."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def within(equity: np.ndarray, segments: np.ndarray, rows: np.ndarray, most: float, margin: float) -> np.ndarray:
    """Of `rows`, in order, those within `margin` of their segment's best and among its `most` best."""
    ordered = rows[np.lexsort((-equity[rows], segments[rows]))]
    first = np.searchsorted(segments[ordered], segments[ordered])
    kept = (np.arange(len(ordered)) - first < most) & (equity[ordered] >= equity[ordered[first]] - margin)
    return np.sort(ordered[kept])
