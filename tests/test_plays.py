"""All legal plays: checked cases, agreement with the brute force, and what holds for every position and roll."""

import hashlib
import json
from collections import Counter

import brute_force
import numpy as np
import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import boards, dice, from_play, place, random_dice

from bgai import board
from bgai.board import InvalidBoard
from bgai.plays import MAX_PLAYS, Plays, index_of, legal_plays, legal_plays_with_moves

ALL_ROLLS = np.array([(first, second) for first in range(1, 7) for second in range(1, 7)], dtype=np.int8)


def segments(plays: Plays) -> list[list[tuple[int, ...]]]:
    """The resulting boards of each roll as tuples."""
    rows = [tuple(row) for row in plays.boards.tolist()]
    return [rows[start:stop] for start, stop in zip(plays.offsets, plays.offsets[1:], strict=False)]


def assert_agrees_with_brute_force(positions: np.ndarray, rolls: np.ndarray, checkers: int = board.CHECKERS) -> None:
    plays = legal_plays(positions, rolls, flipped=False, checkers=checkers)
    for position, roll, results in zip(positions.tolist(), rolls.tolist(), segments(plays), strict=True):
        assert len(results) == len(set(results)), (position, roll)
        assert set(results) == brute_force.legal_results(tuple(position), tuple(roll)), (position, roll)


@pytest.mark.uncompiled
@pytest.mark.parametrize("case", cases("legal_moves"), ids=lambda case: case["id"])
def test_legal_moves_case(case):
    plays = legal_plays(np.array([case["position"]], np.int8), np.array([case["dice"]], np.int8), flipped=False)
    results = sorted(plays.boards.tolist()) if plays.moved[0] else []
    expected = case["expected"]
    assert len(results) == expected["count"]
    assert expected["boards"] in (results, None)
    assert hashlib.sha256(json.dumps(results, separators=(",", ":")).encode()).hexdigest() == expected["sha256"]


@pytest.mark.parametrize("sensible", [False, True], ids=["random", "sensible"])
def test_10000_positions_of_play_agree_with_brute_force(sensible):
    positions, rolls = from_play(200, 50, sensible=sensible, seed=5)
    assert len(positions) == 10_000
    # All kinds of positions are among them: on the bar (both), bearing off, and races.
    bearing_off = (positions[:, 7:] <= 0).all(axis=1)
    for kind in (
        positions[:, 25] > 0,
        positions[:, 25] > 1,
        positions[:, 0] < 0,
        bearing_off,
        board.is_race(positions),
    ):
        assert kind.sum() > 100
    assert_agrees_with_brute_force(positions, rolls)


def test_hypergammon_agrees_with_brute_force():
    positions, rolls = from_play(40, 50, sensible=True, seed=3, start=board.HYPERGAMMON, checkers=3)
    assert_agrees_with_brute_force(positions, rolls, checkers=3)


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(place({25: 15}, {1: 2, 24: 1}), id="all on the bar"),
        pytest.param(
            place({25: 3, 6: 12}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 0: 3}), id="closed out, both on the bar"
        ),
        pytest.param(place({25: 2, 13: 5}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 1}), id="one point open"),
        pytest.param(place(dict.fromkeys(range(10, 25), 1), {1: 2}), id="15 blots"),
        pytest.param(
            place(dict.fromkeys(range(5, 24, 2), 1), dict.fromkeys(range(4, 23, 2), 1)), id="blots everywhere"
        ),
        pytest.param(place({24: 2, 13: 2}, {18: 2, 17: 2, 16: 2, 15: 2, 14: 2, 12: 2}), id="behind a prime"),
        pytest.param(place({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {24: 15}), id="bear-off"),
        pytest.param(place({6: 1, 5: 1, 4: 1}, {3: 2, 2: 2, 1: 2, 24: 9}), id="bear-off against an ace-point anchor"),
        pytest.param(place({7: 1, 6: 7, 1: 5}, {0: 1, 3: 1, 24: 5}), id="one checker outside"),
        pytest.param(place({4: 1}, {2: 1, 1: 1, 24: 3}), id="last checker, blots in front"),
        pytest.param(place({2: 1, 1: 1}, {24: 1}), id="two checkers left"),
    ],
)
def test_extreme_positions_agree_with_brute_force_for_every_roll(position):
    assert_agrees_with_brute_force(np.tile(position, (36, 1)), ALL_ROLLS)


@settings(max_examples=300)
@given(boards(), dice())
def test_any_position_agrees_with_brute_force(position, roll):
    assert_agrees_with_brute_force(position[None], np.array([roll], np.int8))


def test_rolls_with_thousands_of_results():
    """Fifteen checkers alone on their points; many such rolls at once also outgrow the room first set aside."""
    points = [4, 5, 7, 9, 11, 12, 13, 14, 16, 17, 19, 20, 22, 23, 24]
    position = place(dict.fromkeys(points, 1), {1: 2})
    plays = legal_plays(np.tile(position, (10, 1)), np.ones((10, 2), np.int8), flipped=False)
    expected = brute_force.legal_results(tuple(position.tolist()), (1, 1))
    assert 2000 < len(expected) <= MAX_PLAYS
    for results in segments(plays):
        assert len(results) == len(expected)
        assert set(results) == expected


