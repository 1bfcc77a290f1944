"""Boards as text and as pictures: what is where, and that nothing lies on anything else."""

import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import boards

from bgai.board import HYPERGAMMON, START, pips
from bgai.game import State
from bgai.notation import layout, svg_board
from bgai.notation.position import Position, parse_position
from bgai.notation.svg_board import svg_board as draw
from bgai.notation.text_board import text_board

BOOL = st.booleans()
OWNERS = st.sampled_from(["centred", "mover", "opponent"])

START_IN_ASCII = """
    O 167 pips, 0 off, score 2

      13  14  15  16  17  18   bar   19  20  21  22  23  24
    +------------------------+-----+------------------------+
    |  X               O     |     |  O                   X |
    |  X               O     |     |  O                   X |
    |  X               O     |     |  O                     |
    |  X                     |     |  O                     |
    |  X                     |     |  O                     |
    |                        |     |          3 1           |
    |  O                     |     |  X                     |
    |  O                     |     |  X                     |
    |  O               X     |     |  X                     |
    |  O               X     |     |  X                   O |
[2] |  O               X     |     |  X                   O |
    +------------------------+-----+------------------------+
      12  11  10   9   8   7   bar    6   5   4   3   2   1

    X 167 pips, 0 off, score 3
    match to 7: X to play 31
"""


def test_starting_position_in_ascii():
    assert text_board(Position(START, State(2, "mover", 7, (3, 2)), (3, 1)), ascii=True) == START_IN_ASCII.strip("\n")


def test_points_over_five_are_numbered_bars_and_borne_off_counted():
    position = np.zeros(26, dtype=np.int8)
    position[[0, 6, 18, 25]] = -7, 6, -3, 2
    text = text_board(Position(position), ascii=True)
    rows = [line[line.index("|") + 1 : -1].split("|") for line in text.splitlines() if "|" in line]
    outer, bar, home = ([row[i] for row in rows] for i in range(3))
    assert [cell.strip() for cell in bar] == ["O", "O", "O", "O", "7", "", "", "", "", "X", "X"]
    assert [row[:4].strip() for row in home] == [""] * 6 + ["6", "X", "X", "X", "X"]
    assert [row[-4:].strip() for row in outer] == ["O"] * 3 + [""] * 8
    assert "O 196 pips, 5 off" in text and "X 86 pips, 7 off" in text


@pytest.mark.parametrize(("flip", "first"), [(False, "13"), (True, "12")])
def test_either_player_at_the_bottom_and_either_direction(flip, first):
    lines = text_board(Position(START), flip=flip).splitlines()
    assert lines[2].split()[0] == first
    assert lines[0].lstrip()[0] == ("●" if flip else "○") and lines[-2].lstrip()[0] == ("○" if flip else "●")
    clockwise = text_board(Position(START), flip=flip, clockwise=True).splitlines()
    assert clockwise[2].split() == lines[2].split()[::-1]


def test_rows_place_every_point_once():
    for flip in (False, True):
        for clockwise in (False, True):
            top, bottom = layout.rows(flip=flip, clockwise=clockwise)
            assert sorted(top + bottom) == list(range(1, 25))
            assert [a + b for a, b in zip(top, bottom, strict=True)] == [25] * 12


@given(boards(), BOOL, BOOL)
def test_colour_adds_only_colour_and_ascii_is_ascii(position, flip, clockwise):
    shown = Position(position, dice=(6, 1))
    plain = text_board(shown, flip=flip, clockwise=clockwise)
    coloured = text_board(shown, flip=flip, clockwise=clockwise, colour=True)
    assert coloured != plain and re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    ascii_board = text_board(shown, flip=flip, clockwise=clockwise, ascii=True)
    assert ascii_board.isascii() and list(map(len, ascii_board.splitlines())) == list(map(len, plain.splitlines()))
    own, opponent = pips(position)
    assert f"● {own} pip" in plain and f"○ {opponent} pip" in plain


@pytest.mark.parametrize(
    ("state", "dice", "terms", "situation"),
    [
        (State(), None, "money game", "X on roll"),
        (State(jacoby=True, beavers=1), (6, 6), "money game, Jacoby, beavers", "X to play 66"),
        (State(length=7, score=(6, 2), crawford=True), None, "match to 7, Crawford game", "X on roll"),
        (State(length=7, score=(6, 2)), None, "match to 7, post-Crawford", "X on roll"),
        (State(pending="double"), None, "money game", "X doubles to 2, O to take or pass"),
        (State(2, "opponent", beavers=1, pending="beaver"), None, "", "O beavers to 4, X to accept or pass"),
        (State(4, "opponent", beavers=2, pending="raccoon"), None, "", "X raccoons to 8, O to accept or pass"),
        (State(resigned=2), (3, 1), "", "X offers a gammon, O to accept or decline"),
        (State(pending="double", resigned=1), None, "", "O offers a single game, X to accept or decline"),
    ],
)
def test_what_is_said_beside_the_board(state, dice, terms, situation):
    last = text_board(Position(START, state, dice), ascii=True).splitlines()[-1]
    assert terms in last and last.endswith(f": {situation}")


@pytest.mark.parametrize(
    ("own", "opponent", "said"),
    [
        ({}, {24: 3}, "X has won a single game"),
        ({}, {20: 15}, "X has won a gammon"),
        ({1: 15}, {}, "O has won a gammon"),
    ],
)
def test_a_finished_game_names_the_winner(own, opponent, said):
    position = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        position[point] = count
    for point, count in opponent.items():
        position[point] = -count
    assert layout.situation(Position(position), "X", "O") == said


def test_a_passed_game_is_over():
    assert layout.situation(Position(START, ended="passed"), "X", "O") == "the game is over, passed"


