"""A network for an experiment: one first layer for all positions, and further ones for each kind of position.

    bgai train experiment=same_labels net.own=scripts.by_phase:by_phase run=runs/by_phase

The kinds are races, and nine by how many checkers each side has in the other's home board: none, one or two, more.
`docs/experiments.md` says what came of it. It is written for `net.own` (docs/extending.md) and learns in torch.
"""

import numpy as np
import torch
from torch import nn

from bgai.board import is_race
from bgai.net.inputs import encode, n_inputs

KINDS = 10


def kind(boards: np.ndarray) -> np.ndarray:
    """Which layers look at each of `boards int8[N, 26]`: int[N] below `KINDS`."""
    own = np.where(boards[:, 19:] > 0, boards[:, 19:], 0).sum(axis=1)
    opponents = np.where(boards[:, :7] < 0, -boards[:, :7], 0).sum(axis=1)
    return np.where(is_race(boards), 9, 3 * np.digitize(own, [1, 3]) + np.digitize(opponents, [1, 3]))


class ByPhase(nn.Module):
    """377 inputs, `hidden` units in two layers, six outcomes."""

    def __init__(self, hidden: tuple[int, int]):
        super().__init__()
        first, second = hidden
        self.first = nn.Linear(n_inputs(computed=True), first)
        self.second = nn.ModuleList(nn.Linear(first, second) for _ in range(KINDS))
        self.out = nn.ModuleList(nn.Linear(second, 6) for _ in range(KINDS))

    def inputs(self, boards: np.ndarray) -> np.ndarray:
        """What the network sees, float32[N, 378]: last the kind."""
        return np.column_stack([encode(boards, computed=True), kind(boards)]).astype(np.float32)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        kinds = inputs[:, -1].long()
        units = self.first(inputs[:, :-1]).relu()
        logits = units.new_empty(len(units), 6)
        for k in kinds.unique().tolist():
            rows = (kinds == k).nonzero()[:, 0]
            logits[rows] = self.out[k](self.second[k](units[rows]).relu())
        return logits


def by_phase() -> ByPhase:
    """What `net.own` names: as wide as `experiment=layers`."""
    return ByPhase((384, 32))
