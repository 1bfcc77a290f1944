"""`bgai serve`: our player in a browser, and for other programs over a socket or in a conversation of lines."""

import sys
from typing import Annotated

from typer import Argument, Option

from bgai import api
from bgai.ask.reading import BadRequest
from bgai.cli.asking import read_line
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint, Ply
from bgai.notation.position import start_of
from bgai.serve import gnubg, ubgi


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
    host: Annotated[str, Option(help="the address to listen on; else only this machine can call")] = "127.0.0.1",
    checkpoint: Checkpoint = "default",
    ply: Ply = 0,
    jacoby: Annotated[bool, Option("--jacoby/--no-jacoby", help="gnubg: money games have the Jacoby rule")] = True,
) -> None:
    """Let a player play in the browser, or inside another program.

    http listens for browsers until stopped by Ctrl-C: a page on which to play, to set up positions and to ask about
    them. It answers programs too, whose questions say the ply themselves: bgai serve http --port 8000

    gnubg listens for GNU Backgammon until stopped by Ctrl-C, and prints every answer. Inside GNU Backgammon: set
    beavers 0, then set player 0 external localhost:7788, then new match 7. Its questions don't tell whether the Jacoby
    rule is agreed; it is there unless changed by: set jacoby off, so it is here.

    ubgi is an engine of the Universal Backgammon Interface 0.2, for programs that start one: bgai serve ubgi --ply 1
    """
    tell_if_first_run()
    api.checked_ply(ply)
    if protocol == "http":
        _answer(host, 8000 if port is None else port, checkpoint)
    elif protocol == "gnubg":
        _listen(host, 7788 if port is None else port, checkpoint, ply, jacoby)
    elif protocol == "ubgi":
        _converse(ubgi.Engine(checkpoint, ply))
    else:
        raise BadRequest(f"there is nothing to serve called {protocol[:20]!r}: give gnubg or ubgi, or http")


def _answer(host: str, port: int, checkpoint: str) -> None:
    try:
        from bgai.serve import http_answers, http_server
    except ModuleNotFoundError as missing:
        if missing.name not in ("fastapi", "pydantic", "uvicorn"):
            raise
        raise BadRequest(f"{missing.name} isn't installed, which http needs: pip install 'bgai[serve]'") from None
    with http_server.listen(host, port) as listening:
        http_answers.warm_up(checkpoint)
        url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        http_server.serve(listening, host, checkpoint, lambda: print(f"listening; open {url} in a browser", flush=True))


def _listen(host: str, port: int, checkpoint: str, ply: int, jacoby: bool) -> None:
    api.fitted(start_of("backgammon"), api.player(checkpoint))

    def log(line: str) -> None:
        print(line, flush=True)

    with gnubg.Server(host, port, checkpoint=checkpoint, ply=ply, jacoby=jacoby, log=log) as server:
        log(f"listening; in GNU Backgammon: set player 0 external localhost:{server.server_address[1]}")
        server.serve_forever(poll_interval=0.1)


def _converse(engine: ubgi.Engine) -> None:
    """Answers lines until `quit` or their end."""
    sys.stdin.reconfigure(errors="replace")
    while (line := read_line(ubgi.LONGEST_LINE)) and line.strip() != "quit":
        if said := engine.reply(line):
            print(said, flush=True)
