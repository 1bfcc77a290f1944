"""GNU Backgammon as a player: separate processes, one a core, asked over sockets in its external-player protocol.

One line of text asks about one position, one line answers: its play, "roll" or "double", "take", "drop" or "beaver".
The position goes as 52 fields in the manner of FIBS's boards, always seen here by "us", who are positive and on roll
(or have doubled).
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from bgai.arena.states import States
from bgai.board import BAR, CHECKERS, flip, on_board
from bgai.game import State
from bgai.plays import legal_plays
from bgai.threads import threads

START_SECONDS = 60  # longer than it ever takes to load its weights
DEBIAN_GAMES = "/usr/games"  # outside root's PATH
_NUMBERS = {n: str(n) for n in range(-CHECKERS, CHECKERS + 1)}
_PLACES = {"bar": BAR, "off": 0}
_MOVES = re.compile(r"((?:bar|\d{1,2})(?:/(?:off|\d{1,2})\*?)+)(?:\((\d)\))?")
_ANSWERS = {"take": "take", "drop": "pass", "beaver": "beaver"}


class GnubgError(ValueError):
    """GNU Backgammon can't be found, doesn't start, or answers what it shouldn't."""


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
        weakref.finalize(self, _end, processes, folder)  # when nobody needs the player any more, or at exit
        self._lines = [_connect(process, path) for process, path in zip(processes, sockets, strict=True)]
        self._pool = ThreadPoolExecutor(len(processes))

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        forms = states.map(partial(_form, doubled=False), object)
        questions = _questions(forms, boards, dice)
        replies = self._ask(questions)
        after = _after(boards, replies)
        plays = legal_plays(boards, dice, flipped=False)
        same = (plays.boards == np.repeat(after, np.diff(plays.offsets), axis=0)).all(axis=1)
        legal = np.logical_or.reduceat(same, plays.offsets[:-1])
        if not legal.all():
            i = int(legal.argmin())
            raise IllegalReply(f"{self.name} answers {replies[i]!r}, which is no legal play, to {questions[i]}")
        return flip(after)

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        return np.array(self._cube_replies(boards, states, {"double": True, "roll": False}, doubled=False), dtype=bool)

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        beavered = states.map(lambda state: state.pending != "double", bool)
        answers = np.full(len(boards), "accept", dtype=object)  # it never raccoons nor passes a beaver
        asked = np.flatnonzero(~beavered)
        answers[asked] = self._cube_replies(boards[asked], states[asked], _ANSWERS, doubled=True)
        return answers

    def equities(self, boards: np.ndarray, states: States, plies: int) -> np.ndarray:
        """Its own cubeful equities of money positions, `float64[N]`, for the player on roll, who may double first.

        A yardstick, never a training target.
        """
        forms = states.map(lambda state: f"evaluation fibsboard {_form(state, False)[:-1]}", object)
        how = f" plies {plies} cubeful prune on\n"
        replies = self._ask([question + how for question in _questions(forms, boards)])
        return np.array([float(reply.split()[-1]) for reply in replies])

    def _cube_replies(self, boards: np.ndarray, states: States, words: dict, doubled: bool) -> list:
        questions = _questions(states.map(partial(_form, doubled=doubled), object), boards)
        replies = self._ask(questions)
        for question, reply in zip(questions, replies, strict=True):
            if reply not in words:
                raise IllegalReply(f"{self.name} answers {reply!r}, not one of {', '.join(words)}, to {question}")
        return [words[reply] for reply in replies]

    def _ask(self, questions: list[str]) -> list[str]:
        """The replies, each process answering every nth question."""
        count = len(self._lines)
        shares = self._pool.map(lambda i: _converse(self._lines[i], questions[i::count]), range(count))
        replies = [""] * len(questions)
        for i, share in enumerate(shares):
            replies[i::count] = share
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


def _connect(process: subprocess.Popen, path: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(START_SECONDS)
    for _ in range(START_SECONDS * 50):
        try:
            line.connect(str(path))
            line.settimeout(None)  # with one, every question would cost two calls of the system more
            return line
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.02)
    line.close()
    raise GnubgError(f"{process.args[0]} doesn't listen: it is no GNU Backgammon built with sockets, or it has ended")


def _converse(line: socket.socket, questions: list[str]) -> list[str]:
    """One question after the other: a second one sent before the reply would be lost."""
    replies = []
    for question in questions:
        line.sendall(question.encode())
        reply = b""
        while not reply.endswith(b"\n"):
            part = line.recv(4096)
            if not part:
                raise GnubgError(f"GNU Backgammon has ended instead of answering {question}")
            reply += part
        replies.append(reply.decode(errors="replace").strip())
    return replies


def _form(state: State | None, doubled: bool) -> str:
    """The question about a position in this state; points, roll (twice) and checkers off are left open."""
    state = state or State()
    own, opponent = state.score
    score = f"{own}:{opponent}" if doubled else f"{opponent}:{own}"  # asked whether to take, it reads them swapped
    may_double = {"centred": "1:1", "mover": "1:0", "opponent": "0:1"}[state.owner]
    crawford = f"{int(state.post_crawford)}:{int(not state.crawford)}"
    return (
        f"board:opponent:us:{state.length}:{score}:%s:1:%d:%d:%d:%d:{state.cube}:{may_double}"
        f":{int(doubled)}:1:-1:0:25:%d:%d:0:0:0:0:{crawford}\n"
    )


def _questions(forms: np.ndarray, boards: np.ndarray, dice: np.ndarray | None = None) -> list[str]:
    rolls = [(0, 0)] * len(boards) if dice is None else dice.tolist()
    own, opponent = on_board(boards)
    off = zip((CHECKERS - own).tolist(), (CHECKERS - opponent).tolist(), strict=True)
    return [
        form % (":".join(map(_NUMBERS.__getitem__, board)), *roll, *roll, *gone)
        for form, board, roll, gone in zip(forms.tolist(), boards.tolist(), rolls, off, strict=True)
    ]


def _after(boards: np.ndarray, replies: list[str]) -> np.ndarray:
    """The boards after these plays, not flipped; text that isn't a play leaves its board unchanged."""
    after = boards.copy()
    rows = np.arange(len(boards))
    for source, to in np.array([_moves(reply) for reply in replies], dtype=np.int8).transpose(1, 2, 0):
        moves, stays_on = source > 0, to > 0
        after[rows, source] -= moves
        hit = moves & stays_on & (after[rows, to] < 0)
        after[hit, 0] += after[hit, to[hit]]
        after[hit, to[hit]] = 0
        after[rows, to] += moves & stays_on
    return after


def _moves(reply: str) -> list[tuple[int, int]]:
    """The moves of a play such as `25/20* 13/11`, as four (from, to); (0, 0) stands for none."""
    moves = [move for word in reply.split() for move in _moves_of(word)]
    if len(moves) > 4 or not all(0 <= to < source <= BAR for source, to in moves):
        raise IllegalReply(f"GNU Backgammon answers {reply!r}, which no roll allows")
    return moves + [(0, 0)] * (4 - len(moves))


@lru_cache(maxsize=4096)
def _moves_of(word: str) -> list[tuple[int, int]]:
    """Those of one checker, such as `13/8(2)` or `24/18*/14`."""
    match = _MOVES.fullmatch(word)
    if match is None:
        return []
    stops = [int(_PLACES.get(place, place)) for place in match[1].replace("*", "").split("/")]
    return list(pairwise(stops)) * int(match[2] or 1)
