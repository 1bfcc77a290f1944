"""`bgai train` on the command line: settings, refusals, help, many runs. tests/train tests the training itself."""

from pathlib import Path

import pytest
import torch
import yaml

from bgai.train.compose import composed

SMALL = ["stages.0.games=4", "parallel_games=8", "threads=1", "eval_games=4", "net.hidden=4"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("sed=3", "there is no setting sed; did you mean seed?"),
        ("net.hiden=3", "there is no setting net.hiden; did you mean net.hidden?"),
        ("stages.0.gamez=3", "there is no setting stages.0.gamez; did you mean stages.0.games?"),
        ("stages.0.starts.rac=1", "there is no setting stages.0.starts.rac; did you mean stages.0.starts.race?"),
        ("games=5", "there is no setting games; did you mean stages.0.games?"),
        ("++sed=1", "there is no setting sed; did you mean seed?"),
        ("stages=[{name: a, gamez: 4}]", "did you mean stages.0.games?"),
        ("stages=[{name: a}]", "stages.0.games: must be given"),
        ("stages=[]", "one stage or more"),
        ("stages=[{name: a, games: 1}, {name: a, games: 1}]", "each with its own name"),
        ("stages=[{name: ../a, games: 1}]", "letters, digits, - and _"),
        ("stages.1.games=3", "the recipe has no stages.1"),
        ("stages.td.games=3", "stages go by their number, from 0"),
        ("experiment=qick", "there is no experiment qick; did you mean quick? it is "),
        ("net=wid", "there is no net wid; did you mean wide?"),
        ("seed=1.5", "seed: Value '1.5' of type 'float' could not be converted to Integer"),
        ("seed=-1", "seed=-1 is impossible: it is 0 to 9223372036854775807"),
        ("net.computed=maybe", "net.computed: Value 'maybe' is not a valid bool"),
        ("net.hidden=0", "1 to 8 layers of 1 to 16384 units"),
        ("net.hidden=[8,x]", "1 to 8 layers of 1 to 16384 units"),
        ("net.activation=rely", "net.activation=rely is impossible: did you mean relu? it is relu or sigmoid"),
        ("variant=hyper", "did you mean hypergammon?"),
        ("device=gpu", "it is auto or cpu or cuda"),
        ("stages.0.games=0", "stages.0.games=0 is impossible: it is 1 to 1000000000000"),
        ("stages.0.batch=0", "stages.0.batch=0 is impossible: it is 1 to 16384"),
        ("stages.0.lambda_start=1.5", "it lies between 0 and 1"),
        ("stages.0.explore=-0.1", "it lies between 0 and 1"),
        ("stages.0.rate_end=0", "it is more than 0"),
        ("stages.0.rate_end=nan", "it is more than 0"),
        ("stages.0.starts.opening=0", "one is above 0"),
        ("eval_games=3", "an even number"),
        ("threads=-1", "it is 0 to 1024"),
        ("save_minutes=-1", "it is 0 or more"),
        ("seed=[1", "settings are given as name=value"),
        ("seed", "settings are given as name=value"),
        ("--seed", "there is no option --seed"),
        ("from=nobody.safetensors", "give the path of a .safetensors file, or a player that ships (default"),
        ("from=", "from= is impossible: the name of a folder or file, in UTF-8"),
        ("stages.0.labels=''", "stages.0.labels= is impossible: the name of a folder or file, in UTF-8"),
        ("run=a\udcff", "is impossible: the name of a folder or file, in UTF-8"),
        ("resume=nowhere", "nowhere has no run to resume"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(bgai, words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bgai("train", words)
    assert result.code == 2 and told in result.err
    assert result.err.startswith("bgai train: ") and result.err.count("\n") == 1
    assert not list(tmp_path.iterdir())  # nothing was begun


@pytest.mark.parametrize("folder", ["é (1)", "it's", "a=b", "true", "1e3", "a,b", "back\\slash\\", "[x]", "'quoted'"])
def test_a_folder_may_have_any_name(bgai, folder, tmp_path, monkeypatch):
    """Hydra would read numbers, lists and quotes in it."""
    monkeypatch.chdir(tmp_path)
    assert bgai("train", "experiment=td", *SMALL, f"run={folder}").code == 0
    assert [path.name for path in tmp_path.iterdir()] == [folder.strip("'")]
    last = f"{folder.strip(chr(39))}/last.safetensors"
    assert bgai("train", "experiment=td", *SMALL[:-1], f"from={last}", "run=further").code == 0
    assert (tmp_path / "further" / "start.safetensors").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_begins_nothing(bgai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = bgai("train", *SMALL, "device=cuda", "run=run")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "device=cuda is impossible: there is no GPU that torch can use; leave it at auto, or say cpu" in result.err
    assert not list(tmp_path.iterdir())


def test_settings_are_laid_over_the_recipe():
    config = composed(["experiment=td", "net.hidden=64", "seed=7", "stages.0.games=10", "stages.0.starts.race=0.5"])
    assert (config.net.hidden, config.seed, config.stages[0].games) == ([64], 7, 10)
    assert (config.stages[0].starts.opening, config.stages[0].starts.race) == (1.0, 0.5)
    assert composed(["experiment=quick"]).net.computed
    assert composed(["net.hidden=[12,5]", "stages=[{name: a, games: 1}, {name: b, games: 2}]"]).net.hidden == [12, 5]


def test_a_checkpoint_brings_its_own_network(bgai, checkpoint):
    assert composed([f"initial={checkpoint}"]).net.hidden == [8]
    assert "leave this out" in bgai("train", f"from={checkpoint}", "net.hidden=3").err
    assert "plays another one" in bgai("train", f"from={checkpoint}", "variant=hypergammon").err


def test_a_run_gets_a_dated_folder_and_its_settings_are_kept_there(bgai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert bgai("train", *SMALL).code == 0
    [run] = Path("runs").iterdir()
    settings = yaml.safe_load((run / "config.yaml").read_text())
    assert settings["run"] == str(run) and settings["net"]["hidden"] == [4] and settings["stages"][0]["name"] == "td"
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]


def test_many_runs_each_in_its_own_folder(bgai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert bgai("train", "-m", *SMALL, "seed=1,2", "run=sweep").code == 0
    seeds = [yaml.safe_load(Path(f"sweep/{job}/config.yaml").read_text())["seed"] for job in (0, 1)]
    assert seeds == [1, 2]
    mistaken = bgai("train", "--multirun", "sed=1,2")
    assert mistaken.code == 2 and "did you mean seed?" in mistaken.err and mistaken.err.count("\n") == 1
    assert bgai("train", "-m", "resume=sweep/0").code == 2


def test_help_lists_every_setting_recipe_and_network(bgai):
    text = bgai("train", "--help").out
    for name in ("experiment=quick", "experiment=td", "net=wide", "stages.0.explore", "from", "seed", "resume=RUN"):
        assert f"  {name} " in text or f" {name} " in text
    assert "Hydra" not in text
