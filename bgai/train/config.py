"""Every setting of a training run, typed. The YAML files of `configs/` fill these in; Hydra checks names and types."""

from dataclasses import dataclass, field

from omegaconf import MISSING


class BadConfig(ValueError):
    """A setting that no run can have."""


@dataclass
class NetConfig:
    """See `net.checkpoint.Architecture`."""

    hidden: list[int] = field(default_factory=lambda: [256])
    activation: str = "relu"
    computed: bool = False


@dataclass
class Stage:
    """One stretch of training. Schedules run over its games, from `_start` to `_end`, and depend on nothing before it.

    games          budget: it ends with the first batch of games at or above it
    rate_*         learning rate, falling or rising exponentially
    lambda_*       of TD(lambda), changing linearly; 1 learns from outcomes only, 0 from the next position only
    batch          positions in one update
    explore        share of turns that play at random; the returns of earlier turns stop there
    starts         weights of the kinds of starting position, see `starts.KINDS`
    """

    name: str = MISSING
    games: int = MISSING
    rate_start: float = 1e-3
    rate_end: float = 2e-5
    lambda_start: float = 0.7
    lambda_end: float = 0.3
    batch: int = 256
    explore: float = 0.0
    starts: dict[str, float] = field(default_factory=lambda: {"opening": 1.0})


@dataclass
class TrainConfig:
    """A run. `stages` is its recipe.

    run            its folder
    initial        a checkpoint to start from instead of random weights (`from=` on the command line)
    variant        backgammon, nackgammon or hypergammon
    parallel_games in progress at the same time
    turns          played in every game between two rounds of learning
    threads        cores to use, 0 for all
    device         where to learn: auto, cpu or cuda
    save_minutes   between saves of the run's full state
    eval_every     games between measurements of its strength
    eval_games     of one measurement against pubeval
    """

    run: str = "runs/latest"
    initial: str | None = None
    variant: str = "backgammon"
    net: NetConfig = field(default_factory=NetConfig)
    stages: list[Stage] = MISSING
    seed: int = 1
    parallel_games: int = 512
    turns: int = 4
    threads: int = 0
    device: str = "auto"
    save_minutes: float = 5.0
    eval_every: int = 20000
    eval_games: int = 2000
