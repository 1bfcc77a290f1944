"""`bgai move`: the plays of a roll, best first, as text and as JSON."""

import subprocess
import sys

import numpy as np
import pytest

from bgai import api
from bgai.board import OUTCOME_POINTS, START
from bgai.plays import legal_plays

PLAYED_31 = [0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
CLOSED_OUT = "XGID=-c----E-E----D-----bbbbbbA:0:0:1:31:0:0:0:0:10"  # on the bar against six made points (R19)


def test_json_has_every_play_best_first(bgai, checkpoint):
    (answer,) = bgai("move", "start", "31", "--checkpoint", checkpoint, "--top", "all", "--json").records
    assert list(answer) == ["position", "board", "roll", "ply", "pips", "epc", "wastage", "plays"]
    assert answer["position"].startswith("4HPwATDgc/ABMA:")
    assert answer["board"] == START.tolist() and answer["roll"] == [3, 1] and answer["ply"] == 0
    plays = answer["plays"]
    legal = legal_plays(START[None], np.array([[3, 1]], np.int8), flipped=False).boards.tolist()
    assert sorted(p["board"] for p in plays) == sorted(legal)
    assert {"play": "8/5 6/5", "board": PLAYED_31}.items() <= next(p for p in plays if p["play"] == "8/5 6/5").items()
    equities = [p["equity"] for p in plays]
    assert equities == sorted(equities, reverse=True)
    for p in plays:
        assert list(p) == ["play", "ply", "equity", "cubeless", "kind", "outcomes", "board"]
        assert p["kind"] == "cubeful" and p["ply"] == 0
        assert sum(p["outcomes"]) == pytest.approx(1, abs=1e-5)
        assert np.dot(p["outcomes"], OUTCOME_POINTS) == pytest.approx(p["cubeless"], abs=1e-5)


def test_a_play_is_worth_what_its_position_costs_the_opponent(checkpoint):
    best = api.best_plays("start", (3, 1), checkpoint=checkpoint)[0]
    after = api.evaluate(-best.board[None, ::-1], checkpoint=checkpoint)[0]
    assert best.outcomes == pytest.approx(after[[3, 4, 5, 0, 1, 2]], abs=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        ["--cube", "2:mover", "--jacoby"],
        ["--cube", "2:opponent", "--score", "3-4/7"],
        ["--score", "6-4/7:crawford"],
    ],
    ids=" ".join,
)
def test_each_line_says_its_ply_and_deeper_ones_come_first(bgai, checkpoint, options):
    asked = "move", "start", "31", "--ply", "1", "--top", "all", "--checkpoint", checkpoint, *options
    (answer,) = bgai(*asked, "--json").records
    plies = [p["ply"] for p in answer["plays"]]
    assert plies == sorted(plies, reverse=True) and plies[0] == 1
    assert all(p["kind"] == ("mwc" if "--score" in options else "cubeful") for p in answer["plays"])
    lines = [line for line in bgai(*asked).out.splitlines() if "-ply " in line]
    assert [int(line.split()[1][0]) for line in lines] == plies
    assert all(("(" in line) == (ply == 1) for line, ply in zip(lines[1:], plies[1:], strict=True))  # behind the best


def test_a_pending_double_is_refused(bgai, checkpoint):
    pending = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"
    result = bgai("move", pending, "31", "--checkpoint", checkpoint)
    assert result.code == 2 and "a double waits for an answer" in result.err and "bgai cube" in result.err


def test_top_limits_the_plays(bgai, checkpoint):
    assert [
        len(bgai("move", "start", "31", "--checkpoint", checkpoint, "--json", *top).records[0]["plays"])
        for top in ([], ["--top", "2"])
    ] == [5, 2]


def test_the_roll_of_the_id_is_used_and_can_be_replaced(bgai, checkpoint):
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10"
    options = ["--checkpoint", checkpoint, "--json"]
    assert bgai("move", xgid, *options).records[0]["roll"] == [6, 4]
    assert bgai("move", xgid, "5-2", *options).records[0]["roll"] == [5, 2]


def test_no_legal_play_is_an_empty_list(bgai, checkpoint):
    assert bgai("move", CLOSED_OUT, "--checkpoint", checkpoint, "--json").records[0]["plays"] == []
    assert bgai("move", CLOSED_OUT, "--checkpoint", checkpoint).out.endswith("no legal play\n")


def test_text_shows_the_board_and_the_ranked_plays(bgai, checkpoint):
    lines = bgai("move", "start", "31", "--checkpoint", checkpoint).out.splitlines()
    assert any(line.startswith("  1. ") for line in lines) and any(line.startswith("  5. ") for line in lines)
    assert not any(line.startswith("  6. ") for line in lines)


def test_standard_input_is_answered_line_by_line(bgai, checkpoint):
    lines = "start 31\nnonsense\nXGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10\nstart\n"
    result = bgai("move", "-", "--json", "--checkpoint", checkpoint, stdin=lines)
    first, second, third, fourth = result.records
    assert first["roll"] == [3, 1] and third["roll"] == [6, 4]
    assert "nonsense" in second["error"] and "no roll" in fourth["error"]
    assert result.code == 2  # not all could be answered
    assert bgai("move", "-", "--json", "--checkpoint", checkpoint, stdin="start 31\n").code == 0


def test_an_endless_line_is_refused(bgai, checkpoint):
    result = bgai("move", "-", "--checkpoint", checkpoint, stdin="a" * 2000)
    assert result.code == 2 and "more than 1000 characters" in result.err


def test_asking_works_where_torch_cannot_be_imported_and_starts_without_rich(checkpoint):
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from bgai.cli.main import main\n"
        "try: main()\n"
        "finally: print(sorted({'rich', 'hydra', 'tensorboard'} & sys.modules.keys()))"
    )
    arguments = ["move", "start", "31", "--top", "all", "--checkpoint", str(checkpoint)]
    run = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert "8/5 6/5" in run.stdout and run.stdout.endswith("[]\n")
