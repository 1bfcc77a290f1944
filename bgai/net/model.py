"""The network that learns: inputs -> hidden layers -> logits of the six outcomes. The only file here with torch."""

from itertools import pairwise

import torch
from torch import nn

from bgai.net.checkpoint import Architecture
from bgai.net.inputs import n_inputs

ACTIVATIONS = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid}


class Model(nn.Module):
    """float32[N, inputs] -> logits float32[N, 6], in the order of `board.OUTCOMES`."""

    def __init__(self, architecture: Architecture):
        super().__init__()
        self.architecture = architecture
        widths = [n_inputs(architecture.computed), *architecture.hidden]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.out = nn.Linear(widths[-1], 6)
        self.activation = ACTIVATIONS[architecture.activation]()

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        for layer in self.hidden:
            inputs = self.activation(layer(inputs))
        return self.out(inputs)

    def weights(self) -> dict:
        """The weights as numpy arrays that share memory with the model, by the names a checkpoint uses."""
        return {name: tensor.detach().numpy() for name, tensor in self.state_dict(keep_vars=True).items()}
