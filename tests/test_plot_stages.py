"""`scripts/plot_stages.py`."""

import runpy
import sys
from pathlib import Path

from omegaconf import OmegaConf

CHECKOUT = Path(__file__).parents[1]
SCRIPT = str(CHECKOUT / "scripts" / "plot_stages.py")


def test_stages_that_have_met_gnu_backgammon_are_points_of_the_picture(tmp_path, monkeypatch):
    script = runpy.run_path(SCRIPT)
    page = "| td | 0.45 | | |\n| luck-free | 1.1 | +0.021 [+0.007, +0.036] | -0.055 [-0.066, -0.044] |\n"
    assert script["measured"](page) == [("luck-free", 1.1, -0.055, -0.066, -0.044)]
    stages = script["measured"]((CHECKOUT / "docs/strength.md").read_text())
    recipe = OmegaConf.load(CHECKOUT / "configs/experiment/champion.yaml")
    assert [p.stage for p in stages] == [stage.name for stage in recipe.stages][1:]  # all but td
    assert all(p.low < p.points < p.high for p in stages)
    monkeypatch.setattr(sys, "argv", [SCRIPT, "--out", str(tmp_path / "stages.svg")])
    runpy.run_path(SCRIPT, run_name="__main__")
    assert (tmp_path / "stages.svg").read_text().count("luck-free") >= 1
