"""Nackgammon and hypergammon on the command line: three checkers a side need a player that has learned it."""

import numpy as np
import pytest

from bgai.arena.selfplay import KINDS
from bgai.board import HYPERGAMMON, NACKGAMMON, OUTCOME_POINTS, UNFINISHED, outcome
from bgai.game import State
from bgai.notation.mat import read_mat
from bgai.notation.position import Position, position_id

HYPERGAMMON_ID = "AACgAgAAKgAAAA"


@pytest.mark.parametrize(
    "command",
    [
        ["move", "hypergammon", "31"],
        ["cube", "hypergammon"],
        ["rollout", "hypergammon"],
        ["show", "hypergammon", "--evaluate"],
        ["play", "--variant", "hypergammon"],
        ["selfplay", "--variant", "hypergammon", "--out", "a.npz"],
    ],
    ids=lambda command: command[0],
)
def test_a_player_of_fifteen_checkers_says_how_one_of_three_is_trained(bgai, checkpoint, command):
    result = bgai(*command, "--checkpoint", checkpoint)
    assert result.code == 2 and result.err.count("\n") == 1
    assert "bgai train experiment=quick variant=hypergammon" in result.err and "--checkpoint" in result.err


@pytest.mark.parametrize(
    "command", [["move", "start", "31"], ["play"], ["chouette", "ann", "bob", "bgai"], ["serve", "gnubg"], ["met"]]
)
def test_a_player_of_three_checkers_is_not_asked_about_fifteen(bgai, hypergammon, command):
    result = bgai(*command, "--checkpoint", hypergammon)
    assert result.code == 2 and "3 checkers a side, not with 15" in result.err


@pytest.mark.parametrize("what", [["--games", 4], ["--calibration"]], ids=["games", "calibration"])
def test_a_player_of_three_checkers_is_not_measured(bgai, hypergammon, what):
    assert "3 checkers a side, not with 15" in bgai("eval", hypergammon, *what).err


def test_analyse_too_needs_a_player_of_the_variant(bgai, checkpoint, hypergammon, tmp_path, monkeypatch):
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path))
    saved = tmp_path / "a.mat"
    assert (
        bgai("selfplay", "--variant", "hypergammon", "--games", 2, "--out", saved, "--checkpoint", hypergammon).code
        == 0
    )
    assert "variant=hypergammon" in bgai("analyse", saved, "--checkpoint", checkpoint).err
    assert bgai("analyse", saved, "--checkpoint", hypergammon).code == 0


def test_a_player_of_three_checkers_is_asked_by_name_or_id(bgai, hypergammon):
    by_name, by_id = (
        bgai("move", position, "31", "--checkpoint", hypergammon, "--json").records[0]
        for position in ("hypergammon", HYPERGAMMON_ID)
    )
    assert by_name == by_id and by_name["board"] == HYPERGAMMON.tolist() and by_name["plays"]
    assert "0 off" in bgai("cube", HYPERGAMMON_ID, "--checkpoint", hypergammon, "--ply", "0").out


def test_a_finished_game_is_worth_the_same_to_all_who_ask(bgai, hypergammon):
    gammon = np.zeros(26, dtype=np.int8)
    gammon[1:4] = 1
    lost = position_id(Position(gammon, State()))
    move, cube, rollout = (
        bgai(command, lost, "--checkpoint", hypergammon, "--json").records[0] for command in ("move", "cube", "rollout")
    )
    assert move == cube == rollout and move["equity"] == -2


def test_nackgammon_needs_no_other_player(bgai, checkpoint):
    (answer,) = bgai("move", "Nackgammon", "31", "--checkpoint", checkpoint, "--json").records
    assert answer["board"] == NACKGAMMON.tolist()


def test_hypergammon_is_drawn_with_three_checkers_and_none_off(bgai, tmp_path):
    picture = tmp_path / "board.svg"
    text = bgai("show", "hypergammon", "--svg", picture).out
    assert text.count("0 off") == 2 and text.count("●") == 3 + 2  # before the pips and in the last line
    assert picture.read_text().count("<circle") == 6 + 2  # one of each colour beside the words


@pytest.mark.parametrize("variant", ["nackgammon", "hypergammon"])
def test_play_begins_with_the_variant_and_goes_on_with_it(bgai, checkpoint, hypergammon, tmp_path, variant):
    saved, player = tmp_path / "a.mat", hypergammon if variant == "hypergammon" else checkpoint
    begun = bgai("play", "--variant", variant, "--seed", "1", "--save", saved, "--checkpoint", player)
    assert begun.code == 0 and f"game 1, {variant}, match to 7" in begun.out
    resumed = bgai("play", "--resume", saved)
    assert resumed.code == 0 and f"game 1, {variant}, match to 7" in resumed.out
    assert saved.read_text().startswith(f'; [Variation "{variant.capitalize()}"]')


def test_selfplay_counts_gammons_from_three_checkers(bgai, hypergammon, tmp_path):
    arguments = ["selfplay", "--variant", "hypergammon", "--games", 40, "--seed", 5, "--checkpoint", hypergammon]
    for name in ("a.npz", "a.mat"):
        assert bgai(*arguments, "--out", tmp_path / name).code == 0
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        r = dict(file)
    last = np.flatnonzero(np.diff(r["game"], append=-1))
    played = r["kind"][last] == KINDS.index("play")
    ends = outcome(r["after"][last], 3)[played]
    worth = OUTCOME_POINTS[ends] * r["cube"][last][played]
    assert (ends != UNFINISHED).all() and (ends % 3 > 0).any()
    assert (r["points"][played] == np.where(r["player"][last][played] == 1, worth, -worth)).all()
    match = read_mat((tmp_path / "a.mat").read_text())
    assert match.faults == ()
    assert [g.points * (1, -1)[g.winner] for g in match.games] == r["points"].tolist()


@pytest.mark.parametrize("command", [["play"], ["selfplay", "--out", "a.npz"]], ids=["play", "selfplay"])
def test_an_unknown_variant_is_refused(bgai, command):
    result = bgai(*command, "--variant", "acey-deucey")
    assert result.code == 2 and "backgammon, nackgammon, hypergammon" in result.err
