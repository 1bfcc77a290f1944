"""The exact bear-off table: up to six checkers a side in the home boards, 924 x 924 pairs of positions.

A checker is off on both sides or can be no gammon, so there is nothing but won and lost games.
"""

from collections.abc import Callable
from itertools import pairwise
from math import comb

import numpy as np

from bgai.board import HOME
from bgai.evaluator import race_recursion as recursion
from bgai.evaluator.cube import slot, stakes_of
from bgai.evaluator.race_plays import all_plays
from bgai.game import State

CHECKERS_EACH = 6
POSITIONS = comb(CHECKERS_EACH + HOME, HOME)
MONEY = stakes_of(State())
CUBELESS = 6  # column of `race_recursion` for money: after two values for each of three places of the cube
COLUMNS = (CUBELESS, slot("centred"), slot("mover"), slot("opponent"))


def build(progress: Callable[[float], None]) -> np.ndarray:
    """Money equities before the roll, for a cube of 1: `float64[924, 924, 4]`, indexed by `race_plays.index` of the
    side on roll and of its opponent.

    Columns: cubeless; then with the cube centred, owned by the side on roll, owned by the opponent, when this roll is
    thrown without a double. `progress` is told the share that is done, up to 1.
    """
    values = np.zeros((POSITIONS, POSITIONS, CUBELESS + 1))
    values[:, 0] = -1
    plays, offsets = all_plays(np.arange(POSITIONS), HOME)
    side = recursion.Side(values, plays, offsets, np.ones((POSITIONS, POSITIONS), np.bool_), MONEY)
    edges = (POSITIONS * np.sqrt(np.linspace(0, 1, 21))).astype(np.int64)  # equal work: pairs grow with the square
    for start, stop in pairwise(edges):
        recursion.solve(side, side, start, stop)
        progress((stop / POSITIONS) ** 2)
    return values[..., COLUMNS]
