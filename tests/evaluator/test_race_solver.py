"""Races solved on demand: exact cases, agreement with the table, one roll played out by other code, gammons, limits."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from positions import place
from races import home_boards, mean_of_best_replies

from bgai.board import OUTCOME_POINTS, START, UNFINISHED, InvalidBoard, flip, outcome
from bgai.evaluator import bearoff, race_solver
from bgai.evaluator.cube import best_values, cube_values, slot, stakes_of
from bgai.evaluator.race_plays import ROLLS
from bgai.game import ImpossibleState, State, check_state, other_side
from bgai.plays import legal_plays

# Races outside the two-sided table, by what is special about them.
RACES = {
    "more than six checkers": place({1: 4, 2: 4, 3: 1}, {24: 5, 23: 2, 22: 1}),
    "outside the home board": place({2: 2, 7: 1}, {17: 1, 22: 2}),
    "none off yet on either side": place({1: 12, 2: 3}, {24: 15}),
    "gammon": place({1: 3, 2: 1}, {18: 2, 24: 13}),
    "backgammon": place({1: 3}, {3: 1, 4: 1, 19: 13}),
}
STATES = {
    "money": State(),
    "Jacoby": State(jacoby=True),
    "Jacoby and beavers": State(jacoby=True, beavers=1),
    "double match point": State(length=3, score=(2, 2)),
    "2-away 2-away": State(length=2),
    "4-away 6-away": State(length=7, score=(3, 1)),
    "own cube": State(2, "mover", 7, (3, 1)),
    "opponent's cube": State(2, "opponent", 7, (3, 1)),
    "a cube that wins": State(4, "mover", 7, (4, 1)),
    "Crawford": State(length=5, score=(2, 4), crawford=True),
    "post-Crawford, trailer": State(length=5, score=(2, 4)),
    "post-Crawford, leader": State(length=5, score=(4, 1)),
}


def equities(race, boards, side=0):
    """Of money, columns as in `bearoff.equities`: cubeless, then without a double centred, owned, the opponent's."""
    return np.column_stack([race.outcomes(boards, side) @ OUTCOME_POINTS, race.values(boards, side)])


@pytest.mark.parametrize("name", ["CU-14", "CU-16", "CU-17"])
def test_exact_cube_cases_outside_the_table(name):
    case = next(case for case in cases("cube") if case["id"] == name)
    board, expected = np.array(case["position"], dtype=np.int8), case["expected"]
    assert not bearoff.exact(board[None])[0]
    values = race_solver.solve(board).values(board[None], 0)[0]
    no_double, taken = values[slot(case["state"]["owner"])], 2 * values[slot("opponent")]
    assert no_double == pytest.approx(expected["nd"], abs=expected["tol"])
    assert taken == pytest.approx(expected["dt"], abs=expected["tol"])
    assert expected["action"].startswith("no ") == (min(taken, 1) < no_double)
    assert expected["action"].endswith("take") == (taken < 1)


def test_the_solver_agrees_with_the_table():
    rng = np.random.default_rng(4)
    solved = 0
    for board in home_boards(rng.integers(1, 300, 20), rng.integers(1, 300, 20)):
        race = race_solver.solve(board)
        if race is None:
            continue
        solved += 1
        np.testing.assert_allclose(equities(race, board[None]), bearoff.equities(board[None]), atol=1e-6)
        np.testing.assert_allclose(race.outcomes(board[None], 0), bearoff.outcomes(board[None]), atol=1e-6)
    assert solved > 10


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("name", RACES)
def test_values_are_the_mean_over_rolls_of_the_best_plays_by_the_general_generator(name, state):
    board, own, theirs = RACES[name], stakes_of(state), stakes_of(other_side(state))
    race = race_solver.solve(board, state)
    even = 0.0 if own.money else 0.5  # values less this are the same number with the other sign for the other side

    def value(boards):  # of the opponent, side 1, on roll then: at a cube that stays, and in every slot
        stays = race.outcomes(boards, 1) @ theirs.after[0]
        return np.column_stack([stays, best_values(race.values(boards, 1), theirs)]) - even

    over = np.column_stack([theirs.after[0], cube_values(np.eye(6), 0.0, theirs)]) - even
    stays, centred, *turned = mean_of_best_replies(board[None], value, over)[0] + even
    assert race.outcomes(board[None], 0)[0] @ own.after[0] == pytest.approx(stays)
    # his cube is the opponent's after the play, and the other way round
    expected = [centred, *np.reshape(turned, (-1, 2))[:, ::-1].ravel()]
    assert race.values(board[None], 0)[0] == pytest.approx(expected)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("name", RACES)
def test_outcomes_are_chances_and_without_gammons_the_same_at_every_score(name, state):
    board = RACES[name]
    outcomes = race_solver.solve(board, state).outcomes(board[None], 0)[0]
    assert outcomes.sum() == pytest.approx(1) and (outcomes >= 0).all()
    money = race_solver.solve(board).outcomes(board[None], 0)[0]
    if not money[[1, 2, 4, 5]].any():
        assert outcomes == pytest.approx(money, abs=1e-12)
    if state.away == (1, 1):
        assert outcomes[:3].sum() >= money[:3].sum() - 1e-12


