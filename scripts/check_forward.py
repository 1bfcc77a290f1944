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
from bgai.net.weights import random_weights

GAMES = 2000  # played side by side


def main(
    checkpoint: Annotated[Path | None, typer.Argument(help="without it: random networks of several sizes")] = None,
    positions: int = 1_000_000,
    seed: int = 1,
) -> None:
    """Print the largest difference between any two outcome chances."""
    players = [as_loaded(checkpoint)] if checkpoint else random_players(seed)
    for architecture, weights in players:
        worst, count = largest_difference(architecture, weights, positions, seed)
        print(f"{architecture}: largest difference {worst:.2g} on {count:,} positions")
        if not worst < 1e-5:
            raise SystemExit("more than 1e-5")


def as_loaded(path: Path) -> tuple[Architecture, dict[str, np.ndarray]]:
    checkpoint = load_checkpoint(path)
    return checkpoint.architecture, checkpoint.weights


def random_players(seed: int) -> list[tuple[Architecture, dict[str, np.ndarray]]]:
    """Networks with weights larger than at the start of training, so that their opinions differ widely."""
    rng = np.random.default_rng(seed)
    kinds = Architecture((80,), "sigmoid"), Architecture((256,)), Architecture((256, 32), computed=True)
    return [(kind, {name: 4 * w for name, w in random_weights(kind, rng).items()}) for kind in kinds]


def largest_difference(
    architecture: Architecture, weights: dict[str, np.ndarray], positions: int, seed: int
) -> tuple[float, int]:
    """(largest difference, positions compared) in games of random plays, which leave blots everywhere and all end in
    bear-offs: of each position reckoned by itself and as one of the plays that led to it."""
    net, model = FastNet(architecture, weights), Model(architecture, weights)
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
