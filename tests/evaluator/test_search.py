"""Lookahead: against a plain recursion over rolls and plays, against the bear-off table, and whatever the order."""

import numpy as np
import pytest
from positions import from_play, random_dice
from races import home_boards

from bgai import files
from bgai.board import OUTCOME_POINTS, START, flip, outcome, swap_outcomes
from bgai.evaluator import bearoff, search
from bgai.evaluator.cube import best_values, cube_values, emg, other_view, slot
from bgai.evaluator.efficiency import BEAR_OFF, EFFICIENCY
from bgai.evaluator.evaluate import best_replies, known, worth_of
from bgai.evaluator.search import FILTERS, Filter, Sides, each_roll, evaluate, judge_plays, sides_of
from bgai.game import State, other_side
from bgai.net.fast import load_net
from bgai.plays import legal_plays

MONEY = State()
STATES = {
    "money": MONEY,
    "own cube": State(cube=2, owner="mover"),
    "Jacoby and beavers": State(jacoby=True, beavers=1),
    "match": State(length=7, score=(3, 4)),
    "match, own cube": State(length=7, score=(1, 4), cube=2, owner="mover"),
    "Crawford": State(length=5, score=(4, 2), crawford=True),
    "post-Crawford": State(length=5, score=(2, 4)),
}
ROLLS_36 = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@pytest.fixture(scope="module")
def boards():
    return from_play(24, 10, sensible=True, seed=3)[0][100:]


def plainly(net, board, sides, ply):
    """Outcomes and values of one board, by the definition: all 36 rolls, each with its best reply without lookahead."""
    if ply == 0 or outcome(board) >= 0:
        found = evaluate(net, board[None], sides, 0)
        return found.outcomes[0], found.values[0]
    outcomes, values = [], []
    for roll in ROLLS_36:
        after = legal_plays(board[None], np.array([roll], np.int8)).boards
        worth = swap_outcomes(evaluate(net, after, sides, 0).outcomes) @ worth_of(sides.mover)
        theirs = plainly(net, after[worth.argmax()], Sides(*sides[::-1]), ply - 1)
        outcomes.append(swap_outcomes(theirs[0]))
        values.append(other_view(best_values(theirs[1][None].copy(), sides.opponent), sides.mover)[0])
    return np.mean(outcomes, axis=0), np.mean(values, axis=0)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_one_ply_is_the_mean_over_all_rolls_of_the_best_replies(net, boards, state):
    sides = sides_of(state)
    some = boards[::20]
    found = evaluate(net, some, sides, 1)
    for i, board in enumerate(some):
        outcomes, values = plainly(net, board, sides, 1)
        assert found.outcomes[i] == pytest.approx(outcomes, abs=1e-6)
        assert found.values[i] == pytest.approx(values, abs=1e-6)


def test_two_plies_are_the_same_once_more(net, boards):
    state = State(length=5, score=(2, 3))
    found = evaluate(net, boards[:1], sides_of(state), 2)
    outcomes, values = plainly(net, boards[0], sides_of(state), 2)
    assert found.outcomes[0] == pytest.approx(outcomes, abs=1e-6)
    assert found.values[0] == pytest.approx(values, abs=1e-6)


def test_looking_ahead_from_the_table_leads_back_to_the_table(net, monkeypatch):
    """What the table holds is a fixed point of the recursion, cube included, whoever owns it."""
    rng = np.random.default_rng(5)
    boards = home_boards(*rng.integers(1, 924, (2, 100)))
    monkeypatch.setattr(search, "known", lambda net, boards, stakes: outcome(boards) >= 0)  # not even the table
    found = evaluate(net, boards, sides_of(MONEY), 2)
    exact = bearoff.equities(boards)
    assert found.outcomes @ OUTCOME_POINTS == pytest.approx(exact[:, 0], abs=1e-6)
    # Replies are chosen without regard to the cube, which in a few bear-offs is not quite the best.
    assert np.abs(found.values - exact[:, 1:]).mean() < 5e-4
    assert np.abs(found.values - exact[:, 1:]).max() < 0.02


