"""Kernels with little to do, so that `make coverage` can run them uncompiled too."""

import numpy as np
import pytest
from positions import place

from bgai.board import OUTCOMES
from bgai.evaluator import bearoff, bearoff_onesided, epc, met, race_solver
from bgai.evaluator.cube import emg, stakes_of
from bgai.evaluator.evaluate import first_best
from bgai.evaluator.race_plays import index
from bgai.game import State

pytestmark = pytest.mark.uncompiled


def test_a_match_without_gammons_and_cube_is_a_random_walk(monkeypatch):
    monkeypatch.setattr(met, "WHOLE_GAME_EFFICIENCY", 0.0)
    even = np.where(np.isin(OUTCOMES, ["win", "lose"]), 0.5, 0.0)
    mwc = met.computed_table(even, 3).mwc
    assert mwc[0, 2, 2] == pytest.approx(0.5) and mwc[0, 3, 3] == pytest.approx(0.5)
    assert mwc[0, 1, 2] == pytest.approx(0.75)  # Crawford


def test_the_last_row_of_the_one_sided_table_follows_from_those_before():
    tables = bearoff.tables()
    all_off, first_off = np.array(tables.all_off, np.float64), np.array(tables.first_off, np.float64)
    means = [table @ np.arange(table.shape[1]) for table in (all_off, first_off)]
    last = len(all_off) - 1
    for table in (all_off, first_off, *means):
        table[last] = 0
    bearoff_onesided._build(all_off, means[0], first_off, means[1], last, last + 1)
    assert all_off[last] == pytest.approx(tables.all_off[last], abs=1e-6)
    assert first_off[last] == pytest.approx(tables.first_off[last], abs=1e-6)


def test_outcomes_from_either_table_and_from_none():
    boards = np.zeros((3, 26), np.int8)
    boards[0, [1, 24]] = 1, -1
    boards[1, [6, 19]] = 15, -15
    boards[2, [7, 24]] = 1, -1
    outcomes = np.full((3, 6), np.nan, np.float32)
    assert bearoff.fill_outcomes(boards, outcomes).tolist() == [True, True, False]
    assert outcomes[0].tolist() == [1, 0, 0, 0, 0, 0]
    assert outcomes[1].sum() == pytest.approx(1) and 0.5 < outcomes[1, :3].sum() < 0.8
    assert np.isnan(outcomes[2]).all()


@pytest.mark.parametrize(
    "state",
    [State(), State(jacoby=True), State(beavers=1), State(length=1), State(length=3)],
    ids=["money", "Jacoby", "beavers", "1-point match", "match to 3"],
)
def test_the_last_roll_of_a_race_is_worth_its_chance_wherever_the_cube_is(state):
    """Three checkers on the ace point are off at once by a double alone, two are off by any roll."""
    board = place({1: 3}, {24: 2})[None]
    race = race_solver.solve(board[0], state)
    assert race.outcomes(board, 0)[0] == pytest.approx([1 / 6, 0, 0, 5 / 6, 0, 0])
    assert emg(race.values(board, 0)[0, :3], stakes_of(state)) == pytest.approx([1 / 3 - 1] * 3)


def test_bearing_in_adds_the_pips_thrown_to_what_is_left_at_home():
    counts = np.zeros(24, np.int8)
    counts[[12, 5]] = 1  # on the 13 and the 6 point
    home = np.array(epc._home_epc())
    thrown = epc._bear_in(counts, np.array([[[6, 6]], [[4, 3]]], np.int8), home)
    assert thrown[0] == pytest.approx(24)  # 13/1, 6/off, and the ace goes with the fourth
    assert thrown[1] == pytest.approx(7 + home[index(np.array([0, 0, 0, 0, 0, 2], np.int8))])  # 13/6


def test_the_first_of_equals_is_the_best():
    assert first_best(np.array([1.0, 2.0, 2.0, 0.0, -1.0]), np.array([0, 3, 5])).tolist() == [1, 3]
