"""Finds the player that a name on the command line means."""

from pathlib import Path

from bgai import files
from bgai.arena.gnubg import Gnubg
from bgai.arena.players import NetPlayer, Player, RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.game import State
from bgai.net.fast import load_net

NAMES = "pubeval, random, gnubg or gnubg:PLIES, a player that ships, or the path of a checkpoint"


class UnknownPlies(ValueError):
    """A number of plies that GNU Backgammon can't be asked for."""


class NoCheckpoints(ValueError):
    """A folder without players."""


def player(name: str | Path, rules: State | None, seed: int, gnubg: str | None = None) -> Player:
    """The player called "pubeval", "random" or "gnubg:PLIES", or that of a checkpoint, shipped or a file.

    rules   of the games to come; None: cubeless
    seed    of the player's own randomness, if it has any
    gnubg   the program of GNU Backgammon; None: look for it
    Raises FileNotFoundError, BadCheckpoint, UnknownPlies, GnubgError.
    """
    if name == "pubeval":
        return Pubeval()
    if name == "random":
        return RandomPlayer(seed)
    if str(name).partition(":")[0] == "gnubg":
        return Gnubg(_plies(str(name)), rules, gnubg)
    return NetPlayer(load_net(files.checkpoint(name)), str(name))


def _plies(name: str) -> int:
    plies = name.partition(":")[2] or "0"
    if plies not in ("0", "1", "2", "3", "4"):
        raise UnknownPlies(f"{name!r}: GNU Backgammon looks 0 to 4 plies ahead, such as gnubg:2")
    return int(plies)


def checkpoints_of(folder: Path) -> list[Path]:
    """All checkpoints in a run's folder, in order of their paths. Raises NoCheckpoints where there are none."""
    found = sorted(path for path in folder.rglob("*.safetensors") if not path.name.startswith("state."))
    if not found:
        raise NoCheckpoints(f"{folder} holds no checkpoints (files ending in .safetensors): give the folder of a run")
    return found
