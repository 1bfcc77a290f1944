"""Our player inside GNU Backgammon, which calls it over a socket: `set player 0 external localhost:PORT`.

It asks with a line of text and gets a line back: a play, `roll` or `double`, `take` or `drop`. The next question comes
when the last has been answered.
"""

import socket
import socketserver
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import BoundedSemaphore, Lock

from bgai import api
from bgai.board import InvalidBoard
from bgai.evaluator.met import InvalidTable
from bgai.game import ImpossibleState
from bgai.notation.board_line import InvalidLine, parse_board_line
from bgai.notation.play_text import NO_PLAY
from bgai.notation.position import Position, position_id
from bgai.serve.listening import listen

LONGEST_LINE = 1000  # bytes; a board line has some 150
LINE_SECONDS = 10  # from the first byte of a line to its end, and to send an answer
IDLE_SECONDS = 6 * 3600  # between two questions; a person may sit on the other side
MOST_CLIENTS = 8

Log = Callable[[str], None]


class LineTooLong(ValueError):
    """A client that sends no end of a line."""


def answer(position: Position, checkpoint: str = "default", ply: int = 0) -> str:
    """The reply to the question that `position` puts, see `parse_board_line`; empty where nothing can be played."""
    if position.dice:
        plays = api.best_plays(position, checkpoint=checkpoint, ply=ply)
        return plays[0].play if plays else ""
    action = api.cube_decision(position, checkpoint=checkpoint, ply=ply).action
    if position.state.pending:
        return {"take": "take", "pass": "drop"}[action]
    return "double" if action.startswith(("double", "redouble")) else "roll"


class Server(socketserver.ThreadingTCPServer):
    """Listens on `host`:`port` (0: any free one) for GNU Backgammons; `serve_forever` answers them all.

    jacoby   the Jacoby rule is agreed in money games: the questions don't say
    log      is given one line for each answer, and for each client that comes, goes or misbehaves
    Raises CannotListen.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, *, checkpoint: str, ply: int, jacoby: bool, log: Log):
        listening = listen(host, port)
        super().__init__(listening.getsockname(), _Client, bind_and_activate=False)
        self.socket.close()  # its own, which knows IPv4 only
        self.socket = listening
        self.checkpoint, self.ply, self.jacoby, self._log = checkpoint, ply, jacoby, log
        self.seats = BoundedSemaphore(MOST_CLIENTS)
        self.thinking = Lock()  # one question at a time: clients take turns, and none can starve the machine

    def log(self, line: str) -> None:
        """Tell what happens. Where nobody reads it any more, or the disk is full, clients are answered all the same."""
        with suppress(OSError):
            self._log(line)

    def reply(self, line: str) -> str:
        """The reply to one line; `Error: ` and the reason, at which GNU Backgammon stops, if it can't be answered."""
        try:
            position = parse_board_line(line, jacoby=self.jacoby)
            with self.thinking:
                reply = answer(position, self.checkpoint, self.ply)
        except (InvalidLine, InvalidBoard, ImpossibleState, InvalidTable, api.NothingToDecide) as fault:
            reply = f"Error: {fault}"
            self.log(reply)
        else:
            roll = "{}{}".format(*position.dice) if position.dice else position.state.pending or "cube"
            self.log(f"{position_id(position)} {roll}: {reply or NO_PLAY}")
        return reply


class _Client(socketserver.BaseRequestHandler):
    server: Server

    def handle(self) -> None:
        server = self.server
        if not server.seats.acquire(blocking=False):
            self._send_away(f"{MOST_CLIENTS} clients are here already")
            return
        try:
            server.log("a client has come")
            for line in _lines(self.request):
                self.request.settimeout(LINE_SECONDS)
                self.request.sendall(f"{server.reply(line)}\n".encode())
            server.log("the client has gone")
        except LineTooLong as fault:
            self._send_away(str(fault))
        except OSError as fault:  # gone in the middle, or too slow
            server.log(f"the client is lost: {fault}")
        finally:
            server.seats.release()

    def _send_away(self, why: str) -> None:
        self.server.log(f"a client is sent away: {why}")
        with suppress(OSError):
            self.request.sendall(f"Error: {why}\n".encode())


def _lines(connection: socket.socket) -> Iterator[str]:
    """The lines that a client sends, until it goes. Each must be whole within `LINE_SECONDS` of its first byte.

    Raises LineTooLong, or TimeoutError.
    """
    begun, text = 0.0, b""
    while True:
        left = IDLE_SECONDS if not text else begun + LINE_SECONDS - time.monotonic()
        connection.settimeout(max(left, 0.001))
        received = connection.recv(LONGEST_LINE)
        if not received:
            return
        if not text:
            begun = time.monotonic()
        *lines, text = (text + received.replace(b"\0", b"")).split(b"\n")  # a NUL follows each of its lines
        if max(map(len, [*lines, text])) > LONGEST_LINE:
            raise LineTooLong(f"a line has at most {LONGEST_LINE} bytes")
        yield from (line.decode(errors="replace") for line in lines)
