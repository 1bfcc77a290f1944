"""Cube decisions, in the words of the checked cases."""

import pytest
from cases import cases

from bgai.evaluator.cube import stakes_of
from bgai.evaluator.decision import decide
from bgai.game import State

CASES = cases("cube")
EVEN = [0.5, 0, 0, 0.5, 0, 0]


def state_of(case):
    state = case["state"]
    return State(**{**state, "score": tuple(state["score"]), "beavers": int(state["beavers"])})


def by_id(chosen):
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in chosen])


def right(case):
    return case["expected"].get("accept", [case["expected"]["action"]])


def winning(p):
    return [p, 0, 0, 1 - p, 0, 0]


@by_id(case for case in CASES if case["certainty"].startswith("verified"))
def test_the_formula_on_verified_outcomes_gives_the_listed_action(case):
    decision = decide(case["gnubg_2ply_outcomes"], state_of(case), efficiency=0.68)
    assert decision.action in right(case)
    if not case["state"]["length"]:
        # Waiting (nd) is worth more in a tree, whose player doubles next turn, than by the formula at the root.
        assert decision.dt == pytest.approx(case["expected"]["dt"], abs=case["expected"]["tol"])


@by_id(case for case in CASES if "nd" in case["expected"])
def test_the_listed_equities_give_the_listed_action(case):
    state, expected = state_of(case), case["expected"]
    win, *_, lose = stakes_of(state).after[0, :4]  # listed is EMG: 1 for a single game won, -1 for one lost
    values = tuple(((1 + equity) * win + (1 - equity) * lose) / 2 for equity in (expected["nd"], expected["dt"]))
    decision = decide(case["gnubg_2ply_outcomes"], state, values=values)
    assert decision.action in right(case)
    assert (decision.nd, decision.dt, decision.dp) == pytest.approx((expected["nd"], expected["dt"], expected["dp"]))
    assert not decision.optional


def test_CU_19_the_take_is_worth_the_cubeless_winning_chance():
    case = next(case for case in CASES if case["id"] == "CU-19")
    decision = decide(case["gnubg_2ply_outcomes"], state_of(case))
    assert decision.action == "redouble/take"
    assert decision.mwc["dt"] == pytest.approx(case["expected"]["mwc_take"], abs=1e-4)


@by_id(case for case in CASES if "can_double" in case["expected"])
def test_R41_doubling_is_not_available_where_it_is_of_no_use(case):
    decision = decide(EVEN, state_of(case))
    assert (decision.action != "not available") == case["expected"]["can_double"]
    assert (decision.dt is not None) == case["expected"]["can_double"]


def test_money_figures_by_hand():
    """No gammons, live cube: cash point 80 %, equity -1 at 20 % and 1 at 80 %, so 0.5 at 65 %."""
    decision = decide(winning(0.65), State(), efficiency=1.0)
    assert (decision.nd, decision.dt) == pytest.approx((0.5, 2 * (-1 + 0.45 / 0.8 * 2)), abs=1e-6)
    assert decision.cash_point == pytest.approx(0.8, abs=1e-6)
    assert decision.take_point == pytest.approx(0.2, abs=1e-6)
    assert decision.doubling_point is None  # a live cube is never better turned before the cash point
    assert decision.cubeless == pytest.approx(0.3)
    assert decision.gammon_values == (0.5, 0.5)
    assert decision.mwc is None


def test_money_a_dead_cube_is_doubled_from_50_percent():
    decision = decide(winning(0.6), State(), efficiency=0.0)
    assert decision.action == "double/take"
    assert (decision.doubling_point, decision.cash_point) == pytest.approx((0.5, 0.75), abs=1e-6)


