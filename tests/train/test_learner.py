"""The learner on a CPU takes the very steps that torch takes, there or on a GPU."""

import numpy as np
import pytest
from devices import every_device
from positions import from_play

from bgai.board import HYPERGAMMON, START
from bgai.net.checkpoint import Architecture
from bgai.net.fast import FastNet
from bgai.net.weights import random_weights, widened
from bgai.train.learner import NEGLIGIBLE, Learner
from bgai.train.torch_learner import TorchLearner

ARCHITECTURES = {
    "tdgammon": Architecture((80,), "sigmoid"),
    "one layer, features": Architecture((96,), computed=True),
    "three layers": Architecture((33, 7, 5), "sigmoid", computed=True),
    "hypergammon": Architecture((20, 9), checkers=3),
}
every_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES.keys())
BATCH, RATE = 50, 0.01


def samples(architecture: Architecture, n: int = 10 * BATCH) -> tuple[np.ndarray, np.ndarray]:
    """Positions of play, and targets some of whose components lie outside [0, 1], as luck-free returns' may."""
    rng = np.random.default_rng(1)
    start = HYPERGAMMON if architecture.checkers == 3 else START
    boards = from_play(20, 50, sensible=False, seed=2, start=start, checkers=architecture.checkers)[0]
    boards = boards[rng.permutation(len(boards))[:n]]
    targets = rng.dirichlet(np.ones(6), n) + 0.1 * (np.eye(6)[rng.integers(6, size=n)] - np.eye(6)[rng.integers(6)])
    return boards, targets.astype(np.float32)


def start(architecture: Architecture) -> dict[str, np.ndarray]:
    return random_weights(architecture, np.random.default_rng(3))


def assert_same(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], atol: float = 1e-5) -> None:
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        np.testing.assert_allclose(array, theirs[name], atol=atol, rtol=0, err_msg=name)


@every_device
@every_architecture
def test_takes_the_steps_that_torch_takes(architecture, device):
    ours, theirs = Learner(architecture, start(architecture)), TorchLearner(architecture, start(architecture), device)
    boards, targets = samples(architecture)
    losses = [learner.learn(boards, targets, BATCH, RATE) for learner in (ours, theirs)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-5)
    assert max(abs(w - start(architecture)[name]).max() for name, w in ours.weights().items()) > RATE
    assert_same(ours.weights(), theirs.weights(), atol=1e-4)  # Adam divides tiny gradients by tiny gradients


@every_device
@every_architecture
@pytest.mark.parametrize("first, second", [(Learner, TorchLearner), (TorchLearner, Learner)])
def test_a_run_may_change_to_the_other_learner_and_goes_on_alike(architecture, first, second, device):
    def make(kind):
        return kind(architecture, start(architecture), *([device] if kind is TorchLearner else []))

    boards, targets = samples(architecture)
    one, other = make(first), make(second)
    one.learn(boards, targets, BATCH, RATE)
    other.restore(one.state())
    assert_same(one.state(), other.state(), atol=0)
    for learner in (one, other):
        learner.learn(boards, targets, BATCH, RATE / 10)
    assert_same(one.weights(), other.weights(), atol=1e-4)


@every_device
def test_a_fresh_state_restores(device):
    architecture = ARCHITECTURES["tdgammon"]
    boards, targets = samples(architecture)
    one, other = (TorchLearner(architecture, start(architecture), device) for _ in range(2))
    other.restore(one.state())
    for learner in (one, other):
        learner.learn(boards, targets, BATCH, RATE)
    assert_same(one.weights(), other.weights(), atol=0)


def test_what_was_handed_out_or_in_is_not_touched():
    architecture = ARCHITECTURES["tdgammon"]
    given = start(architecture)
    learner = Learner(architecture, given)
    handed = learner.weights(), learner.state()
    learner.learn(*samples(architecture), BATCH, RATE)
    assert_same(given, start(architecture), atol=0)
    assert_same(handed[0], start(architecture), atol=0)
    assert_same({n[8:]: w for n, w in handed[1].items() if n.startswith("weights.")}, start(architecture), atol=0)


def test_a_nan_shows_in_the_loss():
    architecture = ARCHITECTURES["tdgammon"]
    spoiled = start(architecture)
    spoiled["out.bias"][2] = np.nan
    assert np.isnan(Learner(architecture, spoiled).learn(*samples(architecture, BATCH), BATCH, RATE))


@pytest.mark.parametrize("hidden", [(8,), (8, 5), (8, 5, 4)])
def test_a_widened_network_thinks_the_same_and_can_learn_with_its_new_units(hidden):
    architecture = Architecture(hidden, computed=True)
    weights = start(architecture)
    wide, grown = widened(architecture, weights, 20, np.random.default_rng(4))
    assert wide == Architecture((20, *hidden[1:]), computed=True)
    boards, targets = samples(architecture)
    same = FastNet(wide, grown).outcomes(boards), FastNet(architecture, weights).outcomes(boards)
    np.testing.assert_allclose(*same, atol=1e-6)
    learner = Learner(wide, grown)
    learner.learn(boards, targets, BATCH, RATE)
    listener = "out.weight" if len(hidden) == 1 else "hidden.1.weight"
    assert (learner.weights()[listener][:, 8:] != 0).any()


def test_a_network_can_only_grow():
    architecture = Architecture((8,))
    with pytest.raises(ValueError, match="8 units"):
        widened(architecture, start(architecture), 7, np.random.default_rng(1))


def test_moments_that_move_nothing_become_zero():
    """They would fade through numbers below 1e-38, which take processors ten times as long."""
    architecture = ARCHITECTURES["one layer, features"]
    ours, theirs = Learner(architecture, start(architecture)), TorchLearner(architecture, start(architecture), "cpu")
    faded = {name: np.full_like(a, NEGLIGIBLE) for name, a in ours.state().items() if name.startswith(("mean", "sq"))}
    for learner in (ours, theirs):
        learner.restore(learner.state() | faded)
        learner.learn(*samples(architecture, BATCH), BATCH, RATE)
    moments = {name: abs(ours.state()[name]) for name in faded}
    assert all(((a == 0) | (a > NEGLIGIBLE)).all() for a in moments.values())
    assert 0.1 < np.mean(moments["square.hidden.0.weight"] == 0) < 0.9
    assert_same(ours.weights(), theirs.weights(), atol=1e-4)
