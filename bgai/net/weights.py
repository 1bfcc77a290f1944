"""The weights of networks that haven't learned yet, or not everything: random ones, and those of a widened network."""

from dataclasses import replace

import numpy as np

from bgai.net.checkpoint import Architecture


def random_weights(architecture: Architecture, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Uniform between -1/sqrt(n) and 1/sqrt(n), n being the inputs of the layer: what torch gives its linear layers."""
    weights = {}
    for name, shape in architecture.shapes().items():
        if name.endswith("weight"):  # comes before the bias of its layer
            bound = shape[1] ** -0.5
        weights[name] = rng.uniform(-bound, bound, shape).astype(np.float32)
    return weights


def widened(
    architecture: Architecture, weights: dict[str, np.ndarray], units: int, rng: np.random.Generator
) -> tuple[Architecture, dict[str, np.ndarray]]:
    """The same network with `units` units in its first hidden layer, which thinks the same of every position.

    New units see their inputs through random weights, and nothing listens to them until learning makes it so.
    Raises ValueError if the layer is wider already.
    """
    old = architecture.hidden[0]
    if units < old:
        raise ValueError(f"the first hidden layer has {old} units, more than {units}")
    wide = replace(architecture, hidden=(units, *architecture.hidden[1:]))
    grown = random_weights(wide, rng)
    listener = "hidden.1.weight" if len(wide.hidden) > 1 else "out.weight"
    grown[listener][:] = 0
    for name, known in weights.items():
        grown[name][tuple(slice(n) for n in known.shape)] = known
    return wide, grown
