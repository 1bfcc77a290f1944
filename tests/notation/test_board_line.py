"""Board lines of GNU Backgammon, as recorded in talks between it and another player, and lines that are none."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgai.board import START, flip
from bgai.game import State
from bgai.notation.board_line import InvalidLine, parse_board_line

TALKS = sorted((Path(__file__).parents[1] / "data" / "gnubg_protocol").glob("*.txt"))
ASKED = re.compile(
    r"gnubg> b'(?P<line>.*)\\n'\n# (?P<question>\w+), on roll: player (?P<player>\d), dice \((?P<dice>\d, \d)\), "
    r"State\(cube=(?P<cube>\d+), owner=(?P<owner>-?\d), length=(?P<length>\d+), my_score=(?P<own>\d+), "
    r"opp_score=(?P<other>\d+), crawford=(?P<crawford>\w+)"
)
QUESTIONS = [found for talk in TALKS for found in ASKED.finditer(talk.read_text())]
LINE = next(found["line"] for found in QUESTIONS if found["length"] == "0")  # a money game, before player 1's roll


def changed(**fields: str) -> str:
    """`LINE` with other fields, named by their place: `f34="7"`."""
    parts = LINE.split(":")
    for name, value in fields.items():
        parts[int(name[1:])] = value
    return ":".join(parts)


def test_the_recorded_talks_have_every_kind_of_question():
    assert {found["question"] for found in QUESTIONS} == {"double", "move", "take"}
    assert {found["player"] for found in QUESTIONS} == {"0", "1"}
    assert {found["owner"] for found in QUESTIONS} == {"0", "1", "-1"}


@pytest.mark.parametrize("found", QUESTIONS, ids=lambda found: f"{found['question']}-{found.start()}")
def test_recorded_questions(found):
    position = parse_board_line(found["line"].replace(r"\x00", "\0") + "\n")
    state = position.state
    dice = tuple(sorted(map(int, found["dice"].split(", ")), reverse=True))
    assert position.dice == (dice if found["question"] == "move" else None)
    assert (state.pending == "double") == (found["question"] == "take")
    assert state.owner == {"0": "centred", "1": "mover", "-1": "opponent"}[found["owner"]]
    assert (state.cube, state.length, *state.score) == tuple(int(found[k]) for k in ("cube", "length", "own", "other"))
    assert state.crawford == (found["crawford"] == "True")
    points = np.array(found["line"].split(":")[6:32], dtype=np.int8)
    assert (position.board == (points if found["player"] == "1" else flip(points))).all()


def test_player_0_on_roll_sees_everything_from_the_other_side():
    start = ":".join(map(str, START.tolist()))
    line = f"board:a:b:7:3:5:{start}:-1:2:5:2:5:2:0:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
    position = parse_board_line(line)
    assert position.state == State(cube=2, owner="mover", length=7, score=(3, 5)) and position.dice == (5, 2)
    assert (position.board == START).all()


def test_what_the_line_says_of_crawford_and_what_it_does_not_say_of_jacoby():
    crawford = changed(f3="5", f5="4", f52="0")
    assert parse_board_line(crawford, jacoby=True).state == State(length=5, score=(4, 0), crawford=True)
    assert parse_board_line(LINE, jacoby=True).state == State(jacoby=True)
    assert parse_board_line(changed(f3="9999")).state == State()  # FIBS's money game


def test_a_name_may_hold_colons():
    assert parse_board_line(changed(f1="a:b:c")) == parse_board_line(LINE)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "expected board:"),
        ("hello", "expected board:"),
        (LINE[:-2], "expected board:"),
        (changed(f0="bored"), "expected board:"),
        (changed(f7="x"), "'x' is no number"),
        (changed(f7="1" * 10_000), "is no number"),
        (changed(f32="0"), "turn 0"),
        (changed(f33="7"), "1 to 6"),
        (changed(f37="3"), "power of two"),
        (changed(f37="65536"), "doesn't fit an ID"),
        (changed(f38="2"), "who may double"),
        (changed(f12="16"), "checkers"),
        (changed(f12="300"), "checkers"),
        (changed(f3="5", f4="5"), "still need a point"),
        (changed(f3="0", f4="32768"), "doesn't fit an ID"),
        (changed(f3="0", f5="32768"), "doesn't fit an ID"),
        (changed(f40="1", f33="2", f34="1"), "no dice can have been thrown"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_board_line(line, why):
    with pytest.raises(InvalidLine, match=why):
        parse_board_line(line)


@given(
    st.text(max_size=300)
    | st.lists(st.integers(-20, 20), min_size=50, max_size=50).map(
        lambda numbers: "board:a:b:" + ":".join(map(str, numbers))
    )
)
def test_no_text_does_anything_else_than_be_refused(text):
    with pytest.raises(InvalidLine):
        parse_board_line(text)
