"""Files of JSON that are kept to go on with: whatever stands in them is read, or refused in words, or made anew."""

import json

import numpy as np
import pytest

from bgai.analysis import store
from bgai.analysis.decisions import JudgedGame, Roll
from bgai.arena.benchmark import BadBenchmark, load_benchmark
from bgai.board import START
from bgai.evaluator.rollout import OtherRollout, Rollout, load, of_position, save
from bgai.evaluator.trials import Settings
from bgai.game import State
from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint
from bgai.train.history import BadMetrics, read_run
from bgai.train.report import _forget_after

HUGE = "9" * 400
NASTY = {
    "nothing": "",
    "nested deep": "[" * 100_000 + "]" * 100_000,
    "a list": "[]",
    "a number": "7",
    "null": "null",
    "a text": '"question"',
    "an empty table": "{}",
    "cut off": '{"kind": "progress", "ga',
    "no text": "\x00\x01",
    "another table": '{"kind": 3, "decisions": {"a": 1}, "results": {}, "raw": 7, "question": null}',
    "huge numbers": f'{{"kind": "progress", "games": {HUGE}, "results": [[[{HUGE}]]], "raw": [[[{HUGE}]]], "board": '
    f'[{HUGE}], "decisions": [], "rolls": [{HUGE}], "question": {HUGE}, "core_seconds": {HUGE}, "stage": ""}}',
}
nasty = pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in NASTY.items()])


def start():
    return of_position(START, State())


@nasty
def test_a_rollout(tmp_path, text):
    (tmp_path / "kept").write_text(text)
    with pytest.raises(OtherRollout, match="kept"):
        load(tmp_path / "kept", {}, start(), Settings())


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_rollout_of_numbers_that_are_not_finite(tmp_path, number):
    save(Rollout(start(), Settings(), *np.zeros((2, 1, 2, 7))), {}, tmp_path / "kept")
    text = (tmp_path / "kept").read_text()
    assert load(tmp_path / "kept", {}, start(), Settings()).trials == 72
    (tmp_path / "kept").write_text(text.replace("0.0", number, 1))
    with pytest.raises(OtherRollout, match="finite"):
        load(tmp_path / "kept", {}, start(), Settings())


@nasty
def test_a_judged_game_is_judged_again(tmp_path, monkeypatch, text):
    monkeypatch.setattr(store, "cache_dir", lambda: tmp_path)
    store.path_of("key").parent.mkdir()
    store.path_of("key").write_text(text)
    assert store.load("key") is None


def test_a_judged_game_of_which_one_letter_is_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_dir", lambda: tmp_path)
    judged = JudgedGame((), (Roll(0, 1, 0.25, 1.0, -0.5),))
    store.save("key", judged)
    assert store.load("key") == judged
    whole = store.path_of("key").read_bytes()
    for at in range(len(whole)):
        store.path_of("key").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert store.load("key") is None


@nasty
def test_figures_of_a_run(tmp_path, text):
    network = Architecture((2,))
    weights = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    save_checkpoint(tmp_path / "last.safetensors", Checkpoint(network, weights))
    (tmp_path / "metrics.jsonl").write_text(f"{text}\n")
    with pytest.raises(BadMetrics, match=r"metrics\.jsonl"):
        read_run(tmp_path)


@nasty
def test_figures_that_a_resumed_run_goes_on_writing(tmp_path, text):
    good = json.dumps({"kind": "progress", "games": 10}) + "\n"
    (tmp_path / "metrics.jsonl").write_text(f"{good}{text}\n")
    _forget_after(tmp_path / "metrics.jsonl", games=10)
    assert (tmp_path / "metrics.jsonl").read_text() == good


@nasty
def test_a_benchmark(tmp_path, text):
    (tmp_path / "file").write_text(f'{{"bgai benchmark": 1}}\n{text}\n' if text else "")
    with pytest.raises(BadBenchmark, match="file"):
        load_benchmark(tmp_path / "file")


def test_a_save_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    rollouts = [Rollout(start(), Settings(), *np.full((2, 1, sets, 7), 0.5)) for sets in (2, 3)]
    save(rollouts[0], {}, tmp_path / "kept")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        save(rollouts[1], {}, tmp_path / "kept")
    assert load(tmp_path / "kept", {}, start(), Settings()).trials == 72
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
