"""What a run tells: lines, metrics.jsonl, TensorBoard."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from bgai.board import OUTCOMES
from bgai.train import curves, report
from bgai.train.config import Stage
from bgai.train.openings import Opening, picture
from bgai.train.report import Report, Window
from bgai.train.selfplay import Samples
from bgai.train.state import Progress

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"


@pytest.fixture
def finished(train, capsys):
    """A tiny run that has ended: (what it printed, its records)."""
    assert train() == 0
    return capsys.readouterr().out, [json.loads(line) for line in Path("run/metrics.jsonl").read_text().splitlines()]


def events() -> EventAccumulator:
    return EventAccumulator("run", {"images": 0, "histograms": 0, "scalars": 0, "tensors": 0}).Reload()


def test_it_says_at_the_start_what_it_uses_and_where(finished):
    first, second = finished[0].splitlines()[:2]
    assert first == "run run: 45 games of backgammon (stages: one, two with 6 units)"
    assert second == "1 threads, learning on cpu; network 330-4-6 relu, 1,354 parameters"


def test_plain_lines_elsewhere_than_on_a_terminal(finished):
    lines = [line for line in finished[0].splitlines() if line.startswith(("one", "two"))]
    assert re.match(
        r"two \(2 of 2\): \d+ of 20 games \| [\d,]+ games/s, [\d.]+ M evaluations/s \| play \d+% evaluate \d+% learn "
        r"\d+% \| loss \d.\d+ \| gammons [\d.]+% backgammons [\d.]+% \| [+-][\d.]+ v pubeval, "
        r"([+-][\d.]+ v past, )?[+-][\d.]+ v random \| "
        r"0 s left",
        lines[-1],
    )
    assert "\x1b" not in finished[0]


def test_nobody_guesses_the_time_left_before_a_game_has_ended(train, capsys, monkeypatch):
    monkeypatch.setattr(report, "RECORD_SECONDS", 0.0)
    assert train("turns=1") == 0
    first = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("one"))
    assert first.endswith("| loss - | gammons - backgammons - | ? left")
    records = [json.loads(line) for line in Path("run/metrics.jsonl").read_text().splitlines()]
    assert records[0]["minutes_left"] is None and records[-1]["minutes_left"] == 0


def test_a_live_line_on_a_terminal(train, monkeypatch, capsys):
    monkeypatch.setattr(report, "LIVE_SECONDS", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert train() == 0
    out = capsys.readouterr().out
    assert "\x1b[2K" in out and "games/s" in out and "strength after" in out


def test_every_figure_and_every_curve_is_explained(finished):
    text = DOCS.read_text()
    names = {name for record in finished[1] for name in record}
    tags = events().Tags()
    names |= {tag for kind in ("scalars", "images", "histograms") for tag in tags[kind]}
    for name in names:
        known = re.sub(r"hidden\.\d", "hidden.0", name)
        group = known.partition("/")[0]
        assert f"`{known}`" in text or (group in ("loss by outcome", "calibration") and f"`{group}/" in text), name


def test_tensorboard_has_the_same_figures(finished):
    [progress] = [r for r in finished[1] if r["kind"] == "progress" and r["stage"] == "two"]
    board = events()
    scalars = {tag: {e.step: e.value for e in board.Scalars(tag)} for tag in board.Tags()["scalars"]}
    for name in ("games_per_s", "loss", "gammon", "game_length", "calibration_error", "rate", "lambda"):
        assert scalars[f"progress/{name}"][progress["games"]] == pytest.approx(progress[name], rel=1e-5)
    for outcome, loss in zip(OUTCOMES, progress["loss_by_outcome"], strict=True):
        if loss is not None:
            assert scalars[f"loss by outcome/{outcome}"][progress["games"]] == pytest.approx(loss, rel=1e-5)
    measured = [r for r in finished[1] if r["kind"] == "measured"]
    assert scalars["strength/pubeval"] == pytest.approx({r["games"]: r["pubeval"] for r in measured}, rel=1e-5)
    histograms = board.Tags()["histograms"]
    assert {"weights/hidden.0.weight", "weights/out.bias", "activations/hidden.0", "activations/outcomes"} <= set(
        histograms
    )
    assert board.Tags()["images"] == ["opening plays"]
    [plays, *_] = board.Tensors("opening plays/text_summary")
    assert measured[0]["openings"]["31"] in plays.tensor_proto.string_val[0].decode()
    assert len(measured[0]["openings"]) == 15


@pytest.mark.parametrize("fault", ["__init__", "add_scalar", "add_histogram", "close"])
def test_training_goes_on_when_tensorboard_fails(train, monkeypatch, fault):
    from torch.utils.tensorboard import SummaryWriter

    def fail(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr(SummaryWriter, fault, fail)
    with pytest.warns(UserWarning, match="no TensorBoard curves from here on: OSError"):
        assert train() == 0


def test_metrics_of_games_that_are_played_again_are_dropped(train):
    path = Path("metrics.jsonl")
    path.write_text('{"games": 10}\n{"games": 20}\n{"games": 30}\n{"gam')
    report._forget_after(path, 20)
    assert path.read_text() == '{"games": 10}\n{"games": 20}\n'


def test_figures_of_a_window_are_those_of_its_games():
    window = Window()
    thought = np.array([[0.5, 0.25, 0, 0.25, 0, 0], [0.25, 0, 0, 0.5, 0.25, 0]], np.float32)
    results = np.array([0, 4], np.int8)  # seen to win at 0.75 and won; seen to win at 0.25 and lost a gammon
    samples = Samples(np.zeros((2, 26), np.int8), thought, thought, results, np.array([1, 0, 0, 0, 1, 0]), 100, 3000)
    window.add(samples, loss=1.5, updates=2, playing=0.1, learning=0.2)
    figures = window.figures()
    assert figures["loss"] == 1.5 and figures["game_length"] == 50
    assert (figures["single"], figures["gammon"], figures["backgammon"]) == (0.5, 0.5, 0)
    assert figures["loss_by_outcome"] == [
        pytest.approx(math.log(2)),
        None,
        None,
        None,
        pytest.approx(math.log(4)),
        None,
    ]
    assert figures["calibration"][7] == [0.75, 1.0, 1] and figures["calibration"][2] == [0.25, 0.0, 1]
    assert figures["calibration_error"] == pytest.approx(0.25)


def test_the_picture_shows_who_moved_in_light_colour():
    board = np.zeros(26, np.int8)
    board[6], board[19] = 5, -5
    image = picture([Opening("31", "8/5 6/5", 0.1, board)])
    colours = {tuple(colour) for colour in image.reshape(-1, 3).tolist()}
    assert image.dtype == np.uint8 and {(255, 253, 247), (51, 54, 59)} <= colours


def test_curves_are_no_reason_to_import_tensorboard_early():
    assert "tensorboard" not in vars(curves)


def test_the_time_left_is_told_by_the_whole_stage():
    """Not by the last seconds, in which a measurement of strength may have come; labels come on top."""
    told = Report.__new__(Report)  # without a run
    told.stages = [Stage("one", 300), Stage("two", 100, label_games=5)]
    told.measured_last, told.pace = {}, report.Window()
    told.pace.games = 100
    told.pace.begun -= 50
    at = Progress(stage=0, stage_games=100)
    assert told._seconds_left(at) == pytest.approx([100, 150], abs=1)
    line = told._line(at, report.Window().figures())
    assert re.search(r"\| 2 min left of the stage, [23] min and labels in all$", line)
    told.pace = report.Window()
    assert told._seconds_left(at) == [None, None]


def test_processor_time_is_that_of_all_ranks():
    """Other ranks had used 100 s when the window was opened, and 130 s at the last round."""
    window = report.Window(others=100.0)
    window.others = 130.0
    assert 30 <= window.figures()["core_seconds"] < 31
    assert report.Window(window.others).figures()["core_seconds"] < 1
