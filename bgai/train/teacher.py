"""A stage that learns what the player before it has to teach: luck-free returns of that player's own games.

A network that begins anew learns in minutes what such labels say, reading each as often as it likes, and may be the
next one's teacher. docs/experiments.md says what that brings.
"""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bgai.net.net import Net
from bgai.train.config import TrainConfig, first_stage, start_weights
from bgai.train.folder import LABELS
from bgai.train.label_files import BadLabels, file_of, write_labels
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
    """The folders that stage `number` learns from: its own, and if it asks for them those of stages before it."""
    first = first_stage(config) if config.stages[number].earlier_labels else number
    return [labels_of(config, n) for n in range(first, number + 1) if config.stages[n].label_games]


def make_labels(
    teacher: Net, config: TrainConfig, number: int, ranks: Ranks, report: "Report | None", stop: "StopSignal"
) -> None:
    """Label as many games as stage `number` asks for. Files that are there are left alone: they are the same ones.

    Ranks share the files. Raises EndlessGames; BadLabels where a rank doesn't see the others' files; KeyboardInterrupt
    between two files, if that was asked for.
    """
    stage, folder = config.stages[number], labels_of(config, number)
    sizes = [len(games) for games in np.array_split(np.arange(stage.label_games), -(-stage.label_games // GAMES))]
    begun, files, made = time.monotonic(), 0, 0
    for first in range(0, len(sizes), ranks.size):
        file = first + ranks.rank
        path = file_of(folder, file + 1)
        if file < len(sizes) and not path.exists():
            how = Labelling(
                games=sizes[file],
                trace=stage.lambda_start,
                variant=config.variant,
                starts=start_weights(stage.starts),
            )
            samples = label(teacher, how, [config.seed, number, file])
            write_labels(path, samples, asdict(how))
            files, made = files + ranks.size, made + len(samples.boards)
        if report and files:
            left = (time.monotonic() - begun) / files * (len(sizes) - first - ranks.size)
            pace = made * ranks.size / (time.monotonic() - begun)
            report.labelled(stage.name, min(first + ranks.size, len(sizes)), len(sizes), pace, left)
        if ranks.any(stop.asked):
            raise KeyboardInterrupt
    if ranks.any(not all(file_of(folder, file + 1).exists() for file in range(len(sizes)))):
        raise BadLabels(f"{folder}: some process doesn't see all labels; by run= give all machines a folder they share")
