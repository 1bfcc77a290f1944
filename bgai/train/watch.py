"""Keeps an eye on a run: how strong it is by now, and whether it has gone wrong."""

import math

import numpy as np

from bgai.arena.statistics import points_against_pubeval
from bgai.board import OUTCOMES


class Collapse(ValueError):
    """Training has gone wrong and going on would be a waste of time; the message says how."""


class Watch:
    """Measures the network every `eval_every` games, remembers the figures, and raises `Collapse`."""

    def __init__(self, config):
        self.config = config
        self.next_measure = config.eval_every
        self.measured: dict = {}
        self.best = -math.inf
        self.recent = np.zeros(6)  # games by outcome, fading over about 5,000

    def state(self) -> dict:
        return {
            "next_measure": self.next_measure,
            "measured": self.measured,
            "best": self.best if math.isfinite(self.best) else None,
            "recent": self.recent.tolist(),
        }

    def restore(self, state: dict) -> None:
        self.next_measure, self.measured = state["next_measure"], state["measured"]
        self.best = -math.inf if state["best"] is None else state["best"]
        self.recent = np.array(state["recent"])

    def due(self, games: int) -> bool:
        return games >= self.next_measure

    def measure(self, net, games: int) -> None:
        points, half = points_against_pubeval(net, self.config.eval_games, seed=self.config.seed)
        self.measured = {"games": games, "pubeval": points, "pubeval_ci95": half}
        self.next_measure = games + self.config.eval_every

    def is_best(self) -> bool:
        """Is the latest measurement the highest so far? Asking remembers it."""
        better = self.measured["pubeval"] > self.best
        self.best = max(self.best, self.measured["pubeval"])
        return better

    def round(self, samples, loss: float, games: int) -> None:
        """Look at one round; raises Collapse."""
        if not math.isfinite(loss) or not np.isfinite(samples.targets).all():
            raise Collapse("the loss is no finite number any more: lower the learning rate (rate_start)")
        self.recent = self.recent * 0.9 ** (samples.games / 500) + samples.ended
        if games > 5000 and self.recent.sum() > 2000:
            _, gammon, backgammon = (self.recent[:3] + self.recent[3:]) / self.recent.sum()
            if gammon + backgammon > 0.9:
                raise Collapse(f"{gammon + backgammon:.0%} of the games end in {OUTCOMES[1][4:]} or worse")
        if games > 5000 and len(samples.targets) > 1000 and samples.targets.std(axis=0).max() < 1e-3:
            raise Collapse("the network thinks the same of every position")
