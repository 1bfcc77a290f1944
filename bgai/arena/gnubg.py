"""GNU Backgammon as a player: separate processes, one a core, asked over sockets in its external-player protocol.

One line of text asks about one position, one line answers: its play, "roll" or "double", "take", "drop" or "beaver"
(`gnubg_lines`).
"""

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from bgai.arena.gnubg_lines import after_plays, questions
from bgai.arena.states import States
from bgai.board import flip
from bgai.game import State
from bgai.plays import legal_plays
from bgai.threads import threads

START_SECONDS = 60  # longer than it ever takes to load its weights
ANSWER_SECONDS = 600  # likewise to answer; at 4 plies on a busy machine a play may take minutes
DEBIAN_GAMES = "/usr/games"  # outside root's PATH
_DOUBLES = {b"double": True, b"roll": False}
_ANSWERS = {b"take": "take", b"drop": "pass", b"beaver": "beaver"}


class GnubgError(ValueError):
    """GNU Backgammon can't be found, doesn't start, doesn't answer, or answers what it shouldn't."""


class IllegalReply(GnubgError):
    """A play that the rules forbid; the message holds the question and the answer."""


class Gnubg:
    """GNU Backgammon at a number of plies, with its usual settings otherwise.

    rules     of the games to come: it must know beforehand of Jacoby and beavers; None: cubeless
    program   None: the first found on PATH or among Debian's games
    """

    def __init__(self, plies: int, rules: State | None, program: str | None = None):
        self.name = f"gnubg {plies}-ply"
        found = find_program(program)
        folder = tempfile.TemporaryDirectory(prefix="bgai-gnubg-")
        sockets = [Path(folder.name) / str(i) for i in range(threads())]
        processes = [_start(found, path, _settings(plies, rules)) for path in sockets]
        self._finish = weakref.finalize(self, _end, processes, folder)  # when nobody needs it any more, or at exit
        self._lines = [_connect(found, process, path) for process, path in zip(processes, sockets, strict=True)]
        self._pool = ThreadPoolExecutor(len(processes))

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        asked = questions(states, boards, dice)
        replies = self._ask(asked)
        after = after_plays(boards, replies)
        plays = legal_plays(boards, dice, flipped=False)
        same = (plays.boards == np.repeat(after, np.diff(plays.offsets), axis=0)).all(axis=1)
        legal = np.logical_or.reduceat(same, plays.offsets[:-1])
        if not legal.all():
            i = int(legal.argmin())
            raise IllegalReply(f"{self.name} answers {_text(replies[i])}, which is no legal play, to {_text(asked[i])}")
        return flip(after)

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        return np.array(self._cube_replies(questions(states, boards), _DOUBLES), dtype=bool)

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        beavered = states.map(lambda state: state.pending != "double", bool)
        answers = np.full(len(boards), "accept", dtype=object)  # it never raccoons nor passes a beaver
        asked = np.flatnonzero(~beavered)
        answers[asked] = self._cube_replies(questions(states[asked], boards[asked], doubled=True), _ANSWERS)
        return answers

    def equities(self, boards: np.ndarray, states: States, plies: int) -> np.ndarray:
        """Its own cubeful equities of money positions, `float64[N]`, for the player on roll, who may double first.

        A yardstick, never a training target.
        """
        how = f" plies {plies} cubeful prune on".encode()
        replies = self._ask([b"evaluation fibsboard " + position + how for position in questions(states, boards)])
        return np.array([float(reply.split()[-1]) for reply in replies])

    def _cube_replies(self, asked: list[bytes], words: dict) -> list:
        replies = self._ask(asked)
        for question, reply in zip(asked, replies, strict=True):
            if reply not in words:
                known = ", ".join(word.decode() for word in words)
                raise IllegalReply(f"{self.name} answers {_text(reply)}, not one of {known}, to {_text(question)}")
        return [words[reply] for reply in replies]

    def _ask(self, asked: list[bytes]) -> list[bytes]:
        """The replies to all questions; each process takes the next one that is left."""
        left = enumerate(asked)
        replies = [b""] * len(asked)
        try:
            for share in self._pool.map(lambda line: list(_converse(line, left)), self._lines):
                for i, reply in share:
                    replies[i] = reply
        except BaseException:  # Ctrl-C too: nobody has to wait for the other processes
            self._finish()
            raise
        return replies


def find_program(program: str | None = None) -> str:
    """The path of GNU Backgammon. Raises GnubgError where there is none."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), DEBIAN_GAMES])
    found = shutil.which(program or "gnubg", path=path)
    if found is None:
        raise GnubgError(
            f"no program {program or 'gnubg'!r}: install GNU Backgammon (Debian: gnubg) or say where it is"
        )
    return found


def _settings(plies: int, rules: State | None) -> list[str]:
    rules_or_cubeless = rules or State()
    return [
        f"set evaluation chequerplay evaluation plies {plies}",
        f"set evaluation chequerplay evaluation cubeful {'on' if rules else 'off'}",
        f"set evaluation cubedecision evaluation plies {plies}",
        f"set jacoby {'on' if rules_or_cubeless.jacoby else 'off'}",
        f"set beavers {rules_or_cubeless.beavers}",
    ]


def _start(program: str, path: Path, settings: list[str]) -> subprocess.Popen:
    """A process that listens on the Unix socket `path`; -r and -s keep it away from the user's own settings."""
    command = [program, "-t", "-q", "-r", "-s", str(path.parent)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )
    with contextlib.suppress(BrokenPipeError):  # if it has ended, `_connect` will see that
        process.stdin.write("\n".join([*settings, f"external {path}", ""]))
        process.stdin.flush()
    return process


def _end(processes: list[subprocess.Popen], folder: tempfile.TemporaryDirectory) -> None:
    for process in processes:
        process.kill()
        process.communicate()
    folder.cleanup()


def _connect(program: str, process: subprocess.Popen, path: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(START_SECONDS)
    for _ in range(START_SECONDS * 50):
        try:
            line.connect(str(path))
            line.settimeout(None)  # with one, every question would cost two calls of the system more; the system's own:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", ANSWER_SECONDS, 0))
            return line
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.02)
    line.close()
    raise GnubgError(f"{program} doesn't listen: it is no GNU Backgammon built with sockets, or it has ended")


def _converse(line: socket.socket, left: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Ask the questions that are `left`, one after the other: a second one sent before the reply would be lost."""
    for i, question in left:
        line.sendall(question + b"\n")
        reply = b""
        while not reply.endswith(b"\n"):
            try:
                part = line.recv(4096)
            except BlockingIOError:
                raise GnubgError(
                    f"GNU Backgammon gave no answer within {ANSWER_SECONDS} s to {_text(question)}"
                ) from None
            if not part:
                raise GnubgError(f"GNU Backgammon has ended instead of answering {_text(question)}")
            reply += part
        yield i, reply.strip()


def _text(line: bytes) -> str:
    return repr(line.decode(errors="replace"))
