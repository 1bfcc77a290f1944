"""Every command that README.md and docs/ show.

One in a block of its own is run, at a size that takes a moment. One inside a sentence or a table must exist, with every
option and setting that it has.
"""

import re
import runpy
import shlex
import shutil
from copy import deepcopy
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import typer
import yaml
from gnubg import GNUBG
from tiny_runs import TINY

from bgai.analysis import rolling
from bgai.cli import train as training
from bgai.cli.main import ALIASES, COMMANDS
from bgai.net.fast import load_net
from bgai.train.checking import MOST_STAGES
from bgai.train.config import Stage, TrainConfig, settings_of
from bgai.train.label_files import file_of, write_labels
from bgai.train.selfplay import SelfPlay

CHECKOUT = Path(__file__).parents[2]
PAGES = [path.read_text() for path in (CHECKOUT / "README.md", *sorted(CHECKOUT.glob("docs/*.md")))]
COMMAND = r"(?:bgai|make|python scripts/\w+\.py)(?: |$)"
BLOCKS = re.compile(rf"^(?:    |\$ )({COMMAND}.*)$", re.MULTILINE)
INLINE = re.compile(rf"`({COMMAND}[^`]*)`")
SMALL = {  # appended: of an option that is given twice the last one counts
    "analyse": ["--ply", "0"],
    "met": ["--trials", "36", "--length", "3"],
    "rollout": ["--trials", "36", "--truncate", "1"],
    "label": ["--kind", "one-ply", "--seeds", "1", "--games", "4", "--share", "0.02"],
    "selfplay": ["--games", "2"],
    "eval": ["--games", "4"],
}
NOT_RUN = ("serve", "bearoff")  # one doesn't end, the other takes long; both have tests of their own
NOT_HERE = re.compile(r"hydra/launcher=|\bmy_\w+:")  # needs a plugin, or a module that tests/test_extending.py writes
MATCH = CHECKOUT / "tests/data/match_files/02_galaxy_single_8pt.txt"


def commands(pattern: re.Pattern) -> list[tuple[str, ...]]:
    """The words of every command that the pattern finds, each once. A line break in a sentence is a space."""
    lines = {" ".join(line.split()) for page in PAGES for line in pattern.findall(page)}
    return sorted({tuple(shlex.split(line, comments=True)) for line in lines if "[OPTIONS]" not in line})


def options_of(name: str) -> set[str]:
    app = typer.Typer(add_completion=False)
    app.command(name)(getattr(import_module(f"bgai.cli.{name}"), name))
    params = typer.main.get_command(app).params
    return {option for param in params for option in [*param.opts, *param.secondary_opts]} | {"--help"}


def settings() -> set[str]:
    numbered = {f"stages.{number}.{name}" for number in range(MOST_STAGES) for name, _ in settings_of(Stage)}
    ours = {"from", "resume", "experiment", "net", "hydra/launcher"}
    return {name for name, _ in settings_of(TrainConfig)} | numbered | ours


