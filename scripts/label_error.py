"""How far players are from labels that they haven't learned, in points a game, and by phase.

    bgai label held_out --seeds 1001-1002
    python scripts/label_error.py runs/same_labels/*/last.safetensors --labels held_out

Labels have noise of their own, the same for every player (docs/experiments.md): what counts is who is nearer. A network
of one's own is given as package.module:name@CHECKPOINT.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bgai.arena.phases import PHASES, phase
from bgai.board import CHECKERS, OUTCOME_POINTS
from bgai.evaluator.own_net import load_own_net
from bgai.train.label_files import files_in, read_labels


def main(
    players: list[str],
    labels: Annotated[Path, typer.Option(help="folder of bgai label")],
) -> None:
    """Print a row for each player."""
    files = [read_labels(path, CHECKERS)[0] for path in files_in(labels)]
    boards, targets = (np.concatenate([getattr(file, part) for file in files]) for part in ("boards", "targets"))
    kinds = phase(boards)
    print(f"| {len(boards):,} labels | cross-entropy | rms, points | {' | '.join(PHASES)} |")
    print(f"| --- | --- | --- |{' --- |' * len(PHASES)}")
    for player in players:
        own, _, path = player.rpartition("@")
        outcomes = load_own_net(path, own or None).outcomes(boards)
        entropy = -(targets * np.log(np.maximum(outcomes, 1e-7))).sum(axis=1).mean()
        squares = ((outcomes - targets) @ OUTCOME_POINTS) ** 2
        by_phase = [np.sqrt(squares[kinds == k].mean()) if (kinds == k).any() else np.nan for k in range(len(PHASES))]
        print(f"| {player} | {entropy:.5f} | {np.sqrt(squares.mean()):.4f} |{''.join(f' {x:.4f} |' for x in by_phase)}")


if __name__ == "__main__":
    typer.run(main)
