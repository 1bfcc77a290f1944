"""The state of a run: damage anywhere is noticed, and the state before it is what a run goes on from."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from tiny_runs import files, pip_counter

from bgai.cli.train import train as command
from bgai.net.checkpoint import BadCheckpoint, read_safetensors
from bgai.net.fast import FastNet
from bgai.train import loop
from bgai.train.selfplay import SelfPlay
from bgai.train.state import DAMAGED, NEWEST, PREVIOUS, SavedState, digest, load_state

ROUNDS = 6


class Cut(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def cut(train, monkeypatch):
    """The folder of a run that was cut after some saves."""
    real, calls = loop.keep_recent, iter(range(ROUNDS))

    def keep(*args):
        real(*args)
        if next(calls, None) is None:
            raise Cut

    with monkeypatch.context() as patch:
        patch.setattr(loop, "keep_recent", keep)
        with pytest.raises(Cut):
            train("save_minutes=0")
    return Path("run")


def damaged(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_one_bit_anywhere_is_damage(cut):
    before = load_state(cut).progress.games
    whole, length = (cut / NEWEST).read_bytes(), (cut / NEWEST).stat().st_size
    header = 8 + int.from_bytes(whole[:8], "little")
    places = [*range(0, header, 61), *range(header, length, length // 200), length - 1]
    for at in places:
        (cut / NEWEST).write_bytes(whole)
        damaged(cut / NEWEST, at)
        with pytest.warns(UserWarning, match="falling back"):
            assert load_state(cut).progress.games <= before
        assert not (cut / NEWEST).exists() and (cut / DAMAGED).exists()


def test_a_run_goes_on_from_the_state_before_the_damaged_one_and_ends_as_ever(train, cut):
    damaged(cut / NEWEST, -1)
    with pytest.warns(UserWarning, match="falling back"):
        assert command(["resume=run"]) == 0
    resumed = files("run")
    cut.rename("resumed")
    assert train("save_minutes=0") == 0
    assert files("run") == resumed


def test_a_second_crash_right_after_a_damaged_state_loses_nothing(cut, monkeypatch):
    good = (cut / PREVIOUS).read_bytes()
    damaged(cut / NEWEST, 1000)
    with monkeypatch.context() as patch:
        patch.setattr("bgai.train.state.write_atomically", lambda *_: (_ for _ in ()).throw(Cut))
        with pytest.warns(UserWarning, match="falling back"), pytest.raises(Cut):
            command(["resume=run"])
    assert (cut / PREVIOUS).read_bytes() == good
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_state(cut)


def test_both_states_damaged(cut):
    damaged(cut / NEWEST, -1)
    damaged(cut / PREVIOUS, -1)
    with pytest.warns(UserWarning), pytest.raises(BadCheckpoint, match=r"state\.previous"):
        load_state(cut)


@pytest.mark.parametrize("luck_free", [False, True])
def test_games_that_are_gone_on_with_are_the_same_to_the_last_byte(luck_free):
    """Nothing of games that are over is left where a longer game would uncover it."""
    net = FastNet(pip_counter(1).architecture, pip_counter(1).weights)
    uncut, resumed = (SelfPlay(6, "backgammon", {"race": 1.0}, np.random.default_rng(s), luck_free) for s in (1, 2))
    for _ in range(6):
        uncut.play(net, 8, 0.7, 0.1)
    resumed.restore(uncut.state())
    resumed.rng.bit_generator.state = uncut.rng.bit_generator.state
    for _ in range(10):
        for games in (uncut, resumed):
            games.play(net, 5, 0.7, 0.1)
        for name, array in uncut.state().items():
            assert array.tobytes() == resumed.state()[name].tobytes(), name


@pytest.mark.parametrize(
    "name, spoil",
    [
        ("games.boards", lambda a: a + 50),  # far too many checkers
        ("games.turn", lambda a: a + 10_000),
        ("games.turn", lambda a: a - 10_000),
        ("games.values", lambda a: a[:, :1]),
        ("games.explored", lambda a: a[:1]),
        ("waiting.boards", lambda a: a * 0 + 15),
        ("games.boards", lambda a: a[:, :1]),
        ("games.expected", lambda a: np.zeros((*a.shape[:1], 3, 6), np.float32)),
        ("waiting.targets", lambda a: a[:-1]),
        ("waiting.targets", lambda a: a.astype(np.float64)),
        ("waiting.uses", lambda a: a[0]),
        ("learner.steps", lambda a: a - 10_000),
        ("learner.weights.out.bias", lambda a: a[:-1]),
        ("learner.mean.hidden.0.weight", lambda a: a.astype(np.float64)),
    ],
)
def test_a_crafted_state_is_refused(cut, monkeypatch, name, spoil):
    """Its digest is right, its arrays are none that training writes."""
    saved = load_state(cut)
    arrays = {n.removeprefix("ranks.0."): a for n, a in saved.of(0, 1).arrays.items()}
    crafted = SavedState(arrays | {name: np.ascontiguousarray(spoil(arrays[name]))}, saved.of(0, 1).meta)
    monkeypatch.setattr(loop, "load_state", lambda run: crafted)
    monkeypatch.setattr(SavedState, "of", lambda self, rank, size: self)
    with pytest.raises(BadCheckpoint, match="the state of this run"):
        command([f"resume={cut}"])


@pytest.mark.parametrize(
    "part, name, made_up",
    [
        ("counters", "stage", -1),
        ("counters", "games", 0.5),
        ("counters", "updates", True),
        ("counters", "begun", None),
        ("counters", "luck", 1),
        ("watch", "kept", ["../../home"]),
        ("watch", "kept", [3]),
        ("watch", "recent", [1.0] * 7),
        ("watch", "best", float("nan")),
        ("watch", "measured", {"pubeval": "much"}),
        ("watch", "measurements", 10**30),
        ("generators", 0, {"play": {"bit_generator": "MT19937"}, "learn": {}}),
    ],
)
def test_made_up_metadata_is_refused(cut, part, name, made_up):
    """Though its digest is right; the state before it is gone on with."""
    meta, arrays = read_safetensors(cut / NEWEST)
    meta[part][name] = made_up
    meta["sha256"] = digest({key: value for key, value in meta.items() if key != "sha256"}, arrays)
    for state in (NEWEST, PREVIOUS):
        (cut / state).write_bytes(save(arrays, {"bgai": json.dumps(meta)}))
    with warnings.catch_warnings(), pytest.raises(BadCheckpoint, match="not one that training writes"):
        warnings.simplefilter("ignore")
        command([f"resume={cut}"])


def test_a_state_of_another_network_is_refused(cut, monkeypatch):
    """All of its arrays agree with each other, but not with the settings; the kernels would read past their ends."""
    saved = load_state(cut)
    wider = {
        name: np.pad(a, [(0, 3 if name.endswith("hidden.0.weight") else 0), *[(0, 0)] * (a.ndim - 1)])
        for name, a in saved.of(0, 1).arrays.items()
    }
    monkeypatch.setattr(loop, "load_state", lambda run: SavedState(wider, saved.of(0, 1).meta))
    monkeypatch.setattr(SavedState, "of", lambda self, rank, size: self)
    with pytest.raises(BadCheckpoint, match=r"doesn't fit its settings: its network is no"):
        command([f"resume={cut}"])
