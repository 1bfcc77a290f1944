"""The bear-off tables: exact cases, one roll played out by other code, brute force, identities."""

from functools import cache

import numpy as np
import pytest
from brute_force import legal_results
from cases import cases
from positions import place
from races import home_boards, mean_of_best_replies, with_cube

from bgai.board import OUTCOME_POINTS, START, flip, swap_outcomes
from bgai.evaluator import bearoff
from bgai.evaluator.race_plays import CHANCE, ROLLS, all_plays

RNG = np.random.default_rng(26)
SMALL = home_boards(RNG.integers(1, 924, 500), RNG.integers(1, 924, 500))
LARGE = home_boards(RNG.integers(924, 54264, 500), RNG.integers(924, 54264, 500))


def in_table(kind: str) -> list[dict]:
    """Exact cases of this kind that the two-sided table holds, money or not."""
    held = [case for case in cases(kind) if case["certainty"].startswith("exact")]
    return [case for case in held if bearoff.exact(np.array([case["position"]], dtype=np.int8))[0]]


@pytest.mark.parametrize("case", in_table("equity"), ids=lambda case: case["id"])
def test_equity_cases(case):
    board = np.array([case["position"]], dtype=np.int8)
    assert bearoff.outcomes(board)[0] == pytest.approx(
        [case["expected"]["win_prob"], 0, 0, 1 - case["expected"]["win_prob"], 0, 0], abs=1e-6
    )
    assert bearoff.equities(board)[0, 0] == pytest.approx(case["expected"]["cubeless"], abs=1e-6)
    own, _ = bearoff.positions(board)[0]
    assert 36 * bearoff.tables().all_off[own, 1] == pytest.approx(case["expected"]["p_off_one_roll_36"], abs=1e-4)


def test_the_equity_case_without_a_table():
    """EQ-29: an equity from cumulative chances."""
    (case,) = (case for case in cases("equity") if case not in in_table("equity"))
    given = case["expected"]["input"]
    wins = [given["win"] - given["winG"], given["winG"] - given["winBG"], given["winBG"]]
    losses = [1 - given["win"] - given["loseG"], given["loseG"] - given["loseBG"], given["loseBG"]]
    assert (wins + losses) @ OUTCOME_POINTS == pytest.approx(case["expected"]["value"])
    assert wins + losses == pytest.approx(list(case["expected"]["exclusive"].values()))


@pytest.mark.parametrize("case", in_table("cube"), ids=lambda case: case["id"])
def test_exact_cube_cases(case):
    board, expected = np.array([case["position"]], dtype=np.int8), case["expected"]
    if "mwc_take" in expected:  # after the take the game is for the match: the winning chance decides
        assert bearoff.outcomes(board)[0, 0] == pytest.approx(expected["mwc_take"], abs=expected["tol"])
        return
    _, centred, owned, opponents = bearoff.equities(board)[0]
    no_double = centred if case["state"]["owner"] == "centred" else owned
    assert no_double == pytest.approx(expected["nd"], abs=expected["tol"])
    assert 2 * opponents == pytest.approx(expected["dt"], abs=expected["tol"])
    doubles, takes = min(2 * opponents, 1) > no_double, 2 * opponents < 1
    assert expected["action"].startswith("no ") != doubles
    assert expected["action"].endswith("take") == takes


def test_two_sided_values_are_the_mean_over_rolls_of_the_best_plays_by_the_general_generator():
    equities = bearoff.equities(SMALL)

    def value(boards):  # cubeless, centred, owned by the side on roll then
        after = bearoff.equities(boards)
        return np.column_stack([after[:, 0], with_cube(after)])

    cubeless, centred, owned_by_other, owned = mean_of_best_replies(SMALL, value, np.full((6, 4), -1.0)).T
    # the opponent's cube is the owned one of the player on roll after the play, and the other way round
    expected = np.column_stack([cubeless, centred, owned, owned_by_other])
    np.testing.assert_allclose(equities, expected, atol=3e-7)


def test_identities_of_the_two_sided_table():
    table = bearoff.tables().two_sided[1:, 1:]
    cubeless, centred, owned, opponents = np.moveaxis(table, -1, 0)
    assert (cubeless + cubeless.T >= 0).all()  # it is never bad to be on roll
    assert (owned >= centred - 1e-6).all() and (centred >= opponents - 1e-6).all()
    assert (owned >= cubeless - 1e-6).all() and (cubeless >= opponents - 1e-6).all()
    assert (abs(table) <= 1).all()


def test_one_sided_rolls_by_brute_force():
    @cache
    def mean_rolls(board):
        if not any(board[1:7]):
            return 0.0
        best = [min(map(mean_rolls, legal_results(board, tuple(roll)))) for roll in ROLLS.tolist()]
        return 1 + float(CHANCE @ best)

    for number in range(1, 84):  # up to three checkers
        alone = home_boards(np.array([number]), np.array([0]))[0]
        rolls = bearoff.tables().all_off[number] @ np.arange(31)
        assert rolls == pytest.approx(mean_rolls(tuple(alone.tolist())), abs=1e-5)


