"""Keeps the bear-off tables in one file of the user's cache folder, mapped read-only and so shared by all processes.

The file is one line of JSON, padded with spaces to `HEADER` bytes, and the arrays one after another. The line says
what they are and holds their SHA-256, so a file is good exactly if its header is the one that its contents call for.
"""

import hashlib
import json
from pathlib import Path

import numpy as np

from bgai.files import write_atomically

HEADER = 4096  # bytes; a whole page keeps the arrays aligned
VERSION = 1  # to be raised whenever the same layout would hold other numbers

Layout = dict[str, tuple[int, ...]]  # name of each array, all little-endian float32, and its shape


class DamagedFile(ValueError):
    """A table file that is truncated, altered, or of another version."""


def load(path: Path, layout: Layout) -> dict[str, np.ndarray]:
    """The arrays of the file, memory-mapped and read-only. Raises OSError or DamagedFile."""
    file = np.asarray(np.memmap(path, dtype=np.uint8, mode="r")) if path.stat().st_size else np.empty(0, np.uint8)
    if file[:HEADER].tobytes() != _header(layout, file[HEADER:].data):
        raise DamagedFile(f"{path} is damaged or was written by another version")
    arrays, start = {}, HEADER
    for name, shape in layout.items():
        stop = start + 4 * int(np.prod(shape))
        arrays[name] = file[start:stop].view("<f4").reshape(shape)
        start = stop
    return arrays


def save(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write float32 arrays as one file, whole or not at all, whoever else is writing it. Raises OSError."""
    contents = np.concatenate([array.ravel() for array in arrays.values()]).astype("<f4").view(np.uint8).data
    layout = {name: array.shape for name, array in arrays.items()}
    write_atomically(path, _header(layout, contents) + contents)


def _header(layout: Layout, contents: memoryview) -> bytes:
    facts = {
        "file": "bgai tables",
        "version": VERSION,
        "dtype": "<f4",
        "arrays": layout,
        "sha256": hashlib.sha256(contents).hexdigest(),
    }
    return json.dumps(facts).encode().ljust(HEADER - 1) + b"\n"
