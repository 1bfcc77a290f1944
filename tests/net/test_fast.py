"""The Numba forward pass against torch, on positions from play, bear-offs and bars among them."""

from functools import cache

import numpy as np
import pytest
import torch
from positions import from_play

from bgai.board import HYPERGAMMON, OUTCOME_POINTS, START, UNFINISHED, on_board, outcome
from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint
from bgai.net.fast import FastNet, load_net
from bgai.net.inputs import encode
from bgai.net.model import Model
from bgai.net.weights import random_weights
from bgai.plays import legal_plays
from bgai.threads import set_threads

ARCHITECTURES = {
    "tdgammon": Architecture((80,), "sigmoid"),
    "wide": Architecture((256,), "relu"),
    "two layers": Architecture((256, 32), "relu"),
    "two layers, features": Architecture((256, 32), "relu", computed=True),
    "odd sizes": Architecture((33, 7, 5), "sigmoid", computed=True),
}
every_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES.keys())


@pytest.fixture(autouse=True)
def _one_thread():
    set_threads(1)
    yield
    set_threads(0)


def weights_of(architecture: Architecture) -> dict[str, np.ndarray]:
    """Random weights, larger than at the start of training, so that the network's opinions differ widely."""
    weights = random_weights(architecture, np.random.default_rng(sum(architecture.hidden)))
    return {name: 4 * w for name, w in weights.items()}


def net_of(architecture: Architecture) -> FastNet:
    return FastNet(architecture, weights_of(architecture))


def by_torch(architecture: Architecture, boards: np.ndarray) -> np.ndarray:
    inputs = torch.from_numpy(encode(boards, architecture.computed, architecture.checkers))
    with torch.no_grad():
        return torch.softmax(Model(architecture, weights_of(architecture))(inputs), dim=1).numpy()