def test_one_sided_distributions_are_those_of_the_quickest_play_of_each_roll():
    tables, rolls = bearoff.tables(), np.arange(31)
    mean = tables.all_off.astype(float) @ rolls
    positions = RNG.integers(1, 54264, 300)
    plays, offsets = all_plays(positions, 6)
    quickest = np.minimum.reduceat(mean[plays], offsets[:-1]).reshape(-1, 21)
    np.testing.assert_allclose(mean[positions], 1 + quickest @ CHANCE, atol=1e-5)
    for table in (tables.all_off, tables.first_off):
        np.testing.assert_allclose(table.sum(axis=1), 1, atol=1e-6)
        assert (table >= 0).all() and (table[1:, -1] < 1e-6).all()


def test_known_roll_counts():
    """15 checkers on the 6 point: 12.266 rolls, 1.616 to the first checker (GNU Backgammon's one-sided database)."""
    tables = bearoff.tables()
    assert tables.all_off[-1] @ np.arange(31) == pytest.approx(12.266, abs=5e-4)
    assert tables.first_off[-1] @ np.arange(11) == pytest.approx(1.616, abs=5e-4)


def test_one_sided_winning_chances_are_close_to_the_exact_ones():
    own, opponent = bearoff.positions(SMALL).T
    _, all_off, first_off = bearoff.tables()
    convolved = np.empty((len(SMALL), 6), dtype=np.float32)
    for i, (a, b) in enumerate(zip(own, opponent, strict=True)):
        bearoff.onesided.outcomes_of(all_off[a], first_off[a], all_off[b], first_off[b], convolved[i])
    error = abs(convolved - bearoff.outcomes(SMALL))[:, 0]
    assert error.max() < 0.01 and error.mean() < 0.0015


def test_outcomes_of_large_bear_offs():
    outcomes = bearoff.outcomes(LARGE)
    np.testing.assert_allclose(outcomes.sum(axis=1), 1, atol=1e-5)
    assert (outcomes > -1e-6).all()
    advantage = outcomes[:, :3].sum(axis=1) - swap_outcomes(bearoff.outcomes(flip(LARGE)))[:, :3].sum(axis=1)
    assert (advantage > -1e-4).all()  # it is never bad to be on roll


def test_gammons_of_a_bear_off_by_hand():
    """A double or two rolls to go, against 15 on the 6 point, where any 6, 5-1, 4-2, 3-3 and 2-2 bear one off."""
    boards = np.array([place({1: 4}, {19: 15}), place({1: 2}, {19: 15}), place({1: 4}, {19: 14})])
    saved_in = bearoff.tables().first_off[-1]
    assert saved_in[1] == pytest.approx((11 + 2 + 2 + 1 + 1) / 36)
    gammon = 1 / 6 + 5 / 6 * (1 - saved_in[1])
    outcomes = bearoff.outcomes(boards)
    assert outcomes[0] == pytest.approx([1 - gammon, gammon, 0, 0, 0, 0], abs=1e-6)
    assert outcomes[1] == pytest.approx([0, 1, 0, 0, 0, 0], abs=1e-6)
    assert outcomes[2] == pytest.approx([1, 0, 0, 0, 0, 0], abs=1e-6)
    first_to_roll = bearoff.outcomes(flip(boards[:1]))[0]
    gammon = 1 / 6 * saved_in[2:].sum() + 5 / 6 * saved_in[3:].sum()
    assert first_to_roll == pytest.approx([0, 0, 0, 1 - gammon, gammon, 0], abs=1e-6)


def test_where_the_tables_apply():
    boards = np.array(
        [
            place({1: 1}, {24: 1}),
            place({6: 6}, {19: 6}),
            place({6: 7}, {19: 6}),
            place({6: 15}, {19: 15}),
            place({7: 1}, {19: 1}),
            place({6: 1}, {18: 1}),
            place({6: 1, 25: 1}, {19: 1}),
            place({6: 1}, {19: 1, 0: 1}),
            place({2: 1}, {1: 1}),
            place({2: 1}, {}),
            place({}, {20: 1}),
            START,
            place({1: 16}, {24: 1}),
        ]
    )
    assert bearoff.applies(boards).tolist() == [True] * 4 + [False] * 9
    assert bearoff.exact(boards).tolist() == [True] * 2 + [False] * 11
    outcomes = np.full((len(boards), 6), 7, dtype=np.float32)
    assert (bearoff.fill_outcomes(boards, outcomes) == bearoff.applies(boards)).all()
    assert (outcomes[:4] == bearoff.outcomes(boards[:4])).all() and (outcomes[4:] == 7).all()
    with pytest.raises(bearoff.NotInTable, match="board 4 isn't in the bear-off table: all checkers"):
        bearoff.outcomes(boards)
    with pytest.raises(bearoff.NotInTable, match="board 2 isn't in the bear-off table: at most six"):
        bearoff.equities(boards[:4])
