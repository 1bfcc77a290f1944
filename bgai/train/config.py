"""Every setting of a training run: its type, its default, what it means and which values are possible.

The YAML files of `configs/` and the command line fill these in; `checked` turns what they say into a `TrainConfig` or
refuses it. `bgai train --help` is made from the meanings written here.
"""

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from omegaconf import MISSING, OmegaConf
from omegaconf.errors import ConfigKeyError, OmegaConfBaseException

from bgai.board import VARIANTS
from bgai.named import imported
from bgai.net.checkpoint import Architecture

ACTIVATIONS = ("relu", "sigmoid")
# So that somebody else's recipe can't ask for more memory than machines have: a game in progress takes 20 kB, a weight
# is held some ten times (a checkpoint has room for twice as many), the units once for every position of a batch.
MOST_UNITS, MOST_WEIGHTS = 2**14, 2**25
_LIMITS = {
    "parallel_games": (1, 2**16),
    "turns": (1, 10_000),
    "keep": (1, 10**6),
    "eval_every": (1, 10**12),
    "seed": (0, 2**63 - 1),
    "threads": (0, 1024),
}
_STAGE_LIMITS = {
    "games": (1, 10**12),
    "batch": (1, 2**14),
    "reuse": (1, 127),
    "replay": (0, 10**7),
    "label_games": (0, 10**7),
}
_EVAL_GAMES = 10**6
DEVICES = ("auto", "cpu", "cuda")


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
    initial: str | None = setting(None, "checkpoint to start from instead of random weights; its network is kept")
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


def checked(settings: dict) -> TrainConfig:
    """`settings` as plain data with what they leave out at its default.

    Raises BadConfig, BadName, BadNetwork or BadLabels, in one line.
    """
    try:
        merged = OmegaConf.merge(OmegaConf.structured(TrainConfig), settings)
        config = OmegaConf.to_object(merged)
    except ConfigKeyError as error:
        raise BadConfig(no_such_setting(error.full_key)) from None
    except OmegaConfBaseException as error:
        raise BadConfig(explain(error)) from None
    except (OverflowError, RecursionError) as error:
        raise BadConfig(str(error).splitlines()[0]) from None
    for network in (config.net, *config.stages):
        if isinstance(network.hidden, int):
            network.hidden = [network.hidden]
    for name, value, possible, expected in _conditions(config):
        if not possible:
            raise BadConfig(f"{name}={value} is impossible: {expected}")
    for path in (path for stage in config.stages for path in (stage.target, stage.starts.function) if path):
        imported(path)  # now, rather than when its stage begins
    for folder in (stage.labels for stage in config.stages if stage.labels):
        from bgai.train.label_files import files_in  # `bgai train --help` needn't wait for self-play's kernels

        files_in(Path(folder))
    return config


def as_plain(config: TrainConfig) -> dict:
    """The configuration as plain data, for YAML and JSON."""
    return OmegaConf.to_container(OmegaConf.structured(config))


def start_weights(starts: StartsConfig) -> dict[str, float]:
    """Weights by the names that `starts.draw` knows: those of `starts.KINDS`, and an import path."""
    weights = vars(starts).copy()
    own, function = weights.pop("own"), weights.pop("function")
    return weights | {function or "own": own}


def first_stage(config: TrainConfig) -> int:
    """Index of the stage that a new run begins with."""
    return [stage.name for stage in config.stages].index(config.begin) if config.begin else 0


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
        return layers[[stage.name for stage in config.stages].index(after)]
    return layers[number - 1] if number else config.net.hidden


def explain(error: OmegaConfBaseException) -> str:
    """One line about a value of the wrong type, or one that is lacking."""
    name = _dotted(error.full_key or "")
    what = str(error).splitlines()[0]
    if re.fullmatch(r"stages\.\d+", name) and "dict is not" in what:
        return f"the recipe has no {name}; stages are numbered from 0, and a new recipe is stages=[{{...}},{{...}}]"
    if "mandatory" in what:
        what = "must be given"
    return f"{name}: {what}" if name else what


