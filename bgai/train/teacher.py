"""A stage that learns what the player before it has to teach: luck-free returns of that player's own games.

A network that begins anew learns in minutes what such labels say, reading each as often as it likes, and may be the
next one's teacher. docs/experiments.md says what that brings.
"""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bgai.board import checkers_of
from bgai.net.net import Net
from bgai.train.config import TrainConfig, first_stage, start_weights
from bgai.train.folder import LABELS
from bgai.train.label_files import BadLabels, file_of, read_labels, write_labels
from bgai.train.labels import Labelling, label
from bgai.train.ranks import Ranks

if TYPE_CHECKING:
    from bgai.train.loop import StopSignal
    from bgai.train.report import Report

GAMES = 1000  # in one file


def labels_of(config: TrainConfig, number: int) -> Path:
    """The folder for the labels of stage `number` of the recipe."""
    return Path(config.run) / LABELS / f"{number + 1}-{config.stages[number].name}"


def labels_to_learn(config: TrainConfig, number: int) -> list[Path]:
    """The folders that stage `number` learns from: its own, and if it asks for them those of stages before it.

    Raises BadLabels for one that lacks a file, or has one that isn't the run's.
    """
    first = first_stage(config) if config.stages[number].earlier_labels else number
    stages = [n for n in range(first, number + 1) if config.stages[n].label_games]
    for folder, files in ((labels_of(config, n), len(_sizes(config.stages[n].label_games))) for n in stages):
        if not _whole(folder, files):
            raise BadLabels(f"{folder} isn't what this run has labelled, files 1 to {files}: put that back")
    return [labels_of(config, n) for n in stages]


def make_labels(
    teacher: Net,
    sha256: str,
    config: TrainConfig,
    number: int,
    ranks: Ranks,
    report: "Report | None",
    stop: "StopSignal",
) -> None:
    """Label as many games as stage `number` asks for; `sha256` is that of the teacher's weights.

    Files that are there already are the same ones. Ranks share the files. Raises EndlessGames; BadLabels for files that
    were made otherwise, or where a rank doesn't see the others' files; KeyboardInterrupt between two files, if that was
    asked for.
    """
    stage, folder = config.stages[number], labels_of(config, number)
    sizes = _sizes(stage.label_games)
    begun, files, made = time.monotonic(), 0, 0
    for first in range(0, len(sizes), ranks.size):
        file = first + ranks.rank
        if file < len(sizes):
            how = Labelling(
                games=sizes[file],
                trace=stage.lambda_start,
                variant=config.variant,
                starts=start_weights(stage.starts),
            )
            labels = _label_file(file_of(folder, file + 1), teacher, sha256, how, [config.seed, number, file])
            files, made = files + ranks.size * (labels > 0), made + labels
        if report and files:
            left = (time.monotonic() - begun) / files * (len(sizes) - first - ranks.size)
            pace = made * ranks.size / (time.monotonic() - begun)
            report.labelled(stage.name, min(first + ranks.size, len(sizes)), len(sizes), pace, left)
        if ranks.any(stop.asked):
            raise KeyboardInterrupt
    if ranks.any(not _whole(folder, len(sizes))):
        raise BadLabels(
            f"{folder} doesn't hold files 1 to {len(sizes)} and no more: ranks need a folder by run= that all machines "
            f"share, and a run one where no other has labelled"
        )


def _label_file(path: Path, teacher: Net, sha256: str, how: Labelling, seed: list[int]) -> int:
    """Make a file of labels where it isn't there yet; returns how many were made. Raises BadLabels for another one."""
    made = asdict(how) | {"seed": seed, "teacher": sha256}
    if path.exists():
        if read_labels(path, checkers_of(how.variant))[1] != made:
            raise BadLabels(f"{path} was labelled by another player or otherwise: remove it, or name another run")
        return 0
    samples = label(teacher, how, seed)
    write_labels(path, samples, made)
    return len(samples.boards)


def _sizes(games: int) -> list[int]:
    """Games of each file."""
    return [len(part) for part in np.array_split(np.arange(games), -(-games // GAMES))]


def _whole(folder: Path, files: int) -> bool:
    return {path.name for path in folder.glob("*.safetensors")} == {file_of(folder, n + 1).name for n in range(files)}
