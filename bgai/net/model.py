"""The same network in torch, for learning on a GPU and to check the others against."""

from itertools import pairwise

import numpy as np
import torch
from torch import nn

from bgai.net.checkpoint import Architecture
from bgai.net.inputs import n_inputs

ACTIVATIONS = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid}


class Model(nn.Module):
    """float32[N, inputs] -> logits float32[N, 6], in the order of `board.OUTCOMES`."""

    def __init__(self, architecture: Architecture, weights: dict[str, np.ndarray]):
        super().__init__()
        self.architecture = architecture
        widths = [n_inputs(architecture.computed), *architecture.hidden]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.out = nn.Linear(widths[-1], 6)
        self.activation = ACTIVATIONS[architecture.activation]()
        self.load_state_dict({name: torch.from_numpy(w) for name, w in weights.items()})

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        for layer in self.hidden:
            inputs = self.activation(layer(inputs))
        return self.out(inputs)
