"""`scripts/plot_seeds.py`."""

import json
import runpy
import sys
from pathlib import Path

import pytest
from tiny_runs import TINY

from bgai.cli.train import train

SCRIPT = str(Path(__file__).parents[1] / "scripts" / "plot_seeds.py")


def test_runs_that_differ_in_their_seed_make_one_row(tmp_path, monkeypatch, capsys):
    for number, words in enumerate((["seed=1"], ["seed=2"], ["seed=1", "stages.0.batch=32"])):
        assert train([*TINY, *words, f"run={tmp_path}/runs/{number}"]) == 0
    (tmp_path / "runs/just-begun").mkdir()
    (tmp_path / "runs/just-begun/metrics.jsonl").write_text("{}\n")
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", [SCRIPT, str(tmp_path / "runs"), "--out", str(tmp_path / "curves.png")])
    runpy.run_path(SCRIPT, run_name="__main__")
    rows = [[word.strip() for word in row.strip("|").split("|")] for row in capsys.readouterr().out.splitlines()[2:]]
    assert [(row[0], row[1]) for row in rows] == [("batch=32", "1"), ("batch=64", "2")]
    last = [
        [json.loads(line) for line in path.read_text().splitlines()]
        for path in sorted(tmp_path.glob("runs/[01]/metrics.jsonl"))
    ]
    points = sorted([r["pubeval"] for r in records if r["kind"] == "measured"][-1] for records in last)
    lowest, mean, highest = map(float, rows[1][4].split(", "))
    assert (lowest, highest) == pytest.approx(points, abs=6e-4)
    assert mean == pytest.approx(sum(points) / 2, abs=6e-4)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
