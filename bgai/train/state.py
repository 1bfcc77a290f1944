"""The full state of a run, so that a run cut at any instant ends where an uncut one would.

`state.safetensors` in the run's folder: weights, optimiser, games in progress, positions not yet learned, generator and
counters, and a SHA-256 of all that. The one before is kept as `state.previous.safetensors`, for the case that the
newest is damaged; that is then put aside as `state.damaged.safetensors`.

Where several ranks train (`ranks.py`), the weights are common to all, while games, positions and generators are each
rank's own: those of rank 2 are called `rank2.games.*`, `rank2.waiting.*`, those of rank 0 `games.*`, `waiting.*`.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import save

from bgai.board import CHECKERS
from bgai.files import write_atomically
from bgai.net.checkpoint import Architecture, BadCheckpoint, read_safetensors
from bgai.train.label_files import LabelReader
from bgai.train.learner import AnyLearner
from bgai.train.selfplay import Samples, SelfPlay
from bgai.train.state_checks import check_arrays, check_kept_players, check_meta, check_waiting
from bgai.train.watch import Watch

NEWEST, PREVIOUS, DAMAGED = "state.safetensors", "state.previous.safetensors", "state.damaged.safetensors"
MOST_BYTES = 8 * 2**30  # every rank's games in progress take some 8 million


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
    begun        are the stage's network and labels there? Not between two stages, nor when all are done
    games        played over all stages, those of the checkpoint it started from included; `updates` likewise
    waiting      positions still to be learned
    """

    stage: int = 0
    stage_games: int = 0
    begun: bool = False
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
        """The stage is over; what waits of it is dropped."""
        self.stage += 1
        self.stage_games = 0
        self.begun = False
        self.waiting = _none_waiting()


@dataclass(frozen=True)
class SavedState:
    """What `load_state` found: arrays by name, and `meta` with counters, generators and the watch's memory."""

    arrays: dict[str, np.ndarray]
    meta: dict

    @property
    def progress(self) -> Progress:
        counters = {"begun": True} | self.meta["counters"]  # a state that doesn't say was saved within a stage
        waiting = self.part("waiting.") if counters["begun"] else {}
        if waiting and waiting.keys() != set(Waiting._fields):
            raise BadCheckpoint(f"the state of this run has other arrays that wait than {', '.join(Waiting._fields)}")
        return Progress(**counters, waiting=Waiting(**waiting) if waiting else _none_waiting())

    def weights(self, architecture: Architecture) -> dict[str, np.ndarray]:
        """Those of the network in it. Raises BadCheckpoint where the run's settings lead to another one."""
        weights = self.part("learner.weights.")
        shapes = {name: w.shape for name, w in weights.items()}
        real = all(w.dtype == np.float32 for w in weights.values())
        if not architecture.own and not (real and shapes == architecture.shapes()):
            raise BadCheckpoint(f"the state of this run doesn't fit its settings: its network is no {architecture}")
        return weights

    def part(self, prefix: str) -> dict[str, np.ndarray]:
        """The arrays whose names begin with `prefix`, named by the rest."""
        return {name[len(prefix) :]: a for name, a in self.arrays.items() if name.startswith(prefix)}

    def of(self, rank: int, size: int) -> "SavedState":
        """As rank `rank` of `size` sees it.

        There are no games if their number was another when it was saved, for then they were shared out otherwise; and
        no generators for a rank that wasn't there.
        """
        common = {name: a for name, a in self.arrays.items() if name.startswith("learner.")}
        generators = self.meta["generators"]
        kinds = ("games.", "waiting.") if size == len(generators) else ("waiting.",)
        own = {kind + name: a for kind in kinds for name, a in self.part(_prefix(rank) + kind).items()}
        return SavedState(common | own, self.meta | {"generators": generators[rank : rank + 1]})

    def restore(
        self, learner: AnyLearner, selfplay: SelfPlay | LabelReader, rng: np.random.Generator, watch: Watch
    ) -> None:
        """Put everything back into freshly made objects of the same configuration; `rng` is the learner's.

        Learner and games are left alone if the stage they belong to was over. Games and generators that it doesn't hold
        stay fresh. Raises BadCheckpoint for arrays that no such run has: the kernels trust them.
        """
        checkers = learner.architecture.checkers
        check_kept_players(self.meta["watch"], checkers == CHECKERS)
        watch.restore(self.meta["watch"])
        if self.progress.begun:
            games = {f"games.{name}": a for name, a in selfplay.state().items()} if self.part("games.") else {}
            check_arrays(self.arrays, games | {f"learner.{name}": a for name, a in learner.state().items()}, checkers)
            check_waiting(*self.progress.waiting, checkers)
            learner.restore(self.part("learner."))
            if games := self.part("games."):
                selfplay.restore(games)
        if generators := self.meta["generators"]:
            selfplay.rng.bit_generator.state, rng.bit_generator.state = generators[0]["play"], generators[0]["learn"]


class OwnPart(NamedTuple):
    """What is a rank's own in the state of a run: arrays by name, and the states of its generators."""

    arrays: dict[str, np.ndarray]
    generators: dict[str, Mapping[str, Any]]


def own_part(selfplay: SelfPlay | LabelReader, rng: np.random.Generator, at: Progress) -> OwnPart:
    """That of this process; `rng` is the learner's."""
    arrays = {f"games.{name}": a for name, a in selfplay.state().items()}
    arrays |= {f"waiting.{name}": a for name, a in at.waiting._asdict().items()}
    return OwnPart(arrays, {"play": selfplay.rng.bit_generator.state, "learn": rng.bit_generator.state})


def save_state(run: Path, learner: AnyLearner, watch: Watch, at: Progress, parts: list[OwnPart]) -> None:
    """Write the newest state, keeping the one before it; `parts` are the ranks' own."""
    arrays = {f"learner.{name}": a for name, a in learner.state().items()}
    for rank, part in enumerate(parts):
        arrays |= {_prefix(rank) + name: a for name, a in part.arrays.items()}
    names = ("stage", "stage_games", "begun", "games", "updates")
    counters = {name: getattr(at, name) for name in names}
    generators = [part.generators for part in parts]
    meta = {"counters": counters, "watch": watch.state(), "generators": generators}
    arrays = {name: np.asarray(a, order="C") for name, a in arrays.items()}
    data = save(arrays, {"bgai": json.dumps(meta | {"sha256": digest(meta, arrays)})})
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
            meta, arrays = read_safetensors(path, MOST_BYTES)
            if meta.pop("sha256", None) != digest(meta, arrays):
                raise BadCheckpoint(f"{path} is damaged, or was written by another version")
            check_meta(meta)
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


def _prefix(rank: int) -> str:
    return f"rank{rank}." if rank else ""


def digest(meta: dict, arrays: dict[str, np.ndarray]) -> str:
    """SHA-256 of all that a state holds, in hexadecimal digits."""
    found = hashlib.sha256(json.dumps(meta).encode())
    for name in sorted(arrays):
        found.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        found.update(arrays[name].data)
    return found.hexdigest()
