"""Who can sit down in the arena. A player chooses plays for whole batches of games."""

from pathlib import Path
from typing import Protocol

import numpy as np

from bgai import files
from bgai.arena.pubeval import Pubeval
from bgai.net.fast import FastNet, load_net
from bgai.plays import legal_plays


class Player(Protocol):
    """name: what reports call it."""

    name: str

    def play(self, boards: np.ndarray, dice: np.ndarray) -> np.ndarray:
        """Boards `int8[N, 26]` of unfinished games and rolls `int8[N, 2]` -> the boards after the plays, `int8[N, 26]`,
        with the opponent on roll."""


class RandomPlayer:
    """Every legal play is equally likely."""

    name = "random"

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)

    def play(self, boards: np.ndarray, dice: np.ndarray) -> np.ndarray:
        plays = legal_plays(boards, dice)
        counts = np.diff(plays.offsets)
        return plays.boards[plays.offsets[:-1] + self._rng.integers(0, counts)]


class NetPlayer:
    """A network without lookahead: the play with the highest cubeless money equity."""

    def __init__(self, net: FastNet, name: str = "network"):
        self.net = net
        self.name = name

    def play(self, boards: np.ndarray, dice: np.ndarray) -> np.ndarray:
        return self.net.best(boards, dice)[0]


def player(name: str | Path, seed: int) -> Player:
    """The player called "pubeval" or "random", or that of a checkpoint: one that ships, or the path of a file.

    seed    of the player's own randomness, if it has any
    Raises FileNotFoundError, BadCheckpoint.
    """
    if name == "pubeval":
        return Pubeval()
    if name == "random":
        return RandomPlayer(seed)
    return NetPlayer(load_net(files.checkpoint(name)), str(name))
