"""A run's folder: who may write into it, and the files that are kept there.

config.yaml         the run's settings, all of them
last.safetensors    the player as of the last save; best.safetensors: the one with the highest measured strength
checkpoints/        the last few saves, by games; stages/: the player at the end of every stage
state.safetensors   all that is needed to go on exactly (`state.py`)
metrics.jsonl, events.out.tfevents.*, openings.svg    see docs/metrics.md
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml
from omegaconf import OmegaConf

from bgai.net.checkpoint import Checkpoint, save_checkpoint, write_atomically
from bgai.train.config import TrainConfig, as_plain, checked

CONFIG, LAST, BEST, STAGES, RECENT = "config.yaml", "last.safetensors", "best.safetensors", "stages", "checkpoints"


class BadRun(ValueError):
    """A folder that can't be trained in: its run goes on elsewhere, is finished, or there is none."""


@contextmanager
def new_run(config: TrainConfig) -> Iterator[Path]:
    """The folder of a new run, locked for as long as the block lasts. Raises BadRun if it has a run already."""
    run = Path(config.run)
    run.mkdir(parents=True, exist_ok=True)
    with _locked(run):
        if (run / CONFIG).exists():
            raise BadRun(
                f"{run} has a run already: go on with it by bgai train resume={run}, or name another folder by run="
            )
        write_atomically(run / CONFIG, OmegaConf.to_yaml(as_plain(config)).encode())
        yield run


@contextmanager
def old_run(run: Path) -> Iterator[TrainConfig]:
    """The settings of the run in the folder, locked for as long as the block lasts. Raises BadRun, BadConfig."""
    if not (run / CONFIG).exists():
        raise BadRun(f"{run} has no run to resume: it lacks {CONFIG}")
    with _locked(run):
        try:
            settings = yaml.safe_load((run / CONFIG).read_text())
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise BadRun(f"{run / CONFIG} is damaged: {error}") from None
        if not isinstance(settings, dict):
            raise BadRun(f"{run / CONFIG} is damaged: it holds no settings")
        yield checked(settings | {"run": str(run)})


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
    save_checkpoint(run / RECENT / f"games-{player.games:012}.safetensors", player)
    for old in sorted((run / RECENT).glob("games-*.safetensors"))[:-keep]:
        old.unlink()
