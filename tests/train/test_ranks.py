"""Several processes train one player: `torchrun -m bgai train`."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tiny_runs import TINY, same_weights

import bgai
from bgai.board import START
from bgai.cli.train import BadUsage
from bgai.cli.train import train as command
from bgai.net.checkpoint import Architecture
from bgai.net.weights import random_weights
from bgai.train import teacher
from bgai.train.compose import composed
from bgai.train.config import Stage
from bgai.train.folder import BadRun, new_run
from bgai.train.label_files import BadLabels, files_in
from bgai.train.learner import Learner
from bgai.train.ranks import ALONE, Ranks
from bgai.train.selfplay import Samples, SelfPlay
from bgai.train.state import load_state
from bgai.train.watch import Watch

SETTINGS = [*TINY, "run=run", "save_minutes=0", "eval_every=1000000", "stages.1.luck_free=true", "stages.1.replay=40"]
PROGRAM = Path(__file__).parent / "rank_program.py"


FROM_PYTHON = """
import os, sys, bgai

records = []
told = open("rank " + os.environ["RANK"], "w")  # what both print may come out mixed
for run in ("first", "second"):
    path = bgai.train_player("td", *sys.argv[1:], run=run, on_progress=records.append)
    print(path, len(records) > 0, file=told)
try:
    bgai.resume_run("second")
except ValueError as error:
    print(error, file=told)
"""


def torchrun(folder: Path, program: str | Path = PROGRAM, settings=SETTINGS, die_after: int | None = None) -> None:
    """Run `program` as two ranks in `folder`; all start once more if rank 1 is to die."""
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "--max-restarts=1"]
    env = os.environ | ({} if die_after is None else {"DIE_AFTER": str(die_after)})
    done = subprocess.run([*launcher, program, *settings], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The working directory of a run of two ranks."""
    folder = tmp_path_factory.mktemp("trained")
    torchrun(folder)
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """That of the same run, whose second rank was killed in the second stage."""
    folder = tmp_path_factory.mktemp("killed")
    torchrun(folder, die_after=12)
    return folder


def test_all_ranks_end_with_the_same_weights(trained):
    first, second = (np.load(trained / f"rank{rank}.npz") for rank in (0, 1))
    assert set(first) == set(second) and int(first["steps"][0]) > 0
    for name in first:
        assert np.array_equal(first[name], second[name]), name


NETWORKS = ("bgai-one", "bgai-two")  # namespaces, each with one end of a cable and an address of its own


@pytest.fixture
def networks():
    """What comes before a command so that it runs in one or the other of two networks joined by a cable."""
    ip = shutil.which("ip", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if ip is None or subprocess.run([ip, "netns", "add", NETWORKS[0]], capture_output=True).returncode:
        pytest.skip("this user can't make network namespaces")
    try:
        subprocess.run([ip, "netns", "add", NETWORKS[1]], check=True)
        cable = ("type", "veth", "peer", "name", "bgai-2")
        subprocess.run([ip, "link", "add", "bgai-1", *cable], check=True)
        for number, network in enumerate(NETWORKS, start=1):
            subprocess.run([ip, "link", "set", f"bgai-{number}", "netns", network], check=True)
            inside = [ip, "-n", network]
            subprocess.run([*inside, "addr", "add", f"10.77.0.{number}/24", "dev", f"bgai-{number}"], check=True)
            for device in (f"bgai-{number}", "lo"):
                subprocess.run([*inside, "link", "set", device, "up"], check=True)
        yield [[ip, "netns", "exec", network] for network in NETWORKS]
    finally:
        for network in NETWORKS:
            subprocess.run([ip, "netns", "del", network], capture_output=True)


def test_two_machines_that_share_nothing_but_a_cable_train_as_two_processes_of_one_do(trained, networks, tmp_path):
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nnodes=2", "--master-addr=10.77.0.1"]
    machines = []
    for rank, inside in enumerate(networks):
        folder = tmp_path / f"machine {rank}"
        folder.mkdir()
        command = [*inside, *launcher, f"--node-rank={rank}", PROGRAM, *SETTINGS]
        env = os.environ | {"GLOO_SOCKET_IFNAME": f"bgai-{rank + 1}"}
        machines.append(subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE))
    for machine in machines:
        _, said = machine.communicate(timeout=300)
        assert machine.returncode == 0, said
    for rank in (0, 1):
        here, there = np.load(tmp_path / f"machine {rank}/rank{rank}.npz"), np.load(trained / f"rank{rank}.npz")
        assert all(np.array_equal(here[name], there[name]) for name in there)
    assert (tmp_path / "machine 0/run/last.safetensors").exists() and not (tmp_path / "machine 1/run").exists()


def test_ranks_play_different_games(killed):
    state = load_state(killed / "cut")
    assert not np.array_equal(state.of(0, 2).part("games.")["boards"], state.of(1, 2).part("games.")["boards"])


def test_a_killed_rank_is_started_again_and_the_run_ends_as_if_nothing_had_happened(trained, killed, monkeypatch):
    assert load_state(killed / "cut").progress.stage < 2
    runs = []
    for folder in (trained, killed):
        monkeypatch.chdir(folder)
        state, last = load_state(Path("run")), Path("run/last.safetensors").read_bytes()
        runs.append((state.meta, {name: a.tolist() for name, a in state.arrays.items()}, last))
    assert runs[0] == runs[1]


