"""Labels of every kind are what their judge says, and a stage learns from files of them as it does from games."""

import numpy as np
import pytest
from safetensors.numpy import load, save
from tiny_runs import further, pip_counter

from bgai.arena.games import EndlessGames
from bgai.board import START, is_race
from bgai.cli.train import train as command
from bgai.evaluator import bearoff
from bgai.evaluator.rollout import of_position, roll_out
from bgai.evaluator.search import evaluate, sides_of
from bgai.evaluator.trials import Settings
from bgai.game import State
from bgai.net.checkpoint import load_checkpoint, save_checkpoint
from bgai.net.fast import FastNet
from bgai.train import labels, watch
from bgai.train.config import BadConfig
from bgai.train.label_files import BadLabels, LabelReader, file_of, files_in, read_labels, write_labels
from bgai.train.labels import KINDS, Labelling, distance, label

MONEY = sides_of(State())
each_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(scope="module")
def net() -> FastNet:
    player = pip_counter(1)
    return FastNet(player.architecture, player.weights)


@pytest.fixture(scope="module")
def some(net):
    """Labels that weren't made at random: of a few games, lambda 0."""
    return label(net, Labelling(games=8, trace=0.0), seed=1)


@pytest.fixture
def folder(net, tmp_path, monkeypatch):
    """`labels` with three files, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(watch, "RANDOM_GAMES", 4)
    for seed in (1, 2, 10):
        write_labels(file_of(tmp_path / "labels", seed), label(net, Labelling(games=8), seed), {"kind": "luck-free"})
    save_checkpoint(tmp_path / "player.safetensors", pip_counter(1))
    return tmp_path / "labels"


@each_kind
def test_all_games_are_played_to_their_ends(net, kind, monkeypatch):
    monkeypatch.setattr(labels, "PARALLEL", 4)
    samples = label(net, Labelling(kind, games=10, share=0.02), seed=3)
    everything = label(net, Labelling("luck-free", games=10), seed=3)
    assert samples.games == everything.games == 10
    assert len(everything.boards) == everything.turns - everything.games  # but the position before the opening roll
    assert len(samples.boards) == round(0.02 * (samples.turns - samples.games))


def test_games_that_do_not_end_are_said_to(net, monkeypatch):
    monkeypatch.setattr(labels, "MOST_TURNS", 5)
    with pytest.raises(EndlessGames, match="8 of 8 games don't end"):
        label(net, Labelling(games=8), seed=1)


@each_kind
def test_the_same_seed_makes_the_same_labels_and_another_one_others(net, kind):
    how = Labelling(kind, games=4, share=0.05, truncate=2)
    one, again, other = (label(net, how, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.boards, again.boards) and np.array_equal(one.targets, again.targets)
    assert not np.array_equal(one.boards, other.boards)
    assert one.targets.sum(axis=1) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(("kind", "ply"), [("one-ply", 1), ("two-ply", 2)])
def test_backups_are_what_the_evaluator_sees_by_looking_ahead(net, kind, ply):
    samples = label(net, Labelling(kind, games=4, share=0.05), seed=4)
    assert samples.targets == pytest.approx(evaluate(net, samples.boards, MONEY, ply).outcomes, abs=1e-6)


def test_luck_free_at_lambda_0_is_the_one_ply_backup(net, some):
    rows = np.flatnonzero(~is_race(some.boards))[::5]  # in a race lookahead chooses its plays by the tables
    assert some.targets[rows] == pytest.approx(evaluate(net, some.boards[rows], MONEY, 1).outcomes, abs=1e-5)


def test_a_rollout_says_the_same_as_rollouts_do(net):
    boards = np.repeat(START[None], 40, axis=0)
    many = labels.rollout(net, boards, Labelling(truncate=2), np.random.default_rng(1)).mean(axis=0)
    one, two = (labels.rollout(net, boards[:1], Labelling(truncate=2), np.random.default_rng(n)) for n in (1, 2))
    *_, rolled_out = roll_out(net, of_position(START, State()), 1440, Settings(luck_ply=0, truncate=2, cubeful=False))
    assert many == pytest.approx(rolled_out.outcomes[0], abs=5 * rolled_out.outcome_errors.max() + 1e-6)
    assert not np.array_equal(one, two)


@pytest.mark.parametrize("kind", ["one-ply", "rollout"])
def test_a_bear_off_is_labelled_by_its_table(net, kind):
    samples = label(net, Labelling(kind, games=6, share=0.5, truncate=1, starts={"race": 1.0}), seed=5)
    rows = bearoff.applies(samples.boards)
    exact = np.zeros((rows.sum(), 6), np.float32)
    assert bearoff.fill_outcomes(samples.boards[rows], exact).all() and len(exact) > 5
    error = 1e-4 if kind == "one-ply" else 0.02  # what 16 bits hold, or the luck that is left in 36 games
    assert samples.targets[rows] == pytest.approx(exact, abs=error)


def test_distance_is_in_points_a_game(some):
    pair = some._replace(
        targets=np.float32([[1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]),
        thought=np.float32([[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]),
    )
    assert distance(pair) == pytest.approx(np.sqrt(0.5))


def test_a_file_gives_back_what_was_written(some, tmp_path):
    write_labels(file_of(tmp_path, 7), some, {"kind": "luck-free"})
    again, made = read_labels(tmp_path / "7.safetensors", 15)
    for name in ("boards", "targets", "results", "ended"):
        assert np.array_equal(getattr(again, name), getattr(some, name))
    assert (again.turns, again.games) == (some.turns, 8)
    assert made == {"kind": "luck-free"}


BROKEN = {
    "a checker too many": ("boards", lambda a: a + (np.arange(26) == 1).astype(np.int8), "checkers"),
    "no chances": ("targets", lambda a: a * 2, "whose sum is 1"),
    "not a number": ("targets", lambda a: a * np.nan, "whose sum is 1"),
    "another type": ("targets", lambda a: a.astype(np.float64), "arrays"),
    "too few": ("results", lambda a: a[1:], "arrays"),
    "a seventh outcome": ("results", lambda a: a + 6, "the six there are"),
    "fewer games than none": ("ended", lambda a: -a, "impossibly many"),
}


@pytest.mark.parametrize(("name", "spoilt", "fault"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_holds_no_labels_is_refused(some, tmp_path, name, spoilt, fault):
    path = file_of(tmp_path, 1)
    write_labels(path, some, {})
    arrays = load(path.read_bytes())
    path.write_bytes(save(arrays | {name: spoilt(arrays[name])}, {"bgai": '{"labels": 1, "made": {}}'}))
    with pytest.raises(BadLabels, match=fault):
        read_labels(path, 15)


def test_a_checkpoint_holds_no_labels(folder):
    with pytest.raises(BadLabels, match="holds no labels"):
        read_labels(folder.parent / "player.safetensors", 15)


def test_every_file_is_read_once_a_pass_and_never_in_the_same_order(net, folder):
    def passes(reader, n):
        return [len(reader.play(net, 1, 0.0, 0.0).boards) for _ in range(n)]

    sizes = [len(read_labels(path, 15)[0].boards) for path in files_in(folder)]
    reader = LabelReader([folder], 15, 1, np.random.default_rng(1))
    read = passes(reader, 30)
    rounds = [tuple(read[i : i + 3]) for i in range(0, 30, 3)]
    assert {tuple(sorted(each)) for each in rounds} == {tuple(sorted(sizes))}
    assert len(set(rounds)) > 2
    resumed = LabelReader([folder], 15, 1, np.random.default_rng(2))
    resumed.restore(reader.state())
    assert passes(resumed, 6) == passes(reader, 6)


def test_ranks_share_the_files(net, folder):
    ranks = [LabelReader([folder], 15, 1, np.random.default_rng(1), rank, 2) for rank in range(2)]
    assert [[path.stem for path in reader.paths] for reader in ranks] == [["1", "10"], ["2"]]
    with pytest.raises(BadLabels, match="fewer files of labels than there are ranks"):
        LabelReader([folder], 15, 1, np.random.default_rng(1), 3, 4)


def test_what_the_network_thinks_now_stands_beside_the_labels(net, folder):
    samples = LabelReader([folder], 15, 1, np.random.default_rng(1)).play(net, 1, 0.0, 0.0)
    assert np.array_equal(samples.thought, net.outcomes(samples.boards))


def test_a_stage_learns_from_labels(net, folder):
    stage = "games: 200, labels: labels, reuse: 2, rate_start: 0.01, rate_end: 0.001"
    assert further("player.safetensors", stage, "eval_every=1000") == 0
    last = load_checkpoint("further/last.safetensors")
    learned = FastNet(last.architecture, last.weights)
    samples = [read_labels(path, 15)[0] for path in files_in(folder)]
    errors = [
        np.mean([((player.outcomes(s.boards) - s.targets) ** 2).sum(axis=1).mean() for s in samples])
        for player in (net, learned)
    ]
    assert errors[1] < 0.7 * errors[0]
    assert last.games == 200


def test_a_stage_that_learns_from_labels_resumes_where_it_was_cut(folder, monkeypatch):
    class Cut(BaseException):
        pass

    stage = "games: 32, batch: 32, labels: labels, reuse: 3, replay: 100"
    assert further("player.safetensors", stage, "save_minutes=0", "seed=4") == 0
    uncut = files_of("further")
    reads = iter(range(100))

    def cut(*_):
        if next(reads) == 3:
            raise Cut
        return real(*_)

    real = LabelReader.play
    monkeypatch.setattr(LabelReader, "play", cut)
    (folder.parent / "further").rename(folder.parent / "uncut")
    with pytest.raises(Cut):
        further("player.safetensors", stage, "save_minutes=0", "seed=4")
    monkeypatch.setattr(LabelReader, "play", real)
    assert command(["resume=further"]) == 0
    assert files_of("further") == uncut


def files_of(run: str) -> dict[str, bytes]:
    return {name: open(f"{run}/{name}.safetensors", "rb").read() for name in ("last", "state")}


@pytest.mark.parametrize("beside", ["luck_free: true", "explore: 0.1", "target: 'json:loads'", "starts: {race: 1.0}"])
def test_labels_are_learned_as_they_are(folder, beside):
    with pytest.raises(BadConfig, match="leave out luck_free, target, explore, starts"):
        further("player.safetensors", f"games: 10, labels: labels, {beside}")


def test_a_folder_without_labels_is_refused_before_the_run_begins(folder):
    with pytest.raises(BadLabels, match="no labels in nowhere; make some by: bgai label nowhere"):
        further("player.safetensors", "games: 10, labels: nowhere")
    assert not (folder.parent / "further").exists()
