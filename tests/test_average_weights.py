"""`scripts/average_weights.py`."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import typer

from bgai.net.checkpoint import Architecture, Checkpoint, load_checkpoint, save_checkpoint
from bgai.net.weights import random_weights

average = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "average_weights.py"))["main"]


def saved(path, hidden, seed):
    architecture = Architecture(hidden)
    player = Checkpoint(architecture, random_weights(architecture, np.random.default_rng(seed)), games=seed)
    save_checkpoint(path, player)
    return player


def test_every_weight_is_the_mean_of_the_players(tmp_path):
    paths = [tmp_path / "1.safetensors", tmp_path / "2.safetensors"]
    one, two = saved(paths[0], (5, 3), 1), saved(paths[1], (5, 3), 2)
    average(paths, tmp_path / "mean.safetensors")
    mean = load_checkpoint(tmp_path / "mean.safetensors")
    assert (mean.architecture, mean.games) == (two.architecture, 2)
    for name, weights in mean.weights.items():
        np.testing.assert_allclose(weights, (one.weights[name] + two.weights[name]) / 2, rtol=1e-6)


def test_players_of_different_networks_have_no_mean(tmp_path):
    paths = [tmp_path / "1.safetensors", tmp_path / "2.safetensors"]
    saved(paths[0], (5,), 1), saved(paths[1], (6,), 2)
    with pytest.raises(typer.BadParameter, match=r"1\.safetensors is 330-5-6 relu"):
        average(paths, tmp_path / "mean.safetensors")
    assert not (tmp_path / "mean.safetensors").exists()
