"""The full state of a run, so that a run cut at any instant ends where an uncut one would.

`state.safetensors` in the run's folder: weights, optimiser, games in progress, positions not yet learned, generator and
counters, and a SHA-256 of all that. The one before is kept as `state.previous.safetensors`, for the case that the
newest is damaged; that is then put aside as `state.damaged.safetensors`.
"""

import hashlib
import json
import os
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors.numpy import save

from bgai.net.checkpoint import BadCheckpoint, read_safetensors, write_atomically
from bgai.train.selfplay import Samples

NEWEST, PREVIOUS, DAMAGED = "state.safetensors", "state.previous.safetensors", "state.damaged.safetensors"


class Waiting(NamedTuple):
    """Positions that are still to be learned: boards int8[n, 26], targets float32[n, 6], uses left int8[n]."""

    boards: np.ndarray
    targets: np.ndarray
    uses: np.ndarray


def _none_waiting() -> Waiting:
    return Waiting(np.empty((0, 26), np.int8), np.empty((0, 6), np.float32), np.empty(0, np.int8))


@dataclass
class Progress:
    """How far a run has come.

    stage        index of the stage in progress, or the number of stages when all are done
    stage_games  how much of its budget is played
    games        played over all stages, those of the checkpoint it started from included; `updates` likewise
    waiting      positions still to be learned
    """

    stage: int = 0
    stage_games: int = 0
    games: int = 0
    updates: int = 0
    waiting: Waiting = field(default_factory=_none_waiting)

    def learned(self, samples: Samples, steps: int, rest: Waiting, uses: int) -> None:
        """A round is over: `steps` updates made, `rest` left over, and samples for so many uses brought in."""
        self.stage_games += samples.games
        self.games += samples.games
        self.updates += steps
        new = Waiting(samples.boards, samples.targets, np.full(len(samples.boards), uses, np.int8))
        self.waiting = Waiting(*(np.concatenate(pair) for pair in zip(rest, new, strict=True)))

    def next_stage(self) -> None:
        self.stage += 1
        self.stage_games = 0
        self.waiting = _none_waiting()


@dataclass(frozen=True)
class SavedState:
    """What `load_state` found: arrays by name, and `meta` with counters, generators and the watch's memory."""

    arrays: dict[str, np.ndarray]
    meta: dict

    @property
    def progress(self) -> Progress:
        return Progress(**self.meta["counters"], waiting=Waiting(**self.part("waiting.")))

    def part(self, prefix: str) -> dict[str, np.ndarray]:
        return {name[len(prefix) :]: a for name, a in self.arrays.items() if name.startswith(prefix)}

    def restore(self, learner, selfplay, rng, watch) -> None:
        """Put everything back into freshly made objects of the same configuration; `rng` is the learner's."""
        learner.restore(self.part("learner."))
        selfplay.restore(self.part("games."))
        selfplay.rng.bit_generator.state = self.meta["play_rng"]
        rng.bit_generator.state = self.meta["rng"]
        watch.restore(self.meta["watch"])


def save_state(run: Path, learner, selfplay, rng, watch, at: Progress) -> None:
    """Write the newest state, keeping the one before it."""
    arrays = {f"learner.{name}": a for name, a in learner.state().items()}
    arrays |= {f"games.{name}": a for name, a in selfplay.state().items()}
    arrays |= {f"waiting.{name}": a for name, a in at.waiting._asdict().items()}
    counters = {"stage": at.stage, "stage_games": at.stage_games, "games": at.games, "updates": at.updates}
    generators = {"rng": rng.bit_generator.state, "play_rng": selfplay.rng.bit_generator.state}
    meta = {"counters": counters, "watch": watch.state(), **generators}
    arrays = {name: np.ascontiguousarray(a) for name, a in arrays.items()}
    data = save(arrays, {"bgai": json.dumps(meta | {"sha256": _digest(meta, arrays)})})
    newest = run / NEWEST
    if newest.exists():
        os.replace(newest, run / PREVIOUS)
    write_atomically(newest, data)


def load_state(run: Path) -> SavedState | None:
    """The newest state in the run's folder that is whole; None if there has never been one.

    Raises BadCheckpoint when there are states and none can be read.
    """
    fault = None
    for name in (NEWEST, PREVIOUS):
        path = run / name
        if not path.exists():
            continue
        try:
            meta, arrays = read_safetensors(path)
            if meta.pop("sha256", None) != _digest(meta, arrays):
                raise BadCheckpoint(f"{path} is damaged, or was written by another version")
        except BadCheckpoint as error:
            warnings.warn(f"{error}; falling back to the state before it", stacklevel=2)
            fault = error
            if name == NEWEST:
                os.replace(path, run / DAMAGED)  # or the next save would put it in the place of the good one
            continue
        return SavedState(arrays, meta)
    if fault:
        raise fault
    return None


def _digest(meta: dict, arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256(json.dumps(meta).encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name])
    return digest.hexdigest()
