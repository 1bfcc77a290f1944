"""Learning curves of an experiment, a band for each variant over its seeds, and a table for docs/experiments.md.

python scripts/plot_seeds.py FOLDER --out curves.png

FOLDER holds the runs of `bgai train -m experiment=...`. Runs that differ in nothing but their seed make one band: the
line is their mean, the band from the lowest to the highest. Strength is points a game against pubeval.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from omegaconf import OmegaConf

from bgai.cli.plots import COLOURS, GRID
from bgai.train.folder import CONFIG, LAST
from bgai.train.history import Run, folders_of_runs, read_run

NOT_A_VARIANT = ("run", "seed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="a .png or .svg")
    arguments = parser.parse_args()
    variants = grouped(arguments.folder)
    print("| variant | seeds | games | core-minutes | points a game against pubeval: lowest, mean, highest |")
    print("| --- | --- | --- | --- | --- |")
    figure = Figure(figsize=(6.5, 4), layout="constrained")
    axes = figure.subplots()
    for (name, runs), colour in zip(variants.items(), COLOURS, strict=False):
        games, points = curves(runs)
        axes.plot(games, points.mean(axis=0), color=colour, marker=".", label=name)
        axes.fill_between(games, points.min(axis=0), points.max(axis=0), color=colour, alpha=0.15, linewidth=0)
        last, minutes = points[:, -1], np.mean([run.core_minutes for run in runs])
        reach = f"{last.min():+.3f}, {last.mean():+.3f}, {last.max():+.3f}"
        print(f"| {name} | {len(runs)} | {round(games[-1], -2):,.0f} | {minutes:.1f} | {reach} |")
    axes.set(xlabel="self-play games", ylabel="points a game against pubeval")
    axes.xaxis.set_major_formatter(lambda n, _: f"{n:,.0f}")
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    figure.savefig(arguments.out, dpi=110)


def grouped(folder: Path) -> dict[str, list[Run]]:
    """The measured runs of the folder by the settings in which they differ, seeds apart."""
    folders = [path for path in folders_of_runs(folder) if (path / LAST).exists()]  # else nothing is saved yet
    runs = [run for run in map(read_run, folders) if run.strength]
    settings = [flat(OmegaConf.to_container(OmegaConf.load(run.folder / CONFIG))) for run in runs]
    differing = [name for name in settings[0] if len({str(s.get(name)) for s in settings}) > 1]
    variants = defaultdict(list)
    for run, s in zip(runs, settings, strict=True):
        variant = ", ".join(f"{name.removeprefix('stages.0.')}={s[name]}" for name in differing)
        variants[variant or folder.name].append(run)
    return dict(sorted(variants.items()))


def flat(settings: dict, prefix: str = "") -> dict[str, object]:
    """`{"net.hidden": [256], ...}`"""
    found = {}
    for name, value in settings.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            value = dict(enumerate(value))
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{name}.")
        elif name not in NOT_A_VARIANT:
            found[f"{prefix}{name}"] = value
    return found


def curves(runs: list[Run]) -> tuple[np.ndarray, np.ndarray]:
    """Games [M], the mean over the runs, and points a game [runs, M], as far as all of them have come."""
    measured = min(len(run.strength) for run in runs)
    games = np.array([[m.games for m in run.strength[:measured]] for run in runs])
    return games.mean(axis=0), np.array([[m.points for m in run.strength[:measured]] for run in runs])


if __name__ == "__main__":
    main()
