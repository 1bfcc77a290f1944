"""Draw how training went: loss, gammons and length of games, from the metrics.jsonl of runs. Needs Matplotlib.

python scripts/plot_metrics.py runs/mine --out curves.png
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from bgai.cli.plots import COLOURS, GRID
from bgai.train.history import METRICS

PANELS = {
    "loss": lambda record: record["loss"],
    "gammons and backgammons (%)": lambda record: 100 * (1 - record["single"]),
    "turns a game": lambda record: record["game_length"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="a .png or .svg")
    arguments = parser.parse_args()
    figure = Figure(figsize=(11, 3.2), layout="constrained")
    panels = figure.subplots(1, len(PANELS))
    for axes, (title, value) in zip(panels, PANELS.items(), strict=True):
        for run, colour in zip(arguments.runs, COLOURS, strict=False):
            games, values = _smooth(_progress(run), value)
            axes.plot(games, values, color=colour, linewidth=1.3, label=run.name)
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log")
        axes.set_xlabel("self-play games")
        axes.grid(color=GRID, linewidth=0.6)
        axes.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    panels[0].legend(frameon=False)
    figure.savefig(arguments.out, dpi=100)


def _progress(run: Path) -> list[dict]:
    records = map(json.loads, (run / METRICS).read_text().splitlines())
    return [record for record in records if record["kind"] == "progress" and record["loss"] is not None]


def _smooth(records: list[dict], value) -> tuple[list[int], list[float]]:
    """Means over stretches in which the number of games grew by the same factor."""
    edges = np.geomspace(records[0]["games"], records[-1]["games"], 41)
    games, values = [], []
    for low, high in pairwise(edges):
        inside = [record for record in records if low <= record["games"] <= high and record["single"] is not None]
        if inside:
            games.append(sum(record["games"] for record in inside) / len(inside))
            values.append(sum(map(value, inside)) / len(inside))
    return games, values


if __name__ == "__main__":
    main()
