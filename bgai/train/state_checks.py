"""Is a saved state one that training writes? Its digest finds damage; this finds what was made up.

What passes is trusted by the kernels, and by everything else that goes on from it.
"""

import math
from collections.abc import Mapping

import numpy as np

from bgai.board import check
from bgai.net.checkpoint import BadCheckpoint

_COUNTERS = ("stage", "stage_games", "games", "updates")
_WATCHED = ("begun_at", "next_measure", "measurements")


def check_meta(meta: dict) -> None:
    """Counters, generators and the memory of the run's `Watch`. Raises BadCheckpoint."""
    try:
        counters, watch, generators = meta["counters"], meta["watch"], meta["generators"]
        counts = [*(counters[name] for name in _COUNTERS), *(watch[name] for name in _WATCHED), *watch["kept"]]
        figures = [*watch["recent"], *_flat(watch["measured"]), 0.0 if watch["best"] is None else watch["best"]]
        begun = counters.get("begun", True)
        faults = {
            "its counters are no whole numbers from 0 on": not all(type(n) is int and 0 <= n < 2**63 for n in counts),
            "it has other counters": not counters.keys() <= {*_COUNTERS, "begun"},
            "it doesn't say whether its stage has begun": type(begun) is not bool or not (begun or counters["stage"]),
            "its measurements are no numbers": not all(type(x) in (int, float) and math.isfinite(x) for x in figures),
            "it counts other outcomes than six": len(watch["recent"]) != 6 or min(watch["recent"]) < 0,
            "it belongs to no process": len(generators) == 0,
        }
        for fault, found in faults.items():
            if found:
                raise ValueError(fault)
        for own in generators:
            for name in ("play", "learn"):
                np.random.default_rng(0).bit_generator.state = own[name]
    except (KeyError, TypeError, AttributeError) as error:
        raise _made_up(f"something is missing or of another kind ({error})") from None
    except (ValueError, OverflowError) as error:
        raise _made_up(error) from None


def _flat(measured: dict) -> list:
    """Figures, and both ends of intervals."""
    return [x for figure in measured.values() for x in (figure if type(figure) is list else [figure])]


def check_kept_players(watch: dict, kept: bool) -> None:
    """Players of measurements 1, 2, 4, 8 and so on are kept, if any are (`Watch`). Raises BadCheckpoint."""
    if len(watch["kept"]) != (watch["measurements"].bit_length() if kept else 0):
        raise _made_up("it keeps other players than so many measurements leave")


def check_arrays(found: Mapping[str, np.ndarray], like: Mapping[str, np.ndarray], checkers: int) -> None:
    """The learner and the games in progress: arrays `found`, and `like` which such are in freshly made ones.

    Games may have lasted longer than those in `like`. Raises BadCheckpoint.
    """
    for name, wanted in like.items():
        if name not in found or not _fits(found[name], wanted, by_turn=name.startswith("games.") and wanted.ndim > 1):
            raise BadCheckpoint(f"the state of this run doesn't fit its settings: {name} is not as they have it")
    try:
        if "games.boards" in like:
            turns = {found[name].shape[1] for name in like if name.startswith("games.") and like[name].ndim > 1}
            _check_games(found["games.boards"], found["games.turn"], turns - {0}, checkers)
        for counter in {"games.read", "learner.steps"} & like.keys():
            if found[counter][0] < 0:
                raise ValueError(f"{counter} is below 0")
    except ValueError as error:
        raise _made_up(error) from None


def _fits(found: np.ndarray, wanted: np.ndarray, by_turn: bool) -> bool:
    """The same kind and shape; of what is noted `by_turn` the number of turns, axis 1, is free unless it is 0."""
    axes = [axis for axis in range(wanted.ndim) if not (by_turn and axis == 1 and wanted.size)]
    same_kind = (found.dtype, found.ndim) == (wanted.dtype, wanted.ndim)
    return same_kind and all(found.shape[axis] == wanted.shape[axis] for axis in axes)


def _check_games(boards: np.ndarray, turn: np.ndarray, turns: set[int], checkers: int) -> None:
    if turns != {boards.shape[1]} or turn.min() < 0 or turn.max() >= boards.shape[1]:
        raise ValueError("its games have more turns than positions")
    check(boards[np.arange(boards.shape[1]) <= turn[:, None]], checkers)


def check_waiting(boards: np.ndarray, targets: np.ndarray, uses: np.ndarray, checkers: int) -> None:
    """Positions that are still to be learned. Raises BadCheckpoint."""
    n = len(uses) if uses.ndim else 0
    wanted = [(np.int8, (n, 26)), (np.float32, (n, 6)), (np.int8, (n,))]
    if [(a.dtype, a.shape) for a in (boards, targets, uses)] != wanted:
        raise _made_up("positions that wait are not as many as their targets, or of another kind")
    try:
        check(boards, checkers)
    except ValueError as error:
        raise _made_up(error) from None


def _made_up(why: object) -> BadCheckpoint:
    return BadCheckpoint(f"the state of this run is not one that training writes: {why}")
