"""`bgai rollout`: plays, cube actions and positions, progress kept, and what can't be rolled out."""

import re
import sys
from dataclasses import replace

import pytest
import torch
from devices import no_gpu

from bgai.cli import rollout as command
from bgai.net.checkpoint import load_checkpoint, save_checkpoint

RACE = "XGID=-BB---------------------b-:0:0:1:{}:0:0:0:0:10"
QUICK = ["--trials", "36", "--truncate", "3"]


@pytest.fixture
def rollout(bgai, checkpoint):
    return lambda *arguments, **more: bgai("rollout", *arguments, "--checkpoint", checkpoint, **more)


def test_plays_best_first(rollout):
    (answer,) = rollout("start", "31", "--json", "--top", "3", "--trials", "72", "--truncate", "3").records
    assert answer["roll"] == [3, 1] and answer["trials"] == 72 and answer["kind"] == "cubeful"
    assert len(answer["results"]) == 3 and {r["play"] for r in answer["results"]} == set(answer["of"])
    equities = [r["equity"] for r in answer["results"]]
    assert equities == sorted(equities, reverse=True)
    for r in answer["results"]:
        low, high = r["ci95"]
        assert low < r["equity"] < high and high - low == pytest.approx(2 * 1.96 * r["error"], abs=1e-4)
        assert sum(r["outcomes"]) == pytest.approx(1, abs=1e-4)


def test_a_cube_action(rollout):
    (answer,) = rollout(RACE.format("00"), "--cube", "--json").records
    assert answer["of"] == ["no double", "double, take"]
    assert (answer["nd"], answer["dt"], answer["dp"]) == pytest.approx([r["equity"] for r in answer["results"]] + [1])
    assert answer["action"] in ("no double/take", "double/take", "double/pass", "too good to double/pass")


def test_a_position_in_a_match(rollout):
    (answer,) = rollout("start", "--score", "3-4/7", "--json", *QUICK).records
    assert answer["kind"] == "mwc" and answer["of"] == ["position"]
    assert answer["results"][0]["error"] is None  # one set has no error yet
    (answer,) = rollout("start", "--cube-at", "2:opponent", "--cubeless", "--json", *QUICK).records
    assert answer["kind"] == "cubeless"
    assert answer["results"][0]["equity"] == pytest.approx(answer["results"][0]["cubeless"], abs=1e-5)


def test_a_single_position_is_never_clear(rollout):
    (answer,) = rollout("start", "--jsd", "0", "--trials", "180", "--truncate", "1", "--json").records
    assert answer["trials"] == 180


def test_text_says_what_was_done(rollout):
    out = rollout("start", "31", "--top", "2", "--ply", "0", "--trials", "72", "--truncate", "2").out
    assert "72 trials of each, 0-ply, cubeful, truncated after 2 turns, seed 1" in out
    assert "times less" in out
    out = rollout("start", "31", "--top", "2", *QUICK, "--luck-ply", "-1").out
    assert "times less" not in out


def test_a_kept_rollout_goes_on(rollout, tmp_path):
    kept = ["--keep", tmp_path / "kept.json", "--truncate", "3", "--json"]
    first = rollout("start", *kept, "--trials", "36").records[0]
    more = rollout("start", *kept, "--trials", "108").records[0]
    at_once = rollout("start", "--truncate", "3", "--json", "--trials", "108").records[0]
    assert first["trials"] == 36 and more == at_once
    for other in (["--seed", "2"], ["--beavers"]):
        assert "another question" in rollout("start", *kept, *other).err


def test_a_terminal_shows_the_running_estimate(rollout, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = rollout("start", "31", "--top", "2", "--truncate", "1", "--trials", "72").err
    assert re.search(r"72 of 72 trials: \S+ \S+ [+-]\d\.\d{4} \+- \d\.\d{4}\n$", told)


def test_ctrl_c_prints_what_is_known(rollout, monkeypatch):
    def interrupted(*arguments, **options):
        yield next(real(*arguments, **options))
        raise KeyboardInterrupt

    real = command.roll_out
    monkeypatch.setattr(command, "roll_out", interrupted)
    result = rollout("start", "--json", "--truncate", "2", "--trials", "36")
    assert result.code == 130 and result.records[0]["trials"] == 36


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["start", "--cube", "--cube-at", "2:opponent"], "no double to roll out"),
        (["start", "--cube", "--score", "4-2/5:crawford"], "no double to roll out"),
        (["start", "--cube", "--cubeless"], "without a cube"),
        (["start", "77"], "no roll"),
        (["start", "--jsd", "nan"], "'--jsd': nan is no finite number"),
        (["start", "--jsd", "-1"], "--jsd"),
        (["start", "31", "--cube"], "R32"),
        (["start", "--keep", "/dev/zero"], "no regular file"),
        (["start", "--luck-ply", "-2"], "0 to 4"),
        (["XGID=-c----E-E----D-----bbbbbbA:0:0:1:31:0:0:0:0:10"], "can't be played"),
        ([RACE.format("D")], "--cube rolls a double out"),
        ([RACE.format("D"), "31"], "waits for an answer"),
        ([RACE.format("31"), "--cube"], "R32"),
    ],
)
def test_impossible_requests_are_refused_with_the_reason(rollout, arguments, reason):
    result = rollout(*arguments)
    assert result.code == 2 and reason in result.err


@pytest.mark.parametrize(
    ("options", "reason"),
    [(["--cube-at", "2:opponent"], "R34"), (["--score", "6-4/7:crawford"], "R39"), (["--score", "6-4/7"], "R41")],
    ids=["not the owner", "Crawford", "a win suffices"],
)
def test_a_double_where_none_is_possible_is_refused_with_the_reason(bgai, checkpoint, options, reason):
    result = bgai("rollout", "start", "--cube", "--checkpoint", checkpoint, *options)
    assert result.code == 2 and reason in result.err and result.out == ""


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there(rollout):
    wrong = rollout("start", "--device", "cuda")
    assert wrong.code == 2
    assert wrong.err == "bgai rollout: device cuda: there is no GPU that torch can use; leave it out, or say cpu\n"
    other = rollout("start", "--device", "gpu")
    assert other.code == 2 and "'gpu' is not one of 'cpu', 'cuda'" in other.err


@no_gpu
def test_on_a_gpu_the_answer_is_the_same(rollout):
    question = ("start", "31", "--top", "2", "--json", *QUICK)
    there, here = (rollout(*question, "--device", name).records[0]["results"] for name in ("cuda", "cpu"))
    assert [r["play"] for r in there] == [r["play"] for r in here]
    assert [r["equity"] for r in there] == pytest.approx([r["equity"] for r in here], abs=0.02)


def test_a_kept_rollout_of_another_player_is_refused(bgai, checkpoint, tmp_path):
    player = tmp_path / "player.safetensors"
    player.write_bytes(checkpoint.read_bytes())
    kept = ("rollout", "start", *QUICK, "--checkpoint", player, "--keep", tmp_path / "kept.json")
    assert bgai(*kept).code == 0
    net = load_checkpoint(player)
    save_checkpoint(player, replace(net, weights={name: 2 * w for name, w in net.weights.items()}))
    result = bgai(*kept)
    assert result.code == 2 and "another question" in result.err
