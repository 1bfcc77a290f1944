"""A run that is cut at any moment and resumed ends where an uncut one does, byte for byte."""

import fcntl
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import yaml
from devices import no_gpu
from tiny_runs import TINY, files

from bgai.cli.train import train as command
from bgai.net.checkpoint import load_checkpoint
from bgai.train import loop, watch
from bgai.train.folder import BadRun
from bgai.train.selfplay import SelfPlay
from bgai.train.state import Progress, load_state
from bgai.train.watch import Watch


class Cut(BaseException):
    """Stands for the end of the process: nothing in the program may catch it."""


@pytest.fixture(scope="module", params=[0, 5], ids=["saved each round", "saved as a stage begins"])
def often(request) -> str:
    return f"save_minutes={request.param}"


@pytest.fixture(scope="module")
def uncut(often, tmp_path_factory):
    """Files and measurements of the tiny recipe, run without a break."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watch, "RANDOM_GAMES", 4)
        patch.chdir(tmp_path_factory.mktemp("uncut"))
        assert command([*TINY, "run=run", often]) == 0
        return files("run"), measurements()


def measurements() -> list[dict]:
    records = [json.loads(line) for line in Path("run/metrics.jsonl").read_text().splitlines()]
    return [record for record in records if record["kind"] == "measured"]


def at_call(patch, owner, name: str, when: int, happens) -> None:
    """Let something happen before the `when`-th call of `owner.name`."""
    calls = count(1)
    real = getattr(owner, name)

    def called(*args):
        if next(calls) == when:
            happens()
        return real(*args)

    patch.setattr(owner, name, called)


def cut():
    raise Cut


@pytest.mark.parametrize(
    ("owner", "name", "when"),
    [
        pytest.param(loop, "learn", 1, id="before the first round"),
        pytest.param(Watch, "measure", 2, id="in a measurement"),
        pytest.param(Progress, "next_stage", 1, id="between a stage's checkpoint and the next stage"),
        pytest.param(Progress, "next_stage", 2, id="between the last checkpoint and the final state"),
    ],
)
def test_cut_and_resumed(train, monkeypatch, often, uncut, owner, name, when):
    with monkeypatch.context() as patch:
        at_call(patch, owner, name, when, cut)
        with pytest.raises(Cut):
            train(often)
    assert command(["resume=run"]) == 0
    assert (files("run"), measurements()) == uncut


def test_the_number_of_threads_makes_no_difference(train):
    """256 games, so that both threads have a share of every batch."""
    last = []
    for threads in (1, 2):
        settings = [f"run=by-{threads}", f"threads={threads}", "parallel_games=256", "eval_every=1000000"]
        assert train(*settings, "stages.1.luck_free=true") == 0
        last.append(load_checkpoint(Path(f"by-{threads}/last.safetensors")))
    assert last[0].updates == last[1].updates > 10
    for name, weights in last[0].weights.items():
        assert np.array_equal(weights, last[1].weights[name]), name


def test_a_luck_free_stage_with_replay(train, monkeypatch):
    settings = [
        "variant=hypergammon",
        "stages.1.games=60",
        "stages.1.luck_free=true",
        "stages.1.reuse=3",
        "stages.1.replay=100",
    ]
    assert train(*settings, "save_minutes=0") == 0
    uncut = files("run")
    Path("run").rename("uncut")
    with monkeypatch.context() as patch:
        at_call(patch, SelfPlay, "_play_all_rolls", 25, cut)
        with pytest.raises(Cut):
            train(*settings, "save_minutes=0")
    assert load_state(Path("run")).progress.stage == 1 and len(load_state(Path("run")).progress.waiting.uses) > 30
    assert command(["resume=run"]) == 0
    assert files("run") == uncut


@no_gpu
def test_on_a_gpu_too(train, monkeypatch, often):
    settings = [often, "device=cuda"]
    assert train(*settings) == 0
    uncut = files("run")
    Path("run").rename("uncut")
    with monkeypatch.context() as patch:
        at_call(patch, loop, "learn", 3, cut)
        with pytest.raises(Cut):
            train(*settings)
    assert command(["resume=run"]) == 0
    assert files("run") == uncut


@pytest.mark.parametrize(
    ("often", "number"), [(0, signal.SIGINT), (5, signal.SIGTERM)], ids=["Ctrl-C", "SIGTERM"], indirect=["often"]
)
def test_a_signal_stops_it_after_saving(train, monkeypatch, often, uncut, capsys, number):
    with monkeypatch.context() as patch:
        at_call(patch, Watch, "round", 20, lambda: signal.raise_signal(number))
        assert train(often) == 130
    assert "go on with: bgai train resume=run" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert load_state(Path("run")).progress.games == load_checkpoint("run/last.safetensors").games > 0
    assert command(["resume=run"]) == 0
    assert (files("run"), measurements()) == uncut


PROGRAM = "from bgai.train import watch; watch.RANDOM_GAMES = 4; from bgai.cli.main import main; main()"


@pytest.mark.parametrize("often", [0], indirect=True)
def test_killed_by_sigkill_at_a_random_moment(train, often, uncut):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, "train", *TINY, "run=run", often])
    while not Path("run/state.safetensors").exists():
        time.sleep(0.01)
    delay = random.uniform(0, 1)
    time.sleep(delay)
    process.kill()
    process.wait()
    if load_state(Path("run")).progress.stage < 2:  # else it was faster
        assert command(["resume=run"]) == 0
    assert (files("run"), measurements()) == uncut, f"killed {delay} s after its first save"


def test_a_damaged_state_falls_back_to_the_one_before(train, monkeypatch):
    with monkeypatch.context() as patch:
        at_call(patch, loop, "learn", 20, cut)
        with pytest.raises(Cut):
            train("save_minutes=0")
    before = load_state(Path("run"))
    newest = Path("run/state.safetensors")
    newest.write_bytes(newest.read_bytes()[:5000])
    with pytest.warns(UserWarning, match="falling back"):
        after = load_state(Path("run"))
    assert after.meta["generators"] != before.meta["generators"] and 0 < after.progress.games <= before.progress.games


def test_refusals(train):
    with pytest.raises(BadRun, match="run has no run to resume"):
        command(["resume=run"])
    assert train() == 0
    with pytest.raises(BadRun, match="go on with it by bgai train resume=run"):
        train()
    with pytest.raises(BadRun, match=r"run is finished.*from=run/last\.safetensors"):
        command(["resume=run"])
    whole = yaml.safe_load(Path("run/config.yaml").read_text())
    Path("run/config.yaml").write_text(yaml.safe_dump(whole | {"stages": whole["stages"][:1]}))
    with pytest.raises(BadRun, match=r"run has finished 2 stages, its config\.yaml has 1: put the others back"):
        command(["resume=run"])
    Path("run/config.yaml").write_text(yaml.safe_dump(whole))
    with pytest.raises(ValueError, match="leave out seed"):
        command(["resume=run", "seed=3"])
    Path("run/config.yaml").unlink()
    for left in (r"state\.\w+", "labels"):
        with pytest.raises(BadRun, match=rf"run has {left}.* of a run, but no config\.yaml: put that back"):
            train()
        shutil.rmtree("run")
        Path("run/labels").mkdir(parents=True)
    Path("run/labels").rmdir()
    assert train() == 0
    with open("run/lock") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(BadRun, match="another process is training in run"):
            command(["resume=run", "threads=1"])