def test_R28_R29_gammons_and_backgammons_by_hand():
    """Three checkers on the ace point are off at once with a double (1/6), else after the opponent's next roll.

    The straggler on the opponent's 22 point comes home with a die to spare by 6-6 alone. It leaves the winner's home
    board by 4 pips or more, that is by all rolls but 2-1.
    """
    board = place({1: 3}, {3: 1, 24: 14})
    race = race_solver.solve(board)
    saved, still_behind = 1 / 36, 2 / 36
    win, gammon, backgammon = race.outcomes(board[None], 0)[0, :3]
    assert win == pytest.approx(5 / 6 * saved)
    assert backgammon == pytest.approx(1 / 6 + 5 / 6 * still_behind)
    assert gammon == pytest.approx(1 - win - backgammon)


def test_R36_jacoby_changes_only_what_the_centred_cube_is_worth():
    board = RACES["gammon"]
    solved = (race_solver.solve(board, State(jacoby=jacoby)) for jacoby in (False, True))
    with_gammons, without = (race.values(board[None], 0)[0] for race in solved)
    assert with_gammons[0] > 1.9  # too good to double
    assert without[0] == pytest.approx(1)  # nothing but a single game
    assert (with_gammons[1:] == without[1:]).all()


# Match winning chances by hand, by the Kazaross-XG2 table, with the winning chance 19/36: the player on roll bears off
# or the opponent does.
LAST_ROLL, P = place({5: 1, 2: 1}, {24: 1}), 19 / 36
LEADS = 0.67736  # 1-away against 2-away, Crawford
TWO_AWAY = 0.48803  # the trailer post-Crawford


@pytest.mark.parametrize(
    ("state", "nd", "dt"),
    [
        pytest.param(State(length=1), P, None, id="double match point"),
        pytest.param(State(length=2), P * LEADS + (1 - P) * (1 - LEADS), P, id="2-away 2-away"),
        pytest.param(State(length=5, score=(4, 2), crawford=True), P + (1 - P) * (1 - TWO_AWAY), None, id="Crawford"),
        pytest.param(State(length=3, score=(1, 2)), P * 0.5, P, id="post-Crawford, 2-away: a free drop"),
        pytest.param(State(length=3, score=(0, 2)), P * TWO_AWAY, P * 0.5, id="post-Crawford, 3-away"),
        pytest.param(
            State(length=3, score=(2, 0)),
            P + (1 - P) * (1 - TWO_AWAY),
            None,
            id="post-Crawford, leader: passes next",
        ),
    ],
)
def test_the_last_roll_of_a_game_at_match_scores_by_hand(state, nd, dt):
    values = race_solver.solve(LAST_ROLL, state).values(LAST_ROLL[None], 0)[0]
    assert values[slot("centred")] == pytest.approx(nd, abs=1e-9)
    if dt is not None:
        assert values[slot("opponent", 1)] == pytest.approx(dt, abs=1e-9)


# Three checkers on the ace point each: a double (1/6) wins at once, and so does the next roll of the same side.
TWO_ROLLS, WIN = place({1: 3}, {24: 3}), 1 / 6 + 5 / 6 * 5 / 6


def test_two_rolls_at_2_away_2_away_by_hand():
    """A double is passed. The opponent with his sixth does not double: he has a game to lose, not the match."""
    values = race_solver.solve(TWO_ROLLS, State(length=2)).values(TWO_ROLLS[None], 0)[0]
    theirs = 1 / 6 * LEADS + 5 / 6 * (1 - LEADS)
    assert values[slot("centred")] == pytest.approx(1 / 6 * LEADS + 5 / 6 * (1 - theirs), abs=1e-9)
    assert values[slot("opponent", 1)] == pytest.approx(WIN, abs=1e-9) and WIN > LEADS


def test_two_rolls_with_an_automatic_redouble_by_hand():
    """2-away against 3-away: who has taken a cube of 2 loses the match with the game, and turns it to 4 for nothing."""
    values = race_solver.solve(TWO_ROLLS, State(length=5, score=(3, 2))).values(TWO_ROLLS[None], 0)[0]
    assert values[slot("opponent", 1)] == pytest.approx(WIN, abs=1e-9)


def test_a_certain_gammon_that_wins_the_match_is_too_good_to_double():
    board = place({1: 2}, {24: 15})
    values = race_solver.solve(board, State(length=2)).values(board[None], 0)[0]
    assert values[slot("centred")] == pytest.approx(1) and LEADS < 1


@st.composite
def small_races(draw):
    """Up to four checkers a side, all home."""
    own, opponent = draw(st.integers(1, 209)), draw(st.integers(1, 209))
    return home_boards(np.array([own]), np.array([opponent]))[0]


