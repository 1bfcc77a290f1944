"""The phases of a game, by which figures are told apart."""

import numpy as np

from bgai.board import HOME, pips
from bgai.evaluator.efficiency import CONTACT, cube_phase

PHASES = ("contact", "back game", "race", "bear-off")
BACK_GAME_PIPS = 60  # behind by so many: the anchors are there to stay


def phase(boards: np.ndarray) -> np.ndarray:
    """Index into `PHASES` of each of `boards int8[N, 26]`, `int8[N]`.

    back game  with contact, a side that holds two points or more of the other's home board is 60 pips or more behind
    All else is as in `cube_phase`.
    """
    own, opponent = pips(boards)
    own_anchors = (boards[:, 25 - HOME : 25] >= 2).sum(axis=1)
    opponent_anchors = (boards[:, 1 : HOME + 1] <= -2).sum(axis=1)
    back_game = (own_anchors >= 2) & (own - opponent >= BACK_GAME_PIPS)
    back_game |= (opponent_anchors >= 2) & (opponent - own >= BACK_GAME_PIPS)
    without = cube_phase(boards)
    return np.where(without == CONTACT, back_game, without + 1).astype(np.int8)
