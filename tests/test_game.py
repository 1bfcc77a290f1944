"""Cube, score and rule options: the rules R2, R3 and R30 to R42, whole matches, and states that can't be."""

import random
from dataclasses import replace

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from bgai import board
from bgai.game import (
    RESIGNATIONS,
    TURNS,
    IllegalAction,
    ImpossibleState,
    State,
    act,
    actions,
    can_double,
    check_state,
    double_refused,
    end_turn,
    match_over,
    may_double,
    next_game,
    open_game,
    opening_rolls,
    other_side,
    outcome_values,
    points,
    score_after,
    to_decide,
)

WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE, LOSE_GAMMON, LOSE_BACKGAMMON = range(6)


def play(state: State, *steps: str) -> State | int:
    for step in steps:
        state = act(state, step)
    return state


def case_state(case: dict) -> State:
    return State(**{**case["state"], "score": tuple(case["state"]["score"])})


class TestOpening:
    def test_R2_opening_dice_differ_and_are_fair(self):
        dice, equal_throws = opening_rolls(np.random.default_rng(1), 60_000)
        assert dice.dtype == np.int8 and dice.shape == (60_000, 2)
        rolls, counts = np.unique(dice, axis=0, return_counts=True)
        assert rolls.tolist() == [[a, b] for a in range(1, 7) for b in range(1, 7) if a != b]
        assert abs(counts / 2_000 - 1).max() < 0.1  # 30 rolls; the standard deviation is 0.022
        assert np.mean(equal_throws) == pytest.approx(1 / 5, abs=0.01)
        assert np.mean(equal_throws == 0) == pytest.approx(5 / 6, abs=0.01)

    def test_R2_the_higher_die_starts_and_plays_both(self):
        rng = np.random.default_rng(2)
        state = State(length=5, score=(1, 3))
        for _ in range(50):
            opening = open_game(state, rng)
            assert opening.dice[0] > opening.dice[1]
            assert opening.state == (state if opening.kept else State(length=5, score=(3, 1)))

    def test_R3_automatic_doubles_up_to_the_agreed_limit_leave_the_cube_centred(self):
        seeds = range(300)
        for limit, cubes in (0, {1}), (1, {1, 2}), (2, {1, 2, 4}):
            opened = [open_game(State(), np.random.default_rng(seed), automatic_doubles=limit) for seed in seeds]
            assert {opening.state.cube for opening in opened} == cubes
            assert {opening.state.owner for opening in opened} == {"centred"}
        assert may_double(check_state(State(cube=4)))


class TestEndOfGame:
    @pytest.mark.parametrize("outcome, value", list(enumerate([1, 2, 3, -1, -2, -3])))
    def test_R30_value_times_the_cube(self, outcome, value):
        assert points(State(), outcome) == value
        assert points(State(cube=8, owner="opponent"), outcome) == 8 * value

    @pytest.mark.parametrize(
        "case", [c for c in cases("outcome") if c["expected"].get("points")], ids=lambda c: c["id"]
    )
    def test_R30_outcome_cases(self, case):
        sign = 1 if case["expected"]["winner"] == "mover" else -1
        outcome = int(board.outcome(np.array(case["position"], dtype=np.int8)))
        assert points(check_state(case_state(case)), outcome) == sign * case["expected"]["points"]

    def test_R30_an_unfinished_game_has_no_points(self):
        with pytest.raises(IllegalAction, match="isn't finished"):
            points(State(), board.UNFINISHED)

    @pytest.mark.parametrize("value, offer", list(enumerate(RESIGNATIONS, start=1)))
    def test_R31_resignation_on_turn(self, value, offer):
        state = State(cube=2, owner="mover")
        offered = act(state, offer, rolled=True)
        assert (to_decide(state), to_decide(offered)) == ("mover", "opponent")
        assert actions(offered) == ("accept", "decline")
        assert act(offered, "accept") == -2 * value
        assert act(offered, "decline") == state

    def test_R31_resignation_when_asked_to_answer_a_double(self):
        doubled = act(State(cube=2, owner="mover"), "double")
        offered = act(doubled, "resign gammon")
        assert (to_decide(doubled), to_decide(offered)) == ("opponent", "mover")
        assert act(offered, "accept") == 4  # at the stake before the double
        assert act(offered, "decline") == doubled
        beavered = act(act(State(beavers=1), "double"), "beaver")
        assert play(beavered, "resign single", "accept") == -2

    def test_R31_only_who_was_offered_a_resignation_acts(self):
        offered = act(State(), "resign single")
        with pytest.raises(IllegalAction, match=r"resignation waits for an answer; the opponent may accept, decline"):
            act(offered, "double")
        with pytest.raises(IllegalAction, match="resignation waits"):
            end_turn(offered)


