"""Draw the strength of each stage's player over core-hours, from the table in docs/strength.md. Needs Matplotlib.

python scripts/plot_stages.py --out docs/images/stages.png
"""

import argparse
import re
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from bgai.cli.plots import COLOURS, GRID, INK

STRENGTH = Path(__file__).parents[1] / "docs" / "strength.md"
_ROW = re.compile(r"^\| ([\w-]+) \| ([\d.]+) \|[^|]*\| ([+-][\d.]+) \[([+-][\d.]+), ([+-][\d.]+)\] \|$", re.MULTILINE)


class Point(NamedTuple):
    """A stage, the core-hours up to its end, points a game against GNU Backgammon 0-ply and their 95 % interval."""

    stage: str
    core_hours: float
    points: float
    low: float
    high: float


def measured(page: str) -> list[Point]:
    """The stages that have met GNU Backgammon."""
    return [Point(stage, *map(float, numbers)) for stage, *numbers in _ROW.findall(page)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="a .png or .svg")
    arguments = parser.parse_args()
    points = measured(STRENGTH.read_text())
    figure = Figure(figsize=(6.5, 4), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color=INK, linewidth=1)
    axes.annotate("GNU Backgammon 0-ply", (0, 0), xytext=(6, 4), textcoords="offset points", color=INK)
    hours, strength = [p.core_hours for p in points], [p.points for p in points]
    error = [[p.points - p.low for p in points], [p.high - p.points for p in points]]
    axes.errorbar(hours, strength, error, color=COLOURS[0], marker="o", capsize=3)
    for number, p in enumerate(points):  # in turn to the right below its point, and to the left above
        offset, side = ((-6, 6), "right") if number % 2 else ((6, -12), "left")
        axes.annotate(p.stage, (p.core_hours, p.points), offset, textcoords="offset points", ha=side, color=COLOURS[0])
    axes.set(xlabel="core-hours", ylabel="points a game, cubeless, luck taken out", xlim=(0, 1.15 * max(hours)))
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(arguments.out, dpi=110)


if __name__ == "__main__":
    main()
