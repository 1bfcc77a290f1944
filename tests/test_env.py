"""The Gymnasium-style environment: whole games, rewards, the same dice from the same seed, wrong actions."""

import numpy as np
import pytest

from bgai.board import OUTCOME_POINTS, START, InvalidBoard, check, flip, outcome
from bgai.env import Backgammon, IllegalStep


def whole_game(env, choose, **reset):
    """The boards of a game, the rewards, and the last observation."""
    observation, info = env.reset(**reset)
    boards, rewards, terminated = [observation["board"]], [], False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(choose(len(info["plays"])))
        assert not truncated
        boards.append(observation["board"])
        rewards.append(reward)
    assert len(info["plays"]) == 0 and (observation["dice"] == 0).all()
    return boards, rewards, observation


def at_random(seed):
    rng = np.random.default_rng(seed)
    return lambda plays: int(rng.integers(plays))


def first(board, dice, plays):
    return 0


@pytest.mark.parametrize("seed", range(5))
def test_whole_games_are_legal_and_end_with_what_the_winner_has_won(seed):
    boards, rewards, last = whole_game(Backgammon(), at_random(seed), seed=seed)
    check(np.array(boards))
    assert (boards[0] == START).all() and rewards[:-1] == [0.0] * (len(rewards) - 1)
    assert rewards[-1] == -OUTCOME_POINTS[int(outcome(last["board"]))] and rewards[-1] in (1, 2, 3)


def test_against_an_opponent_one_wins_and_loses():
    env = Backgammon(opponent=first)
    results = [whole_game(env, at_random(seed), seed=seed)[1][-1] for seed in range(12)]
    assert min(results) < 0 < max(results)


def test_R2_the_opponent_starts_half_of_the_games():
    env = Backgammon(opponent=first)
    starts = [(env.reset(seed=seed)[0]["board"] == START).all() for seed in range(40)]
    assert 8 <= sum(starts) <= 32


def test_the_same_seed_throws_the_same_dice():
    one, other = (whole_game(Backgammon(), at_random(1), seed=4)[0] for _ in range(2))
    assert np.array_equal(one, other)
    assert not np.array_equal(one, whole_game(Backgammon(), at_random(1), seed=5)[0])


def test_what_is_handed_out_is_the_callers_own():
    env = Backgammon()
    observation, info = env.reset(seed=1)
    observation["board"][:] = 0
    info["plays"][:] = 0
    check(env.step(0)[0]["board"])


def test_beginning_elsewhere():
    board = np.zeros(26, dtype=np.int8)
    board[1], board[24] = 1, -1
    env = Backgammon()
    observation, _ = env.reset(options={"board": board})
    assert (observation["board"] == board).all()
    observation, reward, terminated, _, _ = env.step(0)
    assert (reward, terminated) == (1.0, True) and (observation["board"] == flip(np.where(board > 0, 0, board))).all()


def test_wrong_calls_say_so():
    env = Backgammon()
    with pytest.raises(IllegalStep, match="call reset first"):
        env.step(0)
    env.reset(seed=1, options={})
    for action in (-1, 10_000):
        with pytest.raises(IllegalStep, match="plays 0 to"):
            env.step(action)
    with pytest.raises(InvalidBoard, match="checkers"):
        env.reset(options={"board": np.full(26, 3)})
    whole_game(env, at_random(1))
    with pytest.raises(IllegalStep, match="call reset first"):
        env.step(0)
