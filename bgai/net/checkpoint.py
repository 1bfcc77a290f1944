"""A checkpoint: one safetensors file with weights and metadata, enough to play or to go on training from.

Loading never runs code, and checks everything: a file that is wrong, cut off or not ours is a `BadCheckpoint` that says
what is the matter.
"""

import json
import re
from dataclasses import Field, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from bgai.board import CHECKERS
from bgai.files import write_atomically
from bgai.net.inputs import n_inputs

FORMAT = 1
LARGEST_FILE = 256 * 2**20


class BadCheckpoint(ValueError):
    """A file that isn't a checkpoint that this version can use."""


@dataclass(frozen=True)
class Architecture:
    """What a network is made of. `computed`: it sees the computed features too. `checkers`: of the variant it plays.

    own  import path of what makes a network of one's own (docs/extending.md); `hidden` is empty then, and neither
         `activation` nor `computed` says anything
    """

    hidden: tuple[int, ...] = (256,)
    activation: str = "relu"
    computed: bool = False
    checkers: int = CHECKERS
    own: str | None = None

    def plain(self) -> dict[str, Any]:
        """What says something, as plain data."""
        names = ("own", "checkers") if self.own else ("hidden", "activation", "computed", "checkers")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        """Such as `377-256-6 relu`."""
        if self.own:
            return self.own
        return f"{'-'.join(map(str, (n_inputs(self.computed), *self.hidden, 6)))} {self.activation}"

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every weight."""
        widths = [n_inputs(self.computed), *self.hidden]
        shapes: dict[str, tuple[int, ...]] = {}
        for i, (a, b) in enumerate(pairwise(widths)):
            shapes |= {f"hidden.{i}.weight": (b, a), f"hidden.{i}.bias": (b,)}
        return shapes | {"out.weight": (6, widths[-1]), "out.bias": (6,)}


@dataclass(frozen=True)
class Checkpoint:
    """weights: float32 arrays by name. The rest tells where the player comes from and where its training stands.

    stage     name of the training stage that made it
    done      share of that stage's budget that is played: where its learning rate and lambda stand
    games     self-play games it has learned from, over all stages
    updates   steps of the optimiser, over all stages
    config    the resolved configuration of the run
    measured  figures it was measured at, by name
    """

    architecture: Architecture
    weights: dict[str, np.ndarray]
    stage: str = ""
    done: float = 1.0
    games: int = 0
    updates: int = 0
    config: dict = field(default_factory=dict)
    measured: dict = field(default_factory=dict)


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write the file, whole or not at all."""
    meta = {f.name: getattr(checkpoint, f.name) for f in fields(checkpoint) if f.name != "weights"}
    meta["architecture"] = checkpoint.architecture.plain()
    weights = {name: np.asarray(w, dtype=np.float32, order="C") for name, w in checkpoint.weights.items()}
    write_atomically(path, save(weights, {"bgai": json.dumps({"format": FORMAT, **meta})}))


def load_checkpoint(path: Path, own: str | None = None) -> Checkpoint:
    """Read a checkpoint with a network of ours, or with the one that the import path `own` names.

    Raises BadCheckpoint, also where it holds another one, or FileNotFoundError. Nothing is imported.
    """
    checkpoint = read_checkpoint(path)
    found = checkpoint.architecture.own
    if found == own:
        return checkpoint
    if own:
        raise BadCheckpoint(f"{path} holds {found or 'a network of the usual kind'}, not {own}")
    raise BadCheckpoint(
        f"{path} holds a network of somebody's own. If that code is yours, name it: bgai eval {found}@{path}, "
        f"bgai train net.own={found} from={path}"
    )


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint, whatever its network. Raises BadCheckpoint, or FileNotFoundError."""
    meta, weights = read_safetensors(path)
    try:
        if meta["format"] is True or meta["format"] != FORMAT:
            raise BadCheckpoint(f"{path} has checkpoint format {meta['format']!r}, this version reads {FORMAT}")
        architecture = _architecture(**meta["architecture"])
        rest = {f.name: _typed(meta[f.name], f) for f in fields(Checkpoint)[2:]}
    except (KeyError, TypeError) as error:
        raise BadCheckpoint(f"{path} is not a bgai checkpoint: its metadata lacks or misstates {error}") from None
    except BadCheckpoint:
        raise
    except ValueError as error:
        raise BadCheckpoint(f"{path}: {error}") from None
    if not architecture.own and {name: w.shape for name, w in weights.items()} != architecture.shapes():
        raise BadCheckpoint(f"{path}: its weights don't have the shapes of its own architecture {architecture}")
    for name, w in weights.items():
        if w.dtype != np.float32 or not np.isfinite(w).all():
            raise BadCheckpoint(f"{path}: weight {name} isn't all finite float32 numbers")
    return Checkpoint(architecture, weights, **rest)


def _typed(value: Any, field: Field) -> Any:
    """The value of one of `Checkpoint`'s fields after the first two, if it is of the field's type."""
    if type(value) is not field.type or (field.type in (int, float) and not value >= 0):
        raise ValueError(f"{field.name} is {value!r:.80}, which is no possible {field.type.__name__}")
    return value


def _architecture(**plain: Any) -> Architecture:
    """From `Architecture.plain()`, checked."""
    a = Architecture(**plain | {"hidden": () if "own" in plain else tuple(plain["hidden"])})
    if "own" in plain and not (isinstance(a.own, str) and re.fullmatch(r"[\w.]{1,100}:\w{1,100}", a.own)):
        raise ValueError(f"own={a.own!r:.80} is no import path: it is package.module:name")
    if not a.own and not (0 < len(a.hidden) <= 8 and all(type(h) is int and 0 < h <= 65536 for h in a.hidden)):
        raise ValueError(f"hidden layers {a.hidden} are impossible: 1 to 8 layers of 1 to 65536 units")
    if a.activation not in ("relu", "sigmoid"):
        raise ValueError(f"unknown activation {a.activation!r}: relu or sigmoid")
    if not isinstance(a.computed, bool) or not (type(a.checkers) is int and 1 <= a.checkers <= CHECKERS):
        raise ValueError(f"computed={a.computed!r}, checkers={a.checkers!r} are impossible")
    return a


def read_safetensors(path: Path, largest: int = LARGEST_FILE) -> tuple[dict, dict[str, np.ndarray]]:
    """Metadata and arrays of one of our safetensors files; BadCheckpoint if it can't be one."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} doesn't exist")
    if not path.is_file():
        raise BadCheckpoint(f"{path} is a folder or a device, not a checkpoint")
    size = path.stat().st_size
    if size > largest:
        raise BadCheckpoint(f"{path} has {size} bytes, more than any file of ours ({largest})")
    data = path.read_bytes()
    try:
        arrays = dict(sorted(load(data).items()))  # they come in another order in every process
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        meta = json.loads(header["__metadata__"]["bgai"])
    except SafetensorError as error:
        raise BadCheckpoint(f"{path} is not a whole safetensors file: {error}") from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise BadCheckpoint(f"{path} was not written by bgai: it has no bgai metadata") from None
    if not isinstance(meta, dict):
        raise BadCheckpoint(f"{path}: its bgai metadata is no table of names and values")
    return meta, arrays
