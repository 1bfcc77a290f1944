"""How efficient the cube is, by the phase of the game: how far its value lies from a dead cube's to a live one's.

The one place for these numbers, which are the field's; `cube_money` says what they mean. `scripts/fit_efficiency.py`
measures them on a player's own games, and `docs/evaluator.md` says what came out and why it isn't used yet.
"""

import numpy as np

from bgai.board import BAR, HOME

PHASES = ("contact", "race", "bear-off")
CONTACT, RACE, BEAR_OFF = range(len(PHASES))
EFFICIENCY = np.array([0.68, 0.65, 0.60])  # of each of `PHASES`


def efficiency_of(boards: np.ndarray) -> np.ndarray:
    """The efficiency of the cube in `boards int8[N, 26]`, `float64[N]`; it is the same for both sides."""
    return EFFICIENCY[phase(boards)]


def phase(boards: np.ndarray) -> np.ndarray:
    """Index into `PHASES` of each of `boards int8[N, 26]`, `int64[N]`; finished games count as contact.

    race      nobody can be hit any more
    bear-off  and all checkers are in the home boards
    """
    rear = BAR - (boards[:, ::-1] > 0).argmax(axis=1)
    opponents_rear = (boards < 0).argmax(axis=1)
    home = (rear <= HOME) & (opponents_rear >= BAR - HOME)
    return (rear < opponents_rear).astype(np.int64) + home
