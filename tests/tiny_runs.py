"""A recipe so small that a whole run takes a fraction of a second; a pytest plugin for the tests that use it."""

from pathlib import Path

import numpy as np
import pytest

from bgai.cli.train import train as command
from bgai.net.checkpoint import Architecture, Checkpoint, load_checkpoint
from bgai.net.inputs import CODE, N_RAW
from bgai.train import watch

TINY = [
    "net.hidden=4",
    "stages=[{name: one, games: 25, batch: 64, explore: 0.05},"
    "{name: two, games: 20, batch: 32, widen: 6, starts: {opening: 0.5, race: 0.3, scattered: 0.2}}]",
    "parallel_games=16",
    "turns=8",
    "threads=1",
    "eval_every=15",
    "eval_games=4",
]


@pytest.fixture
def train(tmp_path, monkeypatch):
    """`train("seed=2", ...) -> exit code` of a tiny run in the folder `run` of an empty working directory."""
    monkeypatch.setattr(watch, "RANDOM_GAMES", 4)
    monkeypatch.chdir(tmp_path)
    return lambda *settings: command([*TINY, "run=run", *settings])


def further(checkpoint, stage: str, *settings: str) -> int:
    """Train on from a checkpoint for one stage, in the folder `further`."""
    tiny = [word for word in TINY if not word.startswith(("net", "stages"))]
    return command([*tiny, f"stages=[{{name: more, {stage}}}]", f"from={checkpoint}", "run=further", *settings])


def pip_counter(sign: int) -> Checkpoint:
    """A player that wants few pips for itself, many for the opponent, and no blots; sign -1 wants the reverse."""
    one_to_six_checkers = np.array([1, 2, 1, 1, 1, 4])  # what each input of a point adds to the number of checkers
    pips = np.zeros((2, N_RAW), np.float32)
    pips[0, : 25 * CODE] = np.outer(np.arange(1, 26), one_to_six_checkers).ravel() / 100
    pips[1, 25 * CODE : 50 * CODE] = np.outer(25 - np.arange(25), one_to_six_checkers).ravel() / 100
    pips[1, 25 * CODE : 50 * CODE : CODE] += 0.25  # who is on roll likes the opponent's blots
    out = np.zeros((6, 2), np.float32)
    out[0], out[3] = (-sign, sign), (sign, -sign)
    bias = np.array([0, -5, -9, 0, -5, -9], np.float32)
    zero = np.zeros(2, np.float32)
    weights = {"hidden.0.weight": pips, "hidden.0.bias": zero, "out.weight": out, "out.bias": bias}
    return Checkpoint(Architecture((2,)), weights)


def files(run: str) -> dict[str, bytes]:
    """What a run leaves that depends on nothing but its settings."""
    names = ["last.safetensors", "best.safetensors", "state.safetensors", "stages/1-one.safetensors"]
    names += ["stages/2-two.safetensors", *(f"past/{path.name}" for path in Path(run).glob("past/*"))]
    return {name: Path(run, name).read_bytes() for name in names}


def same_weights(a: str, b: str) -> bool:
    a, b = load_checkpoint(a).weights, load_checkpoint(b).weights
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)
