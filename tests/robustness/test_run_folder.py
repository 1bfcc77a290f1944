"""What a run's folder tells of where it comes from, and what it refuses."""

import json
import subprocess
import time
from pathlib import Path

import numba
import pytest

from bgai.cli.train import train as command
from bgai.files import write_atomically
from bgai.train.config import BadConfig
from bgai.train.folder import BadRun, old_run
from bgai.train.origin import code_state


def test_settings_versions_and_the_code_s_state_are_in_the_folder(train):
    assert train("seed=7") == 0
    with pytest.raises(BadRun, match="finished"):
        command(["resume=run"])
    assert "seed: 7" in Path("run/config.yaml").read_text()
    lines = [json.loads(line) for line in Path("run/origin.jsonl").read_text().splitlines()]
    assert len(lines) == 2  # one for each process that was to train
    assert all(line["versions"]["numba"] == numba.__version__ and line["python"] for line in lines)


def test_the_state_of_a_checkout(tmp_path):
    assert code_state(tmp_path) is None

    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True)

    git("init", "-q")
    assert code_state(tmp_path) is None  # nothing committed
    (tmp_path / "a.py").write_text("1")
    git("add", "a.py")
    git("commit", "-q", "-m", "one")
    clean = code_state(tmp_path)
    assert len(clean["commit"]) == 40 and clean["changed"] == []
    (tmp_path / "a.py").write_text("2")
    assert code_state(tmp_path) == {"commit": clean["commit"], "changed": [" M a.py"]}


ALIASES = "".join(f"x{i}: &x{i} [*x{i - 1}, *x{i - 1}]\n" for i in range(1, 40))
HOSTILE = {
    "empty": "",
    "no settings": "[1, 2]",
    "no text": "\xff\xfe\x00",
    "nested": "net: " + "[" * 30_000,
    "aliases that multiply": f"x0: &x0 [1, 1]\n{ALIASES}net: {{hidden: *x39}}",
    "an alias of itself": "net: &a {hidden: *a}",
    "a date that isn't": "seed: 2020-13-45",
    "an enormous number": f"seed: {'9' * 5000}",
    "a number too large for a float": f"stages: [{{name: one, games: 1, rate_start: {'9' * 400}}}]",
    "an object": "seed: !!python/object/apply:os.system ['touch was_here']",
    "large": "# \n" * 100_000,
    "a setting that isn't": "sed: 3",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_of_settings_that_is_damaged_or_hostile(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    Path("run/config.yaml").write_bytes(HOSTILE[kind].encode("latin-1"))
    start = time.process_time()
    with pytest.raises((BadRun, BadConfig)), old_run(Path("run")):
        pass
    assert time.process_time() - start < 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["config.yaml", "lock", "run"]


def test_what_a_killed_process_left_half_written_is_swept_when_the_run_goes_on(train, monkeypatch):
    assert train() == 0
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        patch.setattr("pathlib.Path.unlink", lambda _: None)  # killed, it can't clean up
        with pytest.raises(KeyboardInterrupt):
            write_atomically(Path("run/stages/half.safetensors"), b"1234")
    assert [path.name for path in Path("run").rglob(".*")] != []
    with pytest.raises(BadRun, match="finished"):
        command(["resume=run"])
    assert [path.name for path in Path("run").rglob(".*")] == []
