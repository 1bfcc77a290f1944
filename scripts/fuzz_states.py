"""A small run's state for the fuzzer, and who goes on from it. What was changed is signed again, as if made up."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from bgai.net.checkpoint import Architecture, read_safetensors
from bgai.net.fast import FastNet
from bgai.net.weights import random_weights
from bgai.train.compose import composed
from bgai.train.learner import Learner
from bgai.train.selfplay import SelfPlay
from bgai.train.state import NEWEST, Progress, digest, load_state, own_part, save_state
from bgai.train.watch import Watch

ARCHITECTURE = Architecture((2,))


def state_file(folder: Path) -> tuple[bytes, bytes]:
    """The file of a run that has played and learned a little, and the JSON of its metadata."""
    learner, selfplay, rng, watch = _fresh()
    at = Progress(begun=True)
    samples = selfplay.play(FastNet(ARCHITECTURE, learner.weights()), 60, 0.7, 1.0)
    at.learned(samples._replace(boards=samples.boards[:3], targets=samples.targets[:3]), 0, at.waiting, 2)
    save_state(folder, learner, watch, at, [own_part(selfplay, rng, at)])
    data = (folder / NEWEST).read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return data, header["__metadata__"]["bgai"].encode()


def _fresh() -> tuple[Learner, SelfPlay, np.random.Generator, Watch]:
    play_rng, rng = (np.random.default_rng(seed) for seed in (1, 2))
    learner = Learner(ARCHITECTURE, random_weights(ARCHITECTURE, rng))
    return learner, SelfPlay(2, "backgammon", {"race": 1.0}, play_rng), rng, Watch(_CONFIG, 0)


_CONFIG = composed(["experiment=td"])


def read_state(path: Path) -> None:
    """Goes on from a state with the arrays and metadata of this file."""
    _go_on(path.parent, *read_safetensors(path))


def read_with_meta(state: bytes) -> Callable[[bytes, Path], object]:
    """Goes on from the state with the input for its metadata."""
    arrays = load(state)

    def read(data: bytes, folder: Path) -> None:
        path = folder / "input.safetensors"
        path.write_bytes(save(arrays, {"bgai": data.decode(errors="replace")}))
        _go_on(folder, read_safetensors(path)[0], arrays)

    return read


def _go_on(folder: Path, meta: dict, arrays: dict[str, np.ndarray]) -> None:
    """Some turns from the state, as `bgai train resume=` does."""
    meta.pop("sha256", None)
    signed = meta | {"sha256": digest(meta, arrays)}
    (folder / NEWEST).write_bytes(save(arrays, {"bgai": json.dumps(signed)}))
    learner, selfplay, rng, watch = _fresh()
    found = load_state(folder)
    saved = found.of(0, 1)
    at = saved.progress
    saved.weights(ARCHITECTURE)
    saved.restore(learner, selfplay, rng, watch)
    samples = selfplay.play(FastNet(ARCHITECTURE, learner.weights()), 2, 0.7, 0.0)
    at.learned(samples, 1, at.waiting, 1)
    learner.learn(at.waiting.boards, at.waiting.targets, 2, 1e-9)
