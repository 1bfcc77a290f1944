"""The board convention, one test for each clause, and how finished games are told apart."""

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from positions import boards

from bgai import board
from bgai.board import InvalidBoard


def one_checker(place: int, side: int = 1) -> np.ndarray:
    position = np.zeros(26, dtype=np.int8)
    position[place] = side
    return position


def test_own_points_are_1_to_24_with_24_farthest_from_home_and_25_the_bar():
    assert [int(board.pips(one_checker(place))[0]) for place in range(1, 26)] == list(range(1, 26))


def test_the_opponent_sees_the_points_the_other_way_round_and_0_as_the_bar():
    assert [int(board.pips(one_checker(place, -1))[1]) for place in range(25)] == list(range(25, 0, -1))


def test_positive_numbers_are_the_player_on_roll_negative_ones_the_opponent_on_the_bar_too():
    position = one_checker(25, 2) + one_checker(6, 3) + one_checker(0, -1) + one_checker(19, -4)
    assert board.on_board(position) == (5, 5)
    with pytest.raises(InvalidBoard, match="index 0"):
        board.check(one_checker(0, 1))
    with pytest.raises(InvalidBoard, match="index 25"):
        board.check(one_checker(25, -1))


def test_borne_off_is_what_a_side_lacks_to_its_number_of_checkers():
    lost_all_but_one = board.flip(one_checker(24, -14))
    assert board.outcome(lost_all_but_one) == board.OUTCOMES.index("lose")
    assert board.outcome(lost_all_but_one, checkers=14) == board.OUTCOMES.index("lose gammon")


def test_the_other_players_view_is_the_negated_board_backwards():
    position = np.arange(26, dtype=np.int8)
    assert board.flip(position).tolist() == [-count for count in range(25, -1, -1)]
    batch = np.stack([position, board.START])
    flipped = board.flip(batch)
    assert (flipped == np.stack([board.flip(position), board.flip(board.START)])).all()
    assert flipped.dtype == np.int8
    assert flipped.flags.c_contiguous


@given(boards())
def test_flipping_twice_is_the_identity(position):
    assert (board.flip(board.flip(position)) == position).all()


@given(boards())
def test_flipping_exchanges_the_players(position):
    flipped = board.flip(position)
    assert board.on_board(flipped) == board.on_board(position)[::-1]
    assert board.pips(flipped) == board.pips(position)[::-1]
    assert board.is_race(flipped) == board.is_race(position)


def test_outcomes_are_exclusive_in_the_order_win_gammon_backgammon_then_lose():
    assert board.OUTCOMES == ("win", "win gammon", "win backgammon", "lose", "lose gammon", "lose backgammon")
    assert board.OUTCOME_POINTS.tolist() == [1, 2, 3, -1, -2, -3]


def test_swapping_outcomes_moves_columns_and_changes_no_sign():
    outcomes = np.array([[0.1, 0.2, 0.05, 0.3, 0.25, 0.1]], dtype=np.float32)
    swapped = board.swap_outcomes(outcomes)
    assert swapped.tolist() == outcomes[:, [3, 4, 5, 0, 1, 2]].tolist()
    assert np.allclose(swapped @ board.OUTCOME_POINTS, -(outcomes @ board.OUTCOME_POINTS))


@pytest.mark.parametrize("start", [board.START, board.NACKGAMMON, board.HYPERGAMMON], ids=["normal", "nack", "hyper"])
def test_starting_positions_are_the_same_for_both_players(start):
    assert (board.flip(start) == start).all()
    assert not start.flags.writeable
    assert board.outcome(start, checkers=int(board.on_board(start)[0])) == board.UNFINISHED


@pytest.mark.parametrize(
    "case", [case for case in cases("outcome") if "error" not in case["expected"]], ids=lambda c: c["id"]
)
def test_outcome_case(case):
    position, expected = np.array(case["position"], dtype=np.int8), case["expected"]
    outcome = board.outcome(board.check(position))
    if expected["over"]:
        first = {"mover": 0, "opponent": 3}[expected["winner"]]
        assert outcome == first + expected["multiplier"] - 1
    else:
        assert outcome == board.UNFINISHED
    if "class" in expected:
        assert board.is_race(position) == (expected["class"] == "race")


@pytest.mark.parametrize(
    "case", [case for case in cases("outcome") if "error" in case["expected"]], ids=lambda c: c["id"]
)
def test_outcome_case_is_refused(case):
    with pytest.raises(InvalidBoard, match="both players have borne off"):
        board.check(np.array(case["position"]))


@given(boards())
def test_a_valid_board_passes_unchanged(position):
    for given_as in (position, position.tolist(), position.astype(np.int64)):
        checked = board.check(given_as)
        assert checked.dtype == np.int8
        assert (checked == position).all()


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (one_checker(6, 16), "16 checkers of the player on roll"),
        (one_checker(6, -16), "16 checkers of the opponent"),
        (np.full(26, 256), "checkers of the player on roll"),
        (np.zeros(25, dtype=np.int8), "26 numbers"),
        (np.int8(3), "26 numbers"),
        (board.START.astype(float), "whole numbers"),
        (board.START.astype(str), "whole numbers"),
    ],
)
def test_an_impossible_board_is_refused_with_the_reason(bad, why):
    with pytest.raises(InvalidBoard, match=why):
        board.check(bad)


def test_of_a_batch_the_first_impossible_board_is_named():
    with pytest.raises(InvalidBoard, match="board 2: 16 checkers of the opponent"):
        board.check(np.stack([board.START, board.START, one_checker(6, -16), one_checker(6, -17)]))


def test_fewer_checkers_a_side_are_a_variant():
    assert (board.check(board.HYPERGAMMON, checkers=3) == board.HYPERGAMMON).all()
    with pytest.raises(InvalidBoard, match="at most 3"):
        board.check(board.START, checkers=3)
