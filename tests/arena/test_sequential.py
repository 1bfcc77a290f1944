"""Stopping as soon as it is decided, without fooling oneself."""

import numpy as np
import pytest

from bgai.arena import sequential
from bgai.arena.games import OddGames, joined, play_games
from bgai.arena.players import RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.arena.sequential import always_valid, decide
from bgai.arena.statistics import of_pairs


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(sequential, "_BATCH", 50)


def test_the_interval_holds_the_truth_at_all_times_19_times_in_20():
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(300):
        values = rng.normal(0.2, 1.4, (2, 4000))
        looks = [always_valid(values[:, :n].ravel()).ci95 for n in range(100, 4001, 100)]
        missed += any(not low < 0.2 < high for low, high in looks)
    assert missed / 300 <= 0.05


def test_a_plain_interval_looked_at_again_and_again_does_not():
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(300):
        values = rng.normal(0.2, 1.4, (2, 4000))
        looks = [of_pairs(values[:, :n].ravel()).ci95 for n in range(100, 4001, 100)]
        missed += any(not low < 0.2 < high for low, high in looks)
    assert missed / 300 > 0.15


@pytest.mark.parametrize(("margin", "answer"), [(1.0, True), (2.9, False)])
def test_it_decides_and_stops(small_batches, margin, answer):
    verdict = decide(Pubeval(), RandomPlayer(1), margin, most=2000, seed=2)
    assert verdict.answer is answer and len(verdict.played.results) < 2000


def test_what_is_too_close_stays_undecided(small_batches):
    verdict = decide(RandomPlayer(3), RandomPlayer(4), 0.0, most=120, seed=2)
    assert verdict.answer is None and len(verdict.played.results) == 120


@pytest.mark.parametrize(("most", "batches"), [(100, [50, 50]), (102, [50, 52]), (104, [50, 50, 4]), (4, [4])])
def test_a_rest_that_has_no_interval_goes_with_the_batch_before(monkeypatch, small_batches, most, batches):
    played = []
    monkeypatch.setattr(sequential, "play_games", lambda a, b, n, *rest: played.append(n) or play_games(a, b, n, *rest))
    decide(RandomPlayer(3), RandomPlayer(4), 0.0, most=most, seed=2)
    assert played == batches


def test_an_odd_number_is_refused_before_any_game():
    with pytest.raises(OddGames, match="41 games"):
        decide(None, None, 0.0, most=41, seed=2)


def test_joined_batches_keep_their_pairs():
    batches = [play_games(Pubeval(), RandomPlayer(5), games, (6, games)) for games in (10, 20)]
    together = joined(batches)
    pairs = np.concatenate([batch.results.reshape(2, -1) for batch in batches], axis=1)
    assert np.array_equal(together.results.reshape(2, -1), pairs)
    assert together.ends.sum() == 30 and len(together.turns) == 30
