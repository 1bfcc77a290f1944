"""What outcomes are worth in the states of many games, in the units of the games' results.

A result is points for the player, cube included, or 1 for a match won and 0 for one lost. Values of positions are
therefore points times the cube, or match winning chances.
"""

from functools import lru_cache

import numpy as np

from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS
from bgai.evaluator.cube import best_values, cube_values, slot, stakes_of
from bgai.evaluator.cube_money import EFFICIENCY
from bgai.game import other_side

stakes = lru_cache(maxsize=None)(stakes_of)  # the same few states come up turn after turn


def after_play(outcomes: np.ndarray, states: States) -> np.ndarray:
    """Values `float64[N]` of positions for the player who has just moved; cubeful where there is a cube.

    outcomes  float32[N, 6], for the opponent, who is on roll
    states    seen by the player who has just moved
    """
    values = np.empty(len(outcomes))
    for state, rows in states.groups():
        if state is None:
            values[rows] = -(outcomes[rows] @ OUTCOME_POINTS)
            continue
        opponents = other_side(state)
        at_stake = stakes(opponents)
        theirs = best_values(cube_values(outcomes[rows], EFFICIENCY, at_stake), at_stake)[:, slot(opponents.owner)]
        values[rows] = -state.cube * theirs if at_stake.money else 1.0 - theirs
    return values
