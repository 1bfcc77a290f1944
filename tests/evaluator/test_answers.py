"""Cube actions and plays of single positions: the exact cases, races that are solved on demand, market losers."""

from dataclasses import replace

import numpy as np
import pytest
from cases import cases
from positions import place

from bgai.board import START
from bgai.evaluator.answers import cube_decision, judge, market_losing_rolls, solved_race
from bgai.evaluator.cube import emg, slot, stakes_of
from bgai.evaluator.race_plays import CHANCE, ROLLS
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


STATES = {
    "money": State(),
    "4-away 6-away": State(length=7, score=(3, 1)),
    "own cube": State(2, "mover", 7, (3, 1)),
    "Crawford": State(length=5, score=(2, 4), crawford=True),
    "post-Crawford": State(length=5, score=(2, 4)),
}


@pytest.mark.parametrize("cubeful", [True, False], ids=["cubeful", "cubeless"])
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_plays_of_a_solved_race_are_exact_and_agree_with_its_value(net, state, cubeful):
    race, stakes = solved_race(net, RACE, state), stakes_of(state)
    best = []
    for roll in ROLLS:
        plays = legal_plays(RACE[None], roll[None])
        judged = judge(net, RACE, plays, state, 2, NORMAL, cubeful=cubeful)
        assert (judged.ply == 2).all()
        best.append(judged.equity.max())
    exact = race.values(RACE[None], 0)[0, slot(state.owner)]
    if not cubeful:
        exact = race.outcomes(RACE[None], 0)[0] @ stakes.after[0]
    assert best @ CHANCE == pytest.approx(emg(exact, stakes), abs=1e-9)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_the_cube_action_of_a_solved_race_is_exact(net, state):
    decision, race = cube_decision(net, RACE, state, 0), solved_race(net, RACE, state)
    values = race.values(RACE[None], 0)[0]
    assert decision.outcomes == pytest.approx(race.outcomes(RACE[None], 0)[0])
    stakes = stakes_of(state)
    assert decision.nd == pytest.approx(emg(values[slot(state.owner)], stakes))
    if state.crawford:
        assert decision.action == "not available"
        return
    taken = 2 * values[slot("opponent")] if state.length == 0 else values[slot("opponent", 1)]
    assert decision.dt == pytest.approx(emg(taken, stakes))
    answered = cube_decision(net, RACE, replace(state, pending="double"), 0)
    assert answered.action == decision.action.split("/")[1] and answered.dt == decision.dt


def test_a_race_in_a_match_is_solved_by_the_match_equity_table(net):
    crawford = 0.67736  # 1-away against 2-away
    decision = cube_decision(net, place({5: 1, 2: 1}, {24: 1}), State(length=2), 0)
    assert decision.mwc["dp"] == pytest.approx(crawford)
    assert decision.mwc["nd"] == pytest.approx(19 / 36 * crawford + 17 / 36 * (1 - crawford))


def test_answers_depend_on_nothing_that_was_asked_before(net):
    """Bit for bit: money and matches, races that are solved and positions that are searched, ply and filter mixed."""
    questions = [
        (board, state, ply, filter)
        for board in (place({1: 4, 2: 4}, {24: 5, 23: 2}), place({1: 2, 2: 1}, {24: 3}), START)
        for state in STATES.values()
        for ply, filter in ((0, NORMAL), (1, FILTERS["fast"]), (1, FILTERS["full"]))
    ]

    def answer(board, state, ply, filter):
        judged = judge(net, board, legal_plays(board[None], np.array([[6, 2]], np.int8)), state, ply, filter)
        return *(part.tobytes() for part in judged), cube_decision(net, board, state, ply)

    first = [answer(*question) for question in questions]
    assert len(set(map(repr, first))) > 2 * len(STATES)
    for i in np.random.default_rng(3).permutation(len(questions)):
        assert answer(*questions[i]) == first[i]


def test_what_needs_no_solving(net):
    """For money the two-sided table knows the cube; in a match it doesn't."""
    assert solved_race(net, START, State()) is None
    tabled = place({1: 2, 2: 1}, {24: 3})
    assert solved_race(net, tabled, State()) is None
    assert solved_race(net, tabled, State(length=3)) is not None


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
