"""`net.own`: a network of one's own is trained by the ordinary loop, and its files never name code to be run."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from tiny_runs import TINY, files

from bgai.arena.seats import checkpoint_of, player
from bgai.cli.train import train as command
from bgai.evaluator.own_net import load_own_net
from bgai.named import BadName, imported
from bgai.net.checkpoint import Architecture, BadCheckpoint, Checkpoint, load_checkpoint, save_checkpoint
from bgai.net.model import BadNetwork, own_weights
from bgai.train import loop
from bgai.train.compose import composed
from bgai.train.config import BadConfig
from bgai.train.starts import scattered
from bgai.train.state import Waiting
from bgai.train.torch_learner import TorchLearner

MODULE = """
import numpy as np
from torch import nn, ones

class Net(nn.Sequential):
    def __init__(self, inputs=26, logits=6):
        super().__init__(nn.Linear(inputs, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.ELU(), nn.Linear(8, logits))

    def inputs(self, boards):
        return boards.astype(np.float32) / 4

def narrow(): return Net(inputs=25)
def few(): return Net(logits=5)
def large():
    net = Net()
    net[0] = nn.Sequential(nn.Linear(26, 2**13), nn.Linear(2**13, 2**12), nn.Linear(2**12, 8))
    return net
def blind(): return nn.Linear(26, 6)
made = Net()
"""
NET = "own_net:Net"
RUN = [word for word in TINY if not word.startswith(("net", "stages"))] + [
    f"net.own={NET}",
    "stages=[{name: one, games: 25, batch: 64}, {name: two, games: 20, batch: 32, luck_free: true}]",
    "variant=hypergammon",
    "run=run",
    "save_minutes=0",
]


@pytest.fixture
def folder(train, tmp_path, monkeypatch):
    """A working directory with the module `own_net`, and measurements that take a moment."""
    (tmp_path / "own_net.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    imported.cache_clear()
    return tmp_path


@pytest.fixture
def checkpoint(folder) -> Path:
    """One of `own_net:Net` as it begins."""
    architecture = Architecture((), own=NET)
    save_checkpoint(folder / "a.safetensors", Checkpoint(architecture, own_weights(architecture, generator())))
    return folder / "a.safetensors"


def generator() -> np.random.Generator:
    return np.random.default_rng(1)


def test_it_learns(folder):
    boards = scattered(640, "backgammon", generator())
    ahead = 1 / (1 + np.exp((boards.astype(float) @ np.arange(26)) / 40))
    targets = np.zeros((640, 6), np.float32)
    targets[:, 0], targets[:, 3] = ahead, 1 - ahead
    architecture = Architecture((), own=NET)
    pupil = loop.new_learner("cpu", architecture, loop.new_weights(architecture, generator()))
    stage = composed(RUN).stages[0]
    learned = [
        loop.learn(pupil, Waiting(boards, targets, np.ones(640, np.int8)), stage, 0.01, generator())[0]
        for _ in range(20)
    ]
    assert learned[-1] < learned[0] - 0.4


def test_cut_and_resumed_it_ends_with_the_same_bits(folder, monkeypatch):
    """Though it draws at random as it learns, and has more to it than weights."""
    assert command(RUN) == 0
    uncut = files("run")
    Path("run").rename("uncut")
    real, calls = TorchLearner.learn, iter(range(1000))

    def cut(*args):
        if next(calls) == 4:
            raise InterruptedError
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(TorchLearner, "learn", cut)
        with pytest.raises(InterruptedError):
            command(RUN)
    assert command(["resume=run"]) == 0
    assert files("run") == uncut
    last = load_checkpoint(Path("run/last.safetensors"), NET)
    assert (last.architecture, last.measured["games"] > 0) == (Architecture((), checkers=3, own=NET), True)
    assert last.weights["1.num_batches_tracked"] == last.updates > 0
    again = [word for word in RUN if not word.startswith("run")] + ["from=run/last.safetensors", "run=further"]
    assert command(again) == 0
    assert load_checkpoint(Path("further/last.safetensors"), NET).games > last.games


def test_the_seed_decides_where_it_begins(folder):
    one, same, other = (own_weights(Architecture((), own=NET), np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["0.weight"], other["0.weight"])


def test_weights_of_other_code_are_refused(checkpoint, monkeypatch):
    Path("own_net.py").write_text(MODULE.replace("8", "18"))
    imported.cache_clear()
    monkeypatch.delitem(sys.modules, "own_net")
    with pytest.raises(BadNetwork, match="own_net:Net has changed"):
        load_own_net(checkpoint, NET)


# --- its files ---------------------------------------------------------------------------------------------------


def test_the_arena_takes_its_checkpoint_where_the_code_is_named(checkpoint):
    name = f"{NET}@{checkpoint}"
    assert player(f"{name}:1", None, seed=1).ply == 1
    assert checkpoint_of(name) == checkpoint
    with pytest.raises(FileNotFoundError, match="nowhere"):
        player(f"{NET}@nowhere", None, seed=1)


def test_a_checkpoint_never_names_code_to_be_run(folder, checkpoint):
    (folder / "harmful.py").write_text("open('was_here', 'w')\ndef net(): pass\n")
    weights = load_checkpoint(checkpoint, NET).weights
    save_checkpoint(folder / "b.safetensors", Checkpoint(Architecture((), own="harmful:net"), weights))
    refusal = r"b.safetensors holds a network of somebody's own.*bgai eval harmful:net@.*b.safetensors"
    for ask in (load_checkpoint, lambda path: player(path, None, 1), lambda path: composed([f"initial={path}"])):
        with pytest.raises(BadCheckpoint, match=refusal):
            ask(folder / "b.safetensors")
    with pytest.raises(BadCheckpoint, match="holds harmful:net, not own_net:Net"):
        player(f"{NET}@{folder / 'b.safetensors'}", None, 1)
    with pytest.raises(BadCheckpoint, match="holds a network of the usual kind, not own_net:Net"):
        player(f"{NET}@default", None, 1)
    assert not (folder / "was_here").exists()


@pytest.mark.parametrize("own", [None, 3, "", "os", "os:a.b", "a b:c", "\x1b[2J:a", "a:" + "b" * 1000])
def test_a_header_with_an_impossible_name(checkpoint, own):
    data = checkpoint.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    meta = json.loads(header["__metadata__"]["bgai"])
    assert meta["architecture"] == {"own": NET, "checkers": 15}
    header["__metadata__"]["bgai"] = json.dumps(meta | {"architecture": {"own": own, "checkers": 15}})
    text = json.dumps(header).encode()
    checkpoint.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length :])
    with pytest.raises(BadCheckpoint, match="is no import path"):
        load_checkpoint(checkpoint)


# --- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["net.hidden=8"], BadConfig, "net.hidden=8: the network is own_net:Net; leave this out"),
        (["net.activation=relu"], BadConfig, "net.activation=relu: the network is own_net:Net; leave this out"),
        (["net=wide"], BadConfig, "net=wide: the network is own_net:Net; leave this out"),
        (["stages.1.widen=8"], BadConfig, "stages.1.widen=8 is impossible: own_net:Net stays as it is"),
        (["initial=default.safetensors"], FileNotFoundError, "default.safetensors"),
        (["net.own=own_net"], BadName, "'own_net' is no import path"),
        (["net.own=own_net:Nat"], BadName, "has no attribute 'Nat'"),
        (["net.own=own_net:narrow"], BadNetwork, "own_net:narrow: mat1 and mat2 shapes cannot be multiplied"),
        (["net.own=own_net:few"], BadNetwork, r"own_net:few makes logits of shape \(1, 5\) for one board"),
        (["net.own=own_net:blind"], BadNetwork, "own_net:blind is not what makes a torch.nn.Module with a method inp"),
        (["net.own=own_net:made"], BadNetwork, "own_net:made is not what makes a torch.nn.Module"),
        (["net.own=own_net:large"], BadConfig, "net.own=own_net:large is impossible: a network has 33554432 weights"),
    ],
)
def test_what_means_nothing_is_refused_before_anything_begins(folder, words, error, message):
    with pytest.raises(error, match=message) as refused:
        command([*RUN, *words])
    assert "\n" not in str(refused.value) and not Path("run").exists()


def test_the_network_of_a_recipe_gives_way(folder):
    assert composed(["experiment=quick"]).net.computed
    net = composed(["experiment=quick", f"net.own={NET}"]).net
    assert asdict(net) == {"hidden": [256], "activation": "relu", "computed": False, "own": NET}
