"""Janowski's cube for money and match: identities, known points, and what a search asks of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgai.board import OUTCOME_POINTS, swap_outcomes
from bgai.evaluator.cube import best_values, cube_values, emg, nd_dt, other_view, slot, stakes_of
from bgai.game import ImpossibleState, State, other_side

CENTRED, OWNED, UNOWNED = 0, 1, 2
DMP = State(length=5, score=(4, 4))
START = np.array([0.38, 0.14, 0.005, 0.35, 0.12, 0.005])


@st.composite
def outcomes(draw):
    weights = np.array(draw(st.lists(st.floats(0, 1, width=32), min_size=6, max_size=6)))
    return weights / weights.sum() if weights.sum() > 0.1 else np.eye(6)[draw(st.integers(0, 5))]


@st.composite
def states(draw):
    length = draw(st.integers(0, 15))
    if length == 0:
        return State(jacoby=draw(st.booleans()), beavers=draw(st.integers(0, 1)))
    score = draw(st.tuples(st.integers(0, length - 1), st.integers(0, length - 1)))
    away = [length - points for points in score]
    crawford = length > 1 and away.count(1) == 1 and draw(st.booleans())
    level = 0 if crawford or away == [1, 1] else draw(st.integers(0, 3))
    owner = draw(st.sampled_from(("mover", "opponent"))) if level else "centred"
    return State(cube=2**level, owner=owner, length=length, score=score, crawford=crawford)


efficiencies = st.floats(0, 1)


def value(position, efficiency, state):
    return cube_values(np.asarray(position)[None], efficiency, stakes_of(state))[0]


def line(gammons=(0.0, 0.0), points=10_001):
    """Outcomes at winning chances from 0 to 1, with these shares of gammons among wins and losses."""
    p = np.linspace(0, 1, points)[:, None]
    won, lost = gammons
    return np.hstack([p * [1 - won, won, 0], (1 - p) * [1 - lost, lost, 0]])


# Identities


@given(outcomes(), efficiencies, st.booleans())
def test_money_equity_changes_its_sign_with_the_side(position, efficiency, jacoby):
    money = stakes_of(State(jacoby=jacoby))
    seen = value(position, efficiency, State(jacoby=jacoby))
    swapped = value(swap_outcomes(position), efficiency, State(jacoby=jacoby))
    np.testing.assert_allclose(other_view(swapped, money), seen, atol=1e-6)


@given(outcomes(), states())
def test_a_live_cube_is_worth_the_same_from_both_sides(position, state):
    swapped = value(swap_outcomes(position), 1.0, other_side(state))
    np.testing.assert_allclose(other_view(swapped, stakes_of(state)), value(position, 1.0, state), atol=1e-6)


@given(outcomes(), efficiencies, states())
def test_values_lie_between_the_dead_and_the_live_cube(position, efficiency, state):
    dead, mixed, live = (value(position, x, state) for x in (0.0, efficiency, 1.0))
    assert (np.minimum(dead, live) - 1e-9 <= mixed).all() and (mixed <= np.maximum(dead, live) + 1e-9).all()


@given(outcomes(), efficiencies, states())
def test_values_lie_between_losing_and_winning_the_game(position, efficiency, state):
    stakes = stakes_of(state)
    values = value(position, efficiency, state)
    worst, best = stakes.after[:, 3:].min(axis=1), stakes.after[:, :3].max(axis=1)
    for level in range(len(worst)):
        at_level = values[[slot("mover", level), slot("opponent", level)]]
        assert (worst[level] - 1e-9 <= at_level).all() and (at_level <= best[level] + 1e-9).all()
    assert worst[0] - 1e-9 <= values[CENTRED] <= best[0] + 1e-9


@given(outcomes(), efficiencies)
def test_money_owning_the_cube_is_best_and_facing_it_worst(position, efficiency):
    values = value(position, efficiency, State())
    assert values[UNOWNED] - 1e-9 <= values[CENTRED] <= values[OWNED] + 1e-9


@given(states(), efficiencies, st.floats(0, 0.9), st.floats(0, 0.9))
def test_values_are_continuous_and_grow_with_the_winning_chance(state, efficiency, won, lost):
    steps = np.diff(cube_values(line((won, lost)), efficiency, stakes_of(state)), axis=0)
    assert (steps >= -1e-6).all() and steps.max() < 0.01


@given(outcomes())
def test_R41_at_double_match_point_the_winning_chance_is_the_match(position):
    for state in (DMP, State(length=1)):
        np.testing.assert_allclose(value(position, 0.68, state), position[:3].sum(), atol=1e-6)


@given(outcomes(), states())
def test_the_dead_cube_is_worth_the_outcomes(position, state):
    stakes = stakes_of(state)
    worth = position @ (stakes.after[0] if not state.jacoby else np.sign(OUTCOME_POINTS))
    if stakes.after[0, 0] < 1 or stakes.money:  # else the opponent's double is free, and he makes it
        assert value(position, 0.0, state)[CENTRED] == pytest.approx(worth, abs=1e-6)


@given(states(), st.floats(-1, 2))
def test_emg_is_1_for_a_game_won_and_linear_in_between(state, share):
    stakes = stakes_of(state)
    win, lose = stakes.after[0, [0, 3]]
    assert emg(np.array([win, lose]), stakes) == pytest.approx([1, -1])
    assert emg(share * win + (1 - share) * lose, stakes) == pytest.approx(2 * share - 1)


@given(states())
def test_a_finished_game_is_worth_its_result(state):
    if not state.jacoby:
        stakes = stakes_of(state)
        np.testing.assert_allclose(cube_values(np.eye(6), 0.68, stakes)[:, CENTRED], stakes.after[0], atol=1e-9)


# Known points


def crossing(state, efficiency, gammons=(0.0, 0.0)):
    """The winning chance from which a double should be passed."""
    stakes, position = stakes_of(state), line(gammons)
    _, dt = nd_dt(cube_values(position, efficiency, stakes), stakes, state.owner)
    return np.interp(1.0, emg(dt, stakes), position[:, :3].sum(axis=1))


@pytest.mark.parametrize(("efficiency", "take_point"), [(0.0, 0.25), (1.0, 0.20), (0.68, 1 - 1.84 / 2.34)])
def test_money_take_point(efficiency, take_point):
    """25 % with a dead cube, 20 % with a live one, between them 1 - (L + (1 + x) / 2) / (W + L + x / 2)."""
    assert 1 - crossing(State(), efficiency) == pytest.approx(take_point, abs=1e-5)


def test_money_take_point_with_gammons():
    """Dead: (L - 1/2) / (W + L). With 40 % of the doubler's wins and 10 % of the taker's gammons: 0.9 / 2.5."""
    assert 1 - crossing(State(), 0.0, (0.4, 0.1)) == pytest.approx(0.9 / 2.5, abs=1e-5)


def test_2_away_2_away_take_point_is_the_chance_after_a_pass():
    """The game is for the match once doubled, so the taker needs what he has 2-away in the Crawford game: 32.26 %."""
    for efficiency in (0.0, 0.68, 1.0):
        assert 1 - crossing(State(length=2), efficiency) == pytest.approx(0.32264, abs=1e-5)


@pytest.mark.parametrize(
    ("cube", "away", "dead", "live"),
    [
        # Dead: (pass - lose) / (win - lose). Live: the taker's line goes from losing the doubled game at 0 to winning
        # it as a single game at the cash point of his redouble, which plays for the match (0.6687 and 0.75076).
        (1, 4, (0.4285 - 0.3313) / (0.6687 - 0.3313), 0.6687 * (0.4285 - 0.3313) / (0.6687 - 0.3313)),
        (1, 3, (0.40053 - 0.24924) / (0.75076 - 0.24924), 0.75076 * (0.40053 - 0.24924) / (0.75076 - 0.24924)),
        (2, 4, 0.3313, 0.3313),  # a redouble to 4 plays for the match
    ],
)
def test_match_take_points(cube, away, dead, live):
    """Both sides `away` by the Kazaross-XG2 table, no gammons."""
    state = State(cube, "mover" if cube > 1 else "centred", 11, (11 - away, 11 - away))
    assert 1 - crossing(state, 0.0) == pytest.approx(dead, abs=1e-4)
    assert 1 - crossing(state, 1.0) == pytest.approx(live, abs=1e-4)


def test_the_automatic_redouble_makes_the_game_for_the_match():
    """CU-19: 3-away against 6-away, redoubled to 4: the opponent turns it to 8 at once."""
    state = State(2, "mover", 7, (4, 1))
    position = [0.877694, 0, 0, 0.122306, 0, 0]
    assert nd_dt(value(position, 0.68, state), stakes_of(state), "mover")[1] == pytest.approx(0.8777, abs=1e-4)


def test_post_crawford_the_leader_counts_on_the_trailers_free_double():
    """1-away against 3-away: below his take point the leader has what a 2-cube, dead for him, would give."""
    state = State(length=3, score=(2, 0))
    leader = value([0.6, 0, 0, 0.4, 0, 0], 0.68, state)[CENTRED]
    assert leader == pytest.approx(0.6 + 0.4 * 0.5, abs=1e-6)


# What a search asks


@given(outcomes(), efficiencies, states())
def test_best_values_are_the_better_of_doubling_and_not(position, efficiency, state):
    stakes = stakes_of(state)
    before = value(position, efficiency, state)
    after = best_values(before[None].copy(), stakes)[0]
    assert (after[2::2] == before[2::2]).all()
    for level, doubles in enumerate(stakes.doubles):
        owned = slot("mover", level)
        if not doubles:
            assert after[owned] == before[owned]
            continue
        taken = 2 * before[UNOWNED] if stakes.money else before[slot("opponent", level + 1)]
        if stakes.beavers and taken < 0:
            taken = max(2 * taken, -2)
        assert after[owned] == max(before[owned], min(taken, stakes.after[level, 0]))


def test_nobody_doubles_where_it_is_not_allowed_or_of_no_use():
    crawford, leader = State(length=5, score=(4, 2), crawford=True), State(length=5, score=(4, 2))
    assert not stakes_of(crawford).doubles.any()
    assert not stakes_of(leader).doubles.any()
    assert stakes_of(other_side(leader)).doubles.tolist() == [True, True, False]
    assert stakes_of(State(length=7, score=(5, 2))).doubles.tolist() == [True, False, False, False]


def test_efficiency_may_differ_from_position_to_position():
    positions, state = np.array([START, START]), State(length=7)
    both = cube_values(positions, np.array([0.0, 1.0]), stakes_of(state))
    np.testing.assert_array_equal(both, [value(START, 0.0, state), value(START, 1.0, state)])


def test_the_score_seen_from_the_wrong_side_gives_another_value():
    state = State(length=7, score=(5, 1))
    assert value(START, 0.68, state)[CENTRED] > 0.7 > 0.3 > value(START, 0.68, other_side(state))[CENTRED]


def test_an_impossible_state_is_refused():
    with pytest.raises(ImpossibleState, match="a cube of 3"):
        stakes_of(State(cube=3))
