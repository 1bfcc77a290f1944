"""Our player called by GNU Backgammon, and by clients that mean no good."""

import errno
import os
import re
import socket
import subprocess
import threading
import time

import numpy as np
import pytest

from bgai.arena.gnubg import GnubgError, find_program
from bgai.board import START, flip
from bgai.notation.board_line import parse_board_line
from bgai.notation.play_text import parse_play
from bgai.notation.position import parse_position, position_id
from bgai.plays import legal_plays
from bgai.serve import gnubg
from bgai.serve.gnubg import Server

try:
    PROGRAM = find_program()
except GnubgError:
    PROGRAM = None
ROLL_31 = "board:them:us:0:0:0:" + ":".join(map(str, START.tolist())) + ":1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1\n"
RIGHT_HALF = 30  # where the second player's column of a match file begins at the latest
EVENT = re.compile(r"(?P<roll>\d\d):(?P<play>(?: \d+/[\d/*]+)*)|(?P<cube>Doubles|Takes|Drops)")


@pytest.fixture
def server():
    lines = []
    with Server("127.0.0.1", 0, checkpoint="default", ply=0, jacoby=True, log=lines.append) as server:
        server.lines = lines
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def call(server, text: bytes) -> bytes:
    """All that the server says to a client who sends `text` and then nothing more."""
    with socket.create_connection(server.server_address[:2], timeout=60) as line:
        line.sendall(text)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(4096), b""))


def wait_until_nobody_is_here(server) -> None:
    deadline = time.monotonic() + 10
    while server.seats._value < gnubg.MOST_CLIENTS:
        assert time.monotonic() < deadline
        time.sleep(0.01)


# Games against GNU Backgammon


def play_in_gnubg(port: int, seat: int, folder, new: list[str], seed: int) -> str:
    """The match file of games in which we have `seat`, begun with the commands `new`."""
    exported = folder / "games.mat"
    names = ["gnubg", "gnubg"]
    names[seat] = "ours"
    commands = [
        f"set rng mersenne\nset seed {seed}\nset display off\nset automatic roll on\nset automatic doubles 0",
        "set beavers 0\nset confirm new off",
        f"set player {1 - seat} gnubg\nset player {1 - seat} chequerplay evaluation plies 0",
        f"set player {1 - seat} cubedecision evaluation plies 0",
        f"set defaultnames {names[0]} {names[1]}2\nset player {seat} external localhost:{port}",
        *new,
        f"export match mat {exported}",
    ]
    program = [PROGRAM, "-t", "-q", "-r", "-s", str(folder)]
    run = subprocess.run(program, input="\n".join([*commands, ""]), capture_output=True, text=True, timeout=300)
    assert exported.exists(), run.stdout[-2000:]
    return exported.read_text()


def replay(match_file: str, column: int) -> list[tuple]:
    """What the player of a column did, as `decided` tells it. Every play of both is checked to be legal."""
    did = []
    for game in re.split(r" Game \d+\n", match_file)[1:]:
        boards = [START, START]  # of both players, each seen by its owner
        for text in game.splitlines():
            for event in EVENT.finditer(text):
                side = int(event.start() > RIGHT_HALF)
                what = event["cube"] or event["roll"]
                if event["roll"]:
                    dice = tuple(sorted(map(int, event["roll"]), reverse=True))
                    index = parse_play(event["play"].strip() or "no play", boards[side], dice)
                    after = legal_plays(boards[side][None], np.array([dice], np.int8), flipped=False).boards[index]
                    what = (dice, after.tolist())
                    boards[side], boards[1 - side] = after, flip(after)
                if side == column:
                    did.append(what)
    return did


def decided(lines: list[str]) -> list[tuple]:
    """What the log says that we did: (roll, board after it), "Doubles", "Takes" or "Drops"."""
    did = []
    for line in lines:
        identifier, _, reply = line.partition(": ")
        identifier, _, question = identifier.partition(" ")
        if question.isdigit():
            position = parse_position(identifier)
            index = parse_play(reply, position.board, position.dice)
            dice = np.array([position.dice], np.int8)
            did.append((position.dice, legal_plays(position.board[None], dice, flipped=False).boards[index].tolist()))
        elif reply in ("double", "take", "drop"):
            did.append({"double": "Doubles", "take": "Takes", "drop": "Drops"}[reply])
    return did


@pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon isn't installed")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("new", [["set automatic game off", "new session", "new game"], ["new match 5"]], ids=str)
def test_gnubg_records_what_we_answered(server, tmp_path, seat, new):
    match_file = play_in_gnubg(server.server_address[1], seat, tmp_path, new, seed=7)
    ours = decided(server.lines)
    assert replay(match_file, seat) == ours and not [line for line in server.lines if "Error" in line]
    assert len(ours) > 20 and {"Doubles", "Takes", "Drops"} & {what for what in ours if isinstance(what, str)}
    assert " Game 2\n" in match_file


# Clients of all kinds


def test_a_question_its_answer_and_that_of_the_next(server):
    assert call(server, ROLL_31.encode() + b"\0" + ROLL_31.encode()) == b"8/5 6/5\n8/5 6/5\n"
    asked = position_id(parse_board_line(ROLL_31, jacoby=True))
    assert server.lines.count(f"{asked} 31: 8/5 6/5") == 2


def test_a_line_in_pieces(server):
    with socket.create_connection(server.server_address, timeout=60) as line:
        for byte in ROLL_31.encode():
            line.sendall(bytes([byte]))
        assert line.recv(100) == b"8/5 6/5\n"


@pytest.mark.parametrize("text", [b"\n", b"take\n", b"\xff\xfe\x00\n", b"board:::::\n", b"\n" * 50], ids=repr)
def test_nonsense_is_answered_with_an_error_and_the_next_question_as_usual(server, text):
    *errors, last = call(server, text + ROLL_31.encode()).splitlines()
    assert last == b"8/5 6/5" and len(errors) == text.count(b"\n")
    assert all(line.startswith(b"Error: expected board:") for line in errors)


def test_a_line_without_end_is_cut_off(server):
    with socket.create_connection(server.server_address, timeout=60) as line:
        line.sendall(b"x" * (gnubg.LONGEST_LINE + 1))
        assert line.recv(100).startswith(b"Error: a line has at most")
        assert line.recv(100) == b""


def test_a_client_that_begins_a_line_and_falls_silent_is_let_go(server, monkeypatch):
    monkeypatch.setattr(gnubg, "LINE_SECONDS", 0.2)
    with socket.create_connection(server.server_address, timeout=60) as line:
        line.sendall(b"board:")
        assert line.recv(100) == b""
    assert any("lost" in said for said in server.lines)


def test_a_client_that_dribbles_is_let_go_too(server, monkeypatch):
    monkeypatch.setattr(gnubg, "LINE_SECONDS", 0.2)
    with socket.create_connection(server.server_address, timeout=60) as line, pytest.raises(OSError):
        while True:
            line.sendall(b"b")
            time.sleep(0.02)


def test_a_log_that_cannot_be_written_stops_no_answer_and_keeps_no_seat(capfd):
    def full(line: str):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Server("127.0.0.1", 0, checkpoint="default", ply=0, jacoby=True, log=full) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        assert call(server, ROLL_31.encode() + b"?\n").startswith(b"8/5 6/5\nError: expected board:")
        assert call(server, b"x" * (gnubg.LONGEST_LINE + 1)).startswith(b"Error: a line has at most")
        wait_until_nobody_is_here(server)
        server.shutdown()
    assert capfd.readouterr().err == ""


def test_it_listens_on_ipv6_too():
    with Server("::1", 0, checkpoint="default", ply=0, jacoby=True, log=print) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        assert call(server, ROLL_31.encode()) == b"8/5 6/5\n"
        server.shutdown()


def test_those_who_come_when_all_seats_are_taken_are_sent_away_and_the_seats_are_free_again(server):
    here = [socket.create_connection(server.server_address, timeout=60) for _ in range(gnubg.MOST_CLIENTS)]
    for line in here:
        line.sendall(ROLL_31.encode())
        assert line.recv(100) == b"8/5 6/5\n"
    assert call(server, b"").startswith(b"Error: 8 clients")
    for line in here:
        line.close()
    wait_until_nobody_is_here(server)
    assert call(server, ROLL_31.encode()) == b"8/5 6/5\n"
