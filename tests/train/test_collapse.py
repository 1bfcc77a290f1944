"""Training that has gone wrong stops, says how, and ends with exit code 3."""

from dataclasses import replace

import numpy as np
import pytest
from tiny_runs import further, pip_counter

from bgai.arena.players import RandomPlayer
from bgai.arena.statistics import points_against
from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint
from bgai.net.fast import FastNet
from bgai.train import watch
from bgai.train.checking import checked
from bgai.train.selfplay import Samples
from bgai.train.watch import Collapse, Watch

HARDLY_LEARNING = "batch: 16, rate_start: 1e-12, rate_end: 1e-12"


def test_not_a_number(train, capsys):
    assert train("stages.0.rate_start=1e30", "stages.0.rate_end=1e30") == 3
    assert "not a finite number any more" in capsys.readouterr().err


def test_constant_outputs(train, capsys):
    architecture = Architecture((4,))
    zeros = {name: np.zeros(shape, np.float32) for name, shape in architecture.shapes().items()}
    save_checkpoint("zeros.safetensors", Checkpoint(architecture, zeros))
    assert further("zeros.safetensors", f"games: 200, {HARDLY_LEARNING}", "eval_every=1000") == 3
    assert "thinks the same of every position" in capsys.readouterr().err


def pip_net(sign: int) -> FastNet:
    player = pip_counter(sign)
    return FastNet(player.architecture, player.weights)


def test_losing_to_random_play(monkeypatch, tmp_path):
    monkeypatch.setattr(watch, "RANDOM_GAMES", 60)
    settings = {"stages": [{"name": "s", "games": 1}], "eval_games": 4, "run": str(tmp_path)}
    watching = Watch(checked(settings), games=1000)
    watching.measure(pip_net(-1), replace(pip_counter(-1), games=1000 + watch.GRACE - 1))
    watching.judge()  # it has only just begun
    watching.measure(pip_net(-1), replace(pip_counter(-1), games=1000 + watch.GRACE))
    with pytest.raises(Collapse, match="it loses to random play, by"):
        watching.judge()


def test_strength_against_random_play_is_seen_by_the_network():
    points, half = points_against(RandomPlayer(2), pip_net(1), 60, seed=1)
    assert points > half


def samples(ended: list[int]) -> Samples:
    thought = np.random.default_rng(1).dirichlet(np.ones(6), 500).astype(np.float32)
    return Samples(np.zeros((500, 26), np.int8), thought, thought, np.zeros(500, np.int8), np.array(ended), 500, 1)


def test_nothing_but_gammons():
    watching = Watch(checked({"stages": [{"name": "s", "games": 1}]}), games=0)
    with pytest.raises(Collapse, match="100% of the games end in a gammon"):
        for _ in range(300):
            watching.round(samples([0, 5, 1, 0, 4, 0]), 1.0)
    fresh = Watch(watching.config, games=0)
    fresh.round(samples([0, 50, 10, 0, 40, 0]), 1.0)  # a few games prove nothing


def test_a_sound_run_is_left_alone():
    watching = Watch(checked({"stages": [{"name": "s", "games": 1}]}), games=0)
    for _ in range(200):
        watching.round(samples([35, 13, 2, 36, 12, 2]), 0.9)