@pytest.mark.parametrize("ply", [3, 4])
def test_so_it_does_however_deep(net, ply, monkeypatch):
    boards = home_boards(*np.random.default_rng(6).integers(1, 84, (2, 10)))  # up to three checkers
    monkeypatch.setattr(search, "known", lambda net, boards, stakes: outcome(boards) >= 0)
    assert evaluate(net, boards, sides_of(MONEY), ply).outcomes == pytest.approx(bearoff.outcomes(boards), abs=1e-6)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_bear_offs_are_valued_and_played_by_the_tables_for_money_and_in_matches(net, state):
    """By both tables: the cube on top of their outcomes, except where the two-sided one knows it for money."""
    boards = home_boards(*np.random.default_rng(7).integers([1, 924], [924, 54264], (40, 2)).T)
    boards = np.concatenate([boards, home_boards(*np.random.default_rng(8).integers(1, 924, (2, 40)))])
    stakes = sides_of(state).mover
    found = evaluate(net, boards, sides_of(state), 0)
    outcomes = bearoff.outcomes(boards)
    np.testing.assert_array_equal(found.outcomes, outcomes)
    values = cube_values(outcomes, EFFICIENCY[BEAR_OFF], stakes)
    if stakes.money:
        values[40:] = bearoff.equities(boards[40:])[:, 1:]
    np.testing.assert_array_equal(found.values, values)
    after, _ = best_replies(net, *each_roll(boards), worth_of(stakes))
    plays = legal_plays(*each_roll(boards))
    theirs = np.eye(6)[outcome(plays.boards)]
    going_on = outcome(plays.boards) < 0
    theirs[going_on] = bearoff.outcomes(plays.boards[going_on])
    worth = swap_outcomes(theirs) @ worth_of(stakes)
    best = np.maximum.reduceat(worth, plays.offsets[:-1])
    for i, board in enumerate(after):
        made = np.arange(plays.offsets[i], plays.offsets[i + 1])
        (chosen,) = made[(plays.boards[made] == board).all(axis=1)]
        assert worth[chosen] == pytest.approx(best[i], abs=1e-6)


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_a_finished_game_is_worth_what_it_is(net, ply):
    over = np.zeros((1, 26), np.int8)
    over[0, 24] = -15  # the player on roll has won, and the opponent has borne off nothing: a gammon
    found = evaluate(net, np.concatenate([over, flip(over)]), sides_of(MONEY), ply)
    assert found.outcomes.tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0]]
    assert found.values.tolist() == [[2, 2, 2], [-2, -2, -2]]


def test_an_answer_depends_on_nothing_that_was_asked_before_or_beside_it(net, boards):
    """Bit for bit, with money and matches mixed, in any order and any company."""
    some = boards[::9]
    alone = {
        (name, ply, i): evaluate(net, some[i : i + 1], sides_of(state), ply)
        for name, state in STATES.items()
        for ply in (0, 1)
        for i in range(len(some))
    }
    rng = np.random.default_rng(8)
    for name in rng.permutation(list(STATES)):
        for ply in rng.permutation(2):
            order = rng.permutation(np.tile(np.arange(len(some)), 2))
            together = evaluate(net, some[order], sides_of(STATES[name]), ply)
            for row, i in enumerate(order):
                assert (together.outcomes[row] == alone[name, ply, i].outcomes[0]).all()
                assert (together.values[row] == alone[name, ply, i].values[0]).all()


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("ply", [0, 1])
def test_a_play_is_worth_what_its_position_costs_the_opponent(net, boards, state, ply):
    board, roll = boards[:1], np.array([[3, 1]], np.int8)
    plays = legal_plays(board, roll)
    sides = sides_of(state)
    judged = judge_plays(net, board, plays, sides, slot(state.owner), ply, FILTERS["full"])
    theirs_sides = sides_of(other_side(state))
    theirs = evaluate(net, plays.boards, theirs_sides, ply)
    values = best_values(theirs.values, theirs_sides.mover)[:, slot(other_side(state).owner)]
    own = (0.0 if sides.mover.money else 1.0) - values
    assert judged.equity == pytest.approx(emg(own, sides.mover), abs=1e-5)
    assert judged.outcomes == pytest.approx(swap_outcomes(theirs.outcomes), abs=1e-5)
    assert (judged.ply == ply).all()


