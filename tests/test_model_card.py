"""Every player that ships has a model card beside it, which speaks of this very file."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint
from bgai.train.compose import composed
from bgai.train.config import as_plain

CHECKOUT = Path(__file__).parents[1]
SHIPPED = sorted((CHECKOUT / "checkpoints").glob("*.safetensors"))
script = runpy.run_path(str(CHECKOUT / "scripts" / "model_card.py"))
model_card, StaleFigure = script["model_card"], script["StaleFigure"]


def figures(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_card_is_the_one_that_the_script_makes(path):
    assert path.with_suffix(".md").read_text() == model_card(path, figures(path)), "run scripts/model_card.py again"


def test_a_figure_of_another_file_is_refused(tmp_path):
    [path, *_] = SHIPPED
    other = tmp_path / path.name
    other.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(StaleFigure, match="another file was measured by: bgai eval"):
        model_card(other, figures(path))


def test_readings_of_labelled_games_are_not_games(tmp_path):
    stages = ["{name: one, games: 50}", "{name: two, games: 60, label_games: 20, batch: 64}", "{name: three, games: 9}"]
    config = as_plain(composed([f"stages=[{','.join(stages)}]", "begin=two"]))
    rng = np.random.default_rng(1)
    weights = {name: rng.normal(0, 1, shape).astype(np.float32) for name, shape in Architecture((4,)).shapes().items()}
    player = Checkpoint(Architecture((4,)), weights, stage="two", games=110, config=config)
    save_checkpoint(tmp_path / "a.safetensors", player)
    card = model_card(tmp_path / "a.safetensors", [])
    assert "70 games of backgammon in self-play and 40 readings more" in card
    assert [line for line in card.splitlines() if "Settings" in line] == [
        "- Settings of stage two: `games=60`, `label_games=20`, `batch=64`"
    ]


def test_every_kind_of_record_has_its_lines():
    figures_of = script["_figures"]
    interval = {"ci95": [0.1, 0.3], "luck_adjusted": 0.21, "luck_adjusted95": [0.2, 0.22], "against": "pubeval"}
    interval["player"] = "default"
    assert figures_of({"matches": 0, "kind": "cubeless", "ppg": 0.2, **interval}) == [
        ("points a game, cubeless, against pubeval", "+0.200 [+0.100, +0.300]"),
        ("points a game, cubeless, against pubeval, without luck", "+0.210 [+0.200, +0.220]"),
    ]
    [(what, _), _] = figures_of({"matches": 9, "rules": {"length": 7}, "match_wins": 0.2, **interval})
    assert what == "share of 7-point matches won against pubeval"
    rates = [{"kind": kind, "phase": "all", "pr": 1.5} for kind in ("all", "play")]
    assert figures_of({"error_rates": rates}) == [("PR, decisions: all", "1.50"), ("PR, decisions: play", "1.50")]
    line = {"phase": "all", "low": 0, "high": 1, "outcome": "win", "expected": 0.5, "actual": 0.25}
    assert figures_of({"calibration": [line]}) == [("expected and actual rate: win", "50.00%, 25.00%")]
