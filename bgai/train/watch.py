"""Keeps an eye on a run: how strong it is by now, and whether it has gone wrong."""

import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from bgai.arena.games import EndlessGames
from bgai.arena.players import BareNetwork, RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.arena.statistics import points_against
from bgai.board import CHECKERS, VARIANTS, checkers_of
from bgai.evaluator.own_net import load_own_net
from bgai.net.checkpoint import Checkpoint, save_checkpoint
from bgai.net.net import Net
from bgai.train.config import TrainConfig
from bgai.train.folder import PAST, by_games
from bgai.train.selfplay import Samples

GRACE = 5_000  # games of a run before it is judged: the first ones are chance
RANDOM_GAMES = 400  # of one measurement against random play
PAST_GAMES = 1_000  # and, at most, against an older player of the run


class Collapse(ValueError):
    """Training has gone wrong and going on would be a waste of time; the message says how."""


class Watch:
    """Measures the network every `eval_every` games, remembers the figures, and raises `Collapse`.

    `measured` holds points a game of the run's variant with 95 % intervals, `random` always; in games of 15 checkers
    `pubeval`, and from the second measurement on `past`, against the same run's player at `past_games`. Every
    measurement has dice of its own, drawn from the run's seed and the games played: what is common to all would shift a
    whole curve, and choose the best player by how it does with those dice.

    The players of measurements 1, 2, 4, 8 and so on are kept in the run's folder. The opponent is the last but one of
    them that is kept by then: the player of half to a quarter as many measurements ago.
    """

    lowest: np.ndarray  # chance that the network gave to each outcome, float64[6], and the highest
    highest: np.ndarray

    def __init__(self, config: TrainConfig, games: int):
        self.config = config
        self.begun_at = games
        self.next_measure = games + config.eval_every
        self.measured: dict = {}
        self.measurements = 0
        self.kept: list[int] = []  # games after which the kept players were measured
        self.best = -math.inf
        self.recent = np.zeros(6)  # games by outcome, fading: the last 5,000 or so
        self._forget_thoughts()

    def state(self) -> dict:
        """What a saved run keeps of it, as plain data."""
        return {
            "begun_at": self.begun_at,
            "next_measure": self.next_measure,
            "measured": self.measured,
            "measurements": self.measurements,
            "kept": self.kept,
            "best": self.best if math.isfinite(self.best) else None,
            "recent": self.recent.tolist(),
        }

    def restore(self, state: dict) -> None:
        """Go on from what `state` gave."""
        for name in ("begun_at", "next_measure", "measured", "measurements", "kept"):
            setattr(self, name, state[name])
        self.best = -math.inf if state["best"] is None else state["best"]
        self.recent = np.array(state["recent"])

    def due(self, games: int) -> bool:
        """Is the network to be measured after so many games?"""
        return games >= self.next_measure

    def measure(self, net: Net, player: Checkpoint) -> dict:
        """Play against the yardsticks; the figures go into the checkpoints from now on. `net` is the player's."""
        games, config = player.games, self.config
        self.next_measure = games + config.eval_every
        self.measured = {"games": games}
        self.measurements += 1
        seed = (config.seed, games)
        start = VARIANTS[config.variant]
        self._note("random", *points_against(RandomPlayer((*seed, 1)), net, RANDOM_GAMES, seed, start))
        if checkers_of(config.variant) == CHECKERS:
            self._note("pubeval", *points_against(Pubeval(), net, config.eval_games, seed, start))
            self._measure_past(net, player, seed)
        return self.measured

    def _measure_past(self, net: Net, player: Checkpoint, seed: tuple[int, ...]) -> None:
        """Against the older player; and keep this one if it is one of those to be kept.

        Not while it loses to random play: two players that don't know how to win may never end a game. Where two that
        are better don't end one either, there is no figure, and the run goes on.
        """
        folder = Path(self.config.run) / PAST
        doublings = self.measurements.bit_length() - 1
        if doublings and self.measured["random"] > 0:
            past_games = self.kept[doublings - 1]
            past = BareNetwork(load_own_net(folder / by_games(past_games), self.config.net.own))
            with suppress(EndlessGames):
                most, start = min(self.config.eval_games, PAST_GAMES), VARIANTS[self.config.variant]
                self._note("past", *points_against(past, net, most, seed, start))
                self.measured["past_games"] = past_games
        if self.measurements == 2**doublings:
            self.kept = [*self.kept, player.games]
            save_checkpoint(folder / by_games(player.games), replace(player, measured=self.measured))

    def _note(self, opponent: str, points: float, half: float) -> None:
        interval = [points - half, points + half]
        self.measured |= {opponent: round(points, 4), f"{opponent}_ci95": [round(x, 4) for x in interval]}

    @property
    def strength(self) -> float:
        """The latest measurement that runs of this variant are compared by."""
        return self.measured.get("pubeval", self.measured["random"])

    def is_best(self) -> bool:
        """Is the latest measurement the highest so far? Asking remembers it."""
        better = self.strength > self.best
        self.best = max(self.best, self.strength)
        return better

    def round(self, samples: Samples, loss: float) -> None:
        """Look at one round. Raises Collapse for a loss that isn't finite, constant outputs or gammons only."""
        if not math.isfinite(loss) or not np.isfinite(samples.targets).all():
            raise Collapse("the loss is not a finite number any more: lower the learning rate (rate_start)")
        self.recent = self.recent * 0.9 ** (samples.games / 500) + samples.ended
        self._look_at_thoughts(samples.thought)
        if self.recent.sum() >= 0.4 * GRACE:
            _, gammon, backgammon = (self.recent[:3] + self.recent[3:]) / self.recent.sum()
            if gammon + backgammon > 0.95:
                raise Collapse(
                    f"{gammon + backgammon:.0%} of the games end in a gammon or backgammon: lower rate_start"
                )

    def _look_at_thoughts(self, thought: np.ndarray) -> None:
        self.positions += len(thought)
        self.lowest = np.minimum(self.lowest, thought.min(axis=0, initial=1))
        self.highest = np.maximum(self.highest, thought.max(axis=0, initial=0))
        if self.positions >= 1000:
            if (self.highest - self.lowest).max() < 1e-3:
                raise Collapse("the network thinks the same of every position: lower the learning rate (rate_start)")
            self._forget_thoughts()

    def _forget_thoughts(self) -> None:
        self.positions = 0
        self.lowest, self.highest = np.ones(6), np.zeros(6)

    def judge(self) -> None:
        """Raise Collapse if the latest measurement shows that random play is better."""
        if self.measured["games"] - self.begun_at >= GRACE and self.measured["random_ci95"][1] < 0:
            raise Collapse(f"it loses to random play, by {-self.measured['random']:.2f} points a game")
