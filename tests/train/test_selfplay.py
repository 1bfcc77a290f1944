"""Games in progress, and the positions that they hand over when they end."""

import numpy as np
import pytest

from bgai.board import BAR, START, checkers_of, on_board, outcome
from bgai.net.checkpoint import Architecture
from bgai.net.fast import FastNet
from bgai.train.selfplay import SelfPlay


def net(variant="backgammon", seed=3) -> FastNet:
    architecture = Architecture((6,), checkers=checkers_of(variant))
    rng = np.random.default_rng(seed)
    weights = {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in architecture.shapes().items()}
    return FastNet(architecture, weights)


def test_the_last_position_of_a_won_game_is_a_win_for_who_is_on_roll_there():
    play = SelfPlay(32, "backgammon", {"opening": 1.0}, np.random.default_rng(1))
    samples = play.play(net(), 300, trace=0.0, explore=0.0)
    about_to_win = (on_board(samples.boards)[0] == 1) & (
        samples.boards[:, 1] == 1
    )  # one checker left, on the ace point
    assert about_to_win.sum() >= 10
    assert (samples.results[about_to_win] < 3).all()
    assert samples.targets[about_to_win, :3].sum(axis=1) == pytest.approx(1)


def test_at_lambda_1_all_positions_of_a_game_learn_its_result():
    samples = SelfPlay(32, "backgammon", {"opening": 1.0}, np.random.default_rng(2)).play(net(), 300, 1.0, 0.0)
    assert samples.games > 20
    assert np.array_equal(samples.targets, np.eye(6, dtype=np.float32)[samples.results])


def test_a_game_gives_every_position_but_the_first_before_its_opening_roll():
    samples = SelfPlay(32, "backgammon", {"opening": 1.0}, np.random.default_rng(3)).play(net(), 300, 0.5, 0.0)
    assert len(samples.boards) == samples.turns - samples.games
    assert not (samples.boards == START).all(axis=1).any()
    assert (outcome(samples.boards) == -1).all()
    assert samples.thought.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_other_starts_give_their_first_position_too():
    samples = SelfPlay(64, "backgammon", {"race": 1.0}, np.random.default_rng(4)).play(net(), 60, 0.5, 0.0)
    assert len(samples.boards) == samples.turns


def test_positions_of_random_turns_are_not_learned():
    play = SelfPlay(32, "backgammon", {"opening": 1.0}, np.random.default_rng(5))
    samples = play.play(net(), 200, trace=0.5, explore=0.25)
    share = len(samples.boards) / (samples.turns - samples.games)
    assert 0.72 < share < 0.78


def test_an_opening_roll_is_never_a_double():
    play = SelfPlay(2000, "backgammon", {"opening": 0.5, "scattered": 0.5}, np.random.default_rng(6))
    dice = play.roll()
    doubles = dice[:, 0] == dice[:, 1]
    assert not doubles[play.opening].any()
    assert doubles[~play.opening].mean() == pytest.approx(1 / 6, abs=0.05)
    pairs = np.bincount(dice[play.opening, 0] * 7 + dice[play.opening, 1], minlength=49)
    assert (pairs > 0).sum() == 30  # all but the doubles


def test_games_in_progress_outlive_a_save():
    begun = SelfPlay(16, "backgammon", {"opening": 1.0}, np.random.default_rng(7))
    begun.play(net(), 270, 0.5, 0.1)
    kept = {name: array.copy() for name, array in begun.state().items()}
    generator = begun.rng.bit_generator.state
    fresh = SelfPlay(16, "backgammon", {"opening": 1.0}, np.random.default_rng(8))
    fresh.restore(kept)
    fresh.rng.bit_generator.state = generator
    for a, b in zip(begun.play(net(), 50, 0.5, 0.1), fresh.play(net(), 50, 0.5, 0.1), strict=True):
        assert np.array_equal(a, b)


def test_hypergammon_is_played_with_three_checkers():
    play = SelfPlay(32, "hypergammon", {"opening": 0.6, "scattered": 0.4}, np.random.default_rng(9))
    samples = play.play(net("hypergammon"), 120, 0.5, 0.0)
    own, opponent = on_board(samples.boards)
    assert samples.games > 30 and own.max() == opponent.max() == 3
    assert (samples.boards[:, BAR] > 0).any()
