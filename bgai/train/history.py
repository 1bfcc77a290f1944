"""What a run has told so far, read back from the `metrics.jsonl` in its folder (docs/metrics.md)."""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bgai.board import CHECKERS
from bgai.net.checkpoint import Architecture, read_checkpoint
from bgai.train.folder import LAST

METRICS = "metrics.jsonl"
GAMMON_GAMES = 5_000  # the latest ones, whose gammons are counted


class NoRuns(ValueError):
    """A folder without runs."""


class BadMetrics(ValueError):
    """Records that no run of this version has written; the message says in which file."""


class Measurement(NamedTuple):
    """Points a game after so many self-play games and minutes of one busy core, and the 95 % interval."""

    games: int
    core_minutes: float
    points: float
    ci95: list[float]


@dataclass(frozen=True)
class Run:
    """A run as it stands.

    network       of its last save
    stage         in progress, or the last one
    games         self-play games, those of the checkpoint it started from included
    core_minutes  processor time of the run itself, over all cores: two busy cores take two core-minutes a minute
    gammons       share of its latest 5,000 games or so that ended in a gammon or backgammon; None: not known yet
    opponent      whom it is measured against: pubeval, or random in a variant that pubeval can't play
    strength      all measurements, in order
    past          those against itself as it was at half to a quarter of them
    """

    folder: Path
    network: Architecture
    stage: str
    games: int
    core_minutes: float
    gammons: float | None
    opponent: str
    strength: list[Measurement]
    past: list[Measurement]


def folders_of_runs(folder: Path) -> list[Path]:
    """This folder and those below it that hold a run with figures, in order. Raises NoRuns where there is none."""
    found = sorted(path.parent for path in folder.rglob(METRICS) if path.stat().st_size)
    if not found:
        raise NoRuns(f"{folder} holds no runs with figures (folders with {METRICS}): give one that bgai train has made")
    return found


def read_run(folder: Path) -> Run:
    """The run in this folder. Raises BadMetrics, BadCheckpoint, OSError."""
    network = read_checkpoint(folder / LAST).architecture
    opponent = "pubeval" if network.checkers == CHECKERS else "random"
    try:
        records = _records((folder / METRICS).read_text())
        progress = [record for record in records if record["kind"] == "progress"]
        games = np.array([record["games"] for record in progress], dtype=np.int64)
        minutes = np.cumsum([record["core_seconds"] for record in progress]) / 60
        measured = [record for record in records if record["kind"] == "measured"]
        at = {n: float(np.interp(n, games, minutes)) for n in (record["games"] for record in measured)}
        strength, past = (
            [_measurement(r, name, at[r["games"]]) for r in measured if name in r] for name in (opponent, "past")
        )
        stage, gammons = str(progress[-1]["stage"]), _gammons(progress)
        return Run(folder, network, stage, int(games[-1]), float(minutes[-1]), gammons, opponent, strength, past)
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadMetrics(
            f"{folder / METRICS} was not written by this version: a record lacks or misstates {error}"
        ) from None


def _records(text: str) -> list[dict]:
    """The whole lines: a run that was killed, or is writing just now, may leave a part of one at the end."""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def _measurement(record: dict, opponent: str, core_minutes: float) -> Measurement:
    low, high = map(float, record[f"{opponent}_ci95"])
    return Measurement(int(record["games"]), core_minutes, float(record[opponent]), [low, high])


def _gammons(progress: list[dict]) -> float | None:
    ended = gammons = 0
    for before, record in reversed(list(pairwise(progress))):
        games = record["games"] - before["games"]
        if games and record["gammon"] is not None:
            gammons += games * (float(record["gammon"]) + float(record["backgammon"]))
            ended += games
        if ended >= GAMMON_GAMES:
            break
    return gammons / ended if ended else None
