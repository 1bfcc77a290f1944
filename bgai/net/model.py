"""Networks in torch: ours, for learning on a GPU and to check the others against, and those of one's own.

Each is a module with one method more: `inputs(boards int8[N, 26])` gives an array `[N, ...]` of what it is to see, and
the module itself makes logits `float32[N, 6]` of that, in the order of `board.OUTCOMES`.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import torch
from torch import nn

from bgai.named import imported
from bgai.net.checkpoint import Architecture
from bgai.net.inputs import encode, n_inputs

ACTIVATIONS = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid}
_AT_ONCE = 65_536  # positions: what a GPU is given in one go, so that its memory suffices
_ANY_VARIANTS = np.zeros((1, 26), dtype=np.int8)
_ANY_VARIANTS[0, [1, 24]] = 1, -1  # a position of any variant: one checker a side is left


class BadNetwork(ValueError):
    """What was named as a network of one's own is none, or not the one that was trained."""


class NoGpu(ValueError):
    """A GPU is wanted, and torch can use none."""


class Model(nn.Module):
    """The same network as the fast one."""

    def __init__(self, architecture: Architecture, weights: dict[str, np.ndarray]):
        super().__init__()
        self.architecture = architecture
        widths = [n_inputs(architecture.computed), *architecture.hidden]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.out = nn.Linear(widths[-1], 6)
        self.activation = ACTIVATIONS[architecture.activation]()
        self.load_state_dict({name: torch.from_numpy(w) for name, w in weights.items()})

    def inputs(self, boards: np.ndarray) -> np.ndarray:
        """What the network sees of `boards int8[N, 26]`, `float32[N, inputs]` (`net.inputs`)."""
        return encode(boards, self.architecture.computed, self.architecture.checkers)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """float32[N, inputs] -> logits float32[N, 6]."""
        for layer in self.hidden:
            inputs = self.activation(layer(inputs))
        return self.out(inputs)


def model_of(architecture: Architecture, weights: dict[str, np.ndarray]) -> nn.Module:
    """The network with these weights. Raises BadName, BadNetwork."""
    if not architecture.own:
        return Model(architecture, weights)
    model = own_model(architecture.own)
    shapes = {name: tuple(w.shape) for name, w in model.state_dict().items()}
    if shapes != {name: w.shape for name, w in weights.items()}:
        raise BadNetwork(f"{architecture.own} has changed: its weights are not those that were saved")
    model.load_state_dict({name: torch.tensor(w) for name, w in weights.items()})
    return model


def own_model(name: str) -> nn.Module:
    """A network of one's own that hasn't learned yet, made by what is named. Raises BadName, BadNetwork."""
    make = imported(name)
    model = None if isinstance(make, nn.Module) else make()
    if not (isinstance(model, nn.Module) and hasattr(model, "inputs")):
        raise BadNetwork(f"{name} is not what makes a torch.nn.Module with a method inputs(boards)")
    try:
        outcomes = thinking(model, "cpu")(_ANY_VARIANTS)
    except RuntimeError as error:  # torch's: shapes or types don't fit
        raise BadNetwork(f"{name}: {str(error).splitlines()[0]}") from error
    if outcomes.shape != (1, 6):
        raise BadNetwork(f"{name} makes logits of shape {outcomes.shape} for one board; it is to be (1, 6)")
    return model


def own_weights(architecture: Architecture, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Weights of a network of one's own that hasn't learned yet, as it draws them itself."""
    torch.manual_seed(int(rng.integers(2**63)))
    return weights_of(own_model(architecture.own))


def weights_of(model: nn.Module) -> dict[str, np.ndarray]:
    """A copy of the weights by name."""
    return {name: w.detach().cpu().numpy().copy() for name, w in model.state_dict().items()}


def thinking(model: nn.Module, device: str) -> Callable[[np.ndarray], np.ndarray]:
    """boards int8[N, 26] -> outcomes float32[N, 6], reckoned on `device`."""
    model.to(device).eval()

    def think(boards: np.ndarray) -> np.ndarray:
        parts = (boards[first : first + _AT_ONCE] for first in range(0, len(boards), _AT_ONCE))
        with torch.inference_mode():
            seen = (torch.as_tensor(model.inputs(part), device=device) for part in parts)
            return np.concatenate([model(part).softmax(dim=1).cpu().numpy() for part in seen])

    return think


def usable_device(name: str) -> str:
    """`cpu` or `cuda` as it was named; for `auto` a GPU where there is one. Raises NoGpu."""
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise NoGpu("device cuda: there is no GPU that torch can use; leave it out, or say cpu")
    return "cuda" if there and name != "cpu" else "cpu"