class TestCube:
    def test_R32_centred_at_1_and_either_player_may_double(self):
        assert (State().cube, State().owner) == (1, "centred")
        assert may_double(State()) and may_double(end_turn(State()))

    def test_R32_not_after_the_roll_and_so_not_before_the_opening_roll_is_played(self):
        assert actions(State(), rolled=True) == RESIGNATIONS
        with pytest.raises(IllegalAction, match=r"dice are thrown.*R32.*the mover may resign"):
            act(State(), "double", rolled=True)

    @pytest.mark.parametrize("state", [State(), State(cube=4, owner="mover"), State(length=9, score=(2, 5))])
    def test_R33_a_pass_loses_the_stake_before_the_double_a_take_doubles_it(self, state):
        doubled = act(state, "double")
        assert (doubled.cube, doubled.owner) == (state.cube, state.owner)
        assert to_decide(doubled) == "opponent"
        assert act(doubled, "pass") == state.cube
        assert act(doubled, "take") == replace(state, cube=2 * state.cube, owner="opponent")

    def test_R34_only_the_owner_redoubles(self):
        taken = play(State(), "double", "take")
        with pytest.raises(IllegalAction, match=r"opponent owns the cube.*R34"):
            act(taken, "double")
        theirs = end_turn(taken)
        assert theirs.owner == "mover"
        assert play(theirs, "double", "pass") == 2
        assert play(theirs, "double", "take") == State(cube=4, owner="opponent")

    def test_R34_no_upper_limit(self):
        state = State()
        for _ in range(70):
            state = end_turn(play(state, "double", "take"))
        assert check_state(state).cube == 2**70
        assert points(state, WIN_BACKGAMMON) == 3 * 2**70

    @pytest.mark.parametrize("stake, owner", [(1, "centred"), (2, "mover")], ids=["double", "redouble"])
    def test_R35_beaver_and_raccoon(self, stake, owner):
        doubled = act(State(cube=stake, owner=owner, beavers=2), "double")
        beavered = act(doubled, "beaver")
        assert to_decide(beavered) == "mover"
        assert actions(beavered) == ("accept", "pass", "raccoon", *RESIGNATIONS)
        assert act(beavered, "pass") == -2 * stake
        assert act(beavered, "accept") == State(cube=4 * stake, owner="opponent", beavers=2)
        raccooned = act(beavered, "raccoon")
        assert to_decide(raccooned) == "opponent"
        assert actions(raccooned) == ("accept", "pass", *RESIGNATIONS)
        assert act(raccooned, "pass") == 4 * stake
        assert act(raccooned, "accept") == State(cube=8 * stake, owner="opponent", beavers=2)

    def test_R35_deeper_beavers_follow_the_same_pattern(self):
        turned = play(State(beavers=4), *TURNS)
        assert turned == check_state(State(cube=16, owner="opponent", beavers=4, pending="re-raccoon"))
        assert act(turned, "pass") == 16
        assert act(turned, "accept").cube == 32

    def test_R35_only_as_far_as_agreed(self):
        with pytest.raises(IllegalAction, match=r"0 beavers in a row are agreed.*the opponent may take, pass, resign"):
            play(State(), "double", "beaver")
        with pytest.raises(IllegalAction, match="1 beavers"):
            play(State(beavers=1), "double", "beaver", "raccoon")

    def test_R36_jacoby_gammons_are_single_until_a_double_is_taken(self):
        state = State(jacoby=True)
        assert outcome_values(state).tolist() == [1, 1, 1, -1, -1, -1]
        taken = play(state, "double", "take")
        assert outcome_values(taken).tolist() == outcome_values(end_turn(taken)).tolist() == [1, 2, 3, -1, -2, -3]
        assert points(taken, LOSE_GAMMON) == -4
        assert points(play(replace(state, beavers=1), "double", "beaver", "accept"), WIN_BACKGAMMON) == 12

    def test_R36_automatic_doubles_do_not_count_as_one(self):
        assert points(State(cube=2, jacoby=True), WIN_GAMMON) == 2
        assert points(play(State(cube=2, jacoby=True), "double", "take"), WIN_GAMMON) == 8

    def test_R36_resigned_games_alike(self):
        assert play(State(jacoby=True), "resign backgammon", "accept") == -1
        assert play(State(jacoby=True), "double", "resign gammon", "accept") == 1  # not yet taken
        assert play(State(jacoby=True, cube=2, owner="mover"), "resign backgammon", "accept") == -6

    def test_R37_a_pass_ends_the_game_at_the_stake_alone(self):
        assert play(State(cube=2, owner="mover"), "double", "pass") == 2  # whatever the board would have been worth
        with pytest.raises(IllegalAction, match=r"double waits for an answer"):
            end_turn(act(State(), "double"))

    @pytest.mark.parametrize("step", ["take", "pass", "accept", "decline", "beaver", "drop", ""])
    def test_R33_nothing_to_answer(self, step):
        with pytest.raises(IllegalAction, match=r"nothing waits for an answer; the mover may double, resign single"):
            act(State(), step)

    def test_R33_a_double_is_not_accepted_but_taken(self):
        with pytest.raises(IllegalAction, match="answered by take or pass"):
            play(State(), "double", "accept")


