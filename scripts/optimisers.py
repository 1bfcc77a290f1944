"""An experiment: what optimisers of torch make of the same labels.

    python scripts/optimisers.py --labels labels --held-out held_out

Every network begins with the same random weights and reads the labels in the same order. Its rate falls to a hundredth
of what it was at first. `docs/experiments.md` says what came of it.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from torch.nn.functional import cross_entropy
from torch.optim import SGD, Adam, AdamW, NAdam, Optimizer, RMSprop

from bgai.board import CHECKERS, OUTCOME_POINTS
from bgai.net.checkpoint import Architecture
from bgai.net.model import Model, thinking
from bgai.net.weights import random_weights
from bgai.train.label_files import files_in, read_labels

OPTIMISERS: dict[str, tuple[Callable[..., Optimizer], tuple[float, ...]]] = {  # each with its rates
    "Adam": (Adam, (5e-4, 1e-3, 2e-3)),
    "AdamW, decay 0.01": (AdamW, (1e-3,)),
    "NAdam": (NAdam, (1e-3,)),
    "RMSprop": (RMSprop, (5e-4,)),
    "SGD, Nesterov momentum 0.9": (partial(SGD, momentum=0.9, nesterov=True), (0.03, 0.1, 0.3)),
}
LAST_RATE = 0.01  # of the first one


def main(
    labels: Annotated[Path, typer.Option("--labels", help="folder of bgai label to learn from")],
    held_out: Annotated[Path, typer.Option("--held-out", help="folder of others, to judge by")],
    units: Annotated[int, typer.Option("--units", min=1, help="of the hidden layer")] = 256,
    passes: Annotated[int, typer.Option("--passes", min=1, help="how often every label is read")] = 3,
    batch: Annotated[int, typer.Option("--batch", min=1, help="labels in one update")] = 256,
) -> None:
    """Print a row for each optimiser and rate."""
    torch.set_num_threads(1)
    boards, targets = read(files_in(labels))
    unseen, wanted = read(files_in(held_out))
    print("| optimiser | rate at first | rms, points | minutes |\n| --- | --- | --- | --- |")
    for name, (optimiser, rates) in OPTIMISERS.items():
        for rate in rates:
            begun = time.process_time()
            model = learned(partial(optimiser, lr=rate), units, boards, targets, batch, passes)
            minutes = (time.process_time() - begun) / 60
            distance = (thinking(model, "cpu")(unseen) - wanted) @ OUTCOME_POINTS
            print(f"| {name} | {rate:g} | {np.sqrt((distance**2).mean()):.4f} | {minutes:.1f} |", flush=True)


def read(paths: Iterable[Path]) -> tuple[np.ndarray, np.ndarray]:
    """(boards int8[N, 26], targets float32[N, 6]) of files of labels."""
    files = [read_labels(path, CHECKERS)[0] for path in paths]
    return np.concatenate([file.boards for file in files]), np.concatenate([file.targets for file in files])


def learned(
    optimiser: Callable[..., Optimizer], units: int, boards: np.ndarray, targets: np.ndarray, batch: int, passes: int
) -> Model:
    """A network of `units` hidden units over all inputs that has read the labels `passes` times."""
    architecture = Architecture((units,), computed=True)
    rng = np.random.default_rng(1)
    model = Model(architecture, random_weights(architecture, rng))
    stepper = optimiser(model.parameters())
    steps = passes * (len(boards) // batch)
    schedule = torch.optim.lr_scheduler.ExponentialLR(stepper, LAST_RATE ** (1 / max(1, steps)))
    for _ in range(passes):
        order = rng.permutation(len(boards))
        for rows in order[: len(order) // batch * batch].reshape(-1, batch):
            logits = model(torch.from_numpy(model.inputs(boards[rows])))
            loss = cross_entropy(logits, torch.from_numpy(targets[rows]))
            stepper.zero_grad()
            loss.backward()
            stepper.step()
            schedule.step()
    return model


if __name__ == "__main__":
    typer.run(main)
