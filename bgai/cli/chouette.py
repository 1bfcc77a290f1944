"""`bgai chouette`: one against all the others, people and programs, at one terminal."""

import secrets
import sys
from typing import Annotated

from typer import Argument, Option

from bgai import api
from bgai.cli.asking import BadRequest
from bgai.cli.drawing import draw
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint
from bgai.cli.play import read_entry
from bgai.play import party
from bgai.play.party import Party
from bgai.play.session import BEAVERS


def chouette(
    players: Annotated[
        list[str], Argument(help="names of people; bgai or bgai:LEVEL is a program. The first is the box")
    ],
    jacoby: Annotated[bool, Option("--jacoby", help="gammons count only after a double")] = False,
    beavers: Annotated[bool, Option("--beavers", help="a double may be turned at once, and again")] = False,
    ply: Annotated[int, Option(min=0, max=2, help="rolls of lookahead of the programs, 0 to 2")] = 0,
    seed: Annotated[int | None, Option(min=0, max=2**63 - 1, help="the same seed throws the same dice")] = None,
    dice: Annotated[str, Option(help="thrown, or typed: you throw them on a real board")] = "thrown",
    checkpoint: Checkpoint = "default",
) -> None:
    """Play a chouette. Everybody has a cube of their own against the box; the captain decides the team's plays.

    bgai chouette ann bob bgai bgai:novice
    """
    if dice not in ("thrown", "typed"):
        raise BadRequest(f"--dice {dice[:20]}: give thrown or typed")
    table = party.new_party(
        players,
        jacoby=jacoby,
        beavers=BEAVERS if beavers else 0,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        typed=dice == "typed",
        ply=ply,
        checkpoint=checkpoint,
    )
    tell_if_first_run()
    api.fitted(table.position, api.player(checkpoint))
    if not table.typed:
        print(f"seed {table.seed}")
    _talk(table)


def _talk(table: Party) -> None:
    """Asks and answers until somebody quits, or there is nothing more to read."""
    sys.stdin.reconfigure(errors="replace")
    table, said = party.begin(table)
    shown = _show(said, table, None)
    while (line := read_entry(party.question(table))) is not None and line.strip().lower() not in ("quit", "q"):
        table, said = party.reply(table, line)
        shown = _show(said, table, shown)


def _show(said: str, table: Party, shown: tuple | None) -> tuple:
    """Print what was said, and the board and cubes if they aren't those that were `shown` last."""
    if said:
        print(said)
    seen = (table.board.tobytes(), table.chouette, table.dice)
    if seen != shown and table.stage in ("cube", "roll", "play"):
        print(f"\n{draw(table.position, words=False)}\n\n{party.cubes_text(table)}")
    return seen
