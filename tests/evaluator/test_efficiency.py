"""The efficiency of the cube by phase, and where it is used."""

import numpy as np
import pytest
from positions import place
from races import home_boards

from bgai.board import START, flip, is_race
from bgai.evaluator import bearoff
from bgai.evaluator.answers import cube_decision
from bgai.evaluator.cube import cube_values, stakes_of
from bgai.evaluator.decision import decide
from bgai.evaluator.efficiency import BEAR_OFF, CONTACT, CUBE_PHASES, EFFICIENCY, RACE, cube_phase, efficiency_of
from bgai.evaluator.search import evaluate, sides_of
from bgai.game import State

BOARDS = {
    "start": (START, CONTACT),
    "one checker behind": (place({6: 10, 24: 1}, {23: 5}), CONTACT),
    "passed, one outside": (place({7: 1, 6: 14}, {24: 15}), RACE),
    "the opponent outside": (place({6: 15}, {18: 1, 24: 14}), RACE),
    "all home": (place({6: 15}, {19: 15}), BEAR_OFF),
    "seven against one": (place({1: 7}, {24: 1}), BEAR_OFF),
    "last checkers": (place({6: 1}, {19: 1}), BEAR_OFF),
    "facing each other in one home board": (place({3: 2}, {2: 2}), CONTACT),
}


@pytest.mark.parametrize(("board", "expected"), BOARDS.values(), ids=BOARDS)
def test_phases_whoever_is_on_roll(board, expected):
    assert cube_phase(np.stack([board, flip(board)])).tolist() == [expected, expected]
    assert (expected != CONTACT) == is_race(board)
    assert efficiency_of(board[None])[0] == EFFICIENCY[expected]


def test_no_boards_have_no_phases():
    assert cube_phase(np.empty((0, 26), np.int8)).shape == (0,)


def test_each_phase_has_an_efficiency_between_a_dead_and_a_live_cube():
    assert ((EFFICIENCY > 0) & (EFFICIENCY < 1)).all() and len(EFFICIENCY) == len(CUBE_PHASES)


def test_in_bear_offs_the_formula_comes_nearest_to_the_exact_values_at_an_efficiency_of_0_61():
    """All positions of the two-sided table alike."""
    rng = np.random.default_rng(4)
    boards = home_boards(rng.integers(1, 924, 2000), rng.integers(1, 924, 2000))
    exact, outcomes = bearoff.equities(boards)[:, 1:], bearoff.outcomes(boards)

    def squares(efficiency):
        return ((cube_values(outcomes, efficiency, stakes_of(State())) - exact) ** 2).sum()

    assert squares(0.61) < min(squares(0.55), squares(0.67))


@pytest.mark.parametrize(("board", "expected"), BOARDS.values(), ids=BOARDS)
def test_leaves_and_points_of_a_decision_use_it(net, board, expected):
    """In a match, where no cubeful table comes first."""
    state = State(length=7)
    sides = sides_of(state)
    found = evaluate(net, board[None], sides, 0)
    assert found.values == pytest.approx(cube_values(found.outcomes, EFFICIENCY[expected], sides.mover), abs=1e-6)
    decision = cube_decision(net, board, state, 0)
    same = decide(found.outcomes[0], state, efficiency=EFFICIENCY[expected])
    assert (decision.cash_point, decision.doubling_point) == (same.cash_point, same.doubling_point)
