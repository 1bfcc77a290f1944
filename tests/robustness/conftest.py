"""What tests here measure is the input's own time."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def only_own_garbage() -> Iterator[None]:
    """Keep Python from going through all that thousands of tests before have left, which takes a second of its own."""
    gc.freeze()
    yield
    gc.unfreeze()