class TestMatch:
    def test_R32_the_next_money_game_starts_anew_with_the_same_options(self):
        ended = State(cube=4, owner="mover", score=(3, 1), jacoby=True, beavers=2)
        assert next_game(ended, -8) == State(score=(3, 9), jacoby=True, beavers=2)

    def test_R38_first_to_the_length_wins_and_surplus_does_not_count(self):
        state = State(length=5, score=(3, 1), cube=2, owner="mover")
        assert score_after(state, 2) == score_after(state, 6) == (5, 1)
        assert score_after(state, -2) == (3, 3)
        assert match_over(state, 2) and not match_over(state, -2)
        assert not match_over(State(score=(99, 3)), 64)
        with pytest.raises(IllegalAction, match="match to 5 is over at 5-1"):
            next_game(state, 6)

    @pytest.mark.parametrize("before, points, after, crawford", [
        ((0, 0), 1, (1, 0), False),
        ((2, 3), 2, (4, 3), True),
        ((2, 3), -1, (2, 4), True),
        ((3, 4), 1, (4, 4), False),  # the Crawford game is over, once for all
        ((0, 4), 2, (2, 4), False),
    ])  # fmt: skip
    def test_R39_the_first_game_at_match_point_is_crawford(self, before, points, after, crawford):
        game = next_game(State(cube=2, owner="mover", length=5, score=before), points)
        assert game == check_state(State(length=5, score=after, crawford=crawford))
        assert game.post_crawford == (4 in after and not crawford)

    def test_R39_no_cube_in_the_crawford_game_and_again_after_it(self):
        crawford = next_game(State(length=5, score=(3, 1)), 1)
        assert "Crawford" in double_refused(crawford) and "Crawford" in double_refused(other_side(crawford))
        post_crawford = next_game(crawford, -1)
        assert post_crawford == State(length=5, score=(4, 2))
        assert may_double(post_crawford) and may_double(other_side(post_crawford))

    def test_R39_a_1_point_match_has_no_cube_and_no_crawford_game(self):
        state = State(length=1)
        assert not state.post_crawford and not may_double(state)
        assert match_over(state, 1)
        with pytest.raises(ImpossibleState, match="Crawford"):
            check_state(replace(state, crawford=True))

    def test_R39_a_match_without_a_crawford_game(self):
        state = play(State(length=3, score=(1, 1)), "double", "take")
        assert match_over(state, 2)

    def test_R39_a_2_point_match_reaches_crawford_with_its_first_point(self):
        assert next_game(State(length=2), -1) == State(length=2, score=(0, 1), crawford=True)

    @pytest.mark.parametrize("option", [{"jacoby": True}, {"beavers": 1}, {"cube": 2}], ids=str)
    def test_R40_no_jacoby_beavers_or_automatic_doubles_in_matches(self, option):
        assert check_state(State(**option))
        with pytest.raises(ImpossibleState, match="money play"):
            check_state(State(length=7, **option))
        with pytest.raises(IllegalAction, match="R40"):
            open_game(State(length=7), np.random.default_rng(1), automatic_doubles=1)

    @pytest.mark.parametrize("case", [c for c in cases("cube") if "can_double" in c["expected"]], ids=lambda c: c["id"])
    def test_R41_cube_cases(self, case):
        assert can_double(check_state(case_state(case))) == case["expected"]["can_double"]

    @pytest.mark.parametrize("case", [c for c in cases("cube") if "action" in c["expected"]], ids=lambda c: c["id"])
    def test_R41_every_case_with_a_cube_action_may_double(self, case):
        assert can_double(check_state(case_state(case)))

    def test_R41_a_dead_cube_may_be_turned_but_is_of_no_use(self):
        leader = State(length=7, score=(6, 3))
        assert may_double(leader) and not can_double(leader)
        assert can_double(other_side(leader))
        owner = State(cube=4, owner="mover", length=7, score=(3, 0))
        assert may_double(owner) and not can_double(owner)
        assert can_double(replace(owner, score=(2, 0)))

    def test_R41_no_doubling_at_double_match_point(self):
        assert not may_double(State(length=7, score=(6, 6)))
        with pytest.raises(IllegalAction, match=r"double match point.*R41"):
            act(State(length=7, score=(6, 6)), "double")

    @pytest.mark.parametrize("trailer_starts, refused_turns", [(True, [0, 2]), (False, [1, 3])])
    def test_R42_holland_the_trailer_waits_until_each_side_has_rolled_twice(self, trailer_starts, refused_turns):
        crawford = State(length=7, score=(2, 6), crawford=True)
        state = next_game(crawford, 1, holland=True)
        assert state == check_state(State(length=7, score=(3, 6), holland=4))
        refused = []
        state = state if trailer_starts else other_side(state)
        for turn in range(8):
            if "R42" in (double_refused(state) or ""):
                refused.append(turn)
            state = end_turn(state)
        assert refused == refused_turns

    def test_R42_only_the_trailer_only_post_crawford_and_only_if_agreed(self):
        assert may_double(State(length=7, score=(6, 3), holland=4))
        assert next_game(State(length=7, score=(2, 5)), -1, holland=True).holland == 0  # Crawford
        assert next_game(State(length=7, score=(2, 3)), -1, holland=True).holland == 0
        assert next_game(State(length=7, score=(2, 6), crawford=True), 1).holland == 0
        with pytest.raises(ImpossibleState, match="R42"):
            check_state(State(length=7, score=(2, 3), holland=4))


