"""A run's folder: who may write into it, and the files that are kept there.

config.yaml         the run's settings, all of them
origin.jsonl        versions, and the state of the code (`origin.py`)
start.safetensors   the player that it came from, where `from=` names one
last.safetensors    the player as of the last save; best.safetensors: the one with the highest measured strength
checkpoints/        the last few saves, by games; stages/: the player at the end of every stage
labels/             what stages with `label_games` learn from, a folder for each (`teacher.py`)
past/               its own opponents in later measurements, by games (`watch.py`)
state.safetensors   all that is needed to go on exactly (`state.py`)
metrics.jsonl, events.out.tfevents.*    see docs/metrics.md
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml
from omegaconf import OmegaConf

from bgai.files import sweep, write_atomically
from bgai.net.checkpoint import Checkpoint, save_checkpoint
from bgai.train.checking import checked
from bgai.train.config import TrainConfig, as_plain
from bgai.train.origin import note_origin

CONFIG, START, LAST, BEST = "config.yaml", "start.safetensors", "last.safetensors", "best.safetensors"
STAGES, RECENT, PAST, LABELS = "stages", "checkpoints", "past", "labels"
_LONGEST_CONFIG = 1 << 16  # bytes; a stage takes 700
_DEEPEST_CONFIG = 8
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # written in C where PyYAML was built with it, as its wheels are


class BadRun(ValueError):
    """A folder that can't be trained in: its run goes on elsewhere, is finished, or there is none."""


def dated_folder() -> Path:
    """Where a run goes that nobody gave a folder."""
    return Path("runs") / time.strftime("%Y-%m-%d_%H-%M-%S")


@contextmanager
def new_run(config: TrainConfig, again: bool = False) -> Iterator[Path]:
    """The folder of a new run, locked for as long as the block lasts.

    Raises BadRun if it has a run already; with `again`, only if that has other settings.
    """
    run = Path(config.run)
    run.mkdir(parents=True, exist_ok=True)
    with _locked(run):
        if (run / CONFIG).exists() and not (again and _settings(run / CONFIG) == as_plain(config)):
            raise BadRun(
                f"{run} has a run already: go on with it by bgai train resume={run}, or name another folder by run="
            )
        if not (run / CONFIG).exists() and (left := [*run.glob("state*.safetensors"), *run.glob(LABELS)]):
            raise BadRun(f"{run} has {left[0].name} of a run, but no {CONFIG}: put that back, or name another folder")
        sweep(run)
        write_atomically(run / CONFIG, OmegaConf.to_yaml(as_plain(config)).encode())
        note_origin(run)
        yield run


@contextmanager
def old_run(run: Path) -> Iterator[TrainConfig]:
    """The settings of the run in the folder, locked for as long as the block lasts. Raises BadRun, BadConfig."""
    if not (run / CONFIG).exists():
        raise BadRun(f"{run} has no run to resume: it lacks {CONFIG}")
    with _locked(run):
        sweep(run)
        config = checked(_settings(run / CONFIG) | {"run": str(run)})
        note_origin(run)
        yield config


def _settings(path: Path) -> dict:
    """What is written in a run's file of settings. Nothing is built before it is known to be small. Raises BadRun."""
    with path.open("rb") as file:
        data = file.read(_LONGEST_CONFIG + 1)
    try:
        if len(data) > _LONGEST_CONFIG:
            raise ValueError(f"more than {_LONGEST_CONFIG} bytes")
        depth = 0
        for event in yaml.parse(data.decode(), _YAML):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST_CONFIG or isinstance(event, yaml.AliasEvent):
                raise ValueError("deeply nested, or with an alias, as no file of ours is")
        settings = _YAML(data).get_single_data()
        if not isinstance(settings, dict):
            raise ValueError("it holds no settings")
    except (yaml.YAMLError, ValueError) as error:
        raise BadRun(f"{path} is damaged: {error}") from None
    return settings


@contextmanager
def _locked(run: Path) -> Iterator[None]:
    """The operating system gives the lock back however the process ends."""
    with (run / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadRun(f"another process is training in {run}: wait until it ends, or stop it") from None
        yield


def keep_recent(run: Path, player: Checkpoint, keep: int) -> None:
    """Save the player as the last one, and by its games among the last `keep`."""
    save_checkpoint(run / LAST, player)
    save_checkpoint(run / RECENT / by_games(player.games), player)
    for old in sorted((run / RECENT).glob("games-*.safetensors"))[:-keep]:
        old.unlink()


def by_games(games: int) -> str:
    """Name of the file of the player after so many games."""
    return f"games-{games:012}.safetensors"
