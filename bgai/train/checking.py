"""Which settings are possible: plain data becomes a `TrainConfig`, or is refused in one line that names a right one."""

import math
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import ConfigKeyError, OmegaConfBaseException

from bgai.board import VARIANTS
from bgai.named import imported
from bgai.net.checkpoint import Architecture
from bgai.train.config import (
    BadConfig,
    Stage,
    StartsConfig,
    TrainConfig,
    first_stage,
    layers_before,
    layers_of_stages,
    settings_of,
    start_weights,
)

ACTIVATIONS = ("relu", "sigmoid")
# So that somebody else's recipe can't ask for more memory than machines have: a game in progress takes 20 kB, a weight
# is held some ten times (a checkpoint has room for twice as many), the units once for every position of a batch.
MOST_UNITS, MOST_WEIGHTS, MOST_THREADS = 2**14, 2**25, 1024
# Nor can it take long to read: OmegaConf needs milliseconds for a stage, and each "${...}" may double a value.
MOST_STAGES, MOST_VALUES, MOST_REFERENCES, LONGEST_REFERRING = 24, 1200, 8, 400
_LIMITS = {
    "parallel_games": (1, 2**16),
    "turns": (1, 10_000),
    "keep": (1, 10**6),
    "eval_every": (1, 10**12),
    "seed": (0, 2**63 - 1),
    "threads": (0, MOST_THREADS),
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


def checked(settings: dict) -> TrainConfig:
    """`settings` as plain data with what they leave out at its default.

    Raises BadConfig, BadName, BadNetwork or BadLabels, in one line.
    """
    check_size(settings)
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
            shown = str(value) if len(str(value)) <= 80 else f"{str(value)[:77]}..."
            raise BadConfig(f"{name}={shown} is impossible: {expected}")
    for path in (path for stage in config.stages for path in (stage.target, stage.starts.function) if path):
        imported(path)  # now, rather than when its stage begins
    for folder in (stage.labels for stage in config.stages if stage.labels):
        from bgai.train.label_files import files_in  # `bgai train --help` needn't wait for self-play's kernels

        files_in(Path(folder))
    return config


def check_size(settings: dict) -> None:
    """Raises BadConfig if settings as plain data, references in them not yet resolved, would take long to read."""
    stages = settings.get("stages")
    if isinstance(stages, list) and len(stages) > MOST_STAGES:
        raise BadConfig(f"a recipe has {MOST_STAGES} stages at most, not {len(stages)}")
    values: list[Any] = [settings]
    for value in values:  # which grows meanwhile
        values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    if len(values) > MOST_VALUES:
        raise BadConfig(f"{len(values)} settings are more than the {MOST_VALUES} that a recipe may have")
    referring = [value for value in values if isinstance(value, str) and "${" in value]
    many = sum(value.count("${") for value in referring) > MOST_REFERENCES
    if many or any(len(value) > LONGEST_REFERRING for value in referring):
        expected = f"{MOST_REFERENCES} references at most, in values of {LONGEST_REFERRING} characters"
        raise BadConfig(f"too much refers to other settings by ${{...}}: {expected}")


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


def _dotted(key: str) -> str:
    """`stages[0].games` as it is written on the command line: `stages.0.games`."""
    return re.sub(r"\[(\d+)\]", r".\1", key)


def _conditions(config: TrainConfig) -> Iterator[tuple[str, Any, bool, str]]:
    """(name, value, is it possible, what a possible one looks like) of everything that types alone don't tell."""
    yield from _own_network(config) if config.net.own else _network(config)
    yield _one_of("variant", config.variant, VARIANTS)
    yield _one_of("device", config.device, DEVICES)
    possible = config.device != "cuda" or _has_gpu()
    yield "device", config.device, possible, "there is no GPU that torch can use; leave it at auto, or say cpu"
    for name, path in (("run", config.run), ("from", config.initial), *_named_labels(config)):
        yield name, path, path is None or (path != "" and _is_utf8(path)), "the name of a folder or file, in UTF-8"
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
    if first and not config.initial and stage.after == config.stages[first - 1].name:
        expected = "the run begins after that stage, so give its player by from=CHECKPOINT"
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


def _has_gpu() -> bool:
    import torch  # `bgai train --help` needn't wait for it

    return torch.cuda.is_available()


def _named_labels(config: TrainConfig) -> Iterator[tuple[str, str | None]]:
    yield from ((f"stages.{number}.labels", stage.labels) for number, stage in enumerate(config.stages))


def _is_utf8(path: str) -> bool:
    """Else it couldn't be read back from the run's settings."""
    try:
        return bool(path.encode())
    except UnicodeEncodeError:
        return False


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
