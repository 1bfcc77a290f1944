"""Intervals and rates from games."""

import numpy as np
import pytest

from bgai.arena.games import Games, play_games
from bgai.arena.players import RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.arena.statistics import elo, of_pairs, share_of_pairs, summarise


def test_known_figures():
    results = np.array([1, 2, 3, -1, -2, -3, 1, 1.0])  # pairs (0, 4), (1, 5), (2, 6), (3, 7)
    s = summarise(Games(results, np.full(8, 0.25), np.array([2, 1, 1, 1, 1, 1, 1, 0]), np.full(8, 50)))
    assert s.games == 8 and s.turns == 50 and s.matches == 0
    assert s.mean.mean == pytest.approx(results.mean())
    means = np.array([(1 - 2) / 2, (2 - 3) / 2, (3 + 1) / 2, (-1 + 1) / 2])
    assert s.mean.halfwidth == pytest.approx(1.959964 * means.std(ddof=1) / 2)
    assert s.mean.ci95 == pytest.approx([s.mean.mean - s.mean.halfwidth, s.mean.mean + s.mean.halfwidth])
    assert s.adjusted.mean == pytest.approx(results.mean() - 0.25)
    assert s.wins == pytest.approx(5 / 8)
    assert (s.gammons_won, s.gammons_lost, s.backgammons_won, s.backgammons_lost) == (2 / 8, 2 / 8, 1 / 8, 1 / 8)
    assert (s.won_by_pass, s.lost_by_pass) == (1 / 8, 0)


def test_the_interval_holds_the_truth_19_times_in_20():
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        common = rng.normal(0, 1, 100)  # what the two games of a pair share
        values = np.concatenate([common + rng.normal(0, 1, 100), -common + rng.normal(0, 1, 100)]) + 0.3
        low, high = of_pairs(values).ci95
        held += low < 0.3 < high
    assert held / 2000 == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("partners", ["alike", "opposite", "independent"])
def test_the_interval_of_a_share_holds_the_truth_too(share, partners):
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(2000):
        first, second = rng.random((2, 60))
        second = {"alike": first, "opposite": 1 - first, "independent": second}[partners]
        low, high = share_of_pairs(np.concatenate([first, second]) < share)
        held += low < share < high
    assert held / 2000 > 0.93


def test_all_games_won_leave_a_doubt():
    low, high = share_of_pairs(np.full(200, True))
    assert 0.96 < low < 0.99 and high == 1
    s = summarise(Games(np.ones(200), None, np.array([200, 0, 0, 0, 0, 0, 0, 0]), np.full(200, 50)), matches=True)
    assert s.wins == 1 and s.wins95 == [low, high]
    assert 500 < s.elo95[0] < s.elo <= s.elo95[1] and np.isfinite(s.elo95[1])


def test_elo_by_its_definition():
    assert elo(0.5, 100) == 0
    assert elo(10 / 11, 10_000) == pytest.approx(400)  # ten to one
    assert elo(0.3, 100) == pytest.approx(-elo(0.7, 100))
    assert np.isfinite([elo(0, 10), elo(1, 10)]).all()


def test_pubeval_against_random_play():
    """A whole game apart: more than two points a game, nine gammons in ten."""
    s = summarise(play_games(Pubeval(), RandomPlayer(2), 400, seed=2))
    assert 2.3 < s.mean.mean < 2.7 and s.wins > 0.98 and 0.85 < s.gammons_won < 0.96


def test_random_play_against_itself_is_even():
    s = summarise(play_games(RandomPlayer(3), RandomPlayer(4), 600, seed=3))
    low, high = s.mean.ci95
    assert low < 0 < high and s.elo95[0] < 0 < s.elo95[1]
