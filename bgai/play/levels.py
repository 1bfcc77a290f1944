"""Levels of strength, from beginner to champion: how far the program errs on purpose.

Before a decision every equity that it compares (one for each play; no double and double, take) is changed by a normally
distributed error of its own, and what then looks best is done. docs/play.md tells what each level costs, measured by
scripts/measure_levels.py.
"""

import numpy as np

from bgai.arena.players import NetPlayer
from bgai.arena.states import States
from bgai.evaluator.search import Judged
from bgai.net.net import Net

LEVELS = {  # standard deviation of the errors, in EMG
    "beginner": 0.2,
    "novice": 0.12,
    "intermediate": 0.07,
    "advanced": 0.04,
    "expert": 0.02,
    "champion": 0.0,
}


class UnknownLevel(ValueError):
    """A level that there isn't."""


def error_of(level: str) -> float:
    """Standard deviation of a level's errors, in EMG. Raises UnknownLevel."""
    if level not in LEVELS:
        raise UnknownLevel(f"there is no level {level[:20]!r}: give {', '.join(LEVELS)}")
    return LEVELS[level]


class Erring(NetPlayer):
    """A network that errs: `error` is the standard deviation in EMG; where it is 0 nothing is drawn from `rng`."""

    def __init__(self, net: Net, ply: int, error: float, rng: np.random.Generator):
        super().__init__(net, ply, f"network with errors of {error}")
        self.error, self.rng = error, rng

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        return self._compared(boards, dice, states) if self.error else super().play(boards, dice, states)

    def _seen_plays(self, judged: Judged) -> Judged:
        if self.error == 0:
            return judged
        # Where lookahead passed a play over, it may still look best.
        return judged._replace(ply=np.zeros_like(judged.ply), equity=self._seen(judged.equity))

    def _seen(self, equities: np.ndarray) -> np.ndarray:
        return equities + self.rng.normal(0.0, self.error, equities.shape) if self.error else equities
