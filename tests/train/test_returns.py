"""Returns: what the network should have thought of the positions of a finished game."""

import numpy as np
import pytest

from bgai.board import OUTCOME_POINTS, swap_outcomes
from bgai.files import checkpoint
from bgai.net.checkpoint import Architecture
from bgai.net.fast import FastNet, load_net
from bgai.train.returns import collect, luck_free, td_lambda
from bgai.train.selfplay import SelfPlay


def td_return(t, values, expected, explored, trace):
    """TD(lambda) as defined: the next position's value, mixed with the next position's return."""
    if t == len(values) - 1 or explored[t]:
        return values[t]
    later = td_return(t + 1, values, expected, explored, trace)
    return swap_outcomes((1 - trace) * values[t + 1] + trace * later)


def luck_free_return(t, values, expected, explored, trace):
    """E_t + A_t as defined, A_t from the disagreement at the next turn and what is added there."""

    def added(t):
        if t >= len(values) - 2 or explored[t]:
            return np.zeros(6)
        return trace * swap_outcomes(expected[t + 1] - values[t + 1] + added(t + 1))

    return expected[t] + added(t)


@pytest.mark.parametrize("kind", ["td_lambda", "luck_free"])
@pytest.mark.parametrize("trace", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("exploring", [0.0, 0.3], ids=["greedy", "exploring"])
def test_returns_are_those_of_the_definition(kind, trace, exploring):
    rng = np.random.default_rng(5)
    n, most = 20, 30
    turn = rng.integers(1, most, n)
    values, expected = rng.dirichlet(np.ones(6), (2, n, most)).astype(np.float32)
    results = rng.integers(0, 6, n)
    values[np.arange(n), turn] = np.eye(6, dtype=np.float32)[results]
    explored = rng.random((n, most)) < exploring
    opening = rng.random(n) < 0.5
    boards = rng.integers(-5, 6, (n, most, 26)).astype(np.int8)
    games = np.array([3, 0, 11, 19])

    history = values, explored, turn, opening, games
    positions, thought, ends = collect(boards, *history)
    targets = td_lambda(*history, trace) if kind == "td_lambda" else luck_free(expected, *history, trace)
    by_definition = td_return if kind == "td_lambda" else luck_free_return
    at = 0
    for game in games:
        for t in reversed(range(turn[game])):
            if explored[game, t] or (t == 0 and opening[game]):
                continue
            rows = slice(0, turn[game] + 1)
            one = by_definition(t, values[game, rows], expected[game, rows], explored[game], trace)
            assert targets[at] == pytest.approx(one, abs=1e-6)
            assert np.array_equal(positions[at], boards[game, t])
            assert np.array_equal(thought[at], values[game, t])
            assert ends[at] == (results[game] + 3 * (turn[game] - t)) % 6
            at += 1
    assert at == len(targets) == len(positions)


def luck_free_samples(trace: float, turns: int):
    """Samples of a frozen network that knows nothing, in hypergammon, whose games are short."""
    architecture = Architecture((6,), checkers=3)
    rng = np.random.default_rng(3)
    weights = {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in architecture.shapes().items()}
    play = SelfPlay(300, "hypergammon", {"opening": 1.0}, np.random.default_rng(11), luck_free=True)
    return play.play(FastNet(architecture, weights), turns, trace, explore=0.0)


def test_luck_free_returns_at_lambda_1_are_unbiased_whatever_the_network_thinks():
    samples = luck_free_samples(trace=1.0, turns=100)
    luck = np.eye(6)[samples.results] - samples.targets
    assert samples.games > 500
    error = luck.std(axis=0) / np.sqrt(samples.games)  # games are independent, not the turns of one
    assert (np.abs(luck.mean(axis=0)) < 4 * error + 1e-6).all()
    assert samples.targets.sum(axis=1) == pytest.approx(1, abs=1e-4)


def test_luck_free_returns_of_a_player_that_knows_the_game_are_far_less_noisy_than_outcomes():
    play = SelfPlay(24, "backgammon", {"opening": 1.0}, np.random.default_rng(12), luck_free=True)
    samples = play.play(load_net(checkpoint()), 80, 1.0, 0.0)
    assert samples.games > 10
    outcomes = np.eye(6)[samples.results]
    noise, luck_free_noise = ((t - samples.thought) @ OUTCOME_POINTS for t in (outcomes, samples.targets))
    assert luck_free_noise.std() < 0.3 * noise.std()


def test_luck_free_returns_at_lambda_0_are_one_roll_of_lookahead():
    samples = luck_free_samples(trace=0.0, turns=60)
    assert samples.targets.min() >= 0
    assert samples.targets.sum(axis=1) == pytest.approx(1, abs=1e-4)
    noise = np.abs(samples.targets - samples.thought).mean()
    assert 0 < noise < np.abs(np.eye(6)[samples.results] - samples.thought).mean() / 2
