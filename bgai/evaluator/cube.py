"""Cubeful values of positions for every place that the cube can have: what a search asks at its leaves and nodes.

Values are kept in an array `float64[N, S]`, one row a position and one column, a slot, for each place of the cube:

    slot 0        centred
    slot 1 + 2k   owned by the player on roll, at level k: 2^k times the value that the `Stakes` were made for
    slot 2 + 2k   owned by the opponent, at level k

Money has one level (S = 3), since a cube twice as high is worth twice as much. A match has the levels up to the one at
which the cube is dead for both. Units are points per present cube for money, match winning chance (MWC) in a match;
always those of the player on roll, before the roll, by whom the `Stakes` are seen. A depth-first search needs two
of them, `stakes_of(state)` and `stakes_of(other_side(state))`, and then at each

    leaf    cube_values(outcomes, efficiency, stakes), then best_values: the player on roll may double there
    node    the mean over the rolls of other_view(values of the best plays, stakes), then best_values
    root    the same mean, but `nd_dt` instead of best_values: the two sides of the decision
"""

from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np
from numba import njit
from numba.extending import register_jitable

from bgai.board import OUTCOME_POINTS
from bgai.evaluator.cube_match import match_values
from bgai.evaluator.cube_money import money_values
from bgai.evaluator.met import cube_levels, default_table, game_ends
from bgai.game import OWNERS, State, can_double, check_state

WIN, LOSE = 0, 3  # columns of a single game in `OUTCOMES`


Values = TypeVar("Values", float, np.ndarray)


class Stakes(NamedTuple):
    """What the cube formula needs of a `State`; kernels take it as it is.

    after     float64[levels, 6]: value of each outcome at each cube level, for the player on roll
    doubles   bool[levels]: he may double a cube that is centred or his at this level, and can gain by it (R39, R41)
    money     values are points per present cube; else match winning chances
    jacoby    with a centred cube gammons count only once (R36)
    beavers   a double may be turned at once (R35)
    """

    after: np.ndarray
    doubles: np.ndarray
    money: bool
    jacoby: bool
    beavers: bool


def stakes_of(state: State) -> Stakes:
    """The `Stakes` of a state, seen by its player on roll; in a match by the default match equity table.

    Raises ImpossibleState for a state that no game can come to, InvalidTable for a match longer than tables reach.
    """
    check_state(state)
    if state.length == 0:
        after = OUTCOME_POINTS.astype(np.float64)[None]
    else:
        mwc = default_table().extended(max(state.away)).mwc
        levels = 1 if state.crawford else max(cube_levels(state.cube, max(state.away)), 1 + (state.pending is not None))
        after = game_ends(mwc[int(state.crawford or state.post_crawford)], *state.away, state.cube, levels)
    on_turn = replace(state, owner="mover", pending=None, resigned=0)
    doubles = [can_double(replace(on_turn, cube=state.cube << level)) for level in range(len(after))]
    return Stakes(after, np.array(doubles), state.length == 0, state.jacoby, state.beavers > 0)


def slot(owner: str, level: int = 0) -> int:
    """The column for a cube with `owner` ("centred", "mover", "opponent") at a level; centred there is only level 0."""
    return OWNERS.index(owner) + 2 * level


@njit(cache=True)
def _cube_values(outcomes, efficiency, stakes):
    values = np.empty((len(outcomes), 1 + 2 * len(stakes.after)))
    for i in range(len(outcomes)):
        if stakes.money:
            money_values(outcomes[i], efficiency[i], stakes.jacoby, values[i])
        else:
            match_values(outcomes[i], efficiency[i], stakes.after, values[i])
    return values


def cube_values(outcomes: np.ndarray, efficiency: float | np.ndarray, stakes: Stakes) -> np.ndarray:
    """Value of each position in every slot, if nobody doubles this turn: `float64[N, S]`.

    outcomes     float[N, 6], exclusive, seen by the player on roll
    efficiency   of the cube, 0 (dead) to 1 (live): one number or float[N]
    """
    outcomes = np.ascontiguousarray(outcomes, dtype=np.float32)
    each = np.full(len(outcomes), efficiency, dtype=np.float64)
    return _cube_values(outcomes, each, stakes)


@register_jitable
def doubled(taken, passed, beavers):
    """What a double is worth to who doubles, one or an array of them: the less of its take and its pass.

    Where the opponent gains by taking and beavers are allowed, he beavers, unless the doubler would pass the beaver and
    that cost less; a raccoon never helps against a right beaver (R35).
    """
    if beavers:
        taken = np.minimum(taken, np.maximum(2.0 * taken, -2.0))
    return np.minimum(taken, passed)


@njit(cache=True)
def best_values(values, stakes):
    """Let the player on roll double where that is better, and the opponent answer best. In place; returns `values`."""
    for i in range(len(values)):
        double_where_better(values[i], stakes)
    return values


@njit(cache=True)
def double_where_better(values, stakes):
    """`best_values` of one position, `values` float64[S]."""
    for level in range(len(stakes.doubles)):
        if not stakes.doubles[level]:
            continue
        taken = 2.0 * values[2] if stakes.money else values[4 + 2 * level]
        double = doubled(taken, stakes.after[level, WIN], stakes.beavers)
        values[1 + 2 * level] = max(values[1 + 2 * level], double)
        if level == 0:
            values[0] = max(values[0], double)


def other_view(values: np.ndarray, stakes: Stakes) -> np.ndarray:
    """The same values `float64[..., S]` seen by the other player."""
    seen = (0.0 if stakes.money else 1.0) - values
    seen[..., 1::2], seen[..., 2::2] = seen[..., 2::2].copy(), seen[..., 1::2].copy()
    return seen


def nd_dt(values: np.ndarray, stakes: Stakes, owner: str) -> tuple[np.ndarray, np.ndarray]:
    """Values `float64[...]` of no double and of double, take, from `values` float64[..., S] without a double this turn.

    A match needs a level above the present one; there is one wherever `stakes.doubles[0]`.
    """
    taken = 2.0 * values[..., slot("opponent")] if stakes.money else values[..., slot("opponent", 1)]
    return values[..., slot(owner)], taken


def emg(values: Values, stakes: Stakes) -> Values:
    """Equity normalised to money, per present cube: 1 is a single game won, -1 one lost. Money equities stay."""
    win, lose = stakes.after[0, WIN], stakes.after[0, LOSE]
    return (2.0 * values - win - lose) / (win - lose)
