"""A network of any kind in the place of ours, whatever says what positions are worth; ours on a GPU, too."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bgai.board import CHECKERS, OUTCOME_POINTS, UNFINISHED, outcome, swap_outcomes
from bgai.evaluator.evaluate import first_best
from bgai.net.checkpoint import Architecture, load_checkpoint
from bgai.net.fast import FastNet
from bgai.net.net import Net
from bgai.plays import Plays, legal_plays


class OwnNet:
    """Can be asked all that `FastNet` can: by self-play, players of the arena, lookahead, the cube and rollouts.

    think     boards int8[N, 26] of unfinished games -> outcomes float32[N, 6] for the player on roll, before the roll
    checkers  of the variant

    It generates and values every play of a batch at once, and is as fast as `think`.
    """

    def __init__(self, think: Callable[[np.ndarray], np.ndarray], checkers: int = CHECKERS):
        self.think = think
        self.architecture = Architecture((), own="of one's own", checkers=checkers)

    def outcomes(self, boards: np.ndarray) -> np.ndarray:
        """As `FastNet.outcomes`."""
        outcomes = np.zeros((len(boards), 6), dtype=np.float32)
        ends = outcome(boards, self.architecture.checkers)
        going_on = ends == UNFINISHED
        outcomes[~going_on, ends[~going_on]] = 1
        if going_on.any():
            outcomes[going_on] = self.think(boards[going_on])
        return outcomes

    def plays_outcomes(self, boards: np.ndarray, plays: Plays) -> np.ndarray:
        """As `FastNet.plays_outcomes`."""
        return self.outcomes(plays.boards)

    def best(
        self, boards: np.ndarray, dice: np.ndarray, worth: np.ndarray = OUTCOME_POINTS
    ) -> tuple[np.ndarray, np.ndarray]:
        """As `FastNet.best`."""
        after, outcomes, _ = self.play(boards, dice, np.full(len(boards), -1), worth)
        return after, outcomes

    def play(
        self, boards: np.ndarray, dice: np.ndarray, explore: np.ndarray, worth: np.ndarray = OUTCOME_POINTS
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """As `FastNet.play`."""
        plays = legal_plays(boards, dice, checkers=self.architecture.checkers)
        outcomes = self.outcomes(plays.boards)
        counts = np.diff(plays.offsets)
        worth = np.repeat(np.broadcast_to(worth, (len(boards), 6)), counts, axis=0)
        best = first_best((swap_outcomes(outcomes) * worth).sum(axis=1), plays.offsets)
        chosen = np.where(explore >= 0, plays.offsets[:-1] + (explore * counts).astype(np.int64), best)
        return plays.boards[chosen], outcomes[chosen], len(outcomes)


def load_own_net(path: str | Path, own: str | None) -> Net:
    """As `load_net`; where `own` is given, a checkpoint with the network that this import path names.

    Raises BadName, BadNetwork, BadCheckpoint, FileNotFoundError.
    """
    checkpoint = load_checkpoint(Path(path), own)
    return net_of(checkpoint.architecture, checkpoint.weights)


def load_torch_net(path: str | Path, device: str) -> Net:
    """As `load_net`, reckoned by torch on `device`: a GPU pays where batches are large, as in rollouts.

    Raises NoGpu, BadCheckpoint, FileNotFoundError.
    """
    from bgai.net.model import Model, thinking, usable_device

    checkpoint = load_checkpoint(Path(path))
    think = thinking(Model(checkpoint.architecture, checkpoint.weights), usable_device(device))
    return OwnNet(think, checkpoint.architecture.checkers)


def net_of(architecture: Architecture, weights: dict[str, np.ndarray], device: str = "cpu") -> Net:
    """The network to play with: a `FastNet`, or an `OwnNet` in its place, which thinks on `device`."""
    if not architecture.own:
        return FastNet(architecture, weights)
    from bgai.net.model import model_of, thinking  # torch is loaded only where it is needed

    return OwnNet(thinking(model_of(architecture, weights), device), architecture.checkers)
