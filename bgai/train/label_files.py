"""Files of labels, and a reader that takes the place of self-play in a stage that learns from them.

A folder holds `<seed>.safetensors` for every seed: boards, what to think of them, how their games ended, and in the
metadata how the labels were made and by whom. Folders made on several machines are merged by copying their files into
one.
"""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from bgai.board import InvalidBoard, check
from bgai.files import write_atomically
from bgai.net.checkpoint import BadCheckpoint, read_safetensors
from bgai.net.net import Net
from bgai.train.selfplay import Samples

FORMAT = 1
_SHAPES = {  # of each array of a file with n labels
    "boards": (np.int8, (26,)),
    "targets": (np.float32, (6,)),
    "results": (np.int8, ()),
}


class BadLabels(ValueError):
    """A file that holds no labels, or a folder without such files."""


def file_of(folder: Path, seed: int) -> Path:
    """Where the labels of a seed lie."""
    return folder / f"{seed}.safetensors"


def files_in(folder: Path) -> list[Path]:
    """The files of labels in a folder, by seed. Raises BadLabels if there is none, or the folder can't be read."""
    try:
        paths = [path for path in Path(folder).glob("*.safetensors") if path.stem.isdecimal()]
    except OSError as error:  # a name that is too long, for one
        raise BadLabels(f"the folder of labels can't be read: {error}") from None
    if not paths:
        raise BadLabels(f"there are no labels in {folder}; make some by: bgai label {folder} --seeds 1-8")
    return sorted(paths, key=lambda path: int(path.stem))


def write_labels(path: Path, samples: Samples, made: dict) -> None:
    """Write a file, whole or not at all; `made` tells how its labels were made."""
    arrays = {name: np.ascontiguousarray(getattr(samples, name)) for name in _SHAPES}
    arrays |= {"ended": samples.ended, "turns": np.array([samples.turns])}
    write_atomically(path, save(arrays, {"bgai": json.dumps({"labels": FORMAT, "made": made})}))


def read_labels(path: Path, checkers: int) -> tuple[Samples, dict]:
    """The labels of a file, for a variant with so many checkers, and how they were made. Raises BadLabels."""
    made, arrays = _read(path)
    n = len(arrays["boards"])
    try:
        boards = check(arrays["boards"], checkers)
    except InvalidBoard as error:
        raise BadLabels(f"{path}: {error}") from None
    targets, results = arrays["targets"], arrays["results"]
    likely = np.isfinite(targets).all() and np.abs(targets.sum(axis=1) - 1).max(initial=0) < 1e-3
    if not likely or np.abs(targets).max(initial=0) > 10:
        raise BadLabels(f"{path}: its targets aren't chances of six outcomes, whose sum is 1")
    if ((results < 0) | (results > 5)).any():
        raise BadLabels(f"{path}: its games end in other ways than the six there are")
    nothing = np.empty((n, 6), np.float32)
    return Samples(boards, targets, nothing, results, arrays["ended"], int(arrays["turns"][0]), n), made


def _read(path: Path) -> tuple[dict, dict[str, np.ndarray]]:
    try:
        meta, arrays = read_safetensors(path)
    except BadCheckpoint as error:
        raise BadLabels(str(error)) from None
    if meta.get("labels") != FORMAT or not isinstance(meta.get("made"), dict):
        raise BadLabels(f"{path} holds no labels that this version reads (format {FORMAT})")
    n = len(arrays["boards"]) if "boards" in arrays and arrays["boards"].ndim else 0
    shapes = {name: (np.dtype(kind), (n, *shape)) for name, (kind, shape) in _SHAPES.items()}
    shapes |= {"ended": (np.dtype(np.int64), (6,)), "turns": (np.dtype(np.int64), (1,))}
    if n == 0 or {name: (a.dtype, a.shape) for name, a in arrays.items()} != shapes:
        raise BadLabels(f"{path}: its arrays aren't those of a file of labels")
    if arrays["ended"].min() < 0 or not 0 < arrays["ended"].sum() <= 10**6 or arrays["turns"][0] < 0:
        raise BadLabels(f"{path}: it says that impossibly many games were played for it")
    return meta["made"], arrays


class LabelReader:
    """Hands over one file's labels where `SelfPlay` would play some turns; all files in turn, shuffled in every pass.

    Rank `rank` of `size` reads every `size`-th file. Raises BadLabels where there is none for it.
    """

    def __init__(
        self, folders: list[Path], checkers: int, seed: int, rng: np.random.Generator, rank: int = 0, size: int = 1
    ):
        self.rng = rng  # self-play's, of no use here but kept with the run
        self.checkers = checkers
        self.seed = seed
        self.paths = [path for folder in folders for path in files_in(folder)][rank::size]
        if not self.paths:
            raise BadLabels(
                f"{folders[-1]} has fewer files of labels than there are ranks ({size}); make more, or copy some"
            )
        self.read = 0

    def play(self, net: Net, turns: int, trace: float, explore: float) -> Samples:
        """The next file's labels, beside them what `net` thinks; the other arguments say nothing about labels."""
        number, at = divmod(self.read, len(self.paths))
        order = np.random.default_rng([self.seed, number]).permutation(len(self.paths))
        samples, _ = read_labels(self.paths[order[at]], self.checkers)
        self.read += 1
        return samples._replace(thought=net.outcomes(samples.boards))

    def state(self) -> dict[str, np.ndarray]:
        """How many files were read, for the run's state file."""
        return {"read": np.array([self.read])}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from `state()`."""
        self.read = int(state["read"][0])
