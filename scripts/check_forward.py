"""Compare the fast forward pass with torch on a million positions from play: `python scripts/check_forward.py`."""

from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer

from bgai.board import START, UNFINISHED, outcome
from bgai.net.checkpoint import Architecture, load_checkpoint
from bgai.net.fast import FastNet
from bgai.net.inputs import encode
from bgai.net.model import Model

GAMES = 2000  # played side by side


def main(
    checkpoint: Annotated[Path | None, typer.Argument(help="without it: random networks of several sizes")] = None,
    positions: int = 1_000_000,
    seed: int = 1,
) -> None:
    """Print the largest difference between any two outcome chances."""
    models = [load_model(checkpoint)] if checkpoint else random_models(seed)
    for model in models:
        worst, count = largest_difference(model, positions, seed)
        print(f"{model.architecture}: largest difference {worst:.2g} on {count:,} positions")
        if not worst < 1e-5:
            raise SystemExit("more than 1e-5")


def load_model(path: Path) -> Model:
    checkpoint = load_checkpoint(path)
    model = Model(checkpoint.architecture)
    model.load_state_dict({name: torch.from_numpy(w) for name, w in checkpoint.weights.items()})
    return model


def random_models(seed: int) -> list[Model]:
    """Networks with weights larger than at the start of training, so that their opinions differ widely."""
    torch.manual_seed(seed)
    models = [
        Model(Architecture((80,), "sigmoid")),
        Model(Architecture((256,))),
        Model(Architecture((256, 32), computed=True)),
    ]
    with torch.no_grad():
        for model in models:
            for parameter in model.parameters():
                parameter *= 4
    return models


def largest_difference(model: Model, positions: int, seed: int) -> tuple[float, int]:
    """(largest difference, positions compared) in games of random plays, which leave blots everywhere and all end in
    bear-offs: of each position reckoned by itself and as one of the plays that led to it."""
    net = FastNet(model.architecture, model.weights())
    rng = np.random.default_rng(seed)
    boards = np.tile(START, (GAMES, 1))
    worst, count = 0.0, 0
    while count < positions:
        dice = rng.integers(1, 7, (GAMES, 2), dtype=np.int8)
        boards, as_plays, _ = net.play(boards, dice, rng.random(GAMES, dtype=np.float32))
        playing = outcome(boards) == UNFINISHED
        boards, as_plays = boards[playing], as_plays[playing]
        expected = by_torch(model, boards)
        worst = max(worst, abs(as_plays - expected).max(), abs(net.outcomes(boards) - expected).max())
        count += len(boards)
        boards = np.concatenate([boards, np.tile(START, (GAMES - len(boards), 1))])
    return float(worst), count


def by_torch(model: Model, boards: np.ndarray) -> np.ndarray:
    inputs = encode(boards, model.architecture.computed, model.architecture.checkers)
    with torch.no_grad():
        return torch.softmax(model(torch.from_numpy(inputs)), dim=1).numpy()


if __name__ == "__main__":
    typer.run(main)
