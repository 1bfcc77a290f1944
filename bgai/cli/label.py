"""`bgai label`: positions of a player's own games, labelled by lookahead or rollouts, for a stage of training."""

import re
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from bgai import api, files
from bgai.ask.reading import BadRequest
from bgai.board import checkers_of
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint, Variant, checked_variant, finite
from bgai.evaluator.trials import SET
from bgai.notation.position import start_of
from bgai.train.label_files import file_of, read_labels, write_labels
from bgai.train.labels import KINDS, Labelling, distance
from bgai.train.labels import label as make
from bgai.train.starts import KINDS as STARTS

MOST_SEEDS = 100_000


def label(
    folder: Annotated[Path, Argument(help="where the files go, one for each seed")],
    kind: Annotated[str, Option(help=f"of label: {', '.join(KINDS)}")] = "luck-free",
    seeds: Annotated[str, Option(help="the files to make: 1-40, or one number")] = "1-8",
    games: Annotated[int, Option(min=1, max=10_000, help="played for each file")] = 500,
    share: Annotated[
        float, Option(min=0.0001, max=1, callback=finite, help="of their positions that get a label")
    ] = 1.0,
    trace: Annotated[float, Option("--lambda", min=0, max=1, callback=finite, help="of luck-free returns")] = 0.7,
    trials: Annotated[int, Option(min=1, max=36_000, help="games of a rollout; they come in sets of 36")] = SET,
    truncate: Annotated[int, Option(min=1, max=1_000, help="turns of a rollout")] = 7,
    start: Annotated[list[str] | None, Option(help=f"KIND=WEIGHT of the games' starts: {', '.join(STARTS)}")] = None,
    checkpoint: Checkpoint = "default",
    variant: Variant = "backgammon",
) -> None:
    """Label positions of a player's games against itself. Files that are there already are left as they are.

    The next player learns from the folder by a stage with labels=FOLDER (docs/training.md).

    bgai label labels --kind rollout --share 0.1 --seeds 1-8
    """
    first, last = _range(seeds)
    how = Labelling(
        _kind(kind), games, share, trace, -(-trials // SET) * SET, truncate, checked_variant(variant), _starts(start)
    )
    made = asdict(how) | {"checkpoint": files.fingerprint(files.checkpoint(checkpoint))}
    paths = {seed: file_of(folder, seed) for seed in range(first, last + 1)}
    wanted = [seed for seed, path in paths.items() if not path.exists()]
    any_other = list(folder.glob("[0-9]*.safetensors"))[:1]  # tells how all of the folder were made
    for path in {*any_other, *(paths[seed] for seed in paths.keys() - set(wanted))}:
        _check(path, made)
    tell_if_first_run()
    net = api.player(checkpoint)
    api.fitted(start_of(how.variant), net)
    folder.mkdir(parents=True, exist_ok=True)
    begun, count = time.monotonic(), 0
    for done, seed in enumerate(wanted, start=1):
        samples = make(net, how, seed)
        write_labels(file_of(folder, seed), samples, made)
        count += len(samples.boards)
        seconds = time.monotonic() - begun
        print(
            f"seed {seed}: {len(samples.boards):,} labels, {distance(samples):.4f} points from the player's own opinion"
            f" (rms) | {count / seconds:,.0f} labels/s | {seconds / done * (len(wanted) - done) / 60:.0f} min left",
            flush=True,
        )
    print(f"{folder}: seeds {first} to {last} are there, {count:,} labels new")


def _range(seeds: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", seeds)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not first <= last < first + MOST_SEEDS:
        raise BadRequest(f"--seeds {seeds[:40]}: give a number or a range such as 1-40, {MOST_SEEDS} files at most")
    return first, last


def _kind(kind: str) -> str:
    if kind not in KINDS:
        raise BadRequest(f"--kind {kind[:20]}: give {', '.join(KINDS)}")
    return kind


def _starts(words: list[str] | None) -> dict[str, float]:
    starts = {}
    for word in words or ["opening=1"]:
        match = re.fullmatch(rf"({'|'.join(STARTS)})=(\d{{1,6}}(?:\.\d{{1,6}})?)", word)
        if not match:
            raise BadRequest(f"--start {word[:40]}: give a kind and its weight, such as back_game=0.1")
        starts[match[1]] = float(match[2])
    if not sum(starts.values()) > 0:
        raise BadRequest("--start: some weight must be above 0")
    return starts


def _check(path: Path, made: dict) -> None:
    """Raises BadRequest if the labels of a file were made otherwise, BadLabels if it is damaged."""
    _, before = read_labels(path, checkers_of(made["variant"]))
    if before != made:
        other = next(name for name in made if before.get(name) != made[name])
        raise BadRequest(f"the labels in {path} were made with another {other}: give their settings or a new folder")
