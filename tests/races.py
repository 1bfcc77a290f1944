"""Bear-off positions to test with, and one roll played out by the general play generator."""

import numpy as np

from bgai.board import UNFINISHED, outcome
from bgai.evaluator.race_plays import CHANCE, ROLLS, all_positions
from bgai.plays import legal_plays


def home_boards(own: np.ndarray, opponent: np.ndarray) -> np.ndarray:
    """`int8[N, 26]` from the indices of both sides' positions on six points."""
    boards = np.zeros((len(own), 26), dtype=np.int8)
    boards[:, 1:7] = all_positions(own, 6)
    boards[:, 24:18:-1] = -all_positions(opponent, 6)
    return boards


def with_cube(no_double: np.ndarray) -> np.ndarray:
    """Money equities before the cube action, `[N, 3]`: centred, owned, owned by the opponent.

    From the columns of `bearoff.equities`, `[N, 4]`: the player on roll doubles where that is worth more than not to,
    and the opponent takes or passes, whichever costs less.
    """
    _, centred, owned, opponents = no_double.T
    double = np.minimum(2 * opponents, 1)
    return np.column_stack([np.maximum(centred, double), np.maximum(owned, double), opponents])


def mean_of_best_replies(boards: np.ndarray, value, over) -> np.ndarray:
    """What boards are worth `float64[N, C]` to the player on roll, from what they are worth a roll later.

    `value(boards)` gives [M, C] for the player then on roll, who is the opponent, and `over[outcome]` [C] for finished
    games; each column is maximised by itself, over plays of `bgai.plays`.
    """
    plays = legal_plays(np.repeat(boards, 21, axis=0), np.tile(ROLLS, (len(boards), 1)))
    ended = outcome(plays.boards)
    values = over[ended].astype(float)
    going_on = ended == UNFINISHED
    if going_on.any():
        values[going_on] = value(plays.boards[going_on])
    best = -np.minimum.reduceat(values, plays.offsets[:-1], axis=0)
    return np.tensordot(best.reshape(len(boards), 21, -1), CHANCE, axes=(1, 0))
