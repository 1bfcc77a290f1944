"""What holds for all commands: help with an example, exit codes, and output for pipes and narrow terminals."""

import io
import re
import sys
from pathlib import Path

import pytest
from tiny_runs import TINY

from bgai.cli.main import COMMANDS
from bgai.evaluator import bearoff

MATCH = Path(__file__).parents[1] / "data/match_files/02_galaxy_single_8pt.txt"
SMALL = {  # a use of every command that takes a moment
    "train": [*TINY, "run=trained"],
    "runs": ["run"],
    "move": ["start", "31"],
    "cube": ["start"],
    "rollout": ["start", "31", "--trials", "36", "--truncate", "1", "--top", "2"],
    "bearoff": ["build"],
    "met": ["--trials", "36", "--length", "3"],
    "show": ["start", "--evaluate"],
    "openings": [],
    "eval": ["random", "--against", "random", "--games", "4"],
    "analyse": [str(MATCH)],
    "play": ["--seed", "1"],
    "chouette": ["ann", "bob", "bgai", "--seed", "1"],
    "label": ["labels", "--games", "4", "--seeds", "1", "--kind", "one-ply", "--share", "0.02"],
    "selfplay": ["--games", "2", "--out", "games.npz"],
    "serve": ["ubgi"],
    "export": ["default", "bgai.onnx"],
}
COLOUR = re.compile(r"\x1b\[[\d;]*m")
every_command = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def small(bgai, train, monkeypatch, capsys):
    """`small("move") -> Result` of a small use in an empty folder."""
    real = bearoff.tables()
    monkeypatch.setattr(bearoff.onesided, "build", lambda _: (real.all_off, real.first_off))
    monkeypatch.setattr(bearoff.twosided, "build", lambda _: real.two_sided)
    monkeypatch.setenv("BGAI_CACHE", "cache")

    def use(name):
        if name == "runs":
            assert train() == 0
            capsys.readouterr()
        return bgai(name, *SMALL[name], stdin="ubgi\n" if name == "serve" else "")

    return use


class Tty(io.TextIOWrapper):
    """Standard output as a terminal."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8")

    def isatty(self) -> bool:
        return True


def test_the_table_has_every_command():
    assert SMALL.keys() == COMMANDS.keys()


@every_command
@pytest.mark.parametrize("columns", ["40", "120"])
def test_help_has_an_example_at_any_width(bgai, monkeypatch, name, columns):
    monkeypatch.setenv("COLUMNS", columns)
    result = bgai(name, "--help")
    assert result.code == 0 and result.err == "" and "\x1b" not in result.out
    assert result == bgai(name, "-h")
    assert re.search(rf"^(?!usage).*\bbgai {name} [^[]", result.out, re.MULTILINE)


@every_command
def test_a_mistake_is_exit_code_2_and_one_line(bgai, name):
    result = bgai(name, "--no-such-option")
    assert result.code == 2 and result.out == "" and result.err.startswith(f"bgai {name}: ")
    assert result.err.count("\n") == 1


@every_command
def test_in_a_pipe_there_is_no_colour(small, name):
    result = small(name)
    assert result.code == 0 and "\x1b" not in result.out + result.err
    assert result.out.endswith("\n")


@every_command
def test_a_narrow_terminal_without_colour(small, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Tty()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert small(name).code == 0
    shown = terminal.buffer.getvalue().decode()
    assert shown and not COLOUR.search(shown)
