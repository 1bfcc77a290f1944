"""Expected against actual outcomes."""

import numpy as np
import pytest
from pip_player import pip_net

from bgai.arena.calibration import BINS, calibration, self_play
from bgai.arena.phases import PHASES
from bgai.arena.pubeval import Pubeval
from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS, OUTCOMES, on_board


class Opinionated:
    """Pubeval's play in the guise of a network, with an opinion of its own on how games end: always the same one, or
    that of the pip count."""

    def __init__(self, chance=None):
        if chance is None:
            self.outcomes = pip_net().outcomes
        else:
            opinion = np.array([chance, 0, 0, 1 - chance, 0, 0], dtype=np.float32)
            self.outcomes = lambda boards: np.tile(opinion, (len(boards), 1))

    def best(self, boards, dice):
        return Pubeval().play(boards, dice, States.same(None, len(boards))), None


def test_every_position_knows_how_its_game_ended():
    seen = self_play(Opinionated(), 40, seed=1)
    assert set(seen.games) == set(range(40))
    for game in range(40):
        outcomes = seen.outcomes[seen.games == game]
        points = OUTCOME_POINTS[outcomes]
        assert (points[1:] == -points[:-1]).all()  # the players take turns
        last = seen.boards[seen.games == game][-1]
        assert points[-1] > 0  # whoever rolls last bears off the last checker
        assert on_board(last)[0] <= 4


def test_expected_rates_are_the_networks_and_actual_ones_the_games():
    lines = calibration(Opinionated(0.75), 60, seed=2)
    seen = self_play(Opinionated(), 60, seed=2)
    for line in lines:
        if line.phase == "all" and (line.low, line.high) == (0, 1):
            k = OUTCOMES.index(line.outcome)
            assert line.whole and (line.positions, line.games) == (len(seen.boards), 60)
            assert line.expected == pytest.approx([0.75, 0, 0, 0.25, 0, 0][k])
            assert line.actual == pytest.approx((seen.outcomes == k).mean())
            assert line.error.mean == pytest.approx(line.actual - line.expected)
    win = [line for line in lines if line.outcome == "win" and line.phase == "all" and line.high < 1]
    assert [(line.low, line.high) for line in win] == [(0.7, 0.8)]


def test_ranges_and_phases_add_up():
    lines = calibration(Opinionated(), 60, seed=3)
    whole = {(line.phase, line.outcome): line for line in lines if (line.low, line.high) == (0, 1)}
    for (name, outcome), line in whole.items():
        parts = [p for p in lines if (p.phase, p.outcome) == (name, outcome) and p is not line]
        assert sum(p.positions for p in parts) == line.positions and len(parts) <= BINS
        assert sum(p.positions * p.actual for p in parts) == pytest.approx(line.positions * line.actual)
        assert all(p.low <= p.expected <= p.high for p in parts)
    for outcome in OUTCOMES:
        assert (
            sum(whole[name, outcome].positions for name in PHASES if (name, outcome) in whole)
            == whole["all", outcome].positions
        )


def test_the_interval_counts_games_not_positions():
    """An opinion that is always 0.5 is off by the whole result in every position of a game alike."""
    games = 100
    [line] = [
        line
        for line in calibration(Opinionated(0.5), games, seed=4)
        if (line.phase, line.outcome, line.low, line.high) == ("all", "win", 0, 1)
    ]
    assert line.error.halfwidth > 1.96 * 0.4 / np.sqrt(line.positions)
