"""Players for tests that need one, but not a good one."""

import numpy as np
import pytest

from bgai.net.checkpoint import Architecture
from bgai.net.fast import FastNet


@pytest.fixture(scope="session")
def net():
    """A small network with random weights."""
    architecture = Architecture(hidden=(8,))
    rng = np.random.default_rng(7)
    weights = {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in architecture.shapes().items()}
    return FastNet(architecture, weights)
