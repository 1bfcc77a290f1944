"""A game judged at once says what asking about each of its positions says."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bgai import api
from bgai.analysis import rolling
from bgai.analysis.decisions import JudgedGame
from bgai.analysis.judging import judge_game
from bgai.analysis.tables import position_of
from bgai.board import flip
from bgai.evaluator.race_plays import CHANCE, ROLLS
from bgai.evaluator.rollout import of_plays, roll_out
from bgai.evaluator.trials import Settings
from bgai.notation.match_file import Game
from bgai.notation.reading import read_match

FILES = Path(__file__).parent.parent / "data" / "match_files"
FEW = 1e-5  # single precision: batches of other sizes are summed in another order


@cache
def judged(name: str, number: int, ply: int) -> tuple[Game, JudgedGame]:
    game = read_match(FILES / name).games[number]
    return game, judge_game(api.player("default"), game, ply)


@pytest.mark.parametrize("ply", [0, 1])
def test_plays_are_judged_as_best_plays_does(ply):
    game, found = judged("02_galaxy_single_8pt.txt", 0, ply)
    plays = [decision for decision in found.decisions if decision.kind == "play"]
    assert len(plays) == 14  # one of the 15 rolls can't be played
    for decision in plays[-6:]:
        position = position_of(game, decision)
        expected = api.best_plays(position, ply=ply)
        best, done = decision.options[0], decision.options[decision.chosen]
        assert done.text == game.actions[decision.action].play
        assert best.equity == pytest.approx(expected[0].equity, abs=FEW)
        assert best.outcomes == pytest.approx(expected[0].outcomes.tolist(), abs=FEW)
        assert done.ply == best.ply == ply
        assert [option.equity for option in decision.options] == sorted(o.equity for o in decision.options)[::-1]


def test_cube_actions_are_judged_as_cube_decision_does():
    game, found = judged("12_gibbon_7point.mat", 1, 0)
    cube = [decision for decision in found.decisions if decision.kind != "play"]
    assert {decision.options[decision.chosen].text for decision in cube} >= {"no double", "take", "pass"}
    for decision in cube:
        expected = api.cube_decision(position_of(game, decision), ply=0)
        equities = {option.text: option.equity for option in decision.options}
        if decision.kind == "answer":
            assert equities == pytest.approx({"take": -expected.dt, "pass": -1.0}, abs=FEW)
        else:
            doubled = min(expected.dt, 1.0)
            assert sorted(equities.values()) == pytest.approx(sorted([expected.nd, doubled]), abs=FEW)


def test_who_doubles_and_who_answers():
    _, found = judged("12_gibbon_7point.mat", 1, 0)
    done = [(d.player, d.options[d.chosen].text) for d in found.decisions if d.kind != "play"]
    turned = [(player, text) for player, text in done if not text.startswith("no ")]
    assert [(player, text.split("/")[0]) for player, text in turned] == [
        (1, "double"), (0, "take"), (0, "redouble"), (1, "pass"),
    ]  # fmt: skip


def test_nobody_decides_about_a_cube_before_the_opening_roll_nor_in_the_crawford_game():
    _, found = judged("12_gibbon_7point.mat", 1, 0)
    assert found.decisions[0].kind == "play"
    game, crawford = judged("12_gibbon_7point.mat", 8, 0)
    assert game.state.crawford
    assert {decision.kind for decision in crawford.decisions} == {"play"}


def test_luck_is_the_best_play_less_the_mean_over_the_rolls():
    rows = ["  1) 31: 8/5 6/5          52: 13/8 24/22", "  2) 64: 24/14            66: 13/7(2) 8/2(2)"]
    text = "\n".join([" 1 point match", " Game 1", " A : 0                   B : 0", *rows])
    game = read_match(text).games[0]
    rolls = judge_game(api.player("default"), game, 0).rolls
    opening = np.where(ROLLS[:, 0] == ROLLS[:, 1], 0, 1 / 15)
    for roll, chance in zip(rolls, (opening, CHANCE, CHANCE, CHANCE), strict=True):
        position = game.actions[roll.action].position
        best = {tuple(dice): api.best_plays(position, tuple(dice))[0].equity for dice in ROLLS.tolist()}
        mean = sum(best[tuple(dice)] * share for dice, share in zip(ROLLS.tolist(), chance, strict=True))
        assert roll.luck == pytest.approx(best[position.dice] - mean, abs=1e-4)


def test_the_value_before_a_roll_is_player_0s_chance_whoever_rolls():
    game, found = judged("02_galaxy_single_8pt.txt", 0, 0)
    compared = {decision.action: decision for decision in found.decisions if decision.kind == "double"}
    rolls = [roll for roll in found.rolls if roll.action in compared]
    assert {roll.player for roll in rolls} == {0, 1}
    for roll in rolls:
        mwc = api.cube_decision(position_of(game, compared[roll.action]), ply=0).mwc
        own = max(mwc["nd"], min(mwc["dt"], mwc["dp"]))
        assert roll.value == pytest.approx(own if roll.player == 0 else 1 - own, abs=FEW)


def test_close_decisions_are_rolled_out(monkeypatch):
    game, found = judged("02_galaxy_single_8pt.txt", 0, 0)
    net = api.player("default")
    monkeypatch.setattr(rolling, "TRIALS", 36)
    monkeypatch.setattr(rolling, "_SETTINGS", Settings(truncate=1))
    rolled = rolling.roll_out_close(net, game, found)
    close = [k for k, d in enumerate(found.decisions) if rolled.decisions[k] != d]
    assert "play" in {found.decisions[k].kind for k in close}
    for k in close:
        before, after = found.decisions[k], rolled.decisions[k]
        near = [option.text for option in before.options if before.options[0].equity - option.equity < rolling.NEAR]
        assert len(near) > 1 and before.loss < rolling.NEAR
        assert [o.ply for o in after.options if o.text in near or after.kind != "play"] == [-1] * len(near)
        assert after.options[after.chosen].text == before.options[before.chosen].text
        assert after.loss >= 0
        if after.kind == "play":
            position = game.actions[after.action].position
            boards = [flip(play.board) for text in near for play in api.best_plays(position) if play.play == text]
            *_, rollout = roll_out(net, of_plays(np.array(boards), position.state), 36, Settings(truncate=1))
            equities = {option.text: option.equity for option in after.options if option.ply == -1}
            assert equities == pytest.approx(dict(zip(near, rollout.equities, strict=True)), abs=FEW)


def test_what_was_judged_with_less_lookahead_is_neither_lost_nor_told_twice(monkeypatch):
    """Options come by ply first, so a near one may stand behind others that are further from the best."""
    monkeypatch.setattr(rolling, "TRIALS", 36)
    monkeypatch.setattr(rolling, "_SETTINGS", Settings(truncate=1))
    game, found = judged("02_galaxy_single_8pt.txt", 0, 0)
    decision = next(d for d in found.decisions if d.kind == "play" and len(d.options) >= 5)
    equities = ((0.1, 2), (0.09, 2), (0.06, 2), (0.05, 2), (0.095, 1))
    options = tuple(
        replace(option, equity=equity, ply=ply)
        for option, (equity, ply) in zip(decision.options, equities, strict=False)
    )
    mixed = replace(found, decisions=(replace(decision, options=options, chosen=0),))
    (rolled,) = rolling.roll_out_close(api.player("default"), game, mixed).decisions
    assert {option.text for option in rolled.options[:3]} == {options[k].text for k in (0, 1, 4)}
    assert rolled.options[3:] == options[2:4]


def test_json_and_back():
    _, found = judged("02_galaxy_single_8pt.txt", 0, 0)
    assert JudgedGame.from_json(found.to_json()) == found
