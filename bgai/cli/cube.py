"""`bgai cube`: whether to double, and whether to take."""

import numpy as np

from bgai import api
from bgai.ask.json_text import json_line
from bgai.ask.reading import read_position
from bgai.ask.records import beside_cube, cube_record
from bgai.ask.shown import finished_record
from bgai.cli.asking import answer_lines
from bgai.cli.drawing import HEADING, chances, draw, finished_text, race_lines
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Beavers, Checkpoint, Cube, Jacoby, Json, Ply, PositionText, Score
from bgai.evaluator.decision import CubeDecision
from bgai.notation.position import Position


def cube(
    position: PositionText,
    checkpoint: Checkpoint = "default",
    ply: Ply = 2,
    cube: Cube = None,
    score: Score = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    as_json: Json = False,
) -> None:
    """Say what to do with the cube before the roll, or how to answer the one that is pending.

    With '-' for the position, one position a line is read from standard input and answered at once.

    bgai cube start --score 3-4/7
    """
    tell_if_first_run()

    def answer(text: str) -> str:
        asked = api.fitted(read_position(text, cube, score, jacoby, beavers), api.player(checkpoint))
        if over := finished_record(asked):
            return json_line(over) if as_json else finished_text(over)
        decision = api.cube_decision(asked, checkpoint=checkpoint, ply=ply)
        more = beside_cube(asked, checkpoint)
        return json_line(cube_record(asked, ply, decision, more)) if as_json else _text(asked, ply, decision, more)

    if position == "-":
        api.player(checkpoint)  # a wrong file is not the lines' fault
        answer_lines(answer, 1, as_json)
    else:
        print(answer(position))


def _text(position: Position, ply: int, decision: CubeDecision, more: dict) -> str:
    d = decision
    lines = [draw(position), "", f"{d.action}{' (optional)' if d.optional else ''}, {ply}-ply", ""]
    for name, what in (("nd", "no double"), ("dt", "double, take"), ("dp", "double, pass")):
        if (equity := getattr(d, name)) is not None:
            chance = f"   {100 * d.mwc[name]:6.2f} % to win the match" if d.mwc else ""
            lines.append(f"{what:<14}{equity:+8.3f}{chance}")
    lines += ["", f"        {HEADING}", f"{d.cubeless:+8.3f}{chances(np.array(d.outcomes))}", ""]
    points = (("take point", d.take_point), ("doubling point", d.doubling_point), ("cash point", d.cash_point))
    lines += [f"{what:<20}{100 * chance:6.1f} %" for what, chance in points if chance is not None]
    lines.append(f"{'gammon values':<20}{d.gammon_values[0]:6.2f} won, {d.gammon_values[1]:.2f} lost")
    if more["market_losing_rolls"] is not None:
        lines.append(f"{'market-losing rolls':<20}{more['market_losing_rolls']:6.1f} of 36")
    lines += race_lines(more)
    return "\n".join(lines)
