"""`bgai analyse`: summary, JSON, CSV, report, and no game judged twice."""

import csv
import os
from pathlib import Path

import pytest

from bgai.analysis import store
from bgai.cli import analyse as command

FILES = Path(__file__).parent.parent / "data" / "match_files"
SHORT, SESSION = FILES / "02_galaxy_single_8pt.txt", FILES / "13_golden_money_session.mat"


@pytest.fixture(autouse=True)
def judged(monkeypatch, tmp_path):
    """The games that were judged anew, in a cache of the test's own."""
    games = []
    judge = command.judge_game
    monkeypatch.setattr(store, "cache_dir", lambda: tmp_path / "cache")
    monkeypatch.setattr(command, "judge_game", lambda *arguments: games.append(arguments[1]) or judge(*arguments))
    return games


@pytest.fixture
def analyse(bgai, checkpoint):
    return lambda *arguments: bgai("analyse", *arguments, "--checkpoint", checkpoint, "--ply", "0")


def test_summary_as_text(analyse):
    result = analyse(SHORT)
    assert result.code == 0
    assert f"{SHORT}: match to 8, PlayerA - PlayerB 1-0, 1 games" in result.out
    assert all(word in result.out for word in ("PR", "luck-adjusted", "missed doubles", "what cost most"))


def test_analyze_is_the_same_command(bgai, checkpoint):
    assert bgai("analyze", SHORT, "--checkpoint", checkpoint, "--ply", "0").code == 0


def test_json_and_totals_over_several_files(analyse):
    match, other, session, matches, sessions = analyse(SHORT, FILES / "01_galaxy_3pt.txt", SESSION, "--json").records
    decisions = match["games"][0]["decisions"]
    lost = sum(each["loss"] for each in decisions if each["counts"] and each["player"] == 0)
    assert match["summary"][0]["loss"] == pytest.approx(lost, abs=1e-4)
    a = matches["players"]["PlayerA"]
    assert a["counted"] == match["summary"][0]["counted"] + other["summary"][0]["counted"]
    assert (a["matches"], a["result"]) == (2, 1.0)  # one was broken off
    assert session["length"] == 0 and len(session["games"]) == 2
    assert sessions["players"]["PlayerA"] == session["summary"][0]


def test_csv_has_a_row_for_every_decision(analyse, tmp_path):
    target = tmp_path / "all.csv"
    (match,) = analyse(SHORT, "--csv", target, "--json").records
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    decisions = match["games"][0]["decisions"]
    assert [float(row["loss"]) for row in rows] == pytest.approx([each["loss"] for each in decisions], abs=1e-6)
    assert {row["player"] for row in rows} == {"PlayerA", "PlayerB"}


def test_a_name_is_no_formula(analyse, tmp_path):
    source, target = tmp_path / "a.txt", tmp_path / "a.csv"
    source.write_text(SHORT.read_text().replace(" PlayerB : 0", " =1+1 : 0"))
    assert analyse(source, "--csv", target).code == 0
    assert "'=1+1" in target.read_text() and ",=1+1" not in target.read_text()


def test_report_of_one_file_and_of_several(analyse, tmp_path):
    assert analyse(SHORT, "--html", tmp_path / "one.html").code == 0
    assert (tmp_path / "one.html").read_text().startswith("<!doctype html>")
    assert analyse(SHORT, SESSION, "--html", tmp_path / "many").code == 0
    assert {path.name for path in (tmp_path / "many").iterdir()} == {f"{path.name}.html" for path in (SHORT, SESSION)}


def test_a_name_need_not_be_text(analyse, tmp_path):
    source = tmp_path / os.fsdecode(b"\xff.txt")
    source.write_bytes(SHORT.read_bytes())
    result = analyse(source, "--csv", tmp_path / "a.csv", "--html", tmp_path / "a.html")
    assert result.code == 0 and "\\udcff.txt: match to 8" in result.out
    assert "?.txt" in (tmp_path / "a.csv").read_text() and "?.txt" in (tmp_path / "a.html").read_text()


def test_no_game_is_judged_twice_with_the_same_player_and_settings(analyse, bgai, checkpoint, judged, tmp_path):
    first = analyse(SESSION, "--json").out
    assert len(judged) == 2
    assert analyse(SESSION, "--json").out == first
    assert len(judged) == 2
    bgai("analyse", SESSION, "--checkpoint", checkpoint, "--ply", "1")
    assert len(judged) == 4
    analyse(SHORT)
    before = len(judged)
    analyse(SHORT, SESSION)  # puts together what was analysed apart
    assert len(judged) == before
    for path in (tmp_path / "cache" / "analysis").iterdir():
        path.write_text(path.read_text()[:-20])  # damaged files are as good as none
    assert analyse(SESSION, "--json").out == first
    assert len(judged) == before + 2


def test_an_interrupted_analysis_goes_on_where_it_was(analyse, judged, monkeypatch):
    judge = command.judge_game

    def stopped(net, game, ply):
        if game.number == 2:
            raise KeyboardInterrupt
        return judge(net, game, ply)

    monkeypatch.setattr(command, "judge_game", stopped)
    assert analyse(SESSION).code == 130
    monkeypatch.setattr(command, "judge_game", judge)
    assert analyse(SESSION).code == 0
    assert [game.number for game in judged] == [1, 2]


def test_faults_are_told(analyse):
    result = analyse(FILES / "13_golden_dance.mat")
    assert "not understood: game 1, move 2" in result.out


@pytest.mark.parametrize("name", ["15_xg_text_01_checkerPosition_EN.txt", "14_broken_example.xg", "no such file"])
def test_what_holds_no_match_is_refused_in_one_line(analyse, name):
    result = analyse(FILES / name)
    assert result.code == 2
    assert result.err.count("\n") == 1 and name in result.err


@pytest.mark.parametrize("option", ["--csv", "--html"])
def test_a_match_is_not_replaced_and_a_folder_that_is_not_there_told_at_once(analyse, judged, tmp_path, option):
    match = tmp_path / "match.mat"
    match.write_bytes(SESSION.read_bytes())
    for target, why in ((match, "is one of the matches"), (tmp_path / "no/file", "there is no folder")):
        result = analyse(match, option, target)
        assert result.code == 2 and why in result.err and judged == []
    assert match.read_bytes() == SESSION.read_bytes()