@cache
def played() -> tuple[np.ndarray, np.ndarray]:
    """50,000 positions and rolls: random and sensible play, from the opening to the last checkers."""
    parts = [from_play(200, 125, sensible=sensible, seed=3) for sensible in (False, True)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def test_the_positions_hold_bars_and_bear_offs():
    boards, _ = played()
    own, opponent = on_board(boards)
    assert ((own < 15) & (opponent < 15)).sum() > 500
    assert (boards[:, 25] > 0).sum() > 500 and (boards[:, 0] < 0).sum() > 500 and (boards[:, 25] > 2).any()


@every_architecture
def test_agrees_with_torch(architecture):
    boards, _ = played()
    got = net_of(architecture).outcomes(boards)
    assert np.ptp(got, axis=0).max() > 0.05  # the outcomes do differ between positions
    np.testing.assert_allclose(got, by_torch(architecture, boards), atol=1e-5, rtol=0)


@every_architecture
def test_plays_agree_with_torch_and_finished_games_are_exact(architecture):
    boards, dice = (column[::15] for column in played())
    plays = legal_plays(boards, dice)
    got = net_of(architecture).plays_outcomes(boards, plays)
    ended = outcome(plays.boards)
    over = ended != UNFINISHED
    assert over.sum() > 20
    assert (got[over] == np.eye(6, dtype=np.float32)[ended[over]]).all()
    np.testing.assert_allclose(got[~over], by_torch(architecture, plays.boards[~over]), atol=1e-5, rtol=0)
    np.testing.assert_allclose(got, net_of(architecture).outcomes(plays.boards), atol=1e-5, rtol=0)


def test_outcomes_of_every_kind_of_finished_game_are_exact():
    """R26 to R29, both sides."""
    boards = np.zeros((6, 26), dtype=np.int8)
    boards[0, 10], boards[1, 10], boards[2, 3] = -14, -15, -15
    boards[3, 15], boards[4, 15], boards[5, 25] = 14, 15, 15
    assert (net_of(ARCHITECTURES["wide"]).outcomes(boards) == np.eye(6)).all()


def test_hypergammon_counts_its_own_checkers():
    architecture = Architecture((16,), computed=True, checkers=3)
    boards, dice = from_play(40, 20, sensible=False, seed=4, start=HYPERGAMMON, checkers=3)
    plays = legal_plays(boards, dice, checkers=3)
    got = net_of(architecture).plays_outcomes(boards, plays)
    ended = outcome(plays.boards, 3)
    over = ended != UNFINISHED
    assert (got[over] == np.eye(6)[ended[over]]).all()
    np.testing.assert_allclose(got[~over], by_torch(architecture, plays.boards[~over]), atol=1e-5, rtol=0)


def chosen(boards, dice, outcomes, plays) -> np.ndarray:
    """Index of the play of each roll that leaves the opponent the lowest equity."""
    equity = outcomes @ OUTCOME_POINTS
    return np.array([a + equity[a:b].argmin() for a, b in zip(plays.offsets, plays.offsets[1:], strict=False)])


@every_architecture
def test_best_takes_the_play_of_highest_equity(architecture):
    boards, dice = (column[::50] for column in played())
    net = net_of(architecture)
    plays = legal_plays(boards, dice)
    values = net.plays_outcomes(boards, plays)
    after, outcomes = net.best(boards, dice)
    best = chosen(boards, dice, values, plays)
    np.testing.assert_allclose(outcomes @ OUTCOME_POINTS, values[best] @ OUTCOME_POINTS, atol=1e-6)
    assert (after == plays.boards[best]).all(axis=1).mean() > 0.999  # equal equities may be told apart by a rounding


def test_play_explores_where_it_is_told_to():
    boards, dice = (column[::50] for column in played())
    net = net_of(ARCHITECTURES["wide"])
    plays = legal_plays(boards, dice)
    explore = np.full(len(boards), -1, dtype=np.float32)
    explore[::3] = np.random.default_rng(0).random(len(explore[::3]), dtype=np.float32)
    after, outcomes, evaluated = net.play(boards, dice, explore)
    greedy, _ = net.best(boards, dice)
    counts = np.diff(plays.offsets)
    told = plays.offsets[:-1] + (explore * counts).astype(int)
    expected = np.where((explore >= 0)[:, None], plays.boards[told], greedy)
    assert (after == expected).all()
    assert evaluated == len(plays.boards)
    np.testing.assert_allclose(outcomes, net.outcomes(after), atol=1e-5)


def test_threads_change_nothing():
    boards, dice = (column[:3000] for column in played())
    net = net_of(ARCHITECTURES["two layers, features"])
    plays = legal_plays(boards, dice)

    def everything():
        return net.outcomes(boards), net.plays_outcomes(boards, plays), *net.best(boards, dice)

    alone = everything()
    set_threads(3)
    for one, three in zip(alone, everything(), strict=True):
        assert (one == three).all()


@pytest.mark.parametrize(
    "name", ["hidden.0.weight", "hidden.0.bias", "hidden.1.weight", "hidden.1.bias", "out.weight", "out.bias"]
)
def test_a_nan_comes_out_as_one(name):
    """Fast arithmetic must not turn a broken network into a plausible one."""
    architecture = ARCHITECTURES["two layers, features"]
    weights = {key: value.copy() for key, value in weights_of(architecture).items()}
    weights[name][...] = np.nan
    boards, dice = (column[:50] for column in played())
    net = FastNet(architecture, weights)
    assert np.isnan(net.outcomes(boards)).all()
    plays = legal_plays(boards, dice)
    assert np.isnan(net.plays_outcomes(boards, plays)).all()


def test_outcomes_sum_to_one_even_with_enormous_logits():
    weights = {key: value * 100 for key, value in weights_of(ARCHITECTURES["wide"]).items()}
    got = FastNet(ARCHITECTURES["wide"], weights).outcomes(played()[0])
    assert (got >= 0).all()
    np.testing.assert_allclose(got.sum(axis=1), 1, atol=1e-6)


def test_load_net_is_the_checkpoint(tmp_path):
    architecture = ARCHITECTURES["tdgammon"]
    save_checkpoint(tmp_path / "net.safetensors", Checkpoint(architecture, weights_of(architecture)))
    net = load_net(str(tmp_path / "net.safetensors"))
    assert (net.outcomes(START[None]) == net_of(architecture).outcomes(START[None])).all()


def test_no_positions_give_no_outcomes():
    net = net_of(ARCHITECTURES["wide"])
    none = np.empty((0, 26), dtype=np.int8)
    assert net.outcomes(none).shape == (0, 6)
