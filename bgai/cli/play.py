"""`bgai play`: a match or money session against a trained player, in the terminal."""

import secrets
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Option

from bgai import api
from bgai.ask.reading import BadRequest
from bgai.board import VARIANTS, flip
from bgai.cli.asking import read_line
from bgai.cli.drawing import draw
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Lang, checked_variant
from bgai.files import check_target, write_atomically
from bgai.game import BEAVERS, other_side
from bgai.lang import meant, say, speak
from bgai.notation.position import Position
from bgai.play import dialogue, saving
from bgai.play import session as table
from bgai.play.levels import LEVELS, error_of
from bgai.play.session import MAX_PLY, YOU, Session, Settings

_USUAL_LENGTH = 7


def play(
    match: Annotated[int | None, Option(min=1, max=64, help="points of the match, 7 if nothing is said")] = None,
    money: Annotated[bool, Option("--money", help="money games, as many as you like")] = False,
    jacoby: Annotated[bool, Option("--jacoby", help="money: gammons count only after a double")] = False,
    beavers: Annotated[bool, Option("--beavers", help="money: a double may be turned at once, and again")] = False,
    variant: Annotated[str | None, Option(help=f"{', '.join(VARIANTS)}; the first if nothing is said")] = None,
    level: Annotated[
        str | None, Option(help=f"how strong it plays: {', '.join(LEVELS)}, the last if nothing is said")
    ] = None,
    ply: Annotated[
        int | None, Option(min=0, max=MAX_PLY, help=f"rolls of lookahead, 0 to {MAX_PLY}; 0 if nothing is said")
    ] = None,
    tutor: Annotated[bool | None, Option("--tutor/--no-tutor", help="be warned before a blunder")] = None,
    seed: Annotated[
        int | None, Option(min=0, max=2**63 - 1, help="of the dice and its errors: the same seed draws the same ones")
    ] = None,
    dice: Annotated[str | None, Option(help="thrown, or typed: you throw them on a real board")] = None,
    save: Annotated[Path | None, Option(help="a match file (.mat) to save to after every entry")] = None,
    resume: Annotated[Path | None, Option(help="go on with the session in this match file, and save to it")] = None,
    checkpoint: Annotated[str | None, Option(help="a player that ships, or the path of a checkpoint")] = None,
    lang: Lang = "en",
) -> None:
    """Play against a trained player. You are ●, at the bottom; help tells what can be entered.

    bgai play --match 5 --level intermediate --tutor --save evening.mat
    """
    speak(lang)
    changes = _changes(level, ply, tutor, dice, checkpoint)
    if resume:
        agreed = {"match": match, "money": money, "jacoby": jacoby, "beavers": beavers, "save": save}
        agreed |= {"variant": variant is not None, "seed": seed is not None}
        for name, given in agreed.items():
            if given:
                raise BadRequest(f"--{name}: what was agreed stands in {resume}; leave this out")
        session, path = saving.from_mat(resume), resume
        session = replace(session, settings=replace(session.settings, **changes))
    else:
        if save and save.exists():
            raise BadRequest(f"{save} is there already: go on with it by --resume, or give another name")
        if save:
            check_target(save)
        session, path = table.new_session(_settings(match, money, jacoby, beavers, variant, seed, changes)), save
    tell_if_first_run()
    api.fitted(session.position, api.player(session.settings.checkpoint))
    if not session.settings.typed:
        print(say("seed {n}", n=session.settings.seed))
    _talk(session, path)


def _settings(
    match: int | None, money: bool, jacoby: bool, beavers: bool, variant: str | None, seed: int | None, changes: dict
) -> Settings:
    if money and match:
        raise BadRequest("--match and --money don't go together")
    if (jacoby or beavers) and not money:
        raise BadRequest("--jacoby and --beavers are for money games (R40): give --money too")
    agreed = Settings(
        variant=checked_variant("backgammon" if variant is None else variant),
        length=0 if money else match or _USUAL_LENGTH,
        jacoby=jacoby,
        beavers=BEAVERS if beavers else 0,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        **changes,
    )
    if seed is not None and agreed.typed and not error_of(agreed.level):
        raise BadRequest(f"--seed: the dice are typed, and {agreed.level} makes no errors on purpose; leave this out")
    return agreed


def _changes(level: str | None, ply: int | None, tutor: bool | None, dice: str | None, checkpoint: str | None) -> dict:
    """What is given of the `Settings` that may change whenever a session is resumed."""
    if dice not in (None, "thrown", "typed"):
        raise BadRequest(f"--dice {dice[:20]}: give thrown or typed")
    if level is not None:
        error_of(level)
    typed = None if dice is None else dice == "typed"
    given = {"level": level, "ply": ply, "tutor": tutor, "typed": typed, "checkpoint": checkpoint}
    return {name: value for name, value in given.items() if value is not None}


def _talk(session: Session, path: Path | None) -> None:
    """Asks and answers until the match is over, or you quit, or there is nothing more to read."""
    sys.stdin.reconfigure(errors="replace")
    session, said = dialogue.begin(session)
    if path:
        _save(session, path)
    shown, saved_as = _show(said, session, None), path
    while session.stage != "end" and (line := read_entry(dialogue.question(session))) is not None:
        word, _, rest = line.strip().partition(" ")
        word = meant(word.lower())
        if word in ("quit", "q", "exit"):
            break
        if word == "save":
            told, copy = _save_as(session, rest.strip())
            print(told)
            saved_as = path or copy or saved_as
            continue
        session, said = dialogue.reply(session, line)
        if path:
            _save(session, path)
        shown = _show(said, session, shown)
    if session.stage != "end":
        print(say("to go on: bgai play --resume {path}", path=saved_as) if saved_as else say("nothing was saved"))


def _show(said: str, session: Session, shown: Position | None) -> Position:
    """Print what was said, and the board if it isn't the one that was `shown` last."""
    if said:
        print(said)
    position = _seen_by_you(session)
    if position != shown and session.stage not in ("opening", "over", "end"):
        print(f"\n{draw(position, words=False)}\n")
    return position


def _seen_by_you(session: Session) -> Position:
    """The position as you see it, after your play if that is made; an offered cube still lies where it was."""
    position = session.position
    if session.stage == "made":
        return replace(position, board=flip(table.plays(session).boards[session.made]))
    if session.on_roll == YOU:
        return position
    state = replace(position.state, pending=None, resigned=0)
    return replace(position, board=flip(position.board), state=other_side(state), dice=None)


def read_entry(question: str) -> str | None:
    """A line of standard input, cut off where it is too long; None at its end."""
    print(question, end="", flush=True)
    line = read_line(dialogue.LONGEST_LINE)
    if not line:
        print()
    return line or None


def _save_as(session: Session, name: str) -> tuple[str, Path | None]:
    """What to say to it, and the file if it is written."""
    if not name or "\0" in name:
        return say("save where? For example: save evening.mat"), None
    path = Path(name)
    if path.exists():
        return say("{path} is there already: give another name", path=path), None
    try:
        check_target(path)
        _save(session, path)
    except OSError as fault:
        return f"{path}: {fault.strerror}", None
    return say("saved as {path}; to go on: bgai play --resume {path}", path=path), path


def _save(session: Session, path: Path) -> None:
    write_atomically(path, saving.to_mat(session).encode(errors="replace"))
