"""The rules of play R1 to R29 but the opening roll (R2, R3: test_game.py), one or more tests each, named by number.

R1, R4 set-up and start, R5-R15 playing a roll, R16-R20 hitting and the bar, R21-R25 bearing off, R26-R29 the end.
Boards are seen by the player who moves, before and after, the opponent's points in the mover's numbering.
"""

import numpy as np
import pytest
from brute_force import Board, Move, after_moves
from positions import place

from bgai import board
from bgai.plays import legal_plays, legal_plays_with_moves

ALL_ROLLS = [(larger, smaller) for larger in range(1, 7) for smaller in range(1, larger + 1)]
START = tuple(board.START.tolist())


def position(own: dict[int, int], opponent: dict[int, int]) -> Board:
    return tuple(place(own, opponent).tolist())


def results(before: Board, first: int, second: int) -> set[Board]:
    """The boards after every legal play, which must be distinct; empty if there is none."""
    legal = legal_plays(np.array([before], np.int8), np.array([[first, second]], np.int8), flipped=False)
    boards = [tuple(after) for after in legal.boards.tolist()]
    assert len(boards) == len(set(boards))
    if not legal.moved[0]:
        assert boards == [before]
        return set()
    return set(boards)


def plays(before: Board, *ways: tuple[Move, ...]) -> set[Board]:
    """The boards after these plays, each given as its moves."""
    return {after_moves(before, *play) for play in ways}


# Set-up and start


def test_R01_each_player_starts_with_fifteen_checkers_and_167_pips():
    mirrored = {1: 2, 12: 5, 17: 3, 19: 5}
    assert position({24: 2, 13: 5, 8: 3, 6: 5}, mirrored) == START
    assert board.on_board(board.START) == (15, 15)
    assert board.pips(board.START) == (167, 167)
    assert (board.flip(board.START) == board.START).all()


@pytest.mark.parametrize("roll", ALL_ROLLS, ids=str)
def test_R04_checkers_move_from_24_towards_1(roll):
    moves = legal_plays_with_moves(board.START[None], np.array([roll], np.int8)).moves
    made = moves[moves[..., 0] >= 0]
    assert len(made) > 0
    assert (made[:, 0] > made[:, 1]).all()


def test_R04_players_move_in_opposite_directions():
    after_31 = after_moves(START, (8, 5), (6, 5))
    seen_by_opponent = tuple(board.flip(np.array(after_31, np.int8)).tolist())
    assert seen_by_opponent[20] == -2, "the mover's 5 point is the opponent's 20 point"
    after_42 = after_moves(seen_by_opponent, (8, 4), (6, 4))
    assert after_42 in results(seen_by_opponent, 4, 2)
    assert board.flip(np.array(after_42, np.int8))[21] == -2, "the opponent has moved from 17 and 19 up to 21"


# Playing a roll


def test_R05_two_dice_are_two_moves_by_two_checkers_or_by_one_in_either_order():
    before = position({24: 1, 13: 1}, {1: 2})
    assert results(before, 5, 3) == plays(
        before, ((24, 19), (13, 10)), ((24, 21), (13, 8)), ((24, 19), (19, 16)), ((13, 8), (8, 5))
    )


@pytest.mark.parametrize("blocked", [(19,), (21,), (19, 21)], ids=str)
def test_R05_every_landing_point_on_the_way_must_be_legal(blocked):
    before = position({24: 1}, {point: 2 for point in blocked})
    one_way_is_open = len(blocked) == 1
    assert results(before, 5, 3) == (plays(before, ((24, 16),)) if one_way_is_open else set())


@pytest.mark.parametrize(("opponents", "may_land"), [(0, True), (1, True), (2, False), (3, False)])
def test_R06_a_checker_lands_anywhere_but_on_two_or_more_opposing_checkers(opponents, may_land):
    before = position({24: 1, 7: 1}, {18: opponents, 1: 3})  # 7/1 is blocked
    assert results(before, 6, 6) == (plays(before, ((24, 18), (18, 12), (12, 6))) if may_land else set())


