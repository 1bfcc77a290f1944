"""Every command and program that docs/play.md and docs/programs.md show does what it says."""

import re
import shlex
from pathlib import Path

import pytest
from tiny_runs import TINY

from bgai.play.levels import LEVELS
from bgai.serve.gnubg import LONGEST_LINE
from bgai.serve.ubgi import Engine

DOCS = Path(__file__).parents[2] / "docs"
PLAY, PROGRAMS = ((DOCS / name).read_text() for name in ("play.md", "programs.md"))


def commands(text: str) -> list[list[str]]:
    """The arguments of every `bgai` command in a block of its own."""
    return [shlex.split(line, comments=True)[1:] for line in re.findall(r"^    (bgai .*)$", text, re.MULTILINE)]


def test_the_commands_for_playing_begin_a_game(bgai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = [command for command in commands(PLAY) if command[0] != "serve"]
    assert len(shown) == 11
    for command in shown:
        result = bgai(*command)
        assert result.code == 0 and result.out and result.err == "", command


@pytest.mark.parametrize("command", commands(PROGRAMS), ids=" ".join)
def test_the_commands_for_programs_write_their_files(bgai, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert bgai(*[word if word != "1000" else "10" for word in command]).code == 0
    assert (tmp_path / command[-1]).stat().st_size > 100


def test_the_programs_run(train):
    code = "\n".join(re.findall(r"```python\n(.*?)```", PROGRAMS, re.DOTALL))
    names = {}
    exec(code.replace('"quick", "seed=7", "stages.0.games=10000"', f'"td", *{TINY}'), names)
    assert names["records"] and names["reward"] in (1, 2, 3)


def test_the_conversation_with_the_engine():
    engine = Engine()
    talk = re.search(r"```text\n(.*?)```", PROGRAMS, re.DOTALL)[1]
    for line, answer in re.findall(r"^> (.*)\n((?:< .*\n)*)", talk, re.MULTILINE):
        assert engine.reply(line) == "\n".join(said[2:] for said in answer.splitlines())


def test_figures_in_the_text_are_those_of_the_program():
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \|", PLAY, re.MULTILINE)
    assert {level: float(error) for level, error in rows} == LEVELS
    assert f"more than {LONGEST_LINE} bytes" in PLAY
