"""`bgai met`: a computed table and its difference from another one."""

import numpy as np
import pytest

from bgai.board import OUTCOME_POINTS, START
from bgai.cli import met as command
from bgai.evaluator.met import default_table
from bgai.evaluator.rollout import Rollout, of_position
from bgai.evaluator.trials import Settings
from bgai.game import State

SENSIBLE = [0.375, 0.14, 0.005, 0.355, 0.12, 0.005]  # rates that a good player has


@pytest.fixture(autouse=True)
def sensible_games(monkeypatch):
    """Games as a good player's, at once: the random one of the tests would play for minutes."""
    results = np.tile([np.dot(SENSIBLE, OUTCOME_POINTS), *SENSIBLE], (1, 2, 1))
    rollout = Rollout(of_position(START, State()), Settings(), results, results)
    monkeypatch.setattr(command, "roll_out", lambda *arguments: iter([rollout]))


def test_it_comes_near_the_published_table(bgai, checkpoint):
    (answer,) = bgai("met", "--json", "--length", "15", "--checkpoint", checkpoint).records
    assert np.shape(answer["mwc"]) == (15, 15) and len(answer["post_crawford"]) == 15
    assert np.array(answer["mwc"]) + np.transpose(answer["mwc"]) == pytest.approx(1, abs=2e-6)
    published = default_table().mwc[0, 1:16, 1:16]
    assert answer["largest_difference"] == pytest.approx(np.abs(answer["mwc"] - published).max(), abs=1e-5)
    assert answer["largest_difference"] < 0.01 and answer["compared_with"] == "kazaross_xg2"


def test_the_table_it_writes_is_one_that_it_reads(bgai, checkpoint, tmp_path):
    file = tmp_path / "own.csv"
    assert bgai("met", "--csv", file, "--checkpoint", checkpoint).code == 0
    (again,) = bgai("met", "--table", file, "--json", "--checkpoint", checkpoint).records
    assert again["compared_with"] == "own" and again["largest_difference"] < 1e-5


def test_a_folder_that_is_not_there_is_told_before_the_games(bgai, monkeypatch):
    monkeypatch.setattr(command, "roll_out", None)
    result = bgai("met", "--csv", "nowhere/own.csv")
    assert result.code == 2 and "there is no folder nowhere" in result.err


def test_text_shows_both(bgai, checkpoint):
    out = bgai("met", "--length", "3", "--checkpoint", checkpoint).out
    assert "kazaross_xg2" in out and "the trailer after the Crawford game" in out and "mean difference" in out
