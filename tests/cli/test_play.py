"""`bgai play` as people meet it: in a terminal, in a pipe, and with mistakes on the command line."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from bgai.notation.mat import read_mat

SECONDS = 60  # to wait for anything; far longer than it takes
ASKED = re.compile(r"(your play|or double|pick up the dice, or undo|take, pass|accept, decline|next game, or quit): $")


class Terminal:
    """The program at the other end of a pseudo-terminal."""

    def __init__(self, *arguments):
        self.ours, theirs = pty.openpty()
        command = [sys.executable, "-c", "from bgai.cli.main import main; main()", "play", *map(str, arguments)]
        environment = {**os.environ, "COLUMNS": "60", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        self.text = ""

    def until(self, pattern: re.Pattern = ASKED) -> str:
        """What is said up to a question; everything if the program ends before."""
        seen = ""
        deadline = time.monotonic() + SECONDS
        while not pattern.search(seen):
            assert time.monotonic() < deadline, f"no question after {seen[-500:]!r}"
            if not select.select([self.ours], [], [], 1)[0]:
                continue
            try:
                data = os.read(self.ours, 65536)
            except OSError:  # Linux says so when the other end is closed
                data = b""
            if not data:
                break
            seen += data.decode(errors="replace").replace("\r\n", "\n")
        self.text += seen
        return seen

    def enter(self, line: str) -> str:
        os.write(self.ours, f"{line}\n".encode())
        return self.until()

    def close(self) -> int:
        code = self.process.wait(SECONDS)
        os.close(self.ours)
        return code


@pytest.fixture
def terminal():
    opened = []

    def start(*arguments):
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield start
    for each in opened:
        each.process.kill()
        each.process.wait()


def answer(said: str) -> str:
    """What a player says who takes the first hint for a play, takes and accepts always, and doubles never."""
    if said.endswith("accept, decline: "):
        return "accept"
    if said.endswith("your play: "):
        return "hint"
    return "take" if said.endswith("take, pass: ") else ""


def test_a_whole_match_in_a_terminal(terminal, tmp_path):
    saved = tmp_path / "match.mat"
    game = terminal("--match", 2, "--seed", 4, "--save", saved)
    said = game.until()
    assert "\x1b[1;33m" in said and "●" in said  # colours
    undone = False
    while ASKED.search(said):
        first_hint = re.search(r"^1\. (.*?)  ", said, re.MULTILINE)
        said = game.enter(first_hint[1] if first_hint and said.endswith("your play: ") else answer(said))
        if not undone and said.endswith("or undo: "):
            undone = True
            said = game.enter("undo")
            assert said.endswith("your play: ")
    assert game.close() == 0
    assert "and the match" in said
    match = read_mat(saved.read_text())
    assert not match.faults and 2 in match.score and match.players == ("you", "bgai")
    winner = "you win" if match.score[0] == 2 else "bgai wins"
    assert winner in said


def test_left_by_ctrl_c_and_resumed(terminal, tmp_path):
    saved = tmp_path / "match.mat"
    game = terminal("--match", 5, "--seed", 4, "--save", saved)
    said = game.until()
    for _ in range(4):
        hint = game.enter("hint") if said.endswith("your play: ") else ""
        said = game.enter(re.search(r"^1\. (.*?)  ", hint, re.MULTILINE)[1] if hint else answer(said))
    game.process.send_signal(signal.SIGINT)
    assert game.close() == 130
    plays = [action.play for action in read_mat(saved.read_text()).games[0].actions if action.kind == "play"]
    assert len(plays) >= 2
    again = terminal("--resume", saved)
    again.until()
    again.enter("quit")
    assert f"--resume {saved}" in again.text and again.close() == 0
    after = [action.play for action in read_mat(saved.read_text()).games[0].actions if action.kind == "play"]
    assert after == plays


def test_in_a_pipe_with_typed_dice(bgai, checkpoint, tmp_path):
    saved = tmp_path / "a.mat"
    saves = f"save {saved}\nsave {saved}\nsave\nsave /dev/null/b.mat\nsave {tmp_path}/no/c.mat\n"
    lines = f"31\n8/5 6/5\n\n{saves}save a\0b\n42\n{'x' * 5000}\n"
    result = bgai("play", "--dice", "typed", "--checkpoint", checkpoint, stdin=lines)
    assert result.code == 0 and result.err == ""
    assert "bgai rolls 42: " in result.out and "at most 200 characters" in result.out
    assert result.out.count("there already") == 1 and "save where?" in result.out and "/dev/null/b.mat: " in result.out
    assert f"{tmp_path}/no/c.mat: there is no folder {tmp_path}/no" in result.out and not (tmp_path / "no").exists()
    assert result.out.endswith(f"to go on: bgai play --resume {saved}\n")
    assert [action.play for action in read_mat(saved.read_text()).games[0].actions] == ["8/5 6/5"]


def test_nothing_was_saved(bgai, checkpoint):
    assert bgai("play", "--checkpoint", checkpoint, stdin="save\nquit\n").out.endswith("nothing was saved\n")


def test_level_player_and_tutor_may_change_when_a_session_is_resumed(bgai, checkpoint, tmp_path):
    saved = tmp_path / "a.mat"
    bgai("play", "--save", saved, "--checkpoint", checkpoint, "--level", "novice", "--seed", 3, "--match", 5)
    assert bgai("play", "--resume", saved, "--level", "expert", "--tutor", "--checkpoint", "default").code == 0
    tags = read_mat(saved.read_text()).tags
    assert (tags["Level"], tags["Tutor"], tags["Player"], tags["Seed"]) == ("expert", "On", "default", "3")
    assert bgai("play", "--resume", saved, "--no-tutor").code == 0
    tags = read_mat(saved.read_text()).tags
    assert (tags["Level"], tags["Tutor"], tags["Player"]) == ("expert", "Off", "default")


@pytest.mark.parametrize(
    "option", ["--match 3", "--money", "--variant nackgammon", "--variant backgammon", "--seed 0", "--save b.mat"]
)
def test_what_was_agreed_may_not(bgai, tmp_path, option):
    result = bgai("play", "--resume", tmp_path / "a.mat", *option.split())
    assert result.code == 2 and result.err.startswith(f"bgai play: {option.split()[0]}: what was agreed stands in")


@pytest.mark.parametrize("command", [["play"], ["chouette", "ann", "bob", "cleo"]], ids=" ".join)
def test_bytes_that_are_no_text(bgai, checkpoint, monkeypatch, command):
    result = bgai(*command, "--dice", "typed", "--checkpoint", checkpoint, stdin="31\n\udcff\udcfe\0\n8/5 6/5\n")
    assert result.code == 0 and "is not a move" in result.out and "pick up the dice" in result.out


def test_a_terminal_that_knows_only_ascii(checkpoint):
    command = [sys.executable, "-c", "from bgai.cli.main import main; main()", "play", "--checkpoint", str(checkpoint)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
    assert run.returncode == 0 and run.stderr == b"" and b"X 167 pips" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--match", "5", "--money"], "don't go together"),
        (["--jacoby"], "R40"),
        (["--match", "5", "--beavers"], "R40"),
        (["--level", "godlike"], "beginner"),
        (["--dice", "loaded"], "thrown or typed"),
        (["--ply", "3"], "--help"),
        (["--resume", "nowhere.mat"], "nowhere.mat"),
        (["--save", __file__], "--resume"),
        (["--save", "/no/such/folder/a.mat"], "there is no folder /no/such/folder"),
        (["--dice", "typed", "--seed", "3"], "--seed: the dice are typed"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_on_the_command_line(bgai, checkpoint, arguments, why):
    result = bgai("play", "--checkpoint", checkpoint, *arguments)
    assert result.code == 2 and result.out == "" and result.err.count("\n") == 1 and why in result.err