def test_cubeless_plays_are_judged_by_points_for_money_and_by_match_equity_in_a_match(net, boards):
    plays = legal_plays(boards[:1], np.array([[6, 2]], np.int8))
    judged = judge_plays(net, boards[:1], plays, sides_of(MONEY), 0, 1, FILTERS["full"], cubeful=False)
    assert judged.equity == pytest.approx(judged.cubeless, abs=1e-9)
    double_match_point = State(length=3, score=(2, 2))
    for cubeful in (True, False):  # gammons are worth nothing there, and neither is the cube
        sides = sides_of(double_match_point)
        judged = judge_plays(net, boards[:1], plays, sides, 0, 1, FILTERS["full"], cubeful=cubeful)
        assert judged.equity == pytest.approx(2 * judged.outcomes[:, :3].sum(axis=1) - 1, abs=1e-6)


def test_a_filter_stops_plays_outside_its_margin_and_beyond_its_number(net, boards):
    dice = random_dice(np.random.default_rng(2), len(boards))
    plays = legal_plays(boards, dice)
    sides = sides_of(MONEY)
    static = judge_plays(net, boards, plays, sides, 0, 0)
    one, two = Filter((3, 0.05), (2, 0.02)), Filter((3, 0.05), (np.inf, np.inf))
    first = judge_plays(net, boards, plays, sides, 0, 1, one)
    for i, (a, b) in enumerate(zip(plays.offsets, plays.offsets[1:], strict=False)):
        equity = static.equity[a:b]
        allowed = np.sort(equity)[::-1][:3]
        passed = first.ply[a:b] == 1
        assert passed.sum() == (allowed >= equity.max() - 0.05).sum(), i
        assert equity[passed].min() >= allowed.min() and equity[passed].min() >= equity.max() - 0.05
        assert (first.equity[a:b][~passed] == equity[~passed]).all()  # these are still as judged at 0-ply
    deep = judge_plays(net, boards[:3], legal_plays(boards[:3], dice[:3]), sides, 0, 2, two)
    assert ((deep.ply == 2) == (first.ply[: len(deep.ply)] == 1)).all()


def test_the_normal_filter_loses_little_of_what_looking_into_every_play_finds():
    """The shipped player's first filter, at 1-ply; `scripts/bench_search.py --losses` measures all of it at 2-ply."""
    net = load_net(files.checkpoint())
    rng = np.random.default_rng(5)
    boards = np.tile(START, (150, 1))
    for _ in range(14):
        boards, _ = net.best(boards, random_dice(rng, 150))
    plays = legal_plays(boards, random_dice(rng, 150))
    full, normal = (
        judge_plays(net, boards, plays, sides_of(MONEY), 0, 1, FILTERS[name]) for name in ("full", "normal")
    )
    chosen = normal.ranking(plays.offsets)[plays.offsets[:-1]]
    best = np.maximum.reduceat(full.equity, plays.offsets[:-1])
    assert (normal.ply == 1).sum() < 0.5 * len(normal.ply)
    assert 0 <= (best - full.equity[chosen]).mean() < 0.001


def test_plays_of_different_ply_are_not_ranked_as_equals(net, boards):
    plays = legal_plays(boards, random_dice(np.random.default_rng(2), len(boards)))
    judged = judge_plays(net, boards, plays, sides_of(MONEY), 0, 1, Filter((2, 0.01), (1, 0)))
    order = judged.ranking(plays.offsets)
    for a, b in zip(plays.offsets, plays.offsets[1:], strict=False):
        assert sorted(order[a:b]) == list(range(a, b))
        ply, equity = judged.ply[order[a:b]], judged.equity[order[a:b]]
        assert (np.diff(ply) <= 0).all()
        assert all((np.diff(equity[ply == p]) <= 0).all() for p in (0, 1))


def test_known_positions_are_finished_games_and_for_money_those_of_the_two_sided_table(net):
    over, tabled = np.zeros((1, 26), np.int8), home_boards(np.array([5]), np.array([7]))
    over[0, 3] = 2
    some = np.concatenate([over, tabled, START[None]])
    assert known(net, some, sides_of(MONEY).mover).tolist() == [True, True, False]
    assert known(net, some, sides_of(State(length=3)).mover).tolist() == [True, False, False]