def random_action(rng: random.Random, state: State) -> str | None:
    """One of the possible actions, or None to roll and play on; doubles and answers often, resignations seldom."""
    allowed = [action for action in actions(state) if action not in RESIGNATIONS or rng.random() < 0.03]
    if state.pending or state.resigned:
        return rng.choice(allowed)  # "take" and "pass" are always there
    return rng.choice(allowed) if allowed and rng.random() < 0.4 else None


def random_game(rng: random.Random, state: State) -> tuple[int, State]:
    """Points of one game, in which nobody looks at the board, and the state it ended in, both for who ended on roll."""
    while True:
        check_state(state)
        action = random_action(rng, state)
        if action is None:
            if rng.random() < 0.25:
                return points(state, rng.randrange(6)), state
            state = end_turn(state)
            continue
        result = act(state, action)
        if isinstance(result, int):
            return result, state
        state = result


@pytest.mark.parametrize("seed", range(5))
def test_random_matches_have_possible_scores_cubes_and_crawford_games(seed):
    """1,500 whole matches a seed; with the 500 chouettes a seed in test_chouette.py, 10,000 sessions."""
    rng = random.Random(seed)
    for _ in range(1_500):
        state = State(length=rng.randint(1, 9))
        match_point_reached = state.length == 1
        while True:
            at_match_point = 1 in state.away
            assert state.crawford == (at_match_point and not match_point_reached)
            match_point_reached |= at_match_point
            won, last = random_game(rng, state)
            assert won != 0 and won % last.cube == 0
            assert last.cube == 1 or not (state.crawford or state.away == (1, 1))
            score = score_after(last, won)
            assert score_after(replace(last, score=last.score[::-1]), -won) == score[::-1]
            if match_over(last, won):
                assert max(score) == state.length > min(score)
                break
            assert sum(score) == sum(state.score) + abs(won)
            state = next_game(last, won, holland=rng.random() < 0.5)
            assert (state.score, state.cube, state.owner) == (score, 1, "centred")


