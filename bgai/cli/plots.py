"""Pictures of what was measured, drawn by Matplotlib, which is only loaded (and only needed) where one is asked for."""

import io
from pathlib import Path

from bgai.net.checkpoint import write_atomically
from bgai.train.history import Measurement, Run

INK, GRID = "#333333", "#dddddd"
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"]  # Okabe and Ito (2008)


class NoPicture(ValueError):
    """A picture that can't be drawn here, or not in this format."""


def check(path: Path) -> None:
    """Raise NoPicture now rather than after an hour of measuring."""
    if path.suffix not in (".png", ".svg"):
        raise NoPicture(f"{path}: the name of a picture ends in .png or .svg")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise NoPicture("drawing needs Matplotlib, which isn't installed: pip install matplotlib") from None


def strength_curves(runs: list[Run], path: Path) -> None:
    """Strength of `runs` against games and against core-minutes, with bands from the 95 % intervals."""
    figure, (by_games, by_minutes) = _axes(2)
    for number, run in enumerate(runs):
        colour = COLOURS[number % len(COLOURS)]
        style = ("-", "--", ":")[number // len(COLOURS) % 3]
        _curve(by_games, [m.games for m in run.strength], run.strength, colour, style)
        _curve(by_minutes, [m.core_minutes for m in run.strength], run.strength, colour, style, str(run.folder))
    by_games.set(xlabel="self-play games", ylabel=f"points a game against {runs[0].opponent}")
    by_games.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    by_minutes.set(xlabel="core-minutes")
    by_minutes.legend(frameon=False, loc="lower right")
    _save(figure, path)


def _curve(axes, x: list[float], strength: list[Measurement], colour: str, style: str, label: str | None = None):
    axes.plot(x, [m.points for m in strength], style, color=colour, marker=".", linewidth=1.5, label=label)
    low, high = zip(*(m.ci95 for m in strength), strict=True)
    axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)


def _axes(columns: int):
    """A figure and its axes side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5 * columns, 3.6), layout="constrained")
    row = figure.subplots(1, columns, squeeze=False, sharey=True)[0]
    for axes in row:
        axes.grid(color=GRID, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(colors=INK)
    return figure, row


def _save(figure, path: Path) -> None:
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:], dpi=110)
    write_atomically(path, drawn.getvalue())