def test_R06_a_checker_lands_on_its_own():
    before = position({8: 3, 6: 5}, {24: 2})
    assert after_moves(before, (8, 5), (6, 5)) in results(before, 3, 1)


def test_R07_a_checker_passes_over_blocked_points():
    before = position({13: 1}, {12: 2, 11: 2, 10: 2, 9: 2, 8: 2, 6: 2, 5: 2, 4: 1})
    assert results(before, 6, 3) == plays(before, ((13, 7), (7, 4)))


def test_R08_a_double_is_played_four_times():
    before = position({24: 1}, {1: 2})
    assert results(before, 2, 2) == plays(before, ((24, 22), (22, 20), (20, 18), (18, 16)))
    before = position({24: 4}, {1: 2})
    assert after_moves(before, (24, 22), (24, 22), (24, 22), (24, 22)) in results(before, 2, 2)


def test_R09_both_dice_must_be_played_if_any_order_allows_it():
    # No 6 can be played first.
    before = position({24: 1, 13: 1}, {18: 2, 7: 2, 11: 2, 16: 1})
    assert results(before, 6, 2) == plays(before, ((24, 22), (22, 16)))


def test_R09_a_move_that_makes_the_second_possible_is_compulsory():
    # The 6 can be 20/14 or 9/3; after 9/3 no 3 is left, after 20/14 only 14/11 is.
    before = position({20: 1, 9: 1}, {17: 2, 6: 2, 24: 2})
    assert results(before, 6, 3) == plays(before, ((20, 14), (14, 11)))


def test_R09_both_dice_are_played_even_where_one_would_end_the_game():
    # The 6 alone would bear the last checker off; the 2 hits first, and then the 6 bears off.
    before = position({4: 1}, {2: 1, 24: 3})
    assert results(before, 6, 2) == plays(before, ((4, 2), (2, 0)))


def test_R10_the_larger_die_must_be_played_if_either_can_but_not_both():
    before = position({24: 1}, {13: 2})
    assert results(before, 6, 5) == plays(before, ((24, 18),))
    before = position({24: 1, 12: 1}, {13: 2, 6: 2, 7: 2, 1: 2})
    assert results(before, 5, 6) == plays(before, ((24, 18),))


def test_R11_the_smaller_die_must_be_played_if_it_alone_can():
    before = position({24: 1}, {18: 2, 17: 2})
    assert results(before, 6, 1) == plays(before, ((24, 23),))


@pytest.mark.parametrize("possible", [4, 3, 2, 1, 0])
def test_R12_as_many_moves_of_a_double_as_possible_must_be_played(possible):
    way = [(24, 21), (21, 18), (18, 15), (15, 12)]
    block = {way[possible][1]: 2} if possible < 4 else {}
    before = position({24: 1}, {1: 2, **block})
    assert results(before, 3, 3) == (plays(before, tuple(way[:possible])) if possible else set())


def test_R12_a_way_to_fewer_moves_is_not_legal():
    # 13/9 alone, or 24/16 alone, leave a 4 to play: only all three together are a play.
    before = position({24: 1, 13: 1}, {12: 2, 5: 2})
    assert results(before, 4, 4) == plays(before, ((24, 20), (20, 16), (13, 9)))


def test_R13_the_turn_passes_if_nothing_can_be_played():
    before = position({24: 2}, {18: 2, 19: 2})
    assert results(before, 6, 5) == set()
    as_seen_by_opponent = legal_plays(np.array([before], np.int8), np.array([[6, 5]], np.int8))
    assert not as_seen_by_opponent.moved[0]
    assert (as_seen_by_opponent.boards == board.flip(np.array([before]))).all()


def test_R14_two_orders_that_end_in_the_same_position_are_one_play():
    before = position({24: 1}, {1: 2})
    assert results(before, 6, 5) == plays(before, ((24, 18), (18, 13)))
    assert len(results(START, 3, 1)) == 16


def test_R14_two_orders_that_hit_differently_are_two_plays():
    before = position({24: 1}, {18: 1, 1: 2})
    assert results(before, 6, 5) == plays(before, ((24, 18), (18, 13)), ((24, 19), (19, 13)))


