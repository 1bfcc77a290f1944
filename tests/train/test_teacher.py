"""A stage that learns labels which the player before it made: `label_games`, and a new network by `hidden`."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml
from tiny_runs import files, same_weights

from bgai.cli.train import train as command
from bgai.evaluator.own_net import load_own_net
from bgai.net.checkpoint import BadCheckpoint, load_checkpoint
from bgai.train import label_files, teacher, watch
from bgai.train.compose import composed
from bgai.train.label_files import BadLabels, files_in, read_labels
from bgai.train.labels import Labelling, label

RECIPE = [
    "net.hidden=4",
    "stages=[{name: one, games: 25, batch: 64}, {name: two, games: 60, batch: 64, hidden: [9, 3], label_games: 20,"
    "lambda_start: 0.6, starts: {opening: 0.5, race: 0.5}}]",
    *("parallel_games=16", "turns=8", "threads=1", "eval_every=15", "eval_games=4", "seed=3"),
]


class Cut(BaseException):
    """Stands for the moment in which a process dies."""


@pytest.fixture
def train(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(watch, "RANDOM_GAMES", 4)
    monkeypatch.setattr(teacher, "GAMES", 7)
    return lambda *words: command([*RECIPE, *words])


def test_the_player_before_labels_the_games(train):
    assert train("run=run") == 0
    found = [read_labels(path, 15) for path in files_in("run/labels/2-two")]
    assert [samples.games for samples, _ in found] == [7, 7, 6]
    net = load_own_net("run/stages/1-one.safetensors", None)
    how = Labelling(games=7, trace=0.6, starts=found[0][1]["starts"])
    again = label(net, how, [3, 1, 0])
    assert np.array_equal(found[0][0].boards, again.boards)
    assert np.array_equal(found[0][0].targets, again.targets)
    assert how.starts["race"] == how.starts["opening"] == 0.5


def test_a_new_network_learns_from_them(train):
    assert train("run=run") == 0
    before, after = (load_checkpoint(f"run/stages/{name}.safetensors") for name in ("1-one", "2-two"))
    assert before.architecture.hidden == (4,)
    assert after.architecture.hidden == (9, 3)
    assert after.games - before.games == 60  # three passes


@pytest.mark.parametrize("where", ["while labels are made", "while they are learned"])
def test_a_run_that_is_cut_ends_as_one_that_is_not(train, where, monkeypatch):
    assert train("run=run", "save_minutes=0") == 0
    uncut = files("run") | labels("run")
    shutil.rmtree("run")
    whole, calls = (teacher, "write_labels") if where == "while labels are made" else (watch.Watch, "round")
    work, counted = getattr(whole, calls), iter(range(1000))
    at = 1 if where == "while labels are made" else 12

    def cut(*given):
        if next(counted) == at:
            raise Cut
        return work(*given)

    with monkeypatch.context() as patch:
        patch.setattr(whole, calls, cut)
        with pytest.raises(Cut):
            train("run=run", "save_minutes=0")
    assert command(["resume=run"]) == 0
    again = files("run") | labels("run")
    assert {name for name in uncut if again[name] != uncut[name]} == set()


def test_a_finished_run_whose_recipe_is_made_longer_goes_on(train):
    """It ends as if the recipe had been the longer one from the beginning: with labels, and a new network."""
    assert train("run=run") == 0
    longer = files("run") | labels("run")
    settings = yaml.safe_load(Path("run/config.yaml").read_text())
    shutil.rmtree("run")
    short = settings | {"stages": settings["stages"][:1]}
    assert train("run=run", f"stages=[{RECIPE[1].removeprefix('stages=[').partition('}, {')[0]}}}]") == 0
    assert yaml.safe_load(Path("run/config.yaml").read_text()) == short
    Path("run/config.yaml").write_text(yaml.safe_dump(settings))
    assert command(["resume=run"]) == 0
    again = files("run") | labels("run")
    told_of_the_short_one = {"stages/1-one.safetensors", "best.safetensors", "past/games-000000000016.safetensors"}
    assert {name for name in longer if again[name] != longer[name]} == told_of_the_short_one


PUPIL = "{name: pupil, after: one, label_games: 7, batch: 64, rate_start: 1e-30, rate_end: 1e-30"


@pytest.fixture
def train_pupil(train):
    """The recipe with a third stage, which learns next to nothing, so that its player is the one it goes on with."""
    recipe, settings = RECIPE[1].removesuffix("]"), RECIPE[2:]
    return lambda *words, more=", games: 7": command([f"{recipe}, {PUPIL}{more}}}]", *settings, *words])


def test_a_stage_may_go_on_with_an_earlier_one(train_pupil):
    assert train_pupil("run=run", "net.hidden=4") == 0
    one, two, pupil = (load_checkpoint(path) for path in sorted(Path("run/stages").iterdir()))
    assert pupil.architecture == one.architecture != two.architecture
    assert all(np.array_equal(pupil.weights[name], one.weights[name]) for name in one.weights)
    assert pupil.games == two.games + 7
    teacher_net = load_own_net("run/stages/2-two.safetensors", None)
    found, _ = read_labels(files_in("run/labels/3-pupil")[0], 15)
    again = label(teacher_net, Labelling(games=7), [3, 2, 0])
    assert np.array_equal(found.boards, again.boards)


def test_a_stage_may_learn_what_earlier_ones_had_labelled(train_pupil, monkeypatch):
    read, real = [], label_files.read_labels
    monkeypatch.setattr(label_files, "read_labels", lambda path, *rest: read.append(path) or real(path, *rest))
    assert train_pupil("run=run", "net.hidden=4", more=", earlier_labels: true, games: 27") == 0
    both = [*files_in("run/labels/2-two"), *files_in("run/labels/3-pupil")]
    assert len(both) == 4
    assert sorted(read[-4:]) == both
    read.clear()
    assert train_pupil("run=other", "net.hidden=4", more=", games: 27") == 0
    assert set(read[-4:]) == set(files_in("other/labels/3-pupil"))


@pytest.mark.parametrize(("when", "at"), [("write_labels", 0), ("write_labels", 1), ("round", 0), ("round", 3)])
def test_such_a_run_too_ends_as_one_that_was_not_cut(train_pupil, when, at, monkeypatch):
    more, rare = ", label_games: 14, earlier_labels: true, games: 40, rate_start: 1e-3, widen: 6", "eval_every=50"
    assert train_pupil("run=run", "net.hidden=4", "save_minutes=0", rare, more=more) == 0
    uncut, made = files("run") | labels("run"), labels("run", "3-pupil")
    shutil.rmtree("run")
    owner = teacher if when == "write_labels" else watch.Watch
    work = getattr(owner, when)

    def cut(*given):
        pupil = (
            "3-pupil" in str(given[0]) if when == "write_labels" else Path("run/labels/3-pupil/2.safetensors").exists()
        )
        if pupil and next(counted) == at:
            raise Cut
        return work(*given)

    counted = iter(range(1000))
    with monkeypatch.context() as patch:
        patch.setattr(owner, when, cut)
        with pytest.raises(Cut):
            train_pupil("run=run", "net.hidden=4", "save_minutes=0", rare, more=more)
    assert command(["resume=run"]) == 0
    again = files("run") | labels("run")
    assert {name for name in uncut if again[name] != uncut[name]} == set()
    assert labels("run", "3-pupil") == made
    assert len(made) == 2


def test_it_may_be_the_one_that_the_run_begins_from(train_pupil):
    assert train_pupil("run=run", "net.hidden=4") == 0
    assert train_pupil("run=rest", "from=run/stages/1-one.safetensors", "begin=two", more=", games: 7, widen: 6") == 0
    one, pupil = (load_checkpoint(f"rest/{name}.safetensors") for name in ("start", "stages/3-pupil"))
    assert one.architecture.hidden == (4,)
    assert pupil.architecture.hidden == (6,)
    assert np.array_equal(pupil.weights["hidden.0.weight"][:4], one.weights["hidden.0.weight"])


def test_which_may_be_a_player_that_ships():
    config = composed(["experiment=generation", "initial=default"])
    assert config.net.hidden == [640] and config.stages[2].after == "player"


def test_but_none_that_the_run_does_not_know(train_pupil):
    assert train_pupil("run=run", "net.hidden=4") == 0
    for words, expected in (
        (["begin=pupil", "from=run/stages/2-two.safetensors"], "it is two"),
        (["begin=pupil"], "this run has none before it"),
        (["begin=two"], "the run begins after that stage, so give its player by from=CHECKPOINT"),
    ):
        with pytest.raises(ValueError, match=rf"stages\.2\.after=one is impossible: {expected}"):
            train_pupil(*words, "run=rest")


def labels(run, stage="2-two"):
    return {path.name: path.read_bytes() for path in files_in(f"{run}/labels/{stage}")}


@pytest.mark.parametrize(
    ("stage", "fault"),
    [
        ("label_games: 20, luck_free: true", "label_games=20 is impossible: leave out luck_free"),
        ("label_games: -1", "label_games=-1 is impossible"),
        ("earlier_labels: true", "stages.1.earlier_labels=True is impossible: it comes with label_games"),
        ("after: two", "stages.1.after=two is impossible: it is one"),
        ("after: one, hidden: [9]", "stages.1.after=one is impossible: a new network goes on with no other"),
        ("label_games: 20, labels: somewhere", "somewhere"),
        ("hidden: [9], widen: 12", "widen=12 is impossible: the new network is as wide as hidden says"),
        ("hidden: [0]", "stages.1.hidden=[0] is impossible: 1 to 8 layers"),
        ("hidden: wide", "stages.1.hidden=wide is impossible: 1 to 8 layers"),
        ("hidden: [16000, 16000]", "a network has 33554432 weights at most"),
    ],
)
def test_what_can_not_be_is_refused(train, stage, fault):
    words = [f"stages=[{{name: one, games: 25}}, {{name: two, games: 60, {stage}}}]", "run=run"]
    with pytest.raises(ValueError, match=re.escape(fault)):
        train(*words)


def test_a_network_may_be_given_as_one_number(train):
    assert train("stages=[{name: one, games: 25}, {name: two, games: 20, hidden: 9, batch: 64}]", "run=run") == 0
    assert load_checkpoint("run/last.safetensors").architecture.hidden == (9,)


def cut_while_it_learns(train, monkeypatch, *words):
    """A run whose second stage has labelled, and learned a little."""
    work, counted = watch.Watch.round, iter(range(1000))

    def cut(*given):
        if Path("run/labels/2-two/3.safetensors").exists() and next(counted) == 2:
            raise Cut
        return work(*given)

    with monkeypatch.context() as patch:
        patch.setattr(watch.Watch, "round", cut)
        with pytest.raises(Cut):
            train("run=run", "save_minutes=0", *words)


@pytest.mark.parametrize("what", ["one lacks", "one too many"])
def test_labels_that_are_not_all_there_are_missed(train, monkeypatch, what):
    cut_while_it_learns(train, monkeypatch)
    file = Path("run/labels/2-two/2.safetensors")
    file.rename("away") if what == "one lacks" else shutil.copy(file, file.with_stem("99"))
    with pytest.raises(BadLabels, match=r"2-two isn't what this run has labelled, files 1 to 3: put that back"):
        command(["resume=run"])


@pytest.mark.parametrize("setting", ["seed=4", "stages.1.lambda_start=0.5", "stages.0.rate_start=1e-2"])
def test_labels_of_another_recipe_or_player_are_not_taken(train, setting):
    """Another seed, other returns, and a teacher that has learned otherwise."""
    assert train("run=run") == 0
    assert train("run=other", setting, "stages.1.label_games=14", "stages.1.games=14") == 0
    shutil.copy("run/labels/2-two/1.safetensors", "other/labels/2-two/1.safetensors")
    for state in Path("other").glob("state*"):
        state.unlink()
    with pytest.raises(BadLabels, match=r"1\.safetensors was labelled by another player or otherwise"):
        command(["resume=other"])


def test_a_run_goes_on_from_the_player_that_it_came_from(train_pupil, monkeypatch):
    """Though the file that was named has changed meanwhile, before there was a state to go on from."""
    assert train_pupil("run=run", "net.hidden=4") == 0
    shutil.copy("run/stages/1-one.safetensors", "from.safetensors")
    work = teacher.write_labels

    def cut(path, *given):
        if path.name == "2.safetensors":
            raise Cut
        return work(path, *given)

    words = ("from=from.safetensors", "begin=two")
    assert train_pupil("run=uncut", *words) == 0
    with monkeypatch.context() as patch:
        patch.setattr(teacher, "write_labels", cut)
        with pytest.raises(Cut):
            train_pupil("run=rest", *words)
    shutil.copy("run/stages/2-two.safetensors", "from.safetensors")
    assert command(["resume=rest"]) == 0
    assert labels("rest") == labels("uncut")
    assert same_weights("rest/last.safetensors", "uncut/last.safetensors")


def test_another_player_in_its_place_is_refused(train_pupil):
    assert train_pupil("run=run", "net.hidden=4") == 0
    assert train_pupil("run=rest", "from=run/stages/1-one.safetensors", "begin=two") == 0
    for state in Path("rest").glob("state*"):
        state.unlink()
    shutil.copy("run/stages/2-two.safetensors", "rest/start.safetensors")
    with pytest.raises(BadCheckpoint, match=r"start\.safetensors holds 330-9-3-6 relu, where .* lead to 330-4-6 relu"):
        command(["resume=rest"])