# Pictures

SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg: str, kind: str) -> list[dict[str, float | str]]:
    """Attributes of all shapes of a kind, numbers as numbers."""
    number = re.compile(r"-?[0-9.]+")
    found = ElementTree.fromstring(svg).findall(SVG + kind)
    return [{k: float(v) if number.fullmatch(v) else v for k, v in shape.attrib.items()} for shape in found]


def checkers_on_board(svg: str) -> list[dict]:
    return [circle for circle in shapes(svg, "circle") if circle["r"] > 10]


@st.composite
def positions(draw_from) -> Position:
    """A board with a cube anywhere and dice, or a cube on the table."""
    board = draw_from(boards())
    pending = draw_from(st.sampled_from([None, None, "double"]))
    owner = draw_from(OWNERS if pending is None else st.sampled_from(["centred", "mover"]))
    cube = 1 if owner == "centred" else 1 << draw_from(st.integers(1, 15))
    return Position(board, State(cube, owner, pending=pending), None if pending else (6, 5))


@given(positions(), BOOL, BOOL)
def test_nothing_overlaps_and_all_is_inside_the_picture(position, flip, clockwise):
    svg = draw(position, flip=flip, clockwise=clockwise)
    circles = checkers_on_board(svg)
    for a, b in combinations(circles, 2):
        assert np.hypot(a["cx"] - b["cx"], a["cy"] - b["cy"]) >= a["r"] + b["r"]
    squares = [r for r in shapes(svg, "rect") if r["width"] == r["height"]]  # dice and cube
    assert len(squares) == (1 if position.state.pending else 3)
    for a, b in combinations(squares, 2):
        gap_x = max(a["x"], b["x"]) - min(a["x"] + a["width"], b["x"] + b["width"])
        gap_y = max(a["y"], b["y"]) - min(a["y"] + a["height"], b["y"] + b["height"])
        assert max(gap_x, gap_y) > 0
    for square in squares:
        for circle in circles:
            x = np.clip(circle["cx"], square["x"], square["x"] + square["width"])
            y = np.clip(circle["cy"], square["y"], square["y"] + square["height"])
            assert np.hypot(circle["cx"] - x, circle["cy"] - y) > circle["r"]
    for rect in shapes(svg, "rect"):
        assert rect["x"] >= 0 and rect["x"] + rect["width"] <= svg_board._WIDTH
        assert rect["y"] >= 0 and rect["y"] + rect["height"] <= svg_board._HEIGHT


@given(boards(), BOOL, BOOL)
def test_every_checker_is_drawn_or_numbered(position, flip, clockwise):
    svg = draw(Position(position), flip=flip, clockwise=clockwise)
    counts = np.abs(position.astype(int))
    assert len(checkers_on_board(svg)) == np.minimum(counts, layout.FULL_STACK).sum()
    numbers = [text.text for text in ElementTree.fromstring(svg).iter(SVG + "text") if text.get("font-size") == "20"]
    assert sorted(numbers) == sorted(str(count) for count in counts if count > layout.FULL_STACK)
    borne_off = sum(1 for rect in shapes(svg, "rect") if rect["height"] == svg_board._THICKNESS)
    assert borne_off == 30 - counts.sum()


def test_a_variant_bears_off_its_own_number():
    text = draw(parse_position("hypergammon"))
    assert "0 off" in text and "12 off" not in text
    assert "12 off" in draw(Position(HYPERGAMMON))


def cube_of(svg: str) -> dict:
    (cube,) = (rect for rect in shapes(svg, "rect") if rect["width"] == rect["height"] == 44)
    return cube


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("clockwise", [False, True])
def test_cube_lies_with_its_owner_beside_the_outer_board(flip, clockwise):
    height = {
        owner: cube_of(draw(Position(START, State(cube, owner)), flip=flip, clockwise=clockwise))["y"]
        for owner, cube in (("mover", 2), ("centred", 1), ("opponent", 2))
    }
    top_to_bottom = sorted(height, key=height.get)
    assert top_to_bottom == (["mover", "centred", "opponent"] if flip else ["opponent", "centred", "mover"])
    beside = cube_of(draw(Position(START), flip=flip, clockwise=clockwise))["x"]
    assert (beside > svg_board._WIDTH / 2) == clockwise


@pytest.mark.parametrize(
    "state", [State(length=7, score=(6, 2), crawford=True), State(length=1), State(length=3, score=(2, 2))]
)
def test_R39_R41_no_cube_where_nobody_may_double(state):
    assert not [rect for rect in shapes(draw(Position(START, state)), "rect") if rect["width"] == rect["height"]]
    assert "[1]" not in text_board(Position(START, state))


def test_arrows_show_a_play_from_checker_to_landing_place():
    moves = np.array([[24, 18], [13, 7], [-1, -1], [-1, -1]], dtype=np.int8)
    plain, shown = (draw(Position(START), moves=m) for m in (None, moves))
    arrows = [p for p in shapes(shown, "polygon") if p not in shapes(plain, "polygon")]
    assert len(arrows) == 2
    tips = {tuple(map(float, arrow["points"].split()[3].split(","))) for arrow in arrows}
    after = START.copy()
    after[[24, 18, 13, 7]] = 1, 1, 4, 1
    landed = {(c["cx"], c["cy"]) for c in checkers_on_board(draw(Position(after)))}
    assert tips <= landed


def test_two_arrows_of_a_double_bear_off_into_different_places():
    position = np.zeros(26, dtype=np.int8)
    position[[3, 24]] = 4, -2
    moves = np.array([[3, 0]] * 4, dtype=np.int8)
    svg = draw(Position(position), moves=moves)
    assert len({p["points"].split()[3] for p in shapes(svg, "polygon")[-4:]}) == 4