def test_one_process_goes_on_alone(killed, tmp_path, monkeypatch):
    monkeypatch.chdir(killed)
    before = load_state(Path("cut")).progress
    assert command(["resume=cut"]) == 0
    after = load_state(Path("cut"))
    assert after.progress.stage == 2 and after.progress.games > before.games and len(after.meta["generators"]) == 1
    games = [json.loads(line)["games"] for line in Path("cut/metrics.jsonl").read_text().splitlines()]
    assert games == sorted(games) and games[-1] == after.progress.games


def test_a_rank_that_was_not_there_before_finds_the_weights_and_begins_games_of_its_own(train, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Watch, "round", lambda *_: signal.raise_signal(signal.SIGINT))
        assert train() == 130
    saved = load_state(Path("run"))
    new = saved.of(1, 2)
    assert new.progress.updates == saved.progress.updates and len(new.progress.waiting.uses) == 0
    learner = Learner(Architecture((4,)), random_weights(Architecture((4,)), np.random.default_rng(9)))
    play_rng, rng = Ranks(1, 2).generators(1, 2)
    games = SelfPlay(16, "backgammon", {"opening": 1.0}, play_rng)
    watch = Watch(composed(TINY), 0)
    new.restore(learner, games, rng, watch)
    assert np.array_equal(learner.weights()["out.weight"], saved.arrays["learner.weights.out.weight"])
    assert not games.turn.any() and watch.state() == saved.meta["watch"]
    one, other = (generator.random(4) for generator in Ranks(0, 2).generators(1, 2))
    assert len({*one, *other, *play_rng.random(4), *rng.random(4)}) == 16


def test_training_from_python_is_shared_out_too(trained, tmp_path):
    (tmp_path / "program.py").write_text(FROM_PYTHON)
    settings = [word for word in SETTINGS if word != "run=run"]
    torchrun(tmp_path, "program.py", settings)
    for rank, heard in ((0, True), (1, False)):
        first, second, refusal = (tmp_path / f"rank {rank}").read_text().splitlines()
        assert (first, second) == (f"first/last.safetensors {heard}", f"second/last.safetensors {heard}")
        assert refusal.startswith("second is finished")
    for run in ("first", "second"):
        assert same_weights(tmp_path / run / "last.safetensors", trained / "run/last.safetensors")


def test_batches_and_replay_are_shared_out():
    stage = Stage("s", 1000, batch=256, replay=300_000)
    assert ALONE.share(stage) == stage
    assert [Ranks(0, 16).share(stage).batch, Ranks(0, 16).share(stage).replay] == [16, 18_750]
    assert Ranks(0, 1000).share(stage).batch == 1


def test_learning_rates_grow_with_the_root_of_the_ranks():
    stage = Stage("s", 1000, batch=256, rate_start=1e-3, rate_end=1e-5)
    assert (Ranks(3, 4).share(stage).rate_start, Ranks(3, 4).share(stage).rate_end) == pytest.approx((2e-3, 2e-5))
    assert Ranks(0, 1000).share(stage).rate_start == pytest.approx(16e-3)  # batches of 1, not of a quarter


def test_refusals(train, monkeypatch):
    monkeypatch.setenv("RANK", "0")
    for refused in (lambda: command(TINY), lambda: bgai.train_player("td", *TINY)):
        with pytest.raises(BadRun, match="name the run's folder by run="):
            refused()
    with pytest.raises(BadUsage, match="torchrun many processes of one"):
        command([*TINY, "-m", "seed=1,2"])


def test_the_same_command_goes_on_with_its_run_and_no_other(tmp_path):
    config = composed([*TINY, f"run={tmp_path}"])
    with new_run(config):
        pass
    with new_run(config, again=True):
        pass
    with pytest.raises(BadRun, match="has a run already"), new_run(config):
        pass
    config.seed = 2
    with pytest.raises(BadRun, match="has a run already"), new_run(config, again=True):
        pass


def test_labels_that_another_rank_does_not_see_are_missed(tmp_path, monkeypatch):
    """Each machine has a folder of its own under the same name: a rank would learn a part of its own files only."""
    label = "stages=[{name: one, games: 1},{name: two, games: 20, label_games: 2000}]"
    config = composed([word for word in TINY if not word.startswith("stages")] + [label, f"run={tmp_path}"])
    monkeypatch.setattr(teacher, "label", lambda net, how, seed: samples())
    monkeypatch.setattr(Ranks, "any", lambda self, wish: wish)
    with pytest.raises(BadLabels, match="that all machines share"):
        teacher.make_labels(None, "", config, 1, Ranks(1, 2), None, SimpleNamespace(asked=False))
    assert [path.name for path in files_in(tmp_path / "labels/2-two")] == ["2.safetensors"]


def samples() -> Samples:
    """One label."""
    outcomes = np.full((1, 6), 1 / 6, np.float32)
    return Samples(START[None], outcomes, outcomes, np.zeros(1, np.int8), np.array([1, 0, 0, 0, 0, 0]), 50, 1)
