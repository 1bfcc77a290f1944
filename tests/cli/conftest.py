"""Runs command lines in this process, which is a hundred times faster than starting another."""

import io
import json
import sys
from typing import NamedTuple

import numpy as np
import pytest

from bgai.board import CHECKERS
from bgai.cli.main import main
from bgai.lang import speak
from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def bgai(monkeypatch, capsys):
    """`bgai("move", "start", "31", stdin="...") -> Result`."""

    def run(*arguments, stdin=""):
        monkeypatch.setattr(sys, "argv", ["bgai", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode(errors="surrogateescape"))))
        with pytest.raises(SystemExit) as end:
            main()
        speak("en")  # as a new process would
        return Result(end.value.code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """A small player with random weights."""
    return _random_player(tmp_path_factory.mktemp("player"), CHECKERS)


@pytest.fixture(scope="session")
def hypergammon(tmp_path_factory):
    """The like for hypergammon."""
    return _random_player(tmp_path_factory.mktemp("hypergammon"), 3)


def _random_player(folder, checkers):
    architecture = Architecture(hidden=(8,), checkers=checkers)
    rng = np.random.default_rng(7)
    weights = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in architecture.shapes().items()}
    path = folder / "random.safetensors"
    save_checkpoint(path, Checkpoint(architecture, weights))
    return path
