"""TensorBoard curves of a run (docs/metrics.md). Whatever goes wrong here, the training goes on without them."""

import warnings
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from bgai.board import OUTCOMES
from bgai.net.checkpoint import Architecture
from bgai.net.inputs import encode
from bgai.train.openings import Opening, picture

POSITIONS = 1024  # of the latest games, for the histograms of activations


def _never_fatal(write: Callable) -> Callable:
    @wraps(write)
    def guarded(self, *args):
        if self.writer is None:
            return
        try:
            write(self, *args)
        except Exception as error:
            self.writer = None
            warnings.warn(f"no TensorBoard curves from here on: {error!r}", stacklevel=2)

    return guarded


class Curves:
    """Event files in the run's folder, drawn over games. Those of a cut run after game `games` are dropped."""

    def __init__(self, run: Path, games: int):
        self.writer: Any = ...
        self._open(run, games)

    @_never_fatal
    def _open(self, run: Path, games: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.writer = SummaryWriter(str(run), purge_step=games + 1 if games else None)

    @_never_fatal
    def progress(self, games: int, figures: dict) -> None:
        """The figures of a `report.Window`, and the schedules."""
        curves = {f"progress/{name}": value for name, value in figures.items() if not isinstance(value, list)}
        for outcome, loss in zip(OUTCOMES, figures["loss_by_outcome"], strict=True):
            curves[f"loss by outcome/{outcome}"] = loss
        for tenth, (predicted, won, positions) in enumerate(figures["calibration"]):
            curves[f"calibration/{tenth * 10}-{tenth * 10 + 10} %"] = won - predicted if positions else None
        for name, value in curves.items():
            if value is not None:
                self.writer.add_scalar(name, value, games)

    @_never_fatal
    def measured(
        self,
        figures: dict,
        openings: list[Opening],
        architecture: Architecture,
        weights: dict[str, np.ndarray],
        boards: np.ndarray,
    ) -> None:
        """Strength, opening plays, and histograms of the weights and, in a network of ours, of what the units do on
        `boards`."""
        games = figures["games"]
        for name in ("pubeval", "past", "random"):
            if name in figures:
                self.writer.add_scalar(f"strength/{name}", figures[name], games)
        text = "\n".join(f"    {o.roll}  {o.play:<16} {o.equity:+.3f}" for o in openings)
        self.writer.add_text("opening plays", text, games)
        self.writer.add_image("opening plays", picture(openings), games, dataformats="HWC")
        for name, array in weights.items():
            self.writer.add_histogram(f"weights/{name}", array, games)
        if not architecture.own:
            for name, units in _activations(architecture, weights, boards[:POSITIONS]):
                self.writer.add_histogram(f"activations/{name}", units, games)

    @_never_fatal
    def close(self) -> None:
        self.writer.close()


def _activations(
    architecture: Architecture, weights: dict[str, np.ndarray], boards: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """(name, float32[N, units]) of every hidden layer, after its activation, and of the outcomes' chances."""
    units = encode(boards, architecture.computed, architecture.checkers)
    for layer in range(len(architecture.hidden)):
        sums = units @ weights[f"hidden.{layer}.weight"].T + weights[f"hidden.{layer}.bias"]
        units = np.maximum(sums, 0) if architecture.activation == "relu" else 1 / (1 + np.exp(-sums))
        yield f"hidden.{layer}", units
    chances = np.exp(units @ weights["out.weight"].T + weights["out.bias"])
    yield "outcomes", chances / chances.sum(axis=1, keepdims=True)