owned = st.tuples(st.integers(1, 12).map(lambda n: 2**n), st.sampled_from(["mover", "opponent"]))
cubes = st.one_of(st.just((1, "centred")), owned)


@st.composite
def possible_states(draw) -> State:
    """States with nothing pending, money and match."""
    (cube, owner), length = draw(cubes), draw(st.integers(0, 25))
    if length == 0:
        return State(cube, owner, 0, (0, 0), jacoby=draw(st.booleans()), beavers=draw(st.integers(0, 4)))
    score = draw(st.tuples(*[st.integers(0, length - 1)] * 2))
    crawford = length > 1 and score.count(length - 1) == 1 and draw(st.booleans())
    no_cube = crawford or score == (length - 1, length - 1)
    return State(1, "centred", length, score, crawford) if no_cube else State(cube, owner, length, score)


@given(possible_states())
def test_seen_by_the_other_player_and_back(state):
    assert other_side(check_state(other_side(state))) == state
    assert other_side(state).away == state.away[::-1]
    assert outcome_values(other_side(state)).tolist() == (-board.swap_outcomes(outcome_values(state))).tolist()
    assert hash(other_side(other_side(state))) == hash(state)


@given(possible_states())
def test_every_allowed_action_leads_to_a_possible_state_and_no_other_action_is_taken(state):
    for action in ("double", "take", "accept", "decline", "pass", *TURNS, *RESIGNATIONS):
        if action in actions(state):
            assert check_state(act(state, action)).pending in (None, action)
        else:
            with pytest.raises(IllegalAction):
                act(state, action)


@pytest.mark.parametrize("state, why", [
    (State(cube=3), "power of two"),
    (State(cube=0), "power of two"),
    (State(owner="white"), "cube owner 'white'"),
    (State(length=-1), "match to -1"),
    (State(score=(-1, 0)), "0 or more"),
    (State(pending="resign"), "pending 'resign'"),
    (State(resigned=4), "resigned 4"),
    (State(beavers=5), "beavers 5"),
    (State(length=5, score=(3, 4), holland=5), "holland 5"),
    (State(length=5, score=(5, 2)), "5-2 in a match to 5: both sides must still need a point"),
    (State(length=5, score=(2, 8)), "2-8 in a match to 5"),
    (State(crawford=True), "Crawford game at money play"),
    (State(length=7, crawford=True), "Crawford game at 0-0"),
    (State(length=7, score=(6, 6), crawford=True), "Crawford game at 6-6"),
    (State(owner="mover"), "cube of 1 with the mover"),
    (State(length=7, cube=2), "centred cube of 2"),
    (State(length=7, score=(6, 2), crawford=True, cube=2, owner="mover"), "no doubling in this game"),
    (State(length=1, cube=2, owner="mover"), "no doubling in this game"),
    (State(cube=2, owner="opponent", pending="double"), "not legal: the opponent owns the cube"),
    (State(length=7, score=(6, 2), crawford=True, pending="double"), "not legal: the Crawford game"),
    (State(cube=2, owner="opponent", pending="beaver"), "0 beavers are agreed"),
    (State(cube=2, owner="mover", beavers=1, pending="beaver"), "the opponent has taken"),
    (State(cube=2, owner="opponent", beavers=2, pending="raccoon"), "at 4 or more"),
])  # fmt: skip
def test_impossible_states_are_refused_with_the_reason(state, why):
    with pytest.raises(ImpossibleState, match=why):
        check_state(state)
