"""Cube actions and plays of single positions: the exact cases, races that are solved on demand, market losers."""

from dataclasses import replace

import numpy as np
import pytest
from cases import cases
from positions import place

from bgai.board import OUTCOME_POINTS, START
from bgai.evaluator.answers import cube_decision, judge, market_losing_rolls, solved_race
from bgai.evaluator.search import FILTERS
from bgai.game import State
from bgai.plays import legal_plays

EXACT = [case for case in cases("cube") if case["certainty"].split()[0] == "exact"]
NORMAL = FILTERS["normal"]


def state_of(case: dict) -> State:
    given = case["state"]
    return State(**(given | {"score": tuple(given["score"]), "beavers": int(given["beavers"])}))


@pytest.mark.parametrize("ply", [0, 2])
@pytest.mark.parametrize("case", EXACT, ids=[case["id"] for case in EXACT])
def test_exact_cube_cases_whatever_the_network_and_the_ply(net, case, ply):
    decision = cube_decision(net, np.array(case["position"], np.int8), state_of(case), ply)
    expected = case["expected"]
    assert decision.action in expected.get("accept", [expected["action"]])
    for name in ("nd", "dt", "dp"):
        if expected.get(name) is not None:
            assert getattr(decision, name) == pytest.approx(expected[name], abs=expected["tol"])


@pytest.mark.parametrize("case", EXACT, ids=[case["id"] for case in EXACT])
def test_the_answer_to_the_double_of_an_exact_case(net, case):
    state = state_of(case)
    decision = cube_decision(net, np.array(case["position"], np.int8), state, 0)
    answered = cube_decision(net, np.array(case["position"], np.int8), replace(state, pending="double"), 0)
    assert answered.action == decision.action.split("/")[1]
    assert (answered.dt, answered.dp) == (decision.dt, decision.dp)


def test_where_the_opponent_owns_the_cube_there_is_no_decision(net):
    decision = cube_decision(net, START, State(cube=2, owner="opponent"), 1)
    assert decision.action == "not available" and decision.dt is None and decision.dp is None


def test_a_dead_cube_that_was_turned_nevertheless_is_taken(net):
    """At 2-away each with the cube at 2, a pass would lose the match, and the take costs nothing. (R41)"""
    dead = State(cube=2, owner="mover", length=3, score=(1, 1))
    answered = cube_decision(net, START, replace(dead, pending="double"), 1)
    assert answered.action == "take" and answered.nd == answered.dt < answered.dp == 1
    assert cube_decision(net, START, dead, 1).nd == answered.nd


# Bear-offs of seven and more checkers: beyond the two-sided table, small enough to be solved.
RACE = place({1: 2, 2: 1, 3: 2, 5: 2}, {24: 3, 22: 2, 21: 2})


def test_plays_of_a_solved_race_are_exact_and_agree_with_its_value(net):
    race = solved_race(net, RACE, State())
    assert race is not None
    cubeless = []
    for a in range(1, 7):
        for b in range(1, 7):
            plays = legal_plays(RACE[None], np.array([[a, b]], np.int8))
            judged = judge(net, RACE, plays, State(), 2, NORMAL)
            assert (judged.ply == 2).all()
            cubeless.append(judged.cubeless.max())
    assert np.mean(cubeless) == pytest.approx(race.equities(RACE[None], 0)[0, 0], abs=1e-9)


@pytest.mark.parametrize("board", [START, place({1: 2, 2: 1}, {24: 3})], ids=["contact", "in the two-sided table"])
def test_other_positions_need_no_solving(net, board):
    assert solved_race(net, board, State()) is None
    assert solved_race(net, RACE, State(length=3)) is None  # its cubeful equities are for money


def test_market_losing_rolls_of_a_last_roll_position(net):
    """Two checkers on the ace point each side: the roll wins at once."""
    board = place({1: 2}, {24: 2})
    assert market_losing_rolls(net, board, State()) == pytest.approx(36)
    board = place({6: 1, 3: 1}, {24: 2})  # 66, 65, 64, 63, 55, 44, 33 bear both off; after others the opponent does
    assert market_losing_rolls(net, board, State()) == pytest.approx(10)


def test_a_match_is_answered_in_match_equity(net):
    state = State(length=5, score=(3, 3))
    decision = cube_decision(net, place({1: 2}, {24: 1}), state, 1)
    assert decision.mwc["nd"] == pytest.approx(decision.mwc["dp"])  # the roll wins the game
    assert decision.nd == pytest.approx(1)
    plays = legal_plays(START[None], np.array([[3, 1]], np.int8))
    judged = judge(net, START, plays, State(length=1), 1, NORMAL)
    assert judged.equity == pytest.approx(2 * judged.outcomes[:, :3].sum(axis=1) - 1, abs=1e-6)


def test_cubeless_judgement_of_a_race(net):
    plays = legal_plays(RACE[None], np.array([[6, 1]], np.int8))
    judged = judge(net, RACE, plays, State(), 0, NORMAL, cubeful=False)
    assert judged.equity == pytest.approx(judged.outcomes @ OUTCOME_POINTS)