def test_2_away_2_away_equities_are_those_of_the_match():
    decision = decide(winning(0.6), State(length=2))
    assert decision.mwc["dt"] == pytest.approx(0.6)
    assert decision.mwc["dp"] == pytest.approx(0.67736)
    assert decision.dt == pytest.approx((1.2 - 1) / (0.67736 - 0.32264), abs=1e-4)
    assert decision.dp == pytest.approx(1)
    assert decision.cash_point == pytest.approx(0.67736, abs=1e-6)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (State(jacoby=True), (0, 0)),
        (State(2, "mover", jacoby=True), (0.5, 0.5)),
        (State(length=7, score=(6, 6)), (0, 0)),
        # 2-away against 4-away: a win gives 0.81436, a gammon the match; a loss 0.59947, a gammon lost 0.5.
        (State(length=5, score=(3, 1)), ((1 - 0.81436) / (0.81436 - 0.59947), (0.59947 - 0.5) / (0.81436 - 0.59947))),
        (State(2, "mover", 5, (3, 1)), (0, 1)),  # on 2 a gammon gives the trailer the match, the leader nothing more
    ],
)
def test_gammon_values(state, expected):
    assert decide(EVEN, state).gammon_values == pytest.approx(expected, abs=1e-6)


def test_R39_no_cube_in_the_crawford_game():
    decision = decide([0.4, 0.1, 0, 0.5, 0, 0], State(length=5, score=(4, 2), crawford=True))
    assert (decision.action, decision.dt, decision.dp) == ("not available", None, None)
    assert decision.mwc["nd"] == pytest.approx(0.5 + 0.5 * (1 - 0.48803), abs=1e-6)


@pytest.mark.parametrize(("trailer_needs", "action"), [(2, "double/pass"), (3, "double/take"), (4, "double/pass")])
def test_post_crawford_the_leader_drops_free_when_the_trailer_needs_an_even_number(trailer_needs, action):
    position = [0.42, 0.12, 0.005, 0.345, 0.105, 0.005]
    assert decide(position, State(length=9, score=(9 - trailer_needs, 8))).action == action


@pytest.mark.parametrize(
    ("p", "beavers", "answer"),
    [(0.85, 0, "pass"), (0.7, 0, "take"), (0.3, 0, "take"), (0.3, 1, "beaver"), (0.7, 1, "take"), (0.85, 2, "pass")],
)
def test_R35_a_pending_double_is_answered(p, beavers, answer):
    decision = decide(winning(p), State(beavers=beavers, pending="double"))
    assert decision.action == answer
    assert decision.dp == 1


@pytest.mark.parametrize(
    ("p", "beavers", "answer"),
    [(0.1, 2, "pass"), (0.4, 2, "accept"), (0.6, 2, "raccoon"), (0.6, 1, "accept")],
)
def test_R35_a_pending_beaver_is_answered_by_the_doubler(p, beavers, answer):
    decision = decide(winning(p), State(2, "opponent", beavers=beavers, pending="beaver"))
    assert decision.action == answer
    assert (decision.nd, decision.dp) == (None, -1)


def test_a_pending_redouble_in_a_match_is_answered():
    assert decide(winning(0.6), State(2, "mover", 7, (3, 3), pending="double")).action == "take"
    assert decide(winning(0.8), State(2, "mover", 7, (3, 3), pending="double")).action == "pass"


@pytest.mark.parametrize(
    ("nd", "dt", "action", "optional"),
    [
        (0.5, 0.5009, "double/take", True),
        (0.5, 0.4991, "no double/take", True),
        (0.5, 0.502, "double/take", False),
        (0.9995, 1.3, "double/pass", True),
        (1.0005, 1.3, "too good to double/pass", True),
        (1.2, 0.9, "too good to double/take", False),
    ],
)
def test_a_double_within_a_thousandth_is_optional(nd, dt, action, optional):
    decision = decide(EVEN, State(), values=(nd, dt))
    assert (decision.action, decision.optional) == (action, optional)


def test_a_redouble_is_called_so():
    assert decide(winning(0.7), State(2, "mover")).action == "no redouble/take"
    assert decide(winning(0.75), State(2, "mover")).action == "redouble/take"