def test_R15_any_number_of_own_checkers_may_stand_on_a_point_or_the_bar():
    before = position({12: 1, 7: 14}, {2: 2})
    assert results(before, 5, 5) == {position({7: 15}, {2: 2})}
    all_on_bar = position({25: 15}, {1: 2})
    assert results(all_on_bar, 2, 1) == plays(all_on_bar, ((25, 23), (25, 24)))


# Hitting and the bar


def test_R16_a_single_opposing_checker_is_hit_and_goes_to_the_bar():
    before = position({24: 1}, {18: 1, 13: 2})
    (after,) = results(before, 6, 5)
    assert after == position({18: 1}, {0: 1, 13: 2})


def test_R16_one_checker_may_hit_more_than_once():
    before = position({24: 1}, {18: 1, 17: 1, 23: 2})
    (after,) = results(before, 6, 1)
    assert after == position({17: 1}, {0: 2, 23: 2})
    before = position({24: 1}, {22: 1, 20: 1, 18: 1, 16: 1})
    assert results(before, 2, 2) == {position({16: 1}, {0: 4})}


def test_R16_a_play_may_hit_with_several_checkers():
    before = position({24: 1, 13: 1}, {18: 1, 12: 1})
    assert position({18: 1, 12: 1}, {0: 2}) in results(before, 6, 1)


def test_R16_hits_in_the_home_board_count_too():
    before = position({8: 1, 6: 1}, {5: 1, 24: 2})
    assert position({5: 2}, {0: 1, 24: 2}) in results(before, 3, 1)


def test_R17_nobody_moves_while_a_checker_is_on_the_bar():
    before = position({25: 2, 13: 5}, {19: 2})
    assert results(before, 6, 2) == plays(before, ((25, 23),))
    before = position({25: 1, 6: 5}, {19: 2, 20: 2})
    assert results(before, 6, 5) == set()


@pytest.mark.parametrize("die", range(1, 7))
def test_R18_a_die_of_n_enters_on_25_minus_n(die):
    before = position({25: 4}, {1: 2})
    assert results(before, die, die) == {position({25 - die: 4}, {1: 2})}


@pytest.mark.parametrize("die", range(1, 7))
def test_R18_entering_may_hit_but_not_on_a_blocked_point(die):
    hit = position({25: 4}, {25 - die: 1})
    assert results(hit, die, die) == {position({25 - die: 4}, {0: 1})}
    blocked = position({25: 4}, {25 - die: 2})
    assert results(blocked, die, die) == set()


def test_R19_as_many_enter_as_the_dice_allow_and_the_rest_is_lost():
    before = position({25: 3, 6: 2}, {1: 2})
    assert results(before, 4, 3) == plays(before, ((25, 21), (25, 22)))
    before = position({25: 5, 6: 2}, {1: 2})
    assert results(before, 4, 4) == plays(before, ((25, 21),) * 4)


@pytest.mark.parametrize("roll", ALL_ROLLS, ids=str)
def test_R19_nothing_enters_against_six_made_points(roll):
    closed = position({25: 1, 13: 5, 8: 4}, dict.fromkeys(range(19, 25), 2))
    assert results(closed, *roll) == set()


def test_R20_after_the_last_checker_has_entered_the_other_dice_are_played_as_usual():
    before = position({25: 1, 8: 1}, {1: 2})
    assert results(before, 5, 3) == plays(
        before, ((25, 20), (20, 17)), ((25, 20), (8, 5)), ((25, 22), (22, 17)), ((25, 22), (8, 3))
    )
    before = position({25: 2, 8: 1}, {1: 2, 20: 1})
    assert results(before, 3, 3) == plays(
        before,
        ((25, 22), (25, 22), (22, 19), (22, 19)),
        ((25, 22), (25, 22), (22, 19), (19, 16)),
        ((25, 22), (25, 22), (22, 19), (8, 5)),
        ((25, 22), (25, 22), (8, 5), (5, 2)),
    )


# Bearing off


def test_R21_no_checker_is_borne_off_while_one_is_outside_the_home_board():
    before = position({17: 1, 3: 1}, {24: 2})
    assert results(before, 3, 3) == plays(before, ((17, 14), (14, 11), (11, 8), (8, 5)))