@st.composite
def match_states(draw):
    """Any score up to 9 points, Crawford or not, and any cube up to 4."""
    away = draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    crawford = away.count(1) == 1 and draw(st.booleans())
    cube = 1 if crawford or away == (1, 1) else draw(st.sampled_from((1, 2, 4)))
    owner = draw(st.sampled_from(("mover", "opponent"))) if cube > 1 else "centred"
    length = max(away) + draw(st.integers(0, 2))
    state = State(cube, owner, length, (length - away[0], length - away[1]), crawford)
    try:
        return check_state(state)
    except ImpossibleState:  # a cube that nobody could have turned at this score
        return State(length=length, score=state.score, crawford=crawford)


@given(small_races(), match_states())
def test_identities_of_match_winning_chances(board, state):
    stakes = stakes_of(state)
    race = race_solver.solve(board, state)
    values, outcomes = race.values(board[None], 0)[0], race.outcomes(board[None], 0)[0]
    assert (values >= 0).all() and (values <= 1).all()
    win = outcomes[:3].sum()  # no gammons, so the best plays win most often whatever the cube
    for level, after in enumerate(stakes.after):
        stays = outcomes @ after
        owned, opponents = values[slot("mover", level)], values[slot("opponent", level)]
        assert opponents - 1e-12 <= stays <= owned + 1e-12  # to own the cube never hurts
        if level == 0:
            assert opponents - 1e-12 <= values[slot("centred")] <= owned + 1e-12
        if stakes.after[level, 0] == 1 and stakes.after[level, 3] == 0:
            assert owned == pytest.approx(win) == opponents  # dead: the game is for the match
    if state.crawford or state.away == (1, 1):
        assert values[slot("centred")] == pytest.approx(outcomes @ stakes.after[0])


@given(small_races(), match_states(), st.sampled_from(ROLLS.tolist()), st.randoms())
def test_both_sides_know_the_same_value(board, state, roll, random):
    """What a position after a play is worth to the opponent is what solving it anew from there says."""
    after = legal_plays(board[None], np.array([roll], np.int8)).boards
    after = after[outcome(after) == UNFINISHED]
    if len(after):
        one = random.choice(list(after))[None]
        there = race_solver.solve(one[0], other_side(state))
        race = race_solver.solve(board, state)
        np.testing.assert_allclose(race.values(one, 1), there.values(one, 0), atol=1e-12)
        np.testing.assert_allclose(race.outcomes(one, 1), there.outcomes(one, 0), atol=1e-12)


def test_every_position_of_the_race_can_be_looked_up():
    board = RACES["outside the home board"]
    race = race_solver.solve(board)
    boards = board[None]
    for roll in range(6):  # both sides play in turn, all plays of all rolls
        side = roll % 2
        assert (abs(race.values(boards, side)) < 1 + 1e-12).all()
        assert race.outcomes(boards, side).sum(axis=1) == pytest.approx(1)
        boards = legal_plays(np.repeat(boards, 21, axis=0), np.tile(ROLLS, (len(boards), 1))).boards
        boards = np.unique(boards[outcome(boards) == UNFINISHED], axis=0)
    with pytest.raises(race_solver.NotReachable, match="board 1 with side 0"):
        race.values(np.stack([board, flip(board)]), 0)


@pytest.mark.parametrize(
    "board",
    [START, place({6: 15}, {19: 15}), place({2: 1}, {1: 1}), place({1: 1}, {}), place({}, {24: 1})],
    ids=["contact", "too many pairs", "contact at the end", "won", "lost"],
)
def test_what_the_solver_leaves_to_others(board):
    assert race_solver.solve(board) is None


def test_an_impossible_board_or_state_is_refused():
    with pytest.raises(InvalidBoard, match="16 checkers"):
        race_solver.solve(place({1: 16}, {24: 1}))
    with pytest.raises(ImpossibleState, match="a cube of 3"):
        race_solver.solve(LAST_ROLL, State(cube=3))


def test_a_race_that_is_too_large_is_given_up_in_a_moment(monkeypatch):
    """One more roll could play its 1,500 positions in millions of ways; few of them are looked at."""
    looked_at = []
    real = race_solver.all_plays
    monkeypatch.setattr(
        race_solver, "all_plays", lambda found, points: looked_at.append(found.size) or real(found, points)
    )
    board = place({1: 1, 2: 1, 4: 1, 6: 1, 7: 2, 8: 1, 9: 1, 12: 1, 14: 2, 15: 3}, {24: 3, 23: 2, 22: 2, 21: 2})
    assert race_solver.solve(board) is None
    assert sum(looked_at) < 200


@pytest.mark.parametrize("state", [State(), State(length=7)], ids=["money", "match"])
def test_no_more_than_200_000_pairs(monkeypatch, state):
    board = RACES["more than six checkers"]
    race = race_solver.solve(board, state)
    pairs = np.count_nonzero(race.reachable[0] | race.reachable[1].T)
    for limit, solved in ((pairs, True), (pairs - 1, False)):
        monkeypatch.setattr(race_solver, "MAX_PAIRS", limit)
        race_solver._solve.cache_clear()
        assert (race_solver.solve(board, state) is not None) == solved
    race_solver._solve.cache_clear()
