"""Experiments on the same labels: `scripts/label_error.py`, `scripts/by_phase.py`, `scripts/optimisers.py`."""

import runpy
from pathlib import Path

import numpy as np
import torch
from tiny_runs import pip_counter

from bgai.board import START
from bgai.net.checkpoint import save_checkpoint
from bgai.net.fast import FastNet
from bgai.train.label_files import file_of, write_labels
from bgai.train.labels import Labelling, label

SCRIPTS = Path(__file__).parents[2] / "scripts"
error_of = runpy.run_path(str(SCRIPTS / "label_error.py"))["main"]
by_phase = runpy.run_path(str(SCRIPTS / "by_phase.py"))
optimisers = runpy.run_path(str(SCRIPTS / "optimisers.py"))


def test_a_player_is_as_far_from_labels_as_they_lie_from_it(tmp_path, capsys):
    player = pip_counter(1)
    net = FastNet(player.architecture, player.weights)
    samples = label(net, Labelling(games=8, trace=0.0), seed=1)
    targets = net.outcomes(samples.boards)
    targets[:, 0], targets[:, 3] = targets[:, 0] + 0.01, targets[:, 3] - 0.01  # 0.02 points
    write_labels(file_of(tmp_path, 1), samples._replace(targets=targets), {})
    save_checkpoint(tmp_path / "player", player)
    error_of([str(tmp_path / "player")], tmp_path)
    path, _, error, *phases = [word.strip() for word in capsys.readouterr().out.splitlines()[-1].strip("|").split("|")]
    assert (path, error) == (str(tmp_path / "player"), "0.0200")
    assert set(phases) <= {"0.0200", "nan"}


def test_each_kind_of_position_has_layers_of_its_own():
    boards = np.stack([START, START, np.zeros(26, np.int8)])
    boards[1, [24, 23]] = 1, 1  # the back checkers split: the same kind
    boards[2, [1, 24]] = 1, -1
    assert by_phase["kind"](boards).tolist() == [4, 4, 9]
    net = by_phase["by_phase"]()
    before = net(torch.as_tensor(net.inputs(boards)))
    torch.nn.init.zeros_(net.out[9].weight)
    after = net(torch.as_tensor(net.inputs(boards)))
    assert torch.equal(after[:2], before[:2])
    assert torch.equal(after[2], net.out[9].bias)


def test_every_optimiser_comes_nearer_to_the_labels_it_reads(tmp_path, capsys):
    player = pip_counter(1)
    samples = label(FastNet(player.architecture, player.weights), Labelling(games=8, trace=0.0), seed=1)
    write_labels(file_of(tmp_path, 1), samples, {})
    errors = []
    for passes in (1, 20):
        optimisers["main"](labels=tmp_path, held_out=tmp_path, units=4, passes=passes, batch=64)
        rows = [
            [word.strip() for word in row.strip("|").split("|")] for row in capsys.readouterr().out.splitlines()[2:]
        ]
        errors.append({tuple(row[:2]): float(row[2]) for row in rows})
    once, often = errors
    assert {name for name, _ in once} == set(optimisers["OPTIMISERS"])
    assert all(often[row] < once[row] for row in once)
