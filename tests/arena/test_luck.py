"""Luck: of expectation 0 whoever judges, so that taking it out leaves the mean and narrows the interval."""

import numpy as np
import pytest
from pip_player import pip_net

from bgai import files
from bgai.arena.games import play_games
from bgai.arena.luck import Judge
from bgai.arena.players import NetPlayer, RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.arena.states import States
from bgai.arena.statistics import of_pairs, summarise
from bgai.board import OUTCOME_POINTS, START
from bgai.evaluator.race_plays import CHANCE, OPENING_CHANCE, ROLLS
from bgai.game import State
from bgai.net.fast import load_net
from bgai.plays import legal_plays


def test_luck_is_the_value_after_the_best_play_less_the_mean_over_the_rolls():
    net = pip_net()
    best = []
    for roll in ROLLS:
        after = legal_plays(START[None], roll[None]).boards
        best.append(max(-(net.outcomes(after) @ OUTCOME_POINTS)))
    for chances, opening in ((CHANCE, False), (OPENING_CHANCE, True)):
        assert chances.sum() == pytest.approx(1)
        rolls = ROLLS[chances > 0]
        luck = Judge(net).luck(
            np.tile(START, (len(rolls), 1)), rolls[:, ::-1], States.same(None, len(rolls)), np.full(len(rolls), opening)
        )
        expected = (np.array(best) - np.dot(chances, best))[chances > 0]
        assert luck == pytest.approx(expected, abs=1e-5)
        assert luck @ chances[chances > 0] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("rules", [None, State(jacoby=True), State(length=3)], ids=str)
def test_luck_is_zero_on_average_even_by_a_poor_judge(rules):
    net = pip_net()
    played = play_games(Pubeval(), RandomPlayer(1), 80, 10, rules, Judge(net))
    luck = of_pairs(played.luck)
    assert luck.halfwidth > 0.001
    assert abs(luck.mean) < 1.7 * luck.halfwidth  # 3.3 standard errors


def test_taking_out_the_luck_that_a_trained_network_sees_narrows_the_interval():
    try:
        net = load_net(files.checkpoint())
    except FileNotFoundError:
        pytest.skip("no trained player ships")
    for rules in (None, State()):
        summary = summarise(play_games(NetPlayer(net), Pubeval(), 40, 12, rules, Judge(net)))
        assert summary.adjusted.halfwidth < 0.8 * summary.mean.halfwidth


def test_luck_of_a_fixed_opening_is_none():
    """All rolls but the first one count, or games that start with a good roll would look bad."""
    net = pip_net()

    class Counting(Judge):
        def luck(self, boards, dice, states, opening):
            return opening.astype(float)

    played = play_games(Pubeval(), Pubeval(), 8, 11, None, Counting(net), opening=(3, 1))
    assert (played.luck == 0).all()
