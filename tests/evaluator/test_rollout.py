"""Rollouts: exact against the bear-off table, honest errors, the same whether interrupted or not."""

from itertools import islice

import numpy as np
import pytest
from positions import from_play, place
from races import home_boards, with_cube

from bgai.board import OUTCOME_POINTS, START, flip
from bgai.evaluator import bearoff, trials
from bgai.evaluator.cube import slot
from bgai.evaluator.decision import decide
from bgai.evaluator.race_solver import solve
from bgai.evaluator.rollout import OtherRollout, load, of_cube, of_plays, of_position, roll_out, save
from bgai.evaluator.search import evaluate, sides_of
from bgai.evaluator.trials import SET, Settings, play_trials
from bgai.game import State
from bgai.plays import legal_plays

MONEY = State()
CUBELESS = Settings(cubeful=False)


def rolled_out(net, start, n, settings, **options):
    return list(roll_out(net, start, n, settings, **options))[-1]


@pytest.fixture
def to_the_end(monkeypatch):
    """Trials play positions of the table on to their end, instead of taking the table's word."""
    monkeypatch.setattr(
        trials, "known", lambda net, boards, stakes: (boards >= 0).all(axis=1) | (boards <= 0).all(axis=1)
    )


@pytest.fixture(scope="module")
def tabled():
    """200 positions of the two-sided table that are not decided by the next roll or two."""
    found = home_boards(*np.random.default_rng(4).integers(1, 924, (2, 1000)))
    return found[np.abs(bearoff.equities(found)[:, 0]) < 0.8][:200]


def test_errors_are_honest_without_luck_reduction(net, tabled, to_the_end):
    """Rollouts of 200 positions by the table: their errors, in standard errors, are standard normal."""
    z = []
    for i, board in enumerate(tabled):
        rollout = rolled_out(net, of_position(board, MONEY), 32 * SET, CUBELESS._replace(seed=2000 + i))
        z.append((rollout.equities - bearoff.equities(board[None])[:, 0]) / rollout.errors)
    assert abs(np.mean(z)) < 0.2
    assert 0.85 < np.std(z) < 1.15


def test_luck_measured_by_the_table_takes_out_all_of_it(net, tabled, to_the_end):
    sides = sides_of(MONEY)
    start = of_position(tabled[0], MONEY)._replace(
        boards=tabled, slots=np.zeros(len(tabled), int), factors=np.ones(len(tabled)), sides=sides
    )
    results, luck = play_trials(net, start, range(1), CUBELESS._replace(luck_ply=0))
    exact = bearoff.equities(tabled)[:, :1, None]
    assert np.abs((results - luck)[..., 0].reshape(len(tabled), -1) - exact[:, 0]).max() < 1e-6
    assert np.abs(luck[..., 0]).max() > 0.5  # and there was some


@pytest.mark.parametrize("owner", ["centred", "mover", "opponent"])
def test_cubeful_rollouts_of_tabled_positions_find_the_cubeful_equity(net, tabled, to_the_end, owner):
    state = State(cube=2 if owner != "centred" else 1, owner=owner)
    column = slot(owner)
    exact = with_cube(bearoff.equities(tabled))[:, column]
    for i in range(0, 40, 10):
        rollout = rolled_out(net, of_position(tabled[i], state), 10 * SET, Settings(luck_ply=0))
        assert rollout.equities[0] == pytest.approx(exact[i], abs=0.005)  # plays are chosen without regard to the cube
        plain = rolled_out(net, of_position(tabled[i], state), 40 * SET, Settings())
        assert abs(plain.equities[0] - exact[i]) < 3.5 * plain.errors[0]


