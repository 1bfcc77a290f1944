"""Pictures of what was measured, drawn by Matplotlib, which is only loaded (and only needed) where one is asked for."""

import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bgai.arena.calibration import FEWEST_GAMES, Line
from bgai.arena.phases import PHASES
from bgai.arena.statistics import Estimate
from bgai.board import OUTCOMES
from bgai.cli.main import printable
from bgai.files import check_target, write_atomically
from bgai.train.history import Measurement, Run

INK, GRID = "#333333", "#dddddd"
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"]  # Okabe and Ito (2008)
MOST_ERROR = 15  # per cent; intervals are cut there


class NoPicture(ValueError):
    """A picture that can't be drawn here, or not in this format."""


def check(path: Path) -> None:
    """Raise NoPicture or OSError now rather than after an hour of measuring."""
    if path.suffix not in (".png", ".svg"):
        raise NoPicture(f"{path}: the name of a picture ends in .png or .svg")
    if find_spec("matplotlib") is None:
        raise NoPicture("drawing needs Matplotlib, which isn't installed: pip install matplotlib")
    check_target(path)


def strength_curves(runs: list[Run], path: Path) -> None:
    """Strength of `runs` against games and against core-minutes, with bands from the 95 % intervals."""
    figure, [[by_games, by_minutes]] = _axes(1, 2, 4.5, 3.6)
    for number, run in enumerate(runs):
        colour = COLOURS[number % len(COLOURS)]
        style = ("-", "--", ":")[number // len(COLOURS) % 3]
        _curve(by_games, [m.games for m in run.strength], run.strength, colour, style)
        _curve(by_minutes, [m.core_minutes for m in run.strength], run.strength, colour, style, _label(run.folder))
    by_games.set(xlabel="self-play games", ylabel=f"points a game against {runs[0].opponent}")
    by_games.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    by_minutes.set(xlabel="core-minutes")
    by_minutes.legend(frameon=False, loc="lower right")
    _save(figure, path)


def _curve(
    axes: Any, x: list[float], strength: list[Measurement], colour: str, style: str, label: str | None = None
) -> None:
    axes.plot(x, [m.points for m in strength], style, color=colour, marker=".", linewidth=1.5, label=label)
    low, high = zip(*(m.ci95 for m in strength), strict=True)
    axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)


def _label(folder: Path) -> str:
    """Its name, which needn't be text, and holds no formulas."""
    return printable(str(folder)).replace("$", r"\$")


def calibration_errors(lines: list[Line], path: Path) -> None:
    """How far actual rates lie from expected ones, by phase (across), side (down) and outcome, with 95 % intervals.

    Ranges that came up in too few games are left out.
    """
    phases = ("all", *PHASES)
    figure, rows = _axes(2, len(phases), 2.6, 2.6)
    for line in lines:
        if line.whole or line.games < FEWEST_GAMES:
            continue
        k = OUTCOMES.index(line.outcome)
        axes = rows[k // 3][phases.index(line.phase)]
        axes.errorbar(
            100 * line.expected,
            100 * line.error.mean,
            100 * line.error.halfwidth,
            color=COLOURS[k % 3],
            marker="o",
            markersize=3,
            linewidth=1,
        )
    for phase, axes in zip(phases, rows[0], strict=True):
        axes.set_title(phase, fontsize=10)
    for axes in rows.ravel():
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set(xlim=(0, 100), ylim=(-MOST_ERROR, MOST_ERROR))
    for side, row in zip(("win", "lose"), rows, strict=True):
        row[0].set_ylabel(f"{side}: actual - expected (%)")
    for axes in rows[1]:
        axes.set_xlabel("expected (%)")
    for colour, kind in zip(COLOURS, ("single", "gammon", "backgammon"), strict=False):
        rows[0][0].plot([], [], "o", color=colour, markersize=3, label=kind)
    figure.legend(frameon=False, ncols=3, loc="outside upper right")
    _save(figure, path)


def elo_curve(rated: list[tuple[int, Estimate]], path: Path) -> None:
    """Elo ratings of a run's checkpoints (self-play games learned from, rating) with 95 % intervals; pubeval is 0."""
    figure, [[axes]] = _axes(1, 1, 6, 3.6)
    for games, elo in rated:
        axes.errorbar(games, elo.mean, elo.halfwidth, color=COLOURS[0], marker="o", markersize=4, linewidth=1)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.annotate("pubeval", (1, 0), (0, 3), xycoords=("axes fraction", "data"), textcoords="offset points", ha="right")
    axes.set(xlabel="self-play games", ylabel="Elo")
    axes.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    _save(figure, path)


def _axes(rows: int, columns: int, width: float, height: float) -> Any:
    """A figure and a grid of axes of this size in inches, which share their scales of height."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for axes in grid.ravel():
        axes.grid(color=GRID, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(colors=INK)
    return figure, grid


def _save(figure: Any, path: Path) -> None:
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:], dpi=110)
    write_atomically(path, drawn.getvalue())
