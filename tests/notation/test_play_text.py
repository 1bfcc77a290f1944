"""Play text: how plays are written, what people may type for them, and why a play is refused."""

import re

import brute_force
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from positions import boards, dice, from_play

from bgai.board import NACKGAMMON, START
from bgai.notation.play_text import _NO_PLAY_WORDS, InvalidPlay, _why_not, format_play, parse_play
from bgai.plays import legal_plays_with_moves


def board(own: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    position = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        position[point] += count
    for point, count in opponent.items():
        position[point] -= count
    return position


def moves(*pairs: tuple[int, int]) -> np.ndarray:
    return np.array([*pairs, *[(-1, -1)] * (4 - len(pairs))], dtype=np.int8)


def legal(position: np.ndarray, roll: tuple[int, int]):
    return legal_plays_with_moves(position[None], np.array([roll], dtype=np.int8), flipped=False)


def result(text: str, position: np.ndarray, roll: tuple[int, int]) -> list[int]:
    return legal(position, roll).boards[parse_play(text, position, roll)].tolist()


BLOTS = board({25: 2, 24: 1, 8: 2, 6: 3}, {20: 1, 18: 1, 4: 1, 1: 2})


@pytest.mark.parametrize(
    ("position", "played", "text"),
    [
        (START, moves((8, 5), (6, 5)), "8/5 6/5"),
        (START, moves((6, 5), (8, 5)), "8/5 6/5"),
        (START, moves((24, 18), (18, 13)), "24/13"),
        (START, moves((24, 18), (24, 18), (13, 7), (13, 7)), "24/18(2) 13/7(2)"),
        (START, moves((13, 8), (13, 8), (8, 3), (8, 3)), "13/3(2)"),
        (START, moves((13, 8), (8, 3), (8, 3), (6, 1)), "13/3 8/3 6/1"),
        (START, moves(), "no play"),
        (BLOTS, moves((24, 18), (18, 13)), "24/18*/13"),
        (BLOTS, moves((25, 20), (6, 4), (6, 4)), "bar/20* 6/4*(2)"),
        (BLOTS, moves((25, 20), (25, 20), (8, 3)), "bar/20*(2) 8/3"),
        (BLOTS, moves((25, 22), (22, 20)), "bar/20*"),
        (BLOTS, moves((8, 4), (6, 4), (4, 1)), "8/4*/1 6/4"),
        (BLOTS, moves((6, 0), (6, 0), (1, 0)), "6/off(2) 1/off"),
    ],
)
def test_plays_are_written_as_players_do(position, played, text):
    assert format_play(position, played) == text


@pytest.mark.parametrize(
    ("typed", "roll", "text"),
    [
        ("8/5 6/5", (3, 1), "8/5 6/5"),
        ("6-5, 8-5", (1, 3), "8/5 6/5"),
        ("6/5 8/5", (3, 1), "8/5 6/5"),
        ("  8/5   6/5 ", (3, 1), "8/5 6/5"),
        ("13/7 13/8", (6, 5), "13/8 13/7"),
        ("24/18/13", (6, 5), "24/13"),
        ("24/18 18/13", (6, 5), "24/13"),
        ("18/13 24/18", (6, 5), "24/13"),
        ("24-13", (6, 5), "24/13"),
        ("8/5(2) 6/3(2)", (3, 3), "8/5(2) 6/3(2)"),
        ("8/5 6/3 8/5 6/3", (3, 3), "8/5(2) 6/3(2)"),
        ("6/3 8/2 6/3", (3, 3), "8/2 6/3(2)"),
    ],
)
def test_what_people_type_is_understood(typed, roll, text):
    assert result(typed, START, roll) == result(text, START, roll)
    plays = legal(START, roll)
    assert format_play(START, plays.moves[parse_play(typed, START, roll)]) == text


@pytest.mark.parametrize(
    ("typed", "roll"),
    [
        ("bar/20*(2) 8/3(2)", (5, 5)),
        ("BAR/20(2) 8/3(2)", (5, 5)),
        ("25/20* 25/20 8-3 8-3", (5, 5)),
        ("25/20(2) 8/3(2)", (5, 5)),
    ],
)
def test_bar_and_missing_stars(typed, roll):
    assert result(typed, BLOTS, roll) == result("bar/20*(2) 8/3(2)", BLOTS, roll)


BEAR_OFF = board({6: 2, 4: 2, 3: 1}, {20: 3, 19: 2})


@pytest.mark.parametrize("typed", ["6/off 4/off", "6/0 4/0", "4-off 6-0", "4/0, 6/0"])
def test_bearing_off_is_typed_as_off_or_0(typed):
    assert result(typed, BEAR_OFF, (6, 4)) == board({6: 1, 4: 1, 3: 1}, {20: 3, 19: 2}).tolist()


def test_R23_bearing_off_with_a_larger_die_than_needed():
    position = board({3: 2, 2: 2}, {20: 3})
    assert result("3/off(2)", position, (6, 5)) == board({2: 2}, {20: 3}).tolist()


def test_R26_the_last_checker_ends_the_game():
    position = board({2: 1}, {20: 3})
    assert result("2/off", position, (6, 5)) == board({}, {20: 3}).tolist()


TWO_BLOTS = board({24: 1, 6: 2}, {18: 1, 20: 1, 1: 2})


def test_a_hit_on_the_way_is_made_when_it_is_written():
    assert result("24/18*/14", TWO_BLOTS, (6, 4)) == board({14: 1, 6: 2}, {0: 1, 20: 1, 1: 2}).tolist()
    assert result("24/20/14", TWO_BLOTS, (6, 4)) == board({14: 1, 6: 2}, {0: 1, 18: 1, 1: 2}).tolist()


def test_a_play_that_may_hit_on_either_of_two_points_is_refused():
    with pytest.raises(InvalidPlay, match=r"24/18\*/14 or 24/20\*/14|24/20\*/14 or 24/18\*/14"):
        parse_play("24/14", TWO_BLOTS, (6, 4))


def test_a_way_past_a_blot_isnt_taken_for_a_hit():
    position = board({24: 1, 6: 2}, {18: 1, 1: 2})
    assert result("24/14", position, (6, 4)) == board({14: 1, 6: 2}, {18: 1, 1: 2}).tolist()
    only_way = board({24: 1, 6: 2}, {18: 1, 20: 2, 1: 2})  # no other way than to hit
    assert result("24/14", only_way, (6, 4)) == result("24/18*/14", only_way, (6, 4))


BLOCKED_SIX = board({24: 1, 8: 1}, {18: 2, 2: 2, 12: 2})
ONE_DIE = board({24: 1}, {17: 2, 12: 2})  # either die can be played, not both
ON_THE_BAR = board({25: 1, 13: 2, 6: 2}, {19: 2, 24: 1})
CLOSED_OUT = board({25: 1, 13: 2}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2})
BLOCKED_DOUBLE = board({24: 1, 23: 1}, {20: 2, 7: 2, 3: 2, 2: 2})