@pytest.mark.parametrize("command", commands(INLINE) + commands(BLOCKS), ids=" ".join)
def test_all_of_a_command_exists(command):
    program, *words = command
    options = {word.partition("=")[0] for word in words if word.startswith("--")}
    if program == "make":
        targets = re.findall(r"^([\w-]+):", (CHECKOUT / "Makefile").read_text(), re.MULTILINE)
        assert set(words) <= set(targets)
    elif program == "python":
        source = (CHECKOUT / words[0]).read_text()  # an option of argparse, or a parameter of typer's
        assert all(re.search(rf'"{option}"|^    {option[2:].replace("-", "_")}: ', source, re.M) for option in options)
    elif words[:1] == ["train"]:
        given = {word.partition("=")[0] for word in words[1:] if "=" in word}
        assert {name for name in given if not name.startswith("hydra.")} <= settings()
    elif words and words[0].islower() and not options & {"--version"}:
        name = ALIASES.get(words[0], words[0])
        assert name in COMMANDS and options <= options_of(name)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A tiny run, with a stage that is still to be played."""
    run = tmp_path_factory.mktemp("trained") / "run"
    assert training.train([*TINY, f"run={run}"]) == 0
    config = yaml.safe_load((run / "config.yaml").read_text())
    config["stages"].append(deepcopy(config["stages"][0]) | {"name": "three", "games": 5})
    (run / "config.yaml").write_text(yaml.safe_dump(config))
    return run


@pytest.fixture
def at_work(trained, bgai, tmp_path, monkeypatch):
    """A working directory with what the pages speak of; runs that are started there are tiny."""
    monkeypatch.chdir(tmp_path)
    for name in ("quick", "champion", "mine", "2026-01-31_14-00-00", "sizes/0", "sizes/1", "one", "two", "four"):
        shutil.copytree(trained, tmp_path / "runs" / name)
    shutil.copy(trained / "stages/1-one.safetensors", "runs/champion/stages/1-td.safetensors")
    for name in ("match.mat", "other.sgf"):  # what is in it decides, not its name
        shutil.copy(MATCH, name)
    few = SelfPlay(4, "backgammon", {"race": 1.0}, np.random.default_rng(1)).play(
        load_net(trained / "last.safetensors"), 200, 0.5, 0.0
    )
    write_labels(file_of(Path("labels"), 40), few, {})
    Path("tests").symlink_to(CHECKOUT / "tests")
    start = training._start
    monkeypatch.setattr(training, "_start", lambda config: start(tiny(config)))
    monkeypatch.setattr(rolling, "TRIALS", 36)


def tiny(config):
    """The configuration of a run with a handful of games in each stage."""
    for stage in config.stages:
        stage.games, stage.label_games = 5, min(stage.label_games, 2)
    config.parallel_games, config.threads, config.eval_games, config.eval_every = 4, 1, 4, 10**6
    return config


@pytest.mark.parametrize(
    "command",
    [c for c in commands(BLOCKS) if c[0] == "bgai" and c[1] not in NOT_RUN and not NOT_HERE.search(" ".join(c))],
    ids=" ".join,
)
def test_a_command_runs(command, bgai, at_work, tmp_path):
    name, *words = command[1:]
    if "gnubg" in words and GNUBG is None:
        pytest.skip("GNU Backgammon isn't installed")
    if "--resume" in words:
        assert bgai("play", "--save", words[words.index("--resume") + 1]).code == 0
    if name == "label":
        shutil.rmtree("labels")  # they were made otherwise
    for word in words:
        if word.startswith("run="):
            shutil.rmtree(word[4:], ignore_errors=True)
    small = [] if "--benchmark" in words else SMALL.get(ALIASES.get(name, name), [])
    expanded = [path for word in words for path in (sorted(tmp_path.glob(word)) if word.startswith("*") else [word])]
    result = bgai(name, *expanded, *small)
    assert result.code == 0, result.err
    assert result.out


NUMBER = re.compile(r"[+-]?\d+\.\d+")
shown = runpy.run_path(str(CHECKOUT / "scripts" / "console_output.py"))["shown"]


@pytest.mark.parametrize(
    "command", [each for page in PAGES for each in shown(page)], ids=lambda each: " ".join(each[0])
)
def test_output_that_is_shown_is_the_programs(command, bgai, monkeypatch):
    """Numbers may differ in their last place: processors add up in different orders."""
    monkeypatch.chdir(CHECKOUT)
    words, output = command
    said = bgai(*words).out.rstrip("\n") + "\n"
    assert NUMBER.sub("#", said) == NUMBER.sub("#", output), "run make docs"
    numbers = [float(number) for number in NUMBER.findall(said)]
    assert numbers == pytest.approx([float(number) for number in NUMBER.findall(output)], abs=0.11)
