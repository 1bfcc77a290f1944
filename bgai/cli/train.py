"""`bgai train`: starts a run, or many, and goes on with one that was stopped.

Its arguments are Hydra's: name=value, and -m to run every combination. `resume=RUN` and `from=CHECKPOINT` are ours.
Under `torchrun` every rank runs this; rank 0 alone opens the run's folder and says what became of it.
"""

import sys
from dataclasses import MISSING
from pathlib import Path
from typing import TYPE_CHECKING

from bgai.files import config_dir

if TYPE_CHECKING:  # `bgai train --help` needn't wait for these
    from omegaconf import DictConfig

    from bgai.train.config import TrainConfig
    from bgai.train.ranks import Ranks

COLLAPSED = 3  # exit code
INTERRUPTED = 130


class BadUsage(ValueError):
    """Arguments that don't go together."""


def train(arguments: list[str]) -> int:
    """Returns the exit code: 0 done, 3 training has collapsed, 130 stopped by Ctrl-C after saving."""
    if {"--help", "-h"} & set(arguments):
        print(_help())
        return 0
    options = {word for word in arguments if word.startswith("-")}
    settings = [word for word in arguments if word not in options]
    if unknown := options - {"-m", "--multirun"}:
        raise BadUsage(f"there is no option {min(unknown)}; it is -m, --help, or settings as name=value")
    named = dict(word.partition("=")[::2] for word in settings)
    if "resume" in named:
        return _resume(named, bool(options))
    return _many(settings, named.get("run")) if options else _one(settings)


def _one(settings: list[str]) -> int:
    from bgai.train.compose import composed

    return _start(composed(settings))


def _start(config: "TrainConfig") -> int:
    from bgai.train.ranks import new_run_of_all

    with new_run_of_all(config) as ranks:
        return _train(config, ranks)


def _resume(named: dict[str, str], many: bool) -> int:
    from bgai.train.checking import MOST_THREADS
    from bgai.train.config import BadConfig
    from bgai.train.ranks import old_run_of_all

    others = set(named) - {"resume", "threads"}
    if others or many:
        raise BadUsage(f"resume goes on with the run's own settings; leave out {min(others) if others else '-m'}")
    threads = named.get("threads")
    if threads is not None and not (threads.isdecimal() and len(threads) < 5 and int(threads) <= MOST_THREADS):
        raise BadConfig(f"threads={threads[:20]} is impossible: it is 0 to {MOST_THREADS}")
    with old_run_of_all(Path(named["resume"])) as (config, ranks):
        config.threads = config.threads if threads is None else int(threads)
        return _train(config, ranks)


def _train(config: "TrainConfig", ranks: "Ranks") -> int:
    from bgai.cli.first_run import tell_if_first_run
    from bgai.train.loop import train
    from bgai.train.watch import Collapse

    if ranks.first:
        tell_if_first_run()
    try:
        last = train(config, ranks)
        if ranks.first:
            print(f"finished: {last}")
    except Collapse as collapse:
        print(f"bgai train: stopped, training has collapsed: {collapse}", file=sys.stderr)
        return COLLAPSED
    except KeyboardInterrupt:
        if ranks.first:
            print(f"stopped; go on with: bgai train resume={config.run}", file=sys.stderr)
        return INTERRUPTED
    return 0


def _many(settings: list[str], folder: str | None) -> int:
    """Every combination of the settings, each in its own folder, by Hydra's sweeper and launcher."""
    import os

    import hydra

    from bgai.train.compose import HYDRAS, one_line, register, renamed
    from bgai.train.config import BadConfig
    from bgai.train.folder import dated_folder
    from bgai.train.ranks import launched

    if launched():
        raise BadUsage("-m makes many runs, torchrun many processes of one: leave out either")
    register()
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra hands errors on instead of printing them
    words = [renamed(word) for word in settings if not word.startswith("run=")]
    sys.argv = ["bgai train", "-m", f"hydra.sweep.dir={folder or dated_folder()}", *words]
    try:
        hydra.main(config_path=str(config_dir()), config_name="train", version_base="1.3")(_job)()
    except HYDRAS as error:
        raise BadConfig(one_line(error)) from None
    return 0


def _job(raw: "DictConfig") -> None:
    """One of many runs. Called by Hydra, perhaps in another process."""
    from hydra.core.hydra_config import HydraConfig

    from bgai.train.compose import settled

    job = HydraConfig.get()
    config = settled(raw, list(job.overrides.task))
    config.run = job.runtime.output_dir
    if code := _start(config):
        sys.exit(code)


def _help() -> str:
    from bgai.train.config import Stage, TrainConfig, settings_of

    def table(kind, prefix):
        for name, f in settings_of(kind):
            default = f.default if f.default is not MISSING else f.default_factory()
            shown = "" if default in ("???", None) else f" [{default}]"
            yield f"  {prefix + name.replace('initial', 'from'):<25} {f.metadata['meaning']}{shown}"

    def files(group):
        for path in sorted((config_dir() / group).glob("*.yaml")):
            comments = [line[2:] for line in path.read_text().splitlines() if line.startswith("# ") and "@" not in line]
            yield f"  {group}={path.stem:<{23 - len(group)}} {' '.join(comments)}"

    return "\n".join(
        [
            "usage: bgai train [SETTING=VALUE ...]      start a run",
            "       bgai train -m [SETTING=VALUE,VALUE ...]   a run for every combination",
            "       bgai train resume=RUN [threads=N]   go on exactly with a run that was stopped",
            "",
            "examples:",
            "  bgai train experiment=quick",
            "  bgai train experiment=td net.hidden=256 seed=7 stages.0.games=1000000",
            "  bgai train experiment=td net.hidden=[128,32] net.activation=relu run=runs/deep",
            "  bgai train experiment=td from=runs/deep/last.safetensors",
            "  bgai train -m seed=1,2,3",
            "",
            "recipes and networks, each a file of settings:",
            *files("experiment"),
            *files("net"),
            "",
            "settings of a run:",
            *table(TrainConfig, ""),
            "",
            "settings of its first stage; of the second stages.1. and so on:",
            *table(Stage, "stages.0."),
            "",
            "Ctrl-C stops a run after saving it.",
            "Exit codes: 0 done, 2 a mistake in the settings, 3 training has collapsed, 130 stopped.",
        ]
    )
