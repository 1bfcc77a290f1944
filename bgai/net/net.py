"""What can be asked what positions are worth: our kernels (`FastNet`), torch, or a network of one's own (`OwnNet`)."""

from typing import Protocol

import numpy as np

from bgai.board import OUTCOME_POINTS
from bgai.net.checkpoint import Architecture
from bgai.plays import Plays


class Net(Protocol):
    """`FastNet` says what each method takes and gives; all take whole batches. Of `architecture` the variant counts."""

    architecture: Architecture

    def outcomes(self, boards: np.ndarray) -> np.ndarray: ...

    def plays_outcomes(self, boards: np.ndarray, plays: Plays) -> np.ndarray: ...

    def best(
        self, boards: np.ndarray, dice: np.ndarray, worth: np.ndarray = OUTCOME_POINTS
    ) -> tuple[np.ndarray, np.ndarray]: ...

    def play(
        self, boards: np.ndarray, dice: np.ndarray, explore: np.ndarray, worth: np.ndarray = OUTCOME_POINTS
    ) -> tuple[np.ndarray, np.ndarray, int]: ...