STATES = {
    "money": MONEY,
    "Jacoby and beavers": State(jacoby=True, beavers=1),
    "match": State(length=5, score=(2, 3)),
    "post-Crawford": State(length=3, score=(1, 2)),
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_luck_reduction_changes_the_error_and_not_the_mean(net, state):
    """Even by a network that knows nothing: luck has mean 0 whoever measures it."""
    board = place({13: 3, 8: 3, 6: 5, 5: 2, 4: 2}, {24: 2, 20: 3, 19: 5, 17: 3, 12: 1, 1: 1})
    start = of_position(board, state)
    both = rolled_out(net, start, 10 * SET, Settings(luck_ply=0, truncate=9))
    plain = rolled_out(net, start, 30 * SET, Settings(seed=9, truncate=9))
    assert abs(both.equities - plain.equities) < 3.5 * np.hypot(both.errors, plain.errors)
    assert (
        np.abs(both.outcomes - plain.outcomes) < 4 * np.hypot(both.outcome_errors, plain.outcome_errors) + 1e-9
    ).all()
    assert both.raw[:, :, 1:].sum(axis=2) == pytest.approx(1)
    assert both.outcomes.sum() == pytest.approx(1)


def test_variance_reduction_is_reported(net, tabled):
    start = of_position(tabled[0], State(length=5))  # in a match the table's positions are played on
    assert rolled_out(net, start, 6 * SET, Settings(luck_ply=0)).variance_reduction[0] > 10
    assert rolled_out(net, start, 6 * SET, Settings()).variance_reduction[0] == 1


@pytest.mark.parametrize("state", [MONEY, State(length=5, score=(1, 3))], ids=["money", "match"])
def test_truncated_at_once_a_rollout_is_the_evaluation(net, state):
    for ply in (0, 1):
        settings = Settings(truncate=0, cubeful=False, ply=ply)
        rollout = rolled_out(net, of_position(START, state), 1, settings)
        found = evaluate(net, START[None], sides_of(state), ply)
        assert rollout.outcomes[0] == pytest.approx(found.outcomes[0])
        assert rollout.values[0] == pytest.approx(found.outcomes[0] @ sides_of(state).mover.after[0])


def test_truncated_after_one_turn_it_is_one_ply_of_lookahead(net):
    """Each of the 36 first rolls comes up once in a set, so one set is exact."""
    rollout = rolled_out(net, of_position(START, MONEY), 1, Settings(truncate=1, cubeful=False))
    assert rollout.trials == SET
    assert rollout.outcomes[0] == pytest.approx(evaluate(net, START[None], sides_of(MONEY), 1).outcomes[0], abs=1e-6)


def test_every_first_and_every_second_roll_comes_up_once_in_each_set():
    first, second, third = (dice.reshape(5, SET, 2) for dice in islice(trials._dice(range(5), 1), 3))
    for dice in (first, second):
        assert all(len(np.unique(rolls, axis=0)) == SET for rolls in dice)
    assert not all(len(np.unique(rolls, axis=0)) == SET for rolls in third)


def test_a_play_is_worth_what_the_position_after_it_costs(net):
    board = from_play(8, 1, sensible=True, seed=2)[0][-1]
    after = legal_plays(board[None], np.array([[4, 2]], np.int8)).boards[:1]
    for state, theirs in ((State(length=5, score=(1, 3)), State(length=5, score=(3, 1))), (MONEY, MONEY)):
        play = rolled_out(net, of_plays(after, state), 2 * SET, Settings(truncate=20))
        position = rolled_out(net, of_position(after[0], theirs), 2 * SET, Settings(truncate=20))
        assert play.equities == pytest.approx(-position.equities)
        assert play.outcomes[0] == pytest.approx(position.outcomes[0, [3, 4, 5, 0, 1, 2]])


def test_compared_positions_meet_the_same_dice(net):
    after = legal_plays(START[None], np.array([[3, 1]], np.int8)).boards
    rollout = rolled_out(net, of_plays(after[[0, 0, 1]], MONEY), 4 * SET, Settings(truncate=20))
    assert (rollout.results[0] == rollout.results[1]).all()
    assert rollout.jsd(0)[1] == 0 and rollout.jsd(0)[2] != 0


def test_both_sides_of_a_cube_decision(net):
    """Two last rolls: one that wins for certain, and one that 19 of 36 rolls win, the opponent winning after others."""
    rollout = rolled_out(net, of_cube(place({1: 2}, {24: 1}), MONEY), SET, Settings())
    assert rollout.equities.tolist() == [1, 2]
    rollout = rolled_out(net, of_cube(place({5: 1, 2: 1}, {24: 1}), MONEY), SET, Settings())
    assert rollout.equities == pytest.approx([2 / 36, 4 / 36])
    decision = decide(rollout.outcomes[0], MONEY, values=tuple(rollout.values))
    assert decision.action == "double/take"


def test_an_interrupted_rollout_goes_on_as_if_nothing_had_happened(net, tmp_path):
    start, settings = (
        of_plays(legal_plays(START[None], np.array([[3, 1]], np.int8)).boards[:2], MONEY),
        Settings(truncate=20),
    )
    whole = rolled_out(net, start, 5 * SET, settings)
    assert load(tmp_path / "kept", {"plays": 2}, start, settings) is None
    save(rolled_out(net, start, 2 * SET, settings), {"plays": 2}, tmp_path / "kept")
    so_far = load(tmp_path / "kept", {"plays": 2}, start, settings)
    assert so_far.trials == 2 * SET
    extended = rolled_out(net, start, 5 * SET, settings, so_far=so_far)
    assert (extended.results == whole.results).all() and (extended.raw == whole.raw).all()
    with pytest.raises(OtherRollout, match="another question"):
        load(tmp_path / "kept", {"plays": 3}, start, settings)
    (tmp_path / "kept").write_text('{"results": []}')
    with pytest.raises(OtherRollout, match="no rollout"):
        load(tmp_path / "kept", {"plays": 2}, start, settings)


def test_it_stops_when_the_best_play_is_clear(net, monkeypatch):
    monkeypatch.setattr("bgai.evaluator.rollout._AT_ONCE", 2 * SET)
    won, lost = place({24: 3}, {1: 1}), place({1: 1}, {24: 3})
    start = of_plays(np.stack([won, lost]), MONEY)
    assert rolled_out(net, start, 20 * SET, CUBELESS, jsd=2.33).trials < 20 * SET
    assert rolled_out(net, start, 20 * SET, CUBELESS).trials == 20 * SET


def test_one_set_of_trials_does_not_tell_how_far_it_is_off(net):
    after = legal_plays(START[None], np.array([[3, 1]], np.int8)).boards[:2]
    rollout = rolled_out(net, of_plays(after, MONEY), 1, Settings(truncate=3))
    assert np.isnan(rollout.errors).all() and np.isnan(rollout.jsd(0)[1]) and not rollout.clear(2.33)


def test_a_difference_that_all_sets_agree_on_is_clear(net):
    after = np.stack([place({1: 5}, {}), place({1: 15}, {})])  # a single game won, and a gammon
    rollout = rolled_out(net, of_plays(after, MONEY), 2 * SET, CUBELESS)
    assert rollout.equities.tolist() == [1, 2]
    assert rollout.jsd(1).tolist() == [np.inf, 0] and rollout.clear(2.33)


def test_deeper_plays_and_deeper_luck(net):
    """A rollout at 1-ply, luck by 1-ply: in a race that the table doesn't hold, checked against its exact value."""
    board = place({1: 3, 2: 2, 4: 2}, {24: 3, 23: 2, 21: 2})
    exact = solve(board).outcomes(board[None], 0)[0] @ OUTCOME_POINTS
    rollout = rolled_out(net, of_position(board, MONEY), 4 * SET, Settings(ply=1, luck_ply=1, cubeful=False))
    assert rollout.equities[0] == pytest.approx(exact, abs=0.01)


def test_a_finished_game_is_worth_what_it_is(net):
    over = place({}, {24: 15})
    assert rolled_out(net, of_position(over, MONEY), SET, Settings()).equities.tolist() == [2]
    assert rolled_out(net, of_position(flip(over), MONEY), SET, Settings()).outcomes @ OUTCOME_POINTS == -2
