"""Training from Python: the same runs as those of `bgai train`."""

import subprocess
import sys

import pytest
from tiny_runs import TINY, same_weights

import bgai
from bgai.threads import threads
from bgai.train.config import BadConfig
from bgai.train.folder import BadRun
from bgai.train.history import read_run


def test_a_player_is_trained_and_asked(train, capsys):
    records, cores = [], threads()
    path = bgai.train_player("td", *TINY, "seed=3", run="python", on_progress=records.append)
    assert threads() == cores, "threads=1 of the run is no setting of what comes after it"
    assert bgai.best_plays("start", (3, 1), checkpoint=path)
    told = {kind: [r["games"] for r in records if r["kind"] == kind] for kind in ("progress", "measured")}
    assert told["progress"][-1] >= 45
    assert told["measured"] == [m.games for m in read_run(path.parent).strength]
    assert train("seed=3") == 0
    assert same_weights(path, "run/last.safetensors")


def test_a_stopped_run_is_gone_on_with(train):
    def stop(record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bgai.train_player("td", *TINY, run="python", on_progress=stop)
    assert bgai.resume_run("python").name == "last.safetensors"
    with pytest.raises(BadRun, match="finished"):
        bgai.resume_run("python")


def test_paths_are_given_as_on_the_command_line(train):
    begun = bgai.train_player("td", *TINY, run="a run, its [first]")
    words = [word for word in TINY if not word.startswith("net.")]
    second = bgai.train_player("td", *words, f"from={begun}", "run=another, of [settings]")
    assert second.parent.name == "another, of [settings]"
    assert same_weights(second.parent / "start.safetensors", begun)


def test_what_is_wrong_is_said(train):
    with pytest.raises(BadConfig, match="did you mean seed"):
        bgai.train_player("td", "sede=3")
    with pytest.raises(BadConfig, match="no experiment quik"):
        bgai.train_player("quik")
    bgai.train_player("td", *TINY, run="python")
    with pytest.raises(BadRun, match="has a run already"):
        bgai.train_player("td", *TINY, run="python")


def test_torch_is_not_loaded_before_training_begins():
    program = "import sys, bgai; bgai.evaluate; bgai.train_player; print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "False\n"
