"""A network made by hand: it counts pips, and the player who is ahead in the race is likely to win.

Weak, but with an opinion of its own; tests needn't train anything.
"""

import numpy as np

from bgai.net.checkpoint import Architecture
from bgai.net.fast import FastNet
from bgai.net.inputs import CODE, N_RAW

_COUNT = np.array([1, 2, 1, 1, 1, 4])  # checkers that each input of a place adds to the count


ARCHITECTURE = Architecture(hidden=(2,))


def pip_net() -> FastNet:
    """The network."""
    return FastNet(ARCHITECTURE, pip_weights())


def pip_weights() -> dict[str, np.ndarray]:
    """Its weights."""
    lead = np.zeros(N_RAW)  # the opponent's pips less the own ones, in hundreds
    for place in range(25):
        lead[place * CODE : (place + 1) * CODE] = -_COUNT * (place + 1) / 100  # own checkers on points 1..24, bar
        lead[(25 + place) * CODE : (26 + place) * CODE] = _COUNT * (25 - place) / 100  # the opponent's on bar, 1..24
    weights = {
        "hidden.0.weight": np.stack([lead, -lead]),
        "hidden.0.bias": np.array([0.04, -0.04]),  # half a roll for being on roll
        "out.weight": np.outer([1.0, 1.2, 0.5, -1.0, -1.2, -0.5], [2.5, -2.5]),
        "out.bias": np.array([0.0, -1.0, -3.0, 0.0, -1.0, -3.0]),
    }
    return {name: w.astype(np.float32) for name, w in weights.items()}