# What holds for every position and roll


@given(boards(), dice())
def test_nothing_of_either_side_is_lost_but_what_is_borne_off(position, roll):
    plays = legal_plays_with_moves(position[None], np.array([roll], np.int8), flipped=False)
    own, opponent = board.on_board(plays.boards)
    borne_off = ((plays.moves[:, :, 0] > 0) & (plays.moves[:, :, 1] == 0)).sum(axis=1)
    assert (own + borne_off == board.on_board(position)[0]).all()
    assert (opponent == board.on_board(position)[1]).all()
    board.check(plays.boards)


@given(boards(), dice())
def test_pips_fall_by_exactly_the_dice_played_where_nothing_is_wasted(position, roll):
    all_dice = Counter(roll * 2 if roll[0] == roll[1] else roll)
    plays = legal_plays_with_moves(position[None], np.array([roll], np.int8), flipped=False)
    fall = board.pips(position)[0] - board.pips(plays.boards)[0]
    for moves, pips in zip(plays.moves.tolist(), fall.tolist(), strict=True):
        steps = [source - target for source, target in moves if source > 0]
        assert pips == sum(steps)
        if all(target != 0 for _, target in moves):
            assert Counter(steps) <= all_dice


@given(boards(), dice())
def test_the_opponents_pips_rise_by_exactly_what_is_hit(position, roll):
    plays = legal_plays(position[None], np.array([roll], np.int8), flipped=False)
    hit = (position == -1) & (plays.boards >= 0)  # a checker hit on point p had 25 - p to go, and now has 25
    rise = board.pips(plays.boards)[1] - board.pips(position)[1]
    assert (rise == (hit * np.arange(26)).sum(axis=1)).all()
    assert (plays.boards[:, board.OPPONENT_BAR] == position[board.OPPONENT_BAR] - hit.sum(axis=1)).all()


@given(boards(), dice())
def test_nobody_moves_past_a_checker_on_the_bar(position, roll):
    plays = legal_plays_with_moves(position[None], np.array([roll], np.int8), flipped=False)
    for moves in plays.moves:
        from_bar = [source == board.BAR for source, _ in moves if source > 0]
        entering = min(int(position[board.BAR]), len(from_bar))
        assert from_bar == [True] * entering + [False] * (len(from_bar) - entering)


@given(boards(), dice())
def test_the_moves_of_a_play_are_single_legal_moves_that_lead_to_its_board(position, roll):
    plays = legal_plays_with_moves(position[None], np.array([roll], np.int8), flipped=False)
    for moves, result in zip(plays.moves.tolist(), plays.boards.tolist(), strict=True):
        made = [tuple(move) for move in moves if move[0] >= 0]
        assert moves == [list(move) for move in made] + [[-1, -1]] * (4 - len(made))
        before = tuple(position.tolist())
        for move in made:
            assert any(move in brute_force.single_moves(before, die) for die in roll)
            before = brute_force.after_move(before, move)
        assert before == tuple(result)


@given(boards(), dice())
def test_not_moved_is_exactly_the_unchanged_board_as_the_only_result(position, roll):
    plays = legal_plays_with_moves(position[None], np.array([roll], np.int8), flipped=False)
    unchanged = (plays.boards == position).all(axis=1)
    assert unchanged.tolist() == ([False] * len(unchanged) if plays.moved[0] else [True])
    assert plays.moved[0] or (plays.moves == -1).all()


@given(boards(), dice())
def test_the_order_of_the_dice_does_not_matter(position, roll):
    one, other = (legal_plays(position[None], np.array([r], np.int8)) for r in (roll, roll[::-1]))
    assert {*map(tuple, one.boards.tolist())} == {*map(tuple, other.boards.tolist())}


@given(st.lists(st.tuples(boards(), dice()), min_size=1, max_size=5))
def test_a_batch_is_its_rows_one_by_one(rows):
    positions = np.stack([position for position, _ in rows])
    rolls = np.array([roll for _, roll in rows], np.int8)
    plays = legal_plays_with_moves(positions, rolls)
    assert plays.boards.dtype == plays.moves.dtype == np.int8
    assert plays.offsets.dtype == np.int64
    assert plays.offsets[0] == 0
    assert plays.offsets[-1] == len(plays.boards) == len(plays.moves)
    assert (np.diff(plays.offsets) >= 1).all()
    for i in range(len(rows)):
        alone = legal_plays_with_moves(positions[i : i + 1], rolls[i : i + 1])
        segment = slice(plays.offsets[i], plays.offsets[i + 1])
        assert (plays.boards[segment] == alone.boards).all()
        assert (plays.moves[segment] == alone.moves).all()
        assert plays.moved[i] == alone.moved[0]


