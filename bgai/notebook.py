"""Pictures for notebooks: what these functions return shows itself when it is the last value of a cell."""

import tempfile
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from bgai import api
from bgai.ask.shown import play_moves
from bgai.notation.position import Position
from bgai.notation.svg_board import svg_board


@dataclass(frozen=True)
class Html:
    """Something that a notebook shows as HTML."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def board(position: str | np.ndarray | Position, play: str | None = None, *, width: int = 520) -> Html:
    """A position (as for `bgai.best_plays`), with a play of its roll as arrows; so many pixels wide."""
    position = api.as_position(position)
    moves = None if play is None else play_moves(position, play)
    return _image(svg_board(position, moves=moves), width)


def side_by_side(pictures: dict[str, Html]) -> Html:
    """Pictures in rows, each under its title."""
    figures = (
        f"<figure style='margin:0'><b>{escape(t)}</b><br>{picture.html}</figure>" for t, picture in pictures.items()
    )
    return Html(f"<div style='display:flex;flex-wrap:wrap;gap:12px'>{''.join(figures)}</div>")


def plot(draw: Callable, *what: Any, width: int = 900) -> Html:
    """What one of the functions of `bgai.cli.plots` draws, such as `plot(plots.strength_curves, [run])`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plot.svg"
        draw(*what, path)
        return _image(path.read_text(), width)


def _image(svg: str, width: int) -> Html:
    """As an image of its own, so that names inside pictures can't meet."""
    return Html(f"<img width='{width}' src='data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}'>")
