"""Measurements of a run as it goes on: against fixed yardsticks and against its own older players."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_runs import pip_counter

from bgai.arena import games
from bgai.arena.players import BareNetwork
from bgai.arena.statistics import points_against
from bgai.board import NACKGAMMON
from bgai.net.checkpoint import load_checkpoint
from bgai.net.fast import FastNet
from bgai.train import watch
from bgai.train.checking import checked
from bgai.train.watch import Watch


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "RANDOM_GAMES", 4)
    return checked({"run": str(tmp_path), "stages": [{"name": "s", "games": 1}], "eval_games": 20, "seed": 7})


def measure(watching: Watch, games: int, sign: int = 1) -> dict:
    """Measure a player that wants few pips (or, with sign -1, many) after so many games."""
    player = replace(pip_counter(sign), games=games)
    return watching.measure(FastNet(player.architecture, player.weights), player)


def test_it_plays_its_own_player_of_half_to_a_quarter_of_the_measurements(config, tmp_path):
    watching = Watch(config, games=0)
    opponents = [measure(watching, games).get("past_games") for games in range(100, 1000, 100)]
    assert opponents == [None, 100, 100, 200, 200, 200, 200, 400, 400]
    kept = sorted(Path(tmp_path, "past").iterdir())
    assert [load_checkpoint(path).games for path in kept] == [100, 200, 400, 800]
    assert load_checkpoint(kept[-1]).measured["games"] == 800


def test_points_against_its_past_are_seen_by_the_later_player(config):
    watching = Watch(config, games=0)
    measure(watching, 100, sign=-1)
    assert measure(watching, 200)["past_ci95"][0] > 0.5
    assert "past" not in measure(watching, 300, sign=-1), "two who don't know how to win might play for ever"
    assert measure(watching, 400)["past"] == 0, "the same player as in the second measurement"


def test_games_against_its_past_that_do_not_end_give_no_figure_and_stop_no_run(config, monkeypatch):
    def in_five_turns(opponent, *net_and_dice):
        with monkeypatch.context() as patch:
            if isinstance(opponent, BareNetwork):
                patch.setattr(games, "MOST_TURNS", 5)
            return points_against(opponent, *net_and_dice)

    monkeypatch.setattr(watch, "points_against", in_five_turns)
    watching = Watch(config, games=0)
    measure(watching, 100)
    measured = measure(watching, 200)
    assert measured["random"] > 0 and "pubeval" in measured
    assert "past" not in measured and "past_games" not in measured


def test_a_run_of_another_variant_is_measured_at_that(config, monkeypatch):
    begun = []

    def noted(*arguments):
        begun.append(arguments[-1])
        return points_against(*arguments)

    monkeypatch.setattr(watch, "points_against", noted)
    watching = Watch(replace(config, variant="nackgammon"), games=0)
    measure(watching, 100), measure(watching, 200)
    assert len(begun) == 5, "random and pubeval twice, its past once"
    assert all(np.array_equal(start, NACKGAMMON) for start in begun)


def test_every_measurement_has_its_own_dice_and_a_restored_watch_the_same_ones(config):
    watching = Watch(config, games=0)
    first, second = measure(watching, 100), measure(watching, 200)
    assert first["pubeval"] != second["pubeval"], "of the very same player"
    state = json.loads(json.dumps(watching.state()))
    third = measure(watching, 300)
    restored = Watch(config, games=0)
    restored.restore(state)
    assert measure(restored, 300) == third and restored.state() == watching.state()
