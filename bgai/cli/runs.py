"""`bgai runs`: the training runs of a folder side by side, in a table and in a picture."""

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bgai.ask.json_text import json_line
from bgai.cli import plots
from bgai.cli.main import printable
from bgai.cli.options import Json
from bgai.net.checkpoint import BadCheckpoint
from bgai.train.history import BadMetrics, Run, folders_of_runs, read_run


class NothingToDraw(ValueError):
    """Runs that haven't been measured, or against different opponents."""


def runs(
    folders: Annotated[list[Path] | None, Argument(help="runs, or folders of runs; default: runs")] = None,
    plot: Annotated[Path | None, Option(help="draw strength against games and core-minutes, in a .png or .svg")] = None,
    as_json: Json = False,
) -> None:
    """List training runs, the strongest first: stage, games, minutes of one busy core, points a game at the latest
    measurement with its 95 % interval, gammons, network.

    bgai runs runs --plot strength.png
    """
    if plot:
        plots.check(plot)
    found = [run for folder in folders or [Path("runs")] for path in folders_of_runs(folder) if (run := _read(path))]
    found.sort(key=lambda run: -run.strength[-1].points if run.strength else float("inf"))
    print("\n".join(json_line(_record(run)) for run in found) if as_json else listed(found))
    if plot:
        measured = [run for run in found if run.strength]
        if len({run.opponent for run in measured}) != 1:
            raise NothingToDraw("there is nothing to draw: no run was measured, or not all against the same opponent")
        plots.strength_curves(measured, plot)


def _read(folder: Path) -> Run | None:
    """The run, or None with a word about why it can't be listed."""
    try:
        return read_run(folder)
    except (BadMetrics, BadCheckpoint, FileNotFoundError) as error:
        print(printable(f"bgai runs: left out {folder}: {error}"), file=sys.stderr)
        return None


def _record(run: Run) -> dict:
    latest = run.strength[-1] if run.strength else None
    return {
        "run": str(run.folder),
        "stage": run.stage,
        "games": run.games,
        "core_minutes": round(run.core_minutes, 2),
        "opponent": run.opponent,
        "ppg": latest and latest.points,
        "ci95": latest and latest.ci95,
        "measured_after": latest and latest.games,
        "past": run.past[-1].points if run.past else None,
        "past_ci95": run.past[-1].ci95 if run.past else None,
        "gammons": run.gammons and round(run.gammons, 4),
        "network": str(run.network),
    }


def listed(found: list[Run]) -> str:
    """A table of runs."""
    names = [printable(str(run.folder)) for run in found]
    width = max(map(len, names), default=3)
    lines = [f"{'run':{width}}  stage            games  core-min  points a game (95 %)              gammons  network"]
    for name, run in zip(names, found, strict=True):
        strength = "not measured yet"
        if run.strength:
            latest = run.strength[-1]
            strength = f"{latest.points:+.3f} [{latest.ci95[0]:+.3f}, {latest.ci95[1]:+.3f}] v {run.opponent}"
        gammons = "-" if run.gammons is None else f"{100 * run.gammons:.1f} %"
        figures = f"{printable(run.stage):12} {run.games:9,}  {run.core_minutes:8.1f}  {strength:32}  {gammons:>7}"
        lines.append(f"{name:{width}}  {figures}  {run.network}")
    return "\n".join(lines)