def test_R21_a_checker_may_come_home_with_one_die_and_another_be_borne_off_with_the_other():
    before = position({7: 1, 4: 1}, {24: 2})
    assert results(before, 4, 1) == plays(
        before, ((7, 6), (4, 0)), ((7, 6), (6, 2)), ((7, 3), (4, 3)), ((7, 3), (3, 2))
    )


def test_R21_a_checker_on_the_bar_is_not_home():
    before = position({25: 1, 1: 2}, {19: 2, 22: 2, 24: 2})
    assert results(before, 3, 1) == set()


@pytest.mark.parametrize("point", range(1, 7))
def test_R22_a_die_of_n_bears_off_from_point_n(point):
    before = position({point: 4}, {24: 2})
    assert results(before, point, point) == {position({}, {24: 2})}


def test_R23_with_a_checker_higher_up_the_die_must_be_an_ordinary_move():
    before = position({6: 1, 2: 1}, {24: 2})
    assert results(before, 4, 4) == plays(before, ((6, 2), (2, 0), (2, 0)))


def test_R23_with_every_ordinary_move_blocked_the_die_is_not_playable():
    before = position({6: 2, 1: 3}, {2: 2})
    assert results(before, 4, 4) == set()


def test_R23_with_no_checker_higher_up_the_highest_is_borne_off():
    before = position({3: 1, 2: 1, 1: 1}, {24: 2})
    assert results(before, 6, 5) == plays(before, ((3, 0), (2, 0)))


def test_R24_bearing_off_is_not_compulsory_where_another_move_of_the_die_exists():
    before = position({6: 1, 4: 2, 2: 2}, {24: 2})
    assert plays(before, ((6, 4), (4, 3)), ((2, 0), (4, 3))) <= results(before, 2, 1)


def test_R25_a_checker_hit_during_the_bear_off_must_enter_and_come_home_first():
    before = position({25: 1, 6: 2, 5: 2}, {20: 2, 1: 2})
    assert results(before, 6, 5) == plays(before, ((25, 19), (19, 14)))
    before = position({8: 1, 5: 1, 2: 1}, {24: 2})
    assert results(before, 5, 2) == plays(
        before, ((8, 3), (2, 0)), ((8, 6), (5, 0)), ((8, 3), (5, 3)), ((8, 6), (6, 1))
    )


# End and value of a game


def test_R26_the_game_is_over_with_the_last_checker_and_the_other_dice_are_not_played():
    before = position({1: 2}, {24: 2})
    assert results(before, 6, 6) == {position({}, {24: 2})}
    before = position({1: 1}, {24: 2})
    assert results(before, 6, 5) == {position({}, {24: 2})}


@pytest.mark.parametrize("over", [position({}, {24: 2}), position({1: 2}, {})], ids=["won", "lost"])
def test_R26_nothing_is_played_after_the_end(over):
    with pytest.raises(board.InvalidBoard, match="over"):
        results(over, 6, 5)


def ended(loser: dict[int, int]) -> tuple[str, str]:
    """How a game ended for its winner and for its loser, whose checkers are given in the winner's numbering."""
    seen_by_winner = np.array(position({}, loser), np.int8)
    both_views = np.stack([seen_by_winner, board.flip(seen_by_winner)])
    winner, other = board.outcome(both_views)
    return board.OUTCOMES[winner], board.OUTCOMES[other]


@pytest.mark.parametrize("place", [0, 1, 6, 7, 24])
def test_R27_a_loser_who_has_borne_off_a_checker_loses_a_single_game(place):
    assert ended({place: 14}) == ("win", "lose")


@pytest.mark.parametrize("place", [7, 12, 18, 19, 24])
def test_R28_a_loser_who_has_borne_off_none_loses_a_gammon(place):
    assert ended({place: 1, 24: 14} if place < 24 else {24: 15}) == ("win gammon", "lose gammon")


@pytest.mark.parametrize("place", [0, 1, 6])
def test_R29_with_a_checker_on_the_bar_or_in_the_winners_home_board_it_is_a_backgammon(place):
    assert ended({place: 1, 24: 14}) == ("win backgammon", "lose backgammon")
