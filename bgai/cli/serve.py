"""`bgai serve`: our player in a browser, and for other programs over a socket or in a conversation of lines."""

import os
import sys
from typing import Annotated

from typer import Argument, Option

from bgai import api
from bgai.ask.reading import BadRequest
from bgai.cli.asking import read_line
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint
from bgai.notation.position import start_of
from bgai.serve import gnubg, ubgi
from bgai.serve.listening import address, listen

_OPTIONS = {"http": ("port", "host"), "gnubg": ("port", "host", "ply", "jacoby"), "ubgi": ("ply",)}  # of each protocol


def serve(
    protocol: Annotated[
        str,
        Argument(
            help="http: a page to play on, and questions of programs; gnubg: inside GNU Backgammon, as an external "
            "player; ubgi: on standard input and output"
        ),
    ],
    port: Annotated[
        int | None, Option(min=0, max=65535, help="where to listen: 8000 for http, 7788 for gnubg; 0: any free port")
    ] = None,
    host: Annotated[
        str | None, Option(help="http, gnubg: the address to listen on; else only this machine can call")
    ] = None,
    checkpoint: Checkpoint = "default",
    ply: Annotated[int | None, Option(help="gnubg, ubgi: rolls of lookahead, 0 to 4; 0 if nothing is said")] = None,
    jacoby: Annotated[
        bool | None,
        Option("--jacoby/--no-jacoby", help="gnubg: money games have the Jacoby rule, as they do if nothing is said"),
    ] = None,
) -> None:
    """Let a player play in the browser, or inside another program.

    http listens for browsers until stopped by Ctrl-C: a page on which to play, to set up positions and to ask about
    them. It answers programs too, whose questions say the ply themselves: bgai serve http --port 8000

    gnubg listens for GNU Backgammon until stopped by Ctrl-C, and prints every answer. Inside GNU Backgammon: set
    beavers 0, then set player 0 external localhost:7788, then new match 7. Its questions don't tell whether the Jacoby
    rule is agreed; it is there unless changed by: set jacoby off, so it is here.

    ubgi is an engine of the Universal Backgammon Interface 0.2, for programs that start one: bgai serve ubgi --ply 1
    """
    if protocol not in _OPTIONS:
        raise BadRequest(f"there is nothing to serve called {protocol[:20]!r}: give gnubg or ubgi, or http")
    for name, value in {"port": port, "host": host, "ply": ply, "jacoby": jacoby}.items():
        if value is not None and name not in _OPTIONS[protocol]:
            known = [f"--{each}" for each in ("checkpoint", *_OPTIONS[protocol])]
            given = f"--no-{name}" if value is False else f"--{name}"
            raise BadRequest(f"{given} does nothing for {protocol}: leave it out; {protocol} has {', '.join(known)}")
    tell_if_first_run()
    host, ply = "127.0.0.1" if host is None else host, api.checked_ply(ply or 0)
    if protocol == "http":
        _answer(host, 8000 if port is None else port, checkpoint)
    elif protocol == "gnubg":
        _listen(host, 7788 if port is None else port, checkpoint, ply, jacoby is not False)
    else:
        _converse(ubgi.Engine(checkpoint, ply))


def _answer(host: str, port: int, checkpoint: str) -> None:
    try:
        from bgai.serve import http_answers, http_server
    except ModuleNotFoundError as missing:
        if missing.name not in ("fastapi", "pydantic", "uvicorn"):
            raise
        raise BadRequest(f"{missing.name} isn't installed, which http needs: pip install 'bgai[serve]'") from None
    with listen(host, port) as listening:
        http_answers.warm_up(checkpoint)
        url = f"http://{address(host, listening.getsockname()[1])}"
        http_server.serve(listening, host, checkpoint, lambda: print(f"listening; open {url} in a browser", flush=True))


def _listen(host: str, port: int, checkpoint: str, ply: int, jacoby: bool) -> None:
    api.fitted(start_of("backgammon"), api.player(checkpoint))

    def log(line: str) -> None:
        print(line, flush=True)

    with gnubg.Server(host, port, checkpoint=checkpoint, ply=ply, jacoby=jacoby, log=log) as server:
        server.log(f"listening; in GNU Backgammon: set player 0 external localhost:{server.server_address[1]}")
        try:
            server.serve_forever(poll_interval=0.1)
        finally:
            _drop_what_cannot_be_printed()


def _drop_what_cannot_be_printed() -> None:
    """Whoever read our output may have gone, or the disk be full: Python's own last flush must not complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _converse(engine: ubgi.Engine) -> None:
    """Answers lines until `quit` or their end."""
    sys.stdin.reconfigure(errors="replace")
    while (line := read_line(ubgi.LONGEST_LINE)) and line.strip() != "quit":
        if said := engine.reply(line):
            print(said, flush=True)
