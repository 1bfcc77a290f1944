"""`bgai show`: a position as text, as a picture and as JSON."""

import xml.etree.ElementTree as ET

import pytest

from bgai.board import OUTCOME_POINTS, START

POST_CRAWFORD = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:0:5:10"


def test_text_says_who_wins_how_often(bgai, checkpoint):
    plain = bgai("show", "start").out
    evaluated = bgai("show", "start", "--evaluate", "--checkpoint", checkpoint).out
    assert evaluated.startswith(plain)
    equity, *shares = map(float, evaluated.splitlines()[-1].split())
    win, gammon, backgammon, lose, lose_gammon, lose_backgammon = shares
    assert win + lose == pytest.approx(100, abs=0.11)
    assert win >= gammon >= backgammon and lose >= lose_gammon >= lose_backgammon
    points = win + gammon + backgammon - lose - lose_gammon - lose_backgammon  # cumulative chances add up so
    assert equity == pytest.approx(points / 100, abs=0.004)


def test_json_holds_board_state_and_ids(bgai, checkpoint):
    (record,) = bgai("show", POST_CRAWFORD, "--json").records
    assert record["xgid"] == POST_CRAWFORD and record["position"].startswith("4HPwATDgc/ABMA:")
    assert record["board"] == START.tolist() and record["roll"] is None and record["pips"] == [167, 167]
    assert record["state"]["score"] == [4, 2] and record["state"]["length"] == 5 and not record["state"]["crawford"]
    assert "outcomes" not in record
    (evaluated,) = bgai("show", "start", "--json", "--evaluate", "--checkpoint", checkpoint).records
    assert evaluated["kind"] == "cubeless" and sum(evaluated["outcomes"]) == pytest.approx(1, abs=1e-5)
    assert evaluated["outcomes"] @ OUTCOME_POINTS == pytest.approx(evaluated["equity"], abs=1e-5)


def test_svg_is_written_and_flip_shows_the_other_side(bgai, tmp_path):
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10"
    shown = bgai("show", position, "--svg", one).out
    assert bgai("show", position, "--svg", other, "--flip").out != shown
    assert ET.parse(one).getroot().tag.endswith("svg")
    assert one.read_text() != other.read_text()


def test_a_play_is_drawn_with_arrows(bgai, tmp_path):
    plain, arrows = tmp_path / "plain.svg", tmp_path / "arrows.svg"
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10"
    bgai("show", position, "--svg", plain)
    bgai("show", position, "--svg", arrows, "--play", "24/14")
    assert len(arrows.read_text()) > len(plain.read_text())
    illegal = bgai("show", position, "--svg", arrows, "--play", "24/13")
    assert illegal.code == 2 and "24/13" in illegal.err
    nowhere = bgai("show", position, "--play", "24/14")
    assert nowhere.code == 2 and "--svg" in nowhere.err
