"""Luck, measured by a network: what it takes out of results narrows their interval and leaves their mean.

The luck of a roll is the value after its best play less the mean over all rolls that could have been thrown. Before the
roll its expectation is 0, whoever judges and however well. So results less luck have the same mean as results.
"""

from functools import lru_cache

import numpy as np

from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS
from bgai.evaluator.cube import best_values, cube_values, slot, stakes_of
from bgai.evaluator.efficiency import efficiency_of
from bgai.evaluator.race_plays import CHANCE, OPENING_CHANCE, ROLLS, roll_index
from bgai.evaluator.search import each_roll
from bgai.game import other_side
from bgai.net.net import Net


class Judge:
    """Values plays by a network without lookahead, cubeful where there is a cube."""

    def __init__(self, net: Net):
        self.net = net

    def luck(self, boards: np.ndarray, dice: np.ndarray, states: States, opening: np.ndarray) -> np.ndarray:
        """Luck `float64[N]` of rolls for those who threw them, in the units of the games' results.

        boards int8[N, 26], dice int8[N, 2]; opening bool[N]: the roll began a game.
        """
        after, outcomes = self.net.best(*each_roll(boards))
        values = _after_play(after, outcomes, states.repeat(len(ROLLS))).reshape(-1, len(ROLLS))
        means = (values * np.where(opening[:, None], OPENING_CHANCE, CHANCE)).sum(axis=1)
        return values[np.arange(len(boards)), roll_index(dice)] - means


def _after_play(boards: np.ndarray, outcomes: np.ndarray, states: States) -> np.ndarray:
    """Values `float64[N]` of positions for the player who has just moved, who sees the `states` so, in the units of
    results: cubeful points times the cube, or match winning chances. `boards int8[N, 26]`,
    `outcomes float32[N, 6]` are seen by the opponent, who is on roll."""
    values = np.empty(len(outcomes))
    for state, rows in states.groups():
        if state is None:
            values[rows] = -(outcomes[rows] @ OUTCOME_POINTS)
            continue
        opponents = other_side(state)
        at_stake = _stakes(opponents)
        theirs = best_values(cube_values(outcomes[rows], efficiency_of(boards[rows]), at_stake), at_stake)
        theirs = theirs[:, slot(opponents.owner)]
        values[rows] = -state.cube * theirs if at_stake.money else 1.0 - theirs
    return values


_stakes = lru_cache(maxsize=None)(stakes_of)  # the same few states come up turn after turn
