"""`bgai runs`: runs side by side."""

import json
import os
import sys

import pytest
from PIL import Image

from bgai.cli import plots


@pytest.fixture
def runs(tmp_path, checkpoint):
    """A folder with the runs `strong`, `weak` and `young`, which has not been measured yet."""
    for name, points in (("strong", 0.5), ("weak", 0.2), ("young", None)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "last.safetensors").write_bytes(checkpoint.read_bytes())
        records = []
        for games in (20_000, 40_000):
            figures = {"core_seconds": 90, "gammon": 0.25, "backgammon": 0.01}
            records.append({"kind": "progress", "stage": "td", "games": games, **figures})
            if points:
                interval = [points - 0.05, points + 0.05]
                records.append({"kind": "measured", "games": games, "pubeval": points, "pubeval_ci95": interval})
        (tmp_path / name / "metrics.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    return tmp_path


def test_a_table_with_the_strongest_first(bgai, runs):
    heading, first, second, third = bgai("runs", runs).out.splitlines()
    assert heading.split()[:3] == ["run", "stage", "games"]
    assert first.split()[0].endswith("strong") and "+0.500 [+0.450, +0.550] v pubeval" in first
    for figure in ("td", "40,000", "3.0", "26.0 %", "330-8-6 relu"):
        assert figure in first
    assert second.split()[0].endswith("weak") and "not measured yet" in third


def test_records(bgai, runs):
    [record] = bgai("runs", runs / "strong", "--json").records
    assert record == {
        "run": str(runs / "strong"),
        "stage": "td",
        "games": 40_000,
        "core_minutes": 3.0,
        "opponent": "pubeval",
        "ppg": 0.5,
        "ci95": [0.45, 0.55],
        "measured_after": 40_000,
        "past": None,
        "past_ci95": None,
        "gammons": 0.26,
        "network": "330-8-6 relu",
    }


def test_several_folders(bgai, runs):
    assert [r["run"][-4:] for r in bgai("runs", runs / "weak", runs / "young", "--json").records] == ["weak", "oung"]


def test_a_run_that_can_not_be_read_is_named_and_left_out(bgai, runs):
    (runs / "weak" / "metrics.jsonl").write_text("{}\n")
    result = bgai("runs", runs)
    assert result.code == 0 and len(result.out.splitlines()) == 3
    assert result.err.startswith(f"bgai runs: left out {runs / 'weak'}") and result.err.count("\n") == 1


def test_pictures(bgai, runs):
    png, svg = runs / "strength.png", runs / "strength.svg"
    assert bgai("runs", runs, "--plot", png).code == bgai("runs", runs, "--plot", svg).code == 0
    with Image.open(png) as picture:
        picture.verify()
        assert picture.width > picture.height > 300
    assert svg.read_text().rstrip().endswith("</svg>")


def test_bands_are_the_intervals_and_every_run_has_its_own_colour(bgai, runs, monkeypatch):
    drawn = []
    monkeypatch.setattr(plots, "_save", lambda figure, path: drawn.append(figure))
    bgai("runs", runs, "--plot", runs / "strength.png")
    by_games, by_minutes = drawn[0].axes
    assert by_games.lines[0].get_xydata().tolist() == [[20_000, 0.5], [40_000, 0.5]]
    assert by_minutes.lines[0].get_xdata().tolist() == [1.5, 3.0]
    band = by_games.collections[0].get_paths()[0].vertices
    assert (band[:, 1].min(), band[:, 1].max()) == (0.45, 0.55)
    assert len({line.get_color() for line in by_games.lines}) == 2
    assert len(by_minutes.get_legend().get_texts()) == 2, "what was never measured isn't drawn"


def test_what_others_wrote_steers_no_terminal_and_is_json(bgai, runs):
    metrics = runs / "weak" / "metrics.jsonl"
    metrics.write_text(metrics.read_text().replace('"td"', r'"\u001b[31m"').replace("0.2,", "NaN,"))
    assert "\x1b" not in (out := bgai("runs", runs).out) and r"\x1b[31m" in out
    assert "NaN" not in bgai("runs", runs / "weak", "--json").out


def test_a_picture_of_a_run_whose_name_is_no_text(bgai, runs):
    os.rename(runs / "weak", os.fsencode(runs) + b"/\xff$x")
    assert bgai("runs", runs, "--plot", runs / "strength.svg").code == 0


def test_mistakes(bgai, runs, monkeypatch):
    assert "ends in .png or .svg" in bgai("runs", runs, "--plot", runs / "strength.jpg").err
    assert "no run was measured" in bgai("runs", runs / "young", "--plot", runs / "strength.png").err
    assert "holds no runs" in bgai("runs", runs / "strong" / "nothing").err
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = bgai("runs", runs, "--plot", runs / "strength.png")
    assert result.code == 2 and "pip install matplotlib" in result.err and result.err.count("\n") == 1
