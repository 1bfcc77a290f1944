"""Training a player from Python, by the recipes and settings of `bgai train`: `bgai.train_player`, `bgai.resume_run`.

Both run in the main thread, for Ctrl-C to be caught there, and leave in the run's folder what docs/training.md lists.
In a program started by `torchrun` they are called by every rank, and all train one player (docs/scaling.md).
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from bgai import threads
from bgai.train.compose import composed
from bgai.train.loop import train
from bgai.train.ranks import new_run_of_all, old_run_of_all
from bgai.train.report import telling

Listener = Callable[[dict], None]


def train_player(
    recipe: str = "td", *settings: str, run: str | Path | None = None, on_progress: Listener | None = None
) -> Path:
    """Train a player and return the path of its checkpoint, which every `checkpoint=` of `bgai` takes.

    recipe       a file of configs/experiment, such as "quick" (two minutes on two cores)
    settings     any more, as on the command line: "seed=7", "net.hidden=[128,32]", "stages.0.games=900", "from=default"
    run          its folder; runs/<date time> unless named, as it must be under `torchrun`
    on_progress  is called, on rank 0, with every record of the run's metrics.jsonl (docs/metrics.md), as it is written
    Raises BadConfig, BadName, BadNetwork, BadLabels, BadCheckpoint or OSError for what is given, BadRun if the folder
    has a run already, Collapse when training has gone wrong, KeyboardInterrupt (after saving) at Ctrl-C, RankLost when
    another rank has ended.

    >>> import bgai, tempfile
    >>> games = []
    >>> tiny = ["net.hidden=4", "stages.0.games=20", "threads=1", "eval_games=4"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = bgai.train_player("td", *tiny, run=folder, on_progress=lambda record: games.append(record["games"]))
    ...     print(path.name, bgai.evaluate(["start"], checkpoint=path).shape)  # doctest: +ELLIPSIS
    run ...
    last.safetensors (1, 6)
    >>> games[-1] >= 20
    True
    """
    config = composed([f"experiment={recipe}", *settings])
    if run:
        config.run = str(run)
    with new_run_of_all(config) as ranks, _listening(on_progress), _threads_as_before():
        return train(config, ranks)


def resume_run(run: str | Path, *, on_progress: Listener | None = None) -> Path:
    """Go on exactly with a run that was stopped, with its own settings, and return the path of its checkpoint.

    Raises BadRun if the folder has none or it is finished, and what `train_player` raises.
    """
    with old_run_of_all(Path(run)) as (config, ranks), _listening(on_progress), _threads_as_before():
        return train(config, ranks)


@contextmanager
def _threads_as_before() -> Iterator[None]:
    """What a run says of its threads isn't meant for questions that are asked after it."""
    before = threads.set_threads(0)
    try:
        yield
    finally:
        threads.set_threads(before)


def _listening(on_progress: Listener | None) -> AbstractContextManager:
    return telling(on_progress) if on_progress else nullcontext()
