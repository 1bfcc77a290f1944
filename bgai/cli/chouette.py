"""`bgai chouette`: one against all the others, people and programs, at one terminal."""

import secrets
import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bgai import api
from bgai.ask.reading import BadRequest
from bgai.cli.drawing import draw
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint
from bgai.cli.play import read_entry
from bgai.files import check_target, write_atomically
from bgai.game import BEAVERS
from bgai.notation.position import start_of
from bgai.play import party_dialogue, party_saving
from bgai.play.party import Party, new_party
from bgai.play.session import MAX_PLY


def chouette(
    players: Annotated[
        list[str] | None, Argument(help="names of people; bgai or bgai:LEVEL is a program. The first is the box")
    ] = None,
    jacoby: Annotated[bool, Option("--jacoby", help="gammons count only after a double")] = False,
    beavers: Annotated[bool, Option("--beavers", help="a double may be turned at once, and again")] = False,
    ply: Annotated[int, Option(min=0, max=MAX_PLY, help=f"rolls of lookahead of the programs, 0 to {MAX_PLY}")] = 0,
    tutor: Annotated[bool, Option("--tutor", help="be warned before a blunder")] = False,
    seed: Annotated[int | None, Option(min=0, max=2**63 - 1, help="the same seed throws the same dice")] = None,
    dice: Annotated[str, Option(help="thrown, or typed: you throw them on a real board")] = "thrown",
    save: Annotated[Path | None, Option(help="a file to save to after every entry")] = None,
    resume: Annotated[Path | None, Option(help="go on with the chouette in this file, and save to it")] = None,
    checkpoint: Checkpoint = "default",
) -> None:
    """Play a chouette. Everybody has a cube of their own against the box; the captain decides the team's plays.

    bgai chouette ann bob bgai bgai:novice --save evening.chouette
    """
    if dice not in ("thrown", "typed"):
        raise BadRequest(f"--dice {dice[:20]}: give thrown or typed")
    if resume and (players or save):
        raise BadRequest(f"{'--save' if save else 'players'}: what was agreed stands in {resume}; leave this out")
    if save and save.exists():
        raise BadRequest(f"{save} is there already: go on with it by --resume, or give another name")
    if save:
        check_target(save)
    tell_if_first_run()
    if resume:
        party = party_saving.from_json(resume)
    else:
        party = new_party(
            players or [],
            jacoby=jacoby,
            beavers=BEAVERS if beavers else 0,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            typed=dice == "typed",
            ply=ply,
            checkpoint=checkpoint,
            tutor=tutor,
        )
    api.fitted(start_of("backgammon"), api.player(party.checkpoint))
    if not party.typed:
        print(f"seed {party.seed}")
    _talk(party, resume or save)


def _talk(party: Party, path: Path | None) -> None:
    """Asks and answers until somebody quits, or there is nothing more to read."""
    sys.stdin.reconfigure(errors="replace")
    party, said = party_dialogue.begin(party)
    _save(party, path)
    shown = _show(said, party, None)
    while (line := read_entry(party_dialogue.question(party))) is not None and line.strip().lower() not in (
        "quit",
        "q",
    ):
        party, said = party_dialogue.reply(party, line)
        _save(party, path)
        shown = _show(said, party, shown)
    print(f"to go on: bgai chouette --resume {path}" if path else "nothing was saved")


def _save(party: Party, path: Path | None) -> None:
    if path:
        write_atomically(path, party_saving.to_json(party).encode())


def _show(said: str, party: Party, shown: tuple | None) -> tuple:
    """Print what was said, and the board and cubes if they aren't those that were `shown` last."""
    if said:
        print(said)
    seen = (party.board.tobytes(), party.chouette, party.dice)
    if seen != shown and party.stage in ("cube", "roll", "play"):
        print(f"\n{draw(party.position, words=False)}\n\n{party_dialogue.cubes_text(party)}")
    return seen
