"""From the words of a command line to a `TrainConfig`: Hydra lays them over the files of `configs/`."""

import re
from difflib import get_close_matches

from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from bgai.board import checkers_of
from bgai.files import checkpoint, config_dir
from bgai.net.checkpoint import load_checkpoint
from bgai.train.checking import check_size, checked, explain, no_such_setting
from bgai.train.config import BadConfig, TrainConfig

GROUPS = ("experiment", "net")
# What comes out of Hydra over a user's words.
HYDRAS = (HydraException, OmegaConfBaseException, TypeError, OverflowError, RecursionError)


def composed(overrides: list[str]) -> TrainConfig:
    """The settings that `overrides`, such as "experiment=td", "seed=7" and "from=default", make.

    Raises BadConfig, BadName, BadNetwork, BadLabels, BadCheckpoint or OSError, in one line.
    """
    register()
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(config_dir()), version_base="1.3"):
            raw = compose("train", [_path_quoted(renamed(word)) for word in overrides])
    except (*HYDRAS, ValueError) as error:
        raise BadConfig(one_line(error)) from None
    return settled(raw, overrides)


def renamed(word: str) -> str:
    """`from=` by the name of its setting, which `from` can't be in Python."""
    return f"initial={word[5:]}" if word.startswith("from=") else word


def _path_quoted(word: str) -> str:
    """Paths as they are typed, whatever Hydra would make of signs in them; one in quotes is Hydra's already."""
    name, _, path = word.partition("=")
    if name not in ("run", "initial") or path[:1] in ("", "'", '"'):
        return word
    escaped = re.sub(r"(\\*)'", r"\1\1\'", path)
    return f"{name}='" + re.sub(r"(\\+)$", r"\1\1", escaped) + "'"


def register() -> None:
    """Make the settings' names and types known to Hydra."""
    ConfigStore.instance().store(name="settings", node=TrainConfig)


def settled(raw: DictConfig, overrides: list[str]) -> TrainConfig:
    """What Hydra has composed, checked; the network of the checkpoint to start from takes the place of its own."""
    check_size(OmegaConf.to_container(raw))
    try:
        settings = OmegaConf.to_container(raw, resolve=True)
    except OmegaConfBaseException as error:  # a value that refers to another one, which isn't there
        raise BadConfig(explain(error)) from None
    initial, own = settings["initial"], settings["net"]["own"]
    if not (initial or own):
        return checked(settings)
    words = [word for word in overrides if word.lstrip("+~").startswith("net") and not word.startswith("net.own=")]
    if words:
        network = "that of the checkpoint given by from=" if initial else own
        raise BadConfig(f"{words[0]}: the network is {network}; leave this out")
    if not initial:
        return checked(settings | {"net": {"own": own}})
    net = load_checkpoint(checkpoint(initial), own).architecture.plain()
    checkers = net.pop("checkers")
    config = checked(settings | {"net": net})
    if checkers != checkers_of(config.variant):
        raise BadConfig(f"variant={config.variant} is impossible: {config.initial} plays another one")
    return config


def one_line(error: Exception) -> str:
    """What Hydra complains about, with the nearest right name."""
    cause = error.__cause__
    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, name = error.missing_cfg_file.rpartition("/")
        if group in GROUPS:
            known = sorted(path.stem for path in (config_dir() / group).glob("*.yaml"))
            near = [f"did you mean {match}? " for match in get_close_matches(name, known, n=1)]
            return f"there is no {group} {name}; {''.join(near)}it is {' or '.join(known)}"
    if isinstance(cause, ConfigAttributeError | ConfigKeyError):
        return no_such_setting(cause.full_key)
    if isinstance(cause, OmegaConfBaseException):
        return explain(cause)
    if isinstance(error, TypeError):
        return "stages go by their number, from 0: stages.0.games=1000"
    if isinstance(error, OverrideParseException):
        return f"{error.override}: settings are given as name=value, with quotes around blanks and brackets"
    return str(error).splitlines()[0]