@pytest.mark.parametrize(
    ("position", "typed", "roll", "reason"),
    [
        pytest.param(START, "5/8", (3, 1), "goes backwards", id="R4"),
        pytest.param(START, "13/5", (5, 2), "13/5 is 8 pips, and 5 and 2 can be moved", id="R5 sum"),
        pytest.param(START, "8/5 6/3", (3, 1), "6/3 is 3 pips, and only 1 can be moved", id="R5 die used twice"),
        pytest.param(START, "24/19", (5, 1), "24/19 with the 5: point 19 is held by 5 opposing checkers", id="R6"),
        pytest.param(
            board({24: 1}, {23: 2, 19: 2}),
            "24/18",
            (5, 1),
            "24/18 with the 5: point 19 is held by 2 opposing checkers (R6); "
            "24/18 with the 1: point 23 is held by 2 opposing checkers (R6)",
            id="R6 both ways",
        ),
        pytest.param(START, "8/5 6/5 6/5", (3, 1), "no die is left for 6/5", id="R5 three moves"),
        pytest.param(START, "8/7(4) 6/5", (1, 1), "no roll moves more than 4", id="R8"),
        pytest.param(START, "24/18", (6, 1), "both dice can and must be played, this leaves the 1 (R9)", id="R9"),
        pytest.param(ONE_DIE, "24/23", (6, 1), "it must be the larger, the 6 (R10)", id="R10"),
        pytest.param(START, "13/7(2)", (6, 6), "4 moves of the 6 can and must be played, this plays 2 (R12)", id="R12"),
        pytest.param(START, "no play", (3, 1), "31 can be played and so must be, for example", id="R13"),
        pytest.param(START, "18/13", (5, 1), "no checker of yours is on point 18", id="no checker"),
        pytest.param(START, "bar/20", (5, 1), "no checker of yours is on the bar", id="no checker on the bar"),
        pytest.param(START, "8/5*  6/5", (3, 1), "nothing is hit on point 5", id="R16 wrong star"),
        pytest.param(ON_THE_BAR, "13/8 6/5", (5, 1), "a checker on the bar must enter first (R17)", id="R17"),
        pytest.param(ON_THE_BAR, "bar/19", (6, 1), "point 19 is held by 2 opposing checkers", id="R18"),
        pytest.param(CLOSED_OUT, "13/7", (6, 1), "61 can't be played, the turn passes ('no play'): 13/7", id="R19"),
        pytest.param(START, "6/off", (6, 1), "nothing can be borne off while a checker is outside", id="R21"),
        pytest.param(BEAR_OFF, "4/off", (5, 3), "a 5 can't bear off from point 4 while a checker is behind", id="R23"),
        pytest.param(START, "hello", (3, 1), "'hello' is not a move", id="no move"),
        pytest.param(START, "26/25", (3, 1), "points are 1 to 24", id="no point"),
        pytest.param(START, "", (3, 1), "a play is written like", id="nothing"),
    ],
)
def test_an_illegal_play_is_refused_with_the_rule_that_forbids_it(position, typed, roll, reason):
    with pytest.raises(InvalidPlay, match=re.escape(reason)):
        parse_play(typed, position, roll)


