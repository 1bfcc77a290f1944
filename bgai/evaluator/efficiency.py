"""How efficient the cube is, by the phase of the game: how far its value lies from a dead cube's to a live one's.

The numbers stand in `data/cube_efficiency.toml`; `cube_money` says what they mean, `docs/evaluator.md` where they come
from, and `scripts/fit_efficiency.py` fits them anew when the shipped player changes.
"""

import tomllib

import numpy as np

from bgai.board import BAR, HOME
from bgai.files import data_file

CUBE_PHASES = ("contact", "race", "bear-off")
CONTACT, RACE, BEAR_OFF = range(len(CUBE_PHASES))
FILE = data_file("cube_efficiency.toml")
EFFICIENCY = np.array([tomllib.loads(FILE.read_text())[name] for name in CUBE_PHASES])


def efficiency_of(boards: np.ndarray) -> np.ndarray:
    """The efficiency of the cube in `boards int8[N, 26]`, `float64[N]`; it is the same for both sides."""
    return EFFICIENCY[cube_phase(boards)]


def cube_phase(boards: np.ndarray) -> np.ndarray:
    """Index into `CUBE_PHASES` of each of `boards int8[N, 26]`, `int64[N]`; finished games count as contact.

    race      nobody can be hit any more
    bear-off  and all checkers are in the home boards
    """
    rear = BAR - (boards[:, ::-1] > 0).argmax(axis=1)
    opponents_rear = (boards < 0).argmax(axis=1)
    home = (rear <= HOME) & (opponents_rear >= BAR - HOME)
    return (rear < opponents_rear).astype(np.int64) + home
