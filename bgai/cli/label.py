"""`bgai label`: positions of a player's own games, labelled by lookahead or rollouts, for a stage of training."""

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
USUAL = Labelling()
_OF_KIND = {"trace": "luck-free", "trials": "rollout", "truncate": "rollout"}  # whose labels depend on the setting
_OPTIONS = {"trace": "lambda", "starts": "start"}  # where they aren't called like the setting


def label(
    folder: Annotated[str, Argument(help="where the files go, one for each seed")],
    kind: Annotated[str, Option(help=f"of label: {', '.join(KINDS)}")] = "luck-free",
    seeds: Annotated[str, Option(help="the files to make: 1-40, or one number")] = "1-8",
    games: Annotated[int, Option(min=1, max=10_000, help="played for each file")] = 500,
    share: Annotated[
        float, Option(min=0.0001, max=1, callback=finite, help="of their positions that get a label")
    ] = 1.0,
    trace: Annotated[
        float | None,
        Option(
            "--lambda", min=0, max=1, callback=finite, help=f"of luck-free returns; {USUAL.trace} if nothing is said"
        ),
    ] = None,
    trials: Annotated[
        int | None,
        Option(min=1, max=36_000, help=f"games of a rollout, in sets of {SET}; {USUAL.trials} if nothing is said"),
    ] = None,
    truncate: Annotated[
        int | None, Option(min=1, max=1_000, help=f"turns of a rollout; {USUAL.truncate} if nothing is said")
    ] = None,
    start: Annotated[list[str] | None, Option(help=f"KIND=WEIGHT of the games' starts: {', '.join(STARTS)}")] = None,
    checkpoint: Checkpoint = "default",
    variant: Variant = "backgammon",
) -> None:
    """Label positions of a player's games against itself. Files that are there already are left as they are.

    The next player learns from the folder by a stage with labels=FOLDER (docs/training.md).

    bgai label labels --kind rollout --share 0.1 --seeds 1-8
    """
    if not folder:
        raise BadRequest("the name of the folder is empty: give one, such as labels")
    there = Path(folder)
    first, last = _range(seeds)
    trials = None if trials is None else -(-trials // SET) * SET
    only = _of_kind(_kind(kind), {"trace": trace, "trials": trials, "truncate": truncate})
    how = Labelling(kind, games, share, variant=checked_variant(variant), starts=_starts(start), **only)
    made = asdict(how) | {"checkpoint": files.fingerprint(files.checkpoint(checkpoint))}
    paths = {seed: file_of(there, seed) for seed in range(first, last + 1)}
    wanted = [seed for seed, path in paths.items() if not path.exists()]
    any_other = list(there.glob("[0-9]*.safetensors"))[:1]  # tells how all of the folder were made
    for path in {*any_other, *(paths[seed] for seed in paths.keys() - set(wanted))}:
        _check(path, made)
    tell_if_first_run()
    net = api.player(checkpoint)
    api.fitted(start_of(how.variant), net)
    begun, count = time.monotonic(), 0
    with _shared(there):
        for done, seed in enumerate(wanted, start=1):
            samples = make(net, how, seed)
            write_labels(file_of(there, seed), samples, made)
            count += len(samples.boards)
            seconds = time.monotonic() - begun
            print(
                f"seed {seed}: {len(samples.boards):,} labels, {distance(samples):.4f} points from the player's own "
                f"opinion (rms) | {count / seconds:,.0f} labels/s | "
                f"{seconds / done * (len(wanted) - done) / 60:.0f} min left",
                flush=True,
            )
    print(f"{there}: seeds {first} to {last} are there, {count:,} labels new")


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


def _of_kind(kind: str, given: dict) -> dict:
    """What is given of the settings that only one kind has. Raises BadRequest if `kind` isn't theirs."""
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if kind != _OF_KIND[name]:
            option = _OPTIONS.get(name, name)
            raise BadRequest(
                f"--{option} does nothing for {kind} labels: leave it out, or give --kind {_OF_KIND[name]}"
            )
    return given


def _starts(words: list[str] | None) -> dict[str, float]:
    starts = {}
    for word in words or ["opening=1"]:
        match = re.fullmatch(rf"({'|'.join(STARTS)})=(\d{{1,6}}(?:\.\d{{1,6}})?)", word)
        if not match:
            raise BadRequest(f"--start {word[:40]}: give a kind and its weight, such as back_game=0.1")
        if match[1] in starts:
            raise BadRequest(f"--start {word[:40]}: {match[1]} has a weight already; give each kind once")
        starts[match[1]] = float(match[2])
    if not sum(starts.values()) > 0:
        raise BadRequest("--start: some weight must be above 0")
    return starts


def _check(path: Path, made: dict) -> None:
    """Raises BadRequest if the labels of a file were made otherwise, BadLabels if it is damaged."""
    _, before = read_labels(path, checkers_of(made["variant"]))
    matters = [name for name in made if _OF_KIND.get(name, made["kind"]) == made["kind"]]
    if other := next((name for name in matters if before.get(name) != made[name]), None):
        raise BadRequest(
            f"the labels in {path} were made with another --{_OPTIONS.get(other, other)}: give theirs, or a new folder"
        )


@contextmanager
def _shared(folder: Path) -> Iterator[None]:
    """The folder, into which other such commands may be writing too. What killed ones have left is swept unless any is.

    The operating system gives the lock back however a command ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # others are writing, or this file system doesn't know
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for left in folder.glob(".*.safetensors.*.part"):  # not below it, where others may be at work
                left.unlink()
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)
