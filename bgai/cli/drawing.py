"""Boards and chances as people read them on a terminal or in a file."""

import os
import sys

import numpy as np

from bgai.notation.position import Position
from bgai.notation.text_board import text_board

HEADING = "   win    (g)   (bg)    lose    (g)   (bg)"


def draw(
    position: Position, *, flip: bool = False, clockwise: bool = False, ascii: bool = False, words: bool = True
) -> str:
    """`text_board`, in colour on a terminal (unless NO_COLOR is set), in ASCII where nothing else can be written."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    ascii = ascii or "utf" not in (sys.stdout.encoding or "").lower()
    return text_board(position, flip=flip, clockwise=clockwise, ascii=ascii, colour=colour, words=words)


def chances(outcomes: np.ndarray) -> str:
    """The line under `HEADING`, in per cent, of exclusive `outcomes float32[6]`: gammons are counted among the wins,
    and backgammons among the gammons."""
    columns = [outcomes[side : side + 3][::-1].cumsum()[::-1] * 100 for side in (0, 3)]
    return "  ".join("".join(f"{share:6.1f} " for share in side) for side in columns).rstrip()


def finished_text(answer: dict) -> str:
    """`ask.shown.finished_record` in words."""
    return f"the game is over: {answer['equity']:+.0f} for the player on roll, at a cube of 1"


def race_lines(figures: dict) -> list[str]:
    """`races.race_figures` in words: none without effective pip counts, as the pips stand beside the board."""
    if figures["epc"] is None:
        return []
    sides = zip(("own", "opponent's"), figures["epc"], figures["wastage"], strict=True)
    return [f"{f'EPC, {who}':<20}{epc:6.1f} (wastage {wastage:.1f})" for who, epc, wastage in sides]
