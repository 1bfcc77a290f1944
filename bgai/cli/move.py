"""`bgai move`: the plays of a roll, best first."""

import json
import sys
from collections.abc import Iterator
from typing import Annotated

from typer import Argument, Exit, Option

from bgai import api
from bgai.cli.drawing import HEADING, chances, draw
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.main import users_mistake
from bgai.cli.options import Checkpoint, Json, PositionText
from bgai.notation.position import Position, position_id

LONGEST_LINE = 1000


class BadRequest(ValueError):
    """Something that `bgai move` can't make sense of."""


def move(
    position: PositionText,
    roll: Annotated[str | None, Argument(help="such as 31; not needed where the ID holds one")] = None,
    checkpoint: Checkpoint = "default",
    top: Annotated[str, Option(help="how many plays to show, or 'all'")] = "5",
    as_json: Json = False,
) -> None:
    """Rank the plays of a roll by what each is worth to the player who makes it.

    With '-' for the position, one position and roll a line is read from standard input and answered at once.
    """
    shown = _shown(top)
    tell_if_first_run()
    if position == "-":
        _answer_lines(checkpoint, shown, as_json)
    else:
        print(_answer(position, roll, checkpoint, shown, as_json))


def _shown(top: str) -> int | None:
    """The number of plays to show; None shows all."""
    if top == "all":
        return None
    if not (top.isascii() and top.isdigit() and 0 < int(top[:9]) < 10_000):
        raise BadRequest(f"--top {top[:20]} is no number of plays: give 1, 2, ... or all")
    return int(top)


def _answer_lines(checkpoint: str, shown: int | None, as_json: bool) -> None:
    """Answer each line of standard input at once; a line that can't be answered gets its error instead."""
    api.player(checkpoint)  # a wrong file is not the lines' fault
    failed = False
    for number, line in enumerate(_lines(), start=1):
        try:
            words = line.split()
            if len(words) not in (1, 2):
                raise BadRequest("expected a position and a roll")
            answer = _answer(words[0], words[1] if len(words) == 2 else None, checkpoint, shown, as_json)
        except ValueError as error:
            if users_mistake(error) is None:
                raise
            failed = True
            answer = json.dumps({"error": str(error)}) if as_json else f"line {number}: {error}"
        print(answer, flush=True)
    if failed:
        raise Exit(2)


def _lines() -> Iterator[str]:
    sys.stdin.reconfigure(errors="replace")
    while line := sys.stdin.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BadRequest(f"a line on standard input has more than {LONGEST_LINE} characters")
        yield line


def _answer(text: str, roll: str | None, checkpoint: str, shown: int | None, as_json: bool) -> str:
    position = api.with_roll(text, roll)
    plays = api.best_plays(position, checkpoint=checkpoint)[:shown]
    return _json(position, plays) if as_json else _text(position, plays)


def _json(position: Position, plays: list[api.Play]) -> str:
    answer = {
        "position": position_id(position),
        "board": position.board.tolist(),
        "roll": list(position.dice),
        "ply": 0,
        "plays": [
            {
                "play": p.play,
                "equity": round(p.equity, 6),
                "cubeless": round(p.cubeless, 6),
                "kind": p.kind,
                "outcomes": [round(float(x), 6) for x in p.outcomes],
                "board": p.board.tolist(),
            }
            for p in plays
        ],
    }
    return json.dumps(answer)


def _text(position: Position, plays: list[api.Play]) -> str:
    if not plays:
        return f"{draw(position)}\n\nno legal play"
    width = max(len(p.play) for p in plays)
    lines = [f"     {'play':<{width}}    equity              {HEADING}"]
    for rank, p in enumerate(plays, start=1):
        loss = f"({p.equity - plays[0].equity:+.3f})" if rank > 1 else ""
        lines.append(f"{rank:3}. {p.play:<{width}}  {p.equity:+8.3f}  {loss:10}{chances(p.outcomes)}")
    return "\n".join([draw(position), "", *lines])
