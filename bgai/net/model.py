"""The network that learns: inputs -> hidden layers -> logits of the six outcomes. The only file here with torch."""

from dataclasses import replace
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


def widened(model: Model, units: int) -> Model:
    """The same network with `units` units in its first hidden layer, which thinks the same of every position.

    New units see their inputs through random weights, and nothing listens to them until learning makes it so.
    Raises ValueError if the layer is wider already.
    """
    architecture = model.architecture
    if units < architecture.hidden[0]:
        raise ValueError(f"the first hidden layer has {architecture.hidden[0]} units, more than {units}")
    wide = Model(replace(architecture, hidden=(units, *architecture.hidden[1:])))
    (first, *listeners), (old_first, *old_listeners) = ([*m.hidden, m.out] for m in (wide, model))
    old = architecture.hidden[0]
    with torch.no_grad():
        first.weight[:old], first.bias[:old] = old_first.weight, old_first.bias
        listeners[0].weight.zero_()
        listeners[0].weight[:, :old], listeners[0].bias[:] = old_listeners[0].weight, old_listeners[0].bias
        for layer, same in zip(listeners[1:], old_listeners[1:], strict=True):
            layer.load_state_dict(same.state_dict())
    return wide.to(old_first.weight.device)
