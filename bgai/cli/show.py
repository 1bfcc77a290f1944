"""`bgai show`: a position as a board, in text or as a picture, and how the game will end."""

from pathlib import Path
from typing import Annotated

import numpy as np
from typer import Option

from bgai.ask.json_text import json_line
from bgai.ask.reading import BadRequest
from bgai.ask.shown import play_moves, position_record
from bgai.board import OUTCOME_POINTS
from bgai.cli.drawing import HEADING, chances, draw, race_lines
from bgai.cli.options import Checkpoint, Json, Lang, PositionText
from bgai.files import check_target, write_atomically
from bgai.lang import speak
from bgai.notation.position import Position, parse_position
from bgai.notation.svg_board import svg_board


def show(
    position: PositionText,
    evaluate: Annotated[bool, Option("--evaluate", help="say how often each side wins, before the roll")] = False,
    checkpoint: Checkpoint = "default",
    svg: Annotated[Path | None, Option(help="write the board as a picture to this file, a .svg")] = None,
    play: Annotated[str | None, Option(help="a play of the roll, such as '8/5 6/5', as arrows in the picture")] = None,
    flip: Annotated[bool, Option("--flip", help="draw it from the other player's side")] = False,
    clockwise: Annotated[bool, Option("--clockwise", help="bear off at the left, not at the right")] = False,
    ascii: Annotated[bool, Option("--ascii", help="draw the text with plain characters only")] = False,
    lang: Lang = "en",
    as_json: Json = False,
) -> None:
    """Draw a position.

    bgai show start --svg board.svg
    """
    speak(lang)
    if play and not svg:
        raise BadRequest("--play draws arrows in the picture: give --svg FILE too")
    if svg:
        if svg.suffix != ".svg":
            raise BadRequest(f"--svg {svg}: the name of this picture ends in .svg")
        check_target(svg)
    shown = parse_position(position)
    evaluated = _evaluated(shown, checkpoint) if evaluate else None
    if svg:
        moves = play_moves(shown, play) if play else None
        write_atomically(svg, svg_board(shown, moves=moves, flip=flip, clockwise=clockwise).encode())
    if as_json:
        print(json_line(position_record(shown, evaluated)))
        return
    print(draw(shown, flip=flip, clockwise=clockwise, ascii=ascii))
    if evaluated:
        outcomes, counts = evaluated
        print(f"\nequity {HEADING}\n{outcomes @ OUTCOME_POINTS:+.3f} {chances(outcomes)}")
        if counted := race_lines(counts):
            print("", *counted, sep="\n")


def _evaluated(position: Position, checkpoint: str) -> tuple[np.ndarray, dict]:
    """The outcomes, and `races.race_figures`."""
    from bgai import api
    from bgai.ask.races import race_figures
    from bgai.cli.first_run import tell_if_first_run

    tell_if_first_run()
    return api.evaluate([position], checkpoint=checkpoint)[0], race_figures(position.board)