@pytest.mark.parametrize("typed", _NO_PLAY_WORDS)
def test_R13_no_play_is_the_one_result_of_a_roll_that_cannot_be_played(typed):
    assert parse_play(typed, CLOSED_OUT, (6, 1)) == 0


@pytest.mark.parametrize("start", [START, NACKGAMMON], ids=["backgammon", "nackgammon"])
def test_every_legal_play_is_read_back_as_itself(start):
    seen, rolls = from_play(40, 3, sensible=True, seed=11, start=start)
    plays = legal_plays_with_moves(seen, rolls, flipped=False)
    for i, (position, roll) in enumerate(zip(seen, rolls.tolist(), strict=True)):
        for k in range(plays.offsets[i], plays.offsets[i + 1])[:40]:
            text = format_play(position, plays.moves[k])
            assert plays.offsets[i] + parse_play(text, position, roll) == k, (text, position.tolist(), roll)


@given(boards(), st.integers(1, 6))
def test_reasons_agree_with_the_rules(position, die):
    legal_sources = {source for source, _ in brute_force.single_moves(tuple(position.tolist()), die)}
    assert {source for source in range(1, 26) if _why_not(position.tolist(), source, die) is None} == legal_sources


PLACES = st.sampled_from(["bar", "off", "25", "24*", "13", "8", "7", "6", "5*", "3", "1", "0"])
PARTS = st.builds(
    lambda places, times: "/".join(places) + times,
    st.lists(PLACES, min_size=2, max_size=4),
    st.sampled_from(["", "", "(2)", "(4)"]),
)


@given(boards(), dice(), st.one_of(st.text(max_size=30), st.lists(PARTS, min_size=1, max_size=4).map(" ".join)))
@example(START, (1, 1), "24/23/22/21 13/12/11/10 8/7/6/5 6/5/4/3")
@example(START, (1, 1), "/" * 1_000_000)
@example(START, (1, 1), "24/1 " * 20)
def test_any_text_is_a_legal_play_or_a_reason(position, roll, text):
    try:
        i = parse_play(text, position, roll)
    except InvalidPlay as fault:
        assert str(fault)
    else:
        assert 0 <= i < len(legal(position, roll).boards)
