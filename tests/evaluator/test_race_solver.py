"""Races solved on demand: exact cases, agreement with the table, one roll played out by other code, gammons, limits."""

import numpy as np
import pytest
from cases import cases
from positions import place
from races import home_boards, mean_of_best_replies

from bgai.board import OUTCOME_POINTS, START, UNFINISHED, InvalidBoard, flip, outcome
from bgai.evaluator import bearoff, race_solver
from bgai.evaluator.bearoff import with_cube
from bgai.evaluator.race_plays import ROLLS
from bgai.plays import legal_plays

# Races outside the two-sided table, by what is special about them.
RACES = {
    "more than six checkers": place({1: 4, 2: 4, 3: 1}, {24: 5, 23: 2, 22: 1}),
    "outside the home board": place({2: 2, 7: 1}, {17: 1, 22: 2}),
    "none off yet on either side": place({1: 12, 2: 3}, {24: 15}),
    "gammon": place({1: 3, 2: 1}, {18: 2, 24: 13}),
    "backgammon": place({1: 3}, {3: 1, 4: 1, 19: 13}),
}


@pytest.mark.parametrize("name", ["CU-14", "CU-16", "CU-17"])
def test_exact_cube_cases_outside_the_table(name):
    case = next(case for case in cases("cube") if case["id"] == name)
    board, expected = np.array(case["position"], dtype=np.int8), case["expected"]
    assert not bearoff.exact(board[None])[0]
    _, centred, owned, opponents = race_solver.solve(board).equities(board[None], 0)[0]
    no_double = centred if case["state"]["owner"] == "centred" else owned
    assert no_double == pytest.approx(expected["nd"], abs=expected["tol"])
    assert 2 * opponents == pytest.approx(expected["dt"], abs=expected["tol"])
    assert expected["action"].startswith("no ") == (min(2 * opponents, 1) < no_double)
    assert expected["action"].endswith("take") == (2 * opponents < 1)


def test_the_solver_agrees_with_the_table():
    rng = np.random.default_rng(4)
    solved = 0
    for board in home_boards(rng.integers(1, 300, 20), rng.integers(1, 300, 20)):
        race = race_solver.solve(board)
        if race is None:
            continue
        solved += 1
        np.testing.assert_allclose(race.equities(board[None], 0), bearoff.equities(board[None]), atol=1e-6)
        np.testing.assert_allclose(race.outcomes(board[None], 0), bearoff.outcomes(board[None]), atol=1e-6)
    assert solved > 10


@pytest.mark.parametrize("jacoby", [False, True])
@pytest.mark.parametrize("name", RACES)
def test_values_are_the_mean_over_rolls_of_the_best_plays_by_the_general_generator(name, jacoby):
    board = RACES[name]
    race = race_solver.solve(board, jacoby=jacoby)

    def value(boards):  # of the opponent, side 1, on roll then
        equities = race.equities(boards, 1)
        return np.column_stack([equities[:, 0], with_cube(equities)])

    points = OUTCOME_POINTS[:, None].repeat(4, axis=1)  # cubeless, cube centred, turned, turned
    if jacoby:  # R36
        points[:, 1] = np.sign(points[:, 1])
    cubeless, centred, opponents, owned = mean_of_best_replies(board[None], value, points)[0]
    assert race.equities(board[None], 0)[0] == pytest.approx([cubeless, centred, owned, opponents])


@pytest.mark.parametrize("name", RACES)
def test_outcomes_are_those_of_the_plays_with_the_best_equity(name):
    board = RACES[name]
    race = race_solver.solve(board)
    outcomes = race.outcomes(board[None], 0)
    assert outcomes.sum() == pytest.approx(1) and (outcomes >= 0).all()
    assert outcomes @ OUTCOME_POINTS == pytest.approx(race.equities(board[None], 0)[:, 0])


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
    with_gammons, without = (race_solver.solve(board, jacoby=jacoby).equities(board[None], 0)[0] for jacoby in (0, 1))
    assert with_gammons[1] > 1.9  # too good to double
    assert without[1] == pytest.approx(1)  # nothing but a single game
    assert (with_gammons[[0, 2, 3]] == without[[0, 2, 3]]).all()


def test_every_position_of_the_race_can_be_looked_up():
    board = RACES["outside the home board"]
    race = race_solver.solve(board)
    boards = board[None]
    for roll in range(6):  # both sides play in turn, all plays of all rolls
        side = roll % 2
        assert (abs(race.equities(boards, side)) < 1 + 1e-12).all()
        assert race.outcomes(boards, side).sum(axis=1) == pytest.approx(1)
        boards = legal_plays(np.repeat(boards, 21, axis=0), np.tile(ROLLS, (len(boards), 1))).boards
        boards = np.unique(boards[outcome(boards) == UNFINISHED], axis=0)
    with pytest.raises(race_solver.NotReachable, match="board 1 with side 0"):
        race.equities(np.stack([board, flip(board)]), 0)


@pytest.mark.parametrize(
    "board",
    [START, place({6: 15}, {19: 15}), place({2: 1}, {1: 1}), place({1: 1}, {}), place({}, {24: 1})],
    ids=["contact", "too many pairs", "contact at the end", "won", "lost"],
)
def test_what_the_solver_leaves_to_others(board):
    assert race_solver.solve(board) is None


def test_an_impossible_board_is_refused():
    with pytest.raises(InvalidBoard, match="16 checkers"):
        race_solver.solve(place({1: 16}, {24: 1}))


def test_no_more_than_200_000_pairs(monkeypatch):
    board = RACES["more than six checkers"]
    race = race_solver.solve(board)
    pairs = np.count_nonzero(race.reachable[0] | race.reachable[1].T)
    for limit, solved in ((pairs, True), (pairs - 1, False)):
        monkeypatch.setattr(race_solver, "MAX_PAIRS", limit)
        race_solver._solve.cache_clear()
        assert (race_solver.solve(board) is not None) == solved
    race_solver._solve.cache_clear()
