"""What the learner does with positions, and whole small runs."""

import time
from pathlib import Path

import numpy as np
import pytest
from tiny_runs import TINY, further, same_weights

from bgai.cli.train import train as command
from bgai.net.checkpoint import Architecture, load_checkpoint
from bgai.net.weights import random_weights
from bgai.train import loop
from bgai.train.config import Stage
from bgai.train.learner import Learner
from bgai.train.starts import scattered
from bgai.train.state import Waiting


def positions(n: int):
    """Boards and a target that depends on them: how the two pip counts compare."""
    boards = scattered(n, "backgammon", np.random.default_rng(1))
    ahead = 1 / (1 + np.exp((boards.astype(float) @ np.arange(26)) / 40))
    targets = np.zeros((n, 6), np.float32)
    targets[:, 0], targets[:, 3] = ahead, 1 - ahead
    return Waiting(boards, targets, np.ones(n, np.int8))


STAGE = Stage("s", 100, batch=64)


RATE = 0.01


def learner() -> Learner:
    architecture = Architecture((16,))
    return Learner(architecture, random_weights(architecture, np.random.default_rng(1)))


def test_learning_lowers_the_loss():
    pupil, waiting = learner(), positions(640)
    losses = [loop.learn(pupil, waiting, STAGE, RATE, np.random.default_rng(k))[0] for k in range(10)]
    assert losses[0] > 1 and losses[-1] < 0.7  # the targets themselves leave 0.6


def test_every_position_is_learned_once_and_a_rest_waits(monkeypatch):
    pupil, waiting = learner(), positions(150)
    seen = []
    monkeypatch.setattr(pupil, "learn", lambda *args: seen.append(args) or 0.0)
    _, steps, rest = loop.learn(pupil, waiting, STAGE, RATE, np.random.default_rng(1))
    ((boards, targets, batch, rate),) = seen
    assert (steps, batch, rate, len(rest.boards), len(rest.targets)) == (2, 64, RATE, 22, 22)

    def together(boards, targets):
        return sorted(b.tobytes() + t.tobytes() for b, t in zip(boards, targets, strict=True))

    assert sorted(together(boards, targets) + together(*rest[:2])) == together(*waiting[:2])


def test_reused_positions_are_learned_so_many_times_but_for_those_held_back():
    pupil, stage = learner(), Stage("s", 100, batch=50, reuse=4, replay=100)
    boards, targets, _ = positions(150)
    waiting, learned = Waiting(boards, targets, np.full(150, 4, np.int8)), 0
    for k in range(20):
        _, steps, waiting = loop.learn(pupil, waiting, stage, RATE, np.random.default_rng(k))
        learned += steps * 50
        assert (waiting.uses >= 1).all()
    assert learned == 4 * 150 - 100 == 4 * 150 - waiting.uses.sum()


def test_fewer_positions_than_a_batch_change_nothing():
    pupil = learner()
    before = pupil.weights()
    loss, steps, rest = loop.learn(pupil, positions(10), STAGE, RATE, np.random.default_rng(1))
    assert (loss, steps, len(rest[0])) == (0.0, 0, 10)
    assert all(np.array_equal(before[name], w) for name, w in pupil.weights().items())


def test_schedules_run_from_start_to_end():
    stage = Stage("s", 100, rate_start=1e-2, rate_end=1e-4, lambda_start=1.0, lambda_end=0.0)
    got = [loop.schedule(stage, done) for done in (0, 0.5, 1)]
    assert np.array(got) == pytest.approx(np.array([(1e-2, 1), (1e-3, 0.5), (1e-4, 0)]))


def test_a_run_leaves_its_player_at_each_stage_and_the_best_and_the_last_few(train):
    assert train("keep=2", "save_minutes=0") == 0
    one, two, last, best = (
        load_checkpoint(Path("run", name))
        for name in ("stages/1-one.safetensors", "stages/2-two.safetensors", "last.safetensors", "best.safetensors")
    )
    assert (one.stage, two.stage) == ("one", "two") and 25 <= one.games < 45 and 45 <= two.games < 75
    assert 0 < one.updates < two.updates == last.updates and two.games == last.games
    assert two.config["net"]["hidden"] == [4] and two.config["seed"] == 1
    kept = sorted(path.name for path in Path("run/checkpoints").iterdir())
    assert len(kept) == 2 and kept[-1] == f"games-{last.games:012}.safetensors"
    assert best.measured["pubeval_ci95"][0] <= best.measured["pubeval"] <= best.measured["pubeval_ci95"][1]
    assert best.measured["games"] == best.games
    assert not list(Path("run").rglob(".*"))  # no half-written files


def test_the_seed_decides(train):
    assert train() == train("run=again") == train("run=other", "seed=2") == 0
    assert same_weights("run/last.safetensors", "again/last.safetensors")
    assert not same_weights("run/last.safetensors", "other/last.safetensors")


def test_the_result_does_not_depend_on_who_is_faster(train, monkeypatch):
    """With two threads playing and learning go on side by side."""
    assert train("threads=2") == 0
    real = loop.learn
    monkeypatch.setattr(loop, "learn", lambda *args: (time.sleep(0.002), real(*args))[1])
    assert train("threads=2", "run=slow") == 0
    assert same_weights("run/last.safetensors", "slow/last.safetensors")


def test_from_goes_on_from_weights_and_counters_alone(train):
    assert train("net.activation=sigmoid") == 0
    first = load_checkpoint("run/last.safetensors")
    assert further("run/last.safetensors", "games: 20, batch: 16") == 0
    more = load_checkpoint("further/last.safetensors")
    assert more.architecture == first.architecture
    assert first.games + 20 <= more.games < first.games + 50 and more.updates > first.updates


def test_hypergammon_trains_and_is_measured_against_random_play(train):
    assert train("variant=hypergammon") == 0
    player = load_checkpoint("run/last.safetensors")
    assert player.architecture.checkers == 3
    assert set(player.measured) == {"games", "random", "random_ci95"}


def test_a_recipe_goes_on_from_the_checkpoint_of_a_stage(train):
    assert train() == 0
    assert load_checkpoint(Path("run/stages/1-one.safetensors")).architecture.hidden == (4,)
    tiny = [word for word in TINY if not word.startswith("net")]
    assert command([*tiny, "run=second", "begin=two", "from=run/stages/1-one.safetensors"]) == 0
    second = load_checkpoint(Path("second/stages/2-two.safetensors"))
    assert (second.architecture.hidden, second.stage) == ((6,), "two")
    assert second.games < load_checkpoint(Path("run/last.safetensors")).games + 40
    assert not Path("second/stages/1-one.safetensors").exists()
