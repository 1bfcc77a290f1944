"""`bgai serve`: our player for other programs, over a socket."""

from typing import Annotated

from typer import Argument, Option

from bgai import api
from bgai.cli.asking import BadRequest
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint, Ply
from bgai.notation.position import start_of
from bgai.serve.gnubg import Server


def serve(
    protocol: Annotated[str, Argument(help="gnubg: play inside GNU Backgammon, as an external player")],
    port: Annotated[int, Option(min=0, max=65535, help="where to listen; 0: any free port")] = 7788,
    host: Annotated[str, Option(help="the address to listen on; by default only this machine can call")] = "127.0.0.1",
    checkpoint: Checkpoint = "default",
    ply: Ply = 0,
    jacoby: Annotated[bool, Option("--jacoby/--no-jacoby", help="money games have the Jacoby rule")] = True,
) -> None:
    """Listen for GNU Backgammon until stopped by Ctrl-C, and print every answer.

    Inside GNU Backgammon: set beavers 0, then set player 0 external localhost:7788, then new match 7. Its questions
    don't tell whether the Jacoby rule is agreed; it is there unless changed by: set jacoby off, so it is here.
    """
    if protocol != "gnubg":
        raise BadRequest(f"there is nothing to serve called {protocol[:20]!r}: give gnubg")
    tell_if_first_run()
    api.fitted(start_of("backgammon"), api.player(checkpoint))
    api.checked_ply(ply)

    def log(line: str) -> None:
        print(line, flush=True)

    with Server(host, port, checkpoint=checkpoint, ply=ply, jacoby=jacoby, log=log) as server:
        log(f"listening; in GNU Backgammon: set player 0 external localhost:{server.server_address[1]}")
        server.serve_forever(poll_interval=0.1)
