"""Finds the player that a name on the command line means."""

import inspect
from collections.abc import Callable
from pathlib import Path

from bgai import api, files
from bgai.arena.gnubg import Gnubg
from bgai.arena.players import NetPlayer, Player, RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.evaluator.own_net import load_own_net
from bgai.evaluator.search import MAX_PLY
from bgai.game import State
from bgai.named import imported
from bgai.notation.position import start_of

NAMES = (
    "pubeval, random, gnubg, a player that ships, or a checkpoint's path; with :PLIES for lookahead, as in gnubg:2; or "
    "one's own: a player as package.module:name, a network's checkpoint as package.module:name@PATH"
)
WITHOUT_CHECKPOINT = ("pubeval", "random", "gnubg")


class NoPlayer(ValueError):
    """A name that no player has, or an import path that makes none."""


class NoCheckpoints(ValueError):
    """A folder without players."""


class NoLookahead(ValueError):
    """A player that can't look ahead, or not so far."""


def player(name: str | Path, rules: State | None, seed: int, gnubg: str | None = None) -> Player:
    """The player called "pubeval", "random" or "gnubg", that of a checkpoint, shipped or a file, or one of the user's.

    name    may end in :PLIES; or is the import path of what makes a player from a seed, or that of a network of one's
            own with @ and the path of its checkpoint (docs/extending.md)
    rules   of the games to come; None: cubeless
    seed    of the player's own randomness, if it has any
    gnubg   the program of GNU Backgammon; None: look for it
    Raises FileNotFoundError, BadCheckpoint, BadName, BadNetwork, NoPlayer, NoLookahead, GnubgError, and WrongVariant
    for a player of fewer checkers.
    """
    who, plies = _plies(str(name))
    own, path = _own(who)
    if who in ("pubeval", "random") or not path:
        if plies:
            raise NoLookahead(f"{name!r}: {who} doesn't look ahead")
        return Pubeval() if who == "pubeval" else RandomPlayer((seed, 1)) if who == "random" else _made(own, seed)
    if who == "gnubg":
        return Gnubg(plies, rules, gnubg)
    net = load_own_net(files.checkpoint(path), own)
    api.fitted(start_of("backgammon"), net)
    return NetPlayer(net, plies, str(name))


def checkpoint_of(name: str) -> Path | None:
    """The file of the player with this name; None if it isn't one of ours. Raises FileNotFoundError, NoPlayer."""
    who, _ = _plies(name)
    _, path = _own(who)
    return None if who in WITHOUT_CHECKPOINT or not path else files.checkpoint(path)


def _made(path: str, seed: int) -> Player:
    """The player of one's own that the import path makes. Raises NoPlayer where that makes something else."""
    make: Callable = imported(path)
    wanted = "a player is made by a function or a class of one seed, and has a name and what it plays, `play`"
    try:
        inspect.signature(make).bind(seed)
    except TypeError as error:
        raise NoPlayer(f"{path}: {error}; {wanted} (docs/extending.md)") from None
    except ValueError:  # a function in C that tells nothing of itself
        pass
    made = make(seed)
    missing = [part for part in ("play", "name") if not hasattr(made, part)]
    if missing:
        raise NoPlayer(f"{path} makes {made!r:.40}, without {missing[0]}: {wanted} (docs/extending.md)")
    return made


def _own(name: str) -> tuple[str | None, str]:
    """The import path that a name has, if any, and the checkpoint: "" for a player of one's own, who has none."""
    if ":" not in name or Path(name).exists():
        return None, name
    own, _, path = name.partition("@")
    return own, path


def _plies(name: str) -> tuple[str, int]:
    """ "gnubg:2" is ("gnubg", 2); without a number nobody looks ahead."""
    if not name:
        raise NoPlayer(f"'' is no player: give {NAMES}")
    who, _, plies = name.rpartition(":")
    if not who or not plies.isdigit():
        return name, 0
    if plies not in map(str, range(MAX_PLY + 1)):
        raise NoLookahead(f"{name!r}: players look 0 to {MAX_PLY} plies ahead, as in gnubg:2")
    return who, int(plies)


def checkpoints_of(folder: Path) -> list[Path]:
    """All checkpoints in a run's folder, in order of their paths. Raises NoCheckpoints where there are none."""
    files = (path for path in folder.rglob("*.safetensors") if not path.name.startswith("state."))
    found = sorted(path for path in files if "labels" not in path.relative_to(folder).parts)  # they aren't players
    if not found:
        raise NoCheckpoints(f"{folder} holds no checkpoints (files ending in .safetensors): give the folder of a run")
    return found