def no_such_setting(key: str) -> str:
    """One line about a setting that doesn't exist, with the nearest one that does."""
    key = _dotted(key)
    known = [_dotted(name) for name, _ in settings_of(TrainConfig)] + ["from", "resume", "experiment"]
    # In the recipe any stage will do, so compare with the first and keep the number that was given.
    stage = re.match(r"stages\.(\d+)\.", key)
    known += [f"stages.{stage[1] if stage else 0}.{name}" for name, _ in settings_of(Stage)]
    last = {name.rpartition(".")[2]: name for name in reversed(known)}
    near = last.get(key) or next(iter(get_close_matches(key, known, n=1)), None)
    near = near or last.get(next(iter(get_close_matches(key.rpartition(".")[2], last, n=1, cutoff=0.5)), None))
    meant = f"did you mean {near}?" if near else "bgai train --help lists them"
    return f"there is no setting {key}; {meant}"


def settings_of(kind: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted name and field of every setting of a class, those of the classes inside included."""
    for f in fields(kind):
        if is_dataclass(f.default_factory):
            yield from settings_of(f.default_factory, f"{prefix}{f.name}.")
        else:
            yield prefix + f.name, f


def _dotted(key: str) -> str:
    """`stages[0].games` as it is written on the command line: `stages.0.games`."""
    return re.sub(r"\[(\d+)\]", r".\1", key)


def _conditions(config: TrainConfig) -> Iterator[tuple[str, Any, bool, str]]:
    """(name, value, is it possible, what a possible one looks like) of everything that types alone don't tell."""
    yield from _own_network(config) if config.net.own else _network(config)
    yield _one_of("variant", config.variant, VARIANTS)
    yield _one_of("device", config.device, DEVICES)
    yield from _within(config, _LIMITS)
    yield "save_minutes", config.save_minutes, 0 <= config.save_minutes < math.inf, "it is 0 or more"
    games = config.eval_games
    even = 4 <= games <= _EVAL_GAMES and games % 2 == 0
    yield "eval_games", games, even, f"an even number, 4 to {_EVAL_GAMES}: every roll is played twice"
    names = [stage.name for stage in config.stages]
    yield "stages", names, bool(names) and len(set(names)) == len(names), "one stage or more, each with its own name"
    if config.begin is not None:
        yield _one_of("begin", config.begin, names)
    for number, stage in enumerate(config.stages):
        for name, value, possible, expected in _stage_conditions(stage):
            yield f"stages.{number}.{name}", value, possible, expected
        if stage.after is not None:
            yield _after(config, number)
    if not config.net.own:
        yield from _widths(config)


def _after(config: TrainConfig, number: int) -> tuple[str, Any, bool, str]:
    """Is the stage that stage `number` goes on after known to this run? The one before `begin` is, by `from`."""
    stage, first = config.stages[number], first_stage(config)
    known = [earlier.name for earlier in config.stages[first - bool(first and config.initial) : number]]
    expected = f"it is {' or '.join(known)}" if known else "this run has none before it"
    if stage.hidden is not None:
        expected = "a new network goes on with no other: leave out hidden or after"
    return f"stages.{number}.after", stage.after, stage.after in known and stage.hidden is None, expected


def _network(config: TrainConfig) -> Iterator[tuple[str, Any, bool, str]]:
    anew = [(f"stages.{n}.hidden", stage.hidden) for n, stage in enumerate(config.stages) if stage.hidden is not None]
    for name, hidden in [("net.hidden", config.net.hidden), *anew]:
        layers = isinstance(hidden, list) and 1 <= len(hidden) <= 8
        units = layers and all(type(h) is int and 1 <= h <= MOST_UNITS for h in hidden)
        yield name, hidden, units, f"1 to 8 layers of 1 to {MOST_UNITS} units"
    yield _one_of("net.activation", config.net.activation, ACTIVATIONS)


def _own_network(config: TrainConfig) -> Iterator[tuple[str, Any, bool, str]]:
    """Raises BadName, BadNetwork."""
    from bgai.net.model import own_model  # torch

    weights = sum(w.numel() for w in own_model(config.net.own).state_dict().values())
    yield "net.own", config.net.own, weights <= MOST_WEIGHTS, f"a network has {MOST_WEIGHTS} weights at most"
    for number, stage in enumerate(config.stages):
        for name in ("widen", "hidden"):
            value = getattr(stage, name)
            yield f"stages.{number}.{name}", value, not value, f"{config.net.own} stays as it is"


def _within(settings: Any, limits: dict[str, tuple[int, int]]) -> Iterator[tuple[str, Any, bool, str]]:
    for name, (least, most) in limits.items():
        value = getattr(settings, name)
        yield name, value, least <= value <= most, f"it is {least} to {most}"


def _widths(config: TrainConfig) -> Iterator[tuple[str, Any, bool, str]]:
    """Of the layers, and what stages make of them."""
    layers = layers_of_stages(config)
    networks = [("net.hidden", config.net.hidden, config.net.hidden)]
    for number, stage in list(enumerate(config.stages))[first_stage(config) :]:
        name = f"stages.{number}.widen"
        if stage.hidden is not None:
            yield name, stage.widen, not stage.widen, "the new network is as wide as hidden says"
            networks.append((f"stages.{number}.hidden", stage.hidden, layers[number]))
        elif stage.widen:
            least = layers_before(config, layers, number)[0]
            expected = f"a layer of {least} units can only grow, to {MOST_UNITS} at most"
            yield name, stage.widen, least <= stage.widen <= MOST_UNITS, expected
            networks.append((name, stage.widen, layers[number]))
    for name, value, layers in networks:
        shapes = Architecture(tuple(layers), computed=config.net.computed).shapes().values()
        few = sum(map(math.prod, shapes)) <= MOST_WEIGHTS
        yield name, value, few, f"a network has {MOST_WEIGHTS} weights at most"


def _stage_conditions(stage: Stage) -> Iterator[tuple[str, Any, bool, str]]:
    yield "name", stage.name, bool(re.fullmatch(r"[\w-]{1,40}", stage.name)), "letters, digits, - and _"
    yield from _within(stage, _STAGE_LIMITS)
    for name in ("rate_start", "rate_end"):
        yield name, getattr(stage, name), 0 < getattr(stage, name) < math.inf, "it is more than 0"
    for name in ("lambda_start", "lambda_end", "explore"):
        yield name, getattr(stage, name), 0 <= getattr(stage, name) <= 1, "it lies between 0 and 1"
    weights = start_weights(stage.starts)
    sensible = all(0 <= w < math.inf for w in weights.values()) and sum(weights.values()) > 0
    yield "starts", weights, sensible, "weights are 0 or more, and one is above 0"
    played = stage.luck_free or stage.target or stage.explore
    alone = not (played or stage.label_games or stage.starts != StartsConfig())
    reason = "leave out luck_free, target, explore, starts and label_games beside it"
    yield "labels", stage.labels, not stage.labels or alone, reason
    reason = "leave out luck_free, target and explore beside it"
    yield "label_games", stage.label_games, not (stage.label_games and played), reason
    reason = "it comes with label_games"
    yield "earlier_labels", stage.earlier_labels, not stage.earlier_labels or stage.label_games > 0, reason
    given = stage.starts.own == 0 or stage.starts.function is not None
    yield "starts.own", stage.starts.own, given, "it needs starts.function, the import path of what makes the positions"


def _one_of(name: str, value: str, known: Collection[str]) -> tuple[str, str, bool, str]:
    near = get_close_matches(value, known, n=1)
    return name, value, value in known, f"{'did you mean ' + near[0] + '? ' if near else ''}it is {' or '.join(known)}"