def test_a_large_batch_is_its_rows_however_it_is_shared_out():
    positions, rolls = from_play(100, 50, sensible=True, seed=8)
    whole = legal_plays(positions, rolls)
    parts = [legal_plays(positions[i : i + 500], rolls[i : i + 500]) for i in range(0, len(positions), 500)]
    assert (whole.boards == np.concatenate([part.boards for part in parts])).all()
    assert (np.diff(whole.offsets) == np.concatenate([np.diff(part.offsets) for part in parts])).all()
    assert (whole.moved == np.concatenate([part.moved for part in parts])).all()


def test_flipped_results_are_what_the_opponent_sees():
    positions, rolls = from_play(20, 50, sensible=False, seed=13)
    seen_by_mover = legal_plays(positions, rolls, flipped=False)
    seen_by_opponent = legal_plays(positions, rolls)
    assert (seen_by_opponent.boards == board.flip(seen_by_mover.boards)).all()
    assert (seen_by_opponent.offsets == seen_by_mover.offsets).all()
    assert (seen_by_opponent.moved == seen_by_mover.moved).all()
    assert seen_by_opponent.boards.flags.c_contiguous


@pytest.mark.uncompiled
def test_plays_with_moves_are_the_same_plays():
    positions, rolls = from_play(20, 25, sensible=True, seed=14)
    plain, with_moves = legal_plays(positions, rolls), legal_plays_with_moves(positions, rolls)
    for name in ("boards", "offsets", "moved"):
        assert (getattr(plain, name) == getattr(with_moves, name)).all()
    assert with_moves.moves.shape == (len(plain.boards), 4, 2) and plain.moves.shape == (0, 4, 2)


def test_a_play_is_found_among_those_of_its_roll_by_its_board_or_by_its_moves():
    plays = legal_plays_with_moves(board.START[None], np.array([[3, 1]], np.int8))
    for i in range(len(plays.boards)):
        assert index_of(plays.boards[i], plays.boards) == index_of(plays.moves[i], plays.moves) == i
    with pytest.raises(ValueError, match="unpack"):
        index_of(board.START, plays.boards)


def test_the_given_boards_are_left_as_they_are():
    positions, rolls = from_play(20, 50, sensible=False, seed=15)
    before = positions.copy()
    legal_plays(positions, rolls)
    assert (positions == before).all()
    assert len(legal_plays(board.START[None], random_dice(np.random.default_rng(1), 1)).boards) > 1, "read-only is fine"


def test_no_positions_give_no_plays():
    plays = legal_plays(np.zeros((0, 26), np.int8), np.zeros((0, 2), np.int8))
    assert plays.boards.shape == (0, 26)
    assert plays.offsets.tolist() == [0]


# What is refused


@pytest.mark.uncompiled
@pytest.mark.parametrize("ask", [legal_plays, legal_plays_with_moves])
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        pytest.param(place({}, {24: 2}), "over", id="won"),
        pytest.param(place({1: 2}, {}), "over", id="lost"),
        pytest.param(place({}, {}), "both players have borne off", id="empty"),
        pytest.param(place({6: 16}, {24: 2}), "16 checkers of the player on roll", id="16 own"),
        pytest.param(place({6: 2}, {24: 16}), "16 checkers of the opponent", id="16 of the opponent"),
        pytest.param(place({0: 1, 6: 2}, {24: 2}), "index 0", id="own checker on the opponent's bar"),
        pytest.param(place({6: 2}, {24: 2, 25: 1}), "index 25", id="opponent's checker on the own bar"),
        pytest.param(board.START + np.int64(256), "checkers of the player on roll", id="overflow"),
        pytest.param(board.START + 0.5, "whole numbers", id="fractions"),
    ],
)
def test_a_finished_or_impossible_board_is_refused(ask, bad, why):
    with pytest.raises(InvalidBoard, match=why):
        ask(np.stack([board.START, bad]), np.array([[3, 1], [3, 1]], np.int8))


@pytest.mark.parametrize("bad", [(0, 1), (1, 7), (-1, 3), (257, 1), (1.5, 2)], ids=str)
def test_dice_outside_1_to_6_are_refused(bad):
    with pytest.raises(ValueError, match="dice are 1 to 6"):
        legal_plays(board.START[None], np.array([bad]))


@pytest.mark.parametrize(
    ("positions", "rolls"),
    [
        (board.START, np.array([3, 1])),
        (np.tile(board.START, (2, 1)), np.array([[3, 1]])),
        (board.START[None], np.array([[3, 1, 1]])),
        (np.zeros((1, 25), np.int8), np.array([[3, 1]])),
    ],
    ids=["not a batch", "too few rolls", "three dice", "25 places"],
)
def test_other_shapes_are_refused(positions, rolls):
    with pytest.raises(ValueError, match="26"):
        legal_plays(positions, rolls)
