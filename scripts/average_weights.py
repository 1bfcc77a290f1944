"""Writes the player whose weights are the mean of several checkpoints', all of one network.

    python scripts/average_weights.py runs/NAME/checkpoints/*.safetensors --out mean.safetensors

What learning does to weights by chance averages out, as it does at a falling learning rate; docs/experiments.md says
which of the two is better.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bgai.net.checkpoint import load_checkpoint, save_checkpoint


def main(checkpoints: list[Path], out: Annotated[Path, typer.Option(help="the file to write")]) -> None:
    """Average the checkpoints; the rest of the new one is the last one's."""
    players = [load_checkpoint(path) for path in checkpoints]
    for path, player in zip(checkpoints, players, strict=True):
        if player.architecture != players[-1].architecture:
            raise typer.BadParameter(f"{path} is {player.architecture}, {checkpoints[-1]} {players[-1].architecture}")
    mean = {name: np.mean([player.weights[name] for player in players], axis=0) for name in players[-1].weights}
    save_checkpoint(out, replace(players[-1], weights=mean, measured={}))


if __name__ == "__main__":
    typer.run(main)
