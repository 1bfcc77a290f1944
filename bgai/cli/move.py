"""`bgai move`: the plays of a roll, best first."""

from typing import Annotated

from typer import Argument, Option

from bgai import api
from bgai.ask.json_text import json_line
from bgai.ask.races import race_figures
from bgai.ask.reading import BadRequest, read_position
from bgai.ask.records import move_record
from bgai.ask.shown import finished_record
from bgai.cli.asking import answer_lines
from bgai.cli.drawing import HEADING, chances, draw, finished_text, race_lines
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Beavers, Checkpoint, Cube, Cubeless, Jacoby, Json, Ply, PositionText, Score
from bgai.notation.position import Position


def move(
    position: PositionText,
    roll: Annotated[str | None, Argument(help="such as 31; not needed where the ID holds one")] = None,
    checkpoint: Checkpoint = "default",
    ply: Ply = 0,
    filter: Annotated[str, Option(help="which plays are looked into: fast, normal, wide or full")] = "normal",
    cube: Cube = None,
    score: Score = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    cubeless: Cubeless = False,
    top: Annotated[str, Option(help="how many plays to show, or 'all'")] = "5",
    as_json: Json = False,
) -> None:
    """Rank the plays of a roll by what each is worth to the player who makes it.

    Each line says the ply it was judged at; plays that lookahead passed over come after those that it judged.
    With '-' for the position, one position and roll a line is read from standard input and answered at once.

    bgai move start 31 --ply 1
    """
    shown = _shown(top)
    tell_if_first_run()

    def answer(text: str, roll: str | None = None) -> str:
        asked = api.fitted(read_position(text, cube, score, jacoby, beavers), api.player(checkpoint))
        if over := finished_record(asked):
            return json_line(over) if as_json else finished_text(over)
        asked = api.with_roll(asked, roll)
        plays = api.best_plays(asked, checkpoint=checkpoint, ply=ply, filter=filter, cubeful=not cubeless)[:shown]
        return json_line(move_record(asked, ply, plays)) if as_json else _text(asked, plays)

    if position == "-":
        api.player(checkpoint)  # a wrong file is not the lines' fault
        answer_lines(answer, 2, as_json)
    else:
        print(answer(position, roll))


def _shown(top: str) -> int | None:
    """The number of plays to show; None shows all."""
    if top == "all":
        return None
    if not (top.isascii() and top.isdigit() and 0 < int(top[:9]) < 10_000):
        raise BadRequest(f"--top {top[:20]} is no number of plays: give 1, 2, ... or all")
    return int(top)


def _text(position: Position, plays: list[api.Play]) -> str:
    if not plays:
        return f"{draw(position)}\n\nno legal play"
    width = max(len(p.play) for p in plays)
    lines = [f"            {'play':<{width}}    equity              {HEADING}"]
    for rank, p in enumerate(plays, start=1):
        behind = f"({p.equity - plays[0].equity:+.3f})" if rank > 1 and p.ply == plays[0].ply else ""
        lines.append(f"{rank:3}. {p.ply}-ply  {p.play:<{width}}  {p.equity:+8.3f}  {behind:10}{chances(p.outcomes)}")
    if counts := race_lines(race_figures(position.board)):
        lines += ["", "before the roll", *counts]
    return "\n".join([draw(position), "", *lines])
