"""Every setting of a training run: its type, its default and what it means.

The YAML files of `configs/` and the command line fill these in; `checking.checked` turns what they say into a
`TrainConfig` or refuses it. `bgai train --help` is made from the meanings written here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from omegaconf import MISSING, OmegaConf


class BadConfig(ValueError):
    """A setting that doesn't exist, or a value that it can't have."""


def setting(default: Any, meaning: str) -> Any:
    """A field of a settings class with its meaning. Lists and classes of settings are made anew for every owner."""
    metadata = {"meaning": meaning}
    if isinstance(default, list):
        return field(default_factory=lambda: list(default), metadata=metadata)
    if isinstance(default, type):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass
class NetConfig:
    hidden: Any = setting([256], "units of the hidden layers: a number or a list of numbers")  # list[int] once checked
    activation: str = setting("relu", "of the hidden units: relu or sigmoid")
    computed: bool = setting(False, "the network sees the computed features too (docs/inputs.md)")
    own: str | None = setting(None, "import path of a network of one's own: package.module:name (docs/extending.md)")


@dataclass
class StartsConfig:
    """Weights of the kinds of starting position; see `starts.KINDS`, and docs/extending.md for kinds of one's own."""

    opening: float = setting(1.0, "weight of games from the variant's own starting position")
    scattered: float = setting(0.0, "weight of games from checkers thrown all over the board")
    race: float = setting(0.0, "weight of games from races, some checkers borne off")
    back_game: float = setting(0.0, "weight of games from back games")
    primes: float = setting(0.0, "weight of games from prime against prime")
    stragglers: float = setting(0.0, "weight of games from bear-offs against one or two last checkers")
    own: float = setting(0.0, "weight of games from positions of one's own")
    function: str | None = setting(None, "import path of what makes these: package.module:name (docs/extending.md)")


@dataclass
class Stage:
    """One stretch of training. Its schedules run over its games, from `_start` to `_end`."""

    name: str = setting(MISSING, "what its checkpoint is called")
    games: int = setting(MISSING, "budget: it ends with the first round that reaches so many games")
    after: str | None = setting(None, "an earlier stage whose network this one goes on with, if not the one before")
    hidden: Any = setting(None, "layers of a new network, which learns this stage from random weights: as net.hidden")
    widen: int = setting(0, "units that the first hidden layer has from this stage on; 0 leaves it as it is")
    rate_start: float = setting(1e-3, "learning rate of Adam at the beginning; changes exponentially")
    rate_end: float = setting(2e-5, "learning rate at the end")
    lambda_start: float = setting(0.7, "lambda of TD(lambda) at the beginning; changes linearly")
    lambda_end: float = setting(0.3, "lambda at the end: 1 learns from results alone, 0 from the next position alone")
    luck_free: bool = setting(False, "look at all 21 rolls of every turn and take their luck out of the returns")
    target: str | None = setting(None, "import path of returns of one's own: package.module:name (docs/extending.md)")
    labels: str | None = setting(None, "folder of labels to learn from instead of playing, as bgai label makes them")
    label_games: int = setting(0, "games that the player before labels first, to learn from them instead of playing")
    earlier_labels: bool = setting(False, "learn also what earlier stages of the run had labelled by label_games")
    batch: int = setting(256, "positions in one update")
    reuse: int = setting(1, "updates that each position takes part in")
    replay: int = setting(0, "uses that are held back, so that positions of many games mix; the stage's end drops them")
    explore: float = setting(0.0, "share of the turns that are played at random")
    starts: StartsConfig = setting(StartsConfig, "where games begin")


@dataclass
class TrainConfig:
    """A run. Its stages are its recipe."""

    run: str | None = setting(None, "its folder; runs/<date time> unless named")
    initial: str | None = setting(
        None, "checkpoint to start from instead of random weights, or a player that ships; its network is kept"
    )
    variant: str = setting("backgammon", "backgammon, nackgammon or hypergammon")
    net: NetConfig = setting(NetConfig, "the network")
    stages: list[Stage] = setting(MISSING, "the recipe, played in turn")
    begin: str | None = setting(
        None, "name of the stage to begin with, for going on from a checkpoint of the one before"
    )
    seed: int = setting(1, "of all its randomness: the same seed gives the same player")
    parallel_games: int = setting(512, "games in progress at the same time")
    turns: int = setting(4, "turns played of every game in a round of learning")
    threads: int = setting(0, "cores to use, 0 for all")
    device: str = setting("auto", "where to learn: cpu, cuda, or auto for a GPU where there is one")
    save_minutes: float = setting(5.0, "between two saves of the run's state; 0 saves after every round")
    keep: int = setting(5, "how many of the saved checkpoints to keep, beside the best and those of the stages")
    eval_every: int = setting(20_000, "games between two measurements of its strength")
    eval_games: int = setting(2_000, "games of one measurement against pubeval, an even number")


def as_plain(config: TrainConfig) -> dict:
    """The configuration as plain data, for YAML and JSON."""
    return OmegaConf.to_container(OmegaConf.structured(config))


def start_weights(starts: StartsConfig) -> dict[str, float]:
    """Weights by the names that `starts.draw` knows: those of `starts.KINDS`, and an import path."""
    weights = vars(starts).copy()
    own, function = weights.pop("own"), weights.pop("function")
    return weights | {function or "own": own}


def number_of(config: TrainConfig, name: str) -> int:
    """Which stage of the recipe, from 0, is called so. Raises ValueError where there is none."""
    return [stage.name for stage in config.stages].index(name)


def first_stage(config: TrainConfig) -> int:
    """Number of the stage that a new run begins with."""
    return number_of(config, config.begin) if config.begin else 0


def layers_of_stages(config: TrainConfig) -> list[list[int]]:
    """Hidden layers of the network of every stage; of those before `begin`, the layers that the run begins with."""
    found: list[list[int]] = []
    for number, stage in enumerate(config.stages):
        layers = layers_before(config, found, number)
        if number >= first_stage(config):
            layers = stage.hidden or [max(layers[0], stage.widen), *layers[1:]]
        found.append(layers)
    return found


def layers_before(config: TrainConfig, layers: list[list[int]], number: int) -> list[int]:
    """Hidden layers of the network that stage `number` goes on with, `layers` being those of the stages before it."""
    after = config.stages[number].after
    if after:
        return layers[number_of(config, after)]
    return layers[number - 1] if number else config.net.hidden


def settings_of(kind: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted name and field of every setting of a class, those of the classes inside included."""
    for f in fields(kind):
        if is_dataclass(f.default_factory):
            yield from settings_of(f.default_factory, f"{prefix}{f.name}.")
        else:
            yield prefix + f.name, f
