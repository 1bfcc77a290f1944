"""The ONNX model of a network against the network, by onnxruntime, on positions from play."""

import json

import numpy as np
import onnx
import onnxruntime
import pytest
from positions import from_play

from bgai.board import HYPERGAMMON, OUTCOMES
from bgai.files import checkpoint
from bgai.net.checkpoint import Architecture, Checkpoint, load_checkpoint
from bgai.net.fast import FastNet
from bgai.net.inputs import encode
from bgai.net.onnx_model import onnx_model

ARCHITECTURES = {
    "one layer": Architecture((64,), "relu"),
    "sigmoid": Architecture((40,), "sigmoid"),
    "features, two layers": Architecture((48, 16), "relu", computed=True),
    "features, sigmoid, three layers": Architecture((33, 7, 5), "sigmoid", computed=True),
    "hypergammon": Architecture((16,), "relu", computed=True, checkers=3),
}


def random_player(architecture: Architecture) -> Checkpoint:
    """Weights larger than at the start of training, so that its opinions differ widely."""
    rng = np.random.default_rng(1)
    scale = {name: 4 / np.sqrt(shape[-1]) for name, shape in architecture.shapes().items()}
    weights = {n: rng.normal(0, scale[n], s).astype(np.float32) for n, s in architecture.shapes().items()}
    return Checkpoint(architecture, weights, stage="td", games=1234, updates=56)


def by_onnxruntime(model: bytes, inputs: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(["outcomes"], {"inputs": inputs})[0]


def assert_agree(player: Checkpoint, boards: np.ndarray) -> None:
    a = player.architecture
    found = by_onnxruntime(onnx_model(player), encode(boards, a.computed, a.checkers))
    assert found.dtype == np.float32 and np.ptp(found[:, 0]) > 0.2
    assert np.abs(found - FastNet(a, player.weights).outcomes(boards)).max() < 1e-5


@pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_the_model_agrees_with_the_network_within_1e_5(architecture):
    start = {"start": HYPERGAMMON, "checkers": 3} if architecture.checkers == 3 else {}
    boards, _ = from_play(60, 100, sensible=True, seed=2, **start)
    assert_agree(random_player(architecture), boards)


def test_the_player_that_ships():
    boards, _ = from_play(200, 100, sensible=True, seed=3)
    assert_agree(load_checkpoint(checkpoint()), boards)


@pytest.mark.parametrize("rows", [0, 1, 1000])
def test_a_batch_has_any_size(rows):
    outcomes = by_onnxruntime(onnx_model(random_player(Architecture((8,)))), np.zeros((rows, 330), np.float32))
    assert outcomes.shape == (rows, 6)


def test_the_model_tells_what_it_is():
    model = onnx.load_from_string(onnx_model(random_player(Architecture((8,), computed=True))))
    told = {entry.key: entry.value for entry in model.metadata_props}
    assert json.loads(told["outcomes"]) == list(OUTCOMES)
    assert (told["checkers"], told["variant"], told["computed features"]) == ("15", "backgammon", "true")
    assert (told["stage"], told["games"], told["updates"]) == ("td", "1234", "56")
