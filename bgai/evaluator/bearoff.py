"""Bear-off tables at work: outcomes, exact equities and roll counts of races with all checkers in the home boards.

- Up to six checkers a side: exact, with and without the cube (`bearoff_twosided`).
- Up to 15 a side: from how many rolls each side needs, gammons too (`bearoff_onesided`). Very close, not exact.

The tables are built on first need (seconds) and kept in the cache folder (`bearoff_store`). Boards are `int8[N, 26]`,
seen by the player on roll as everywhere, of a game with 15 checkers a side; a finished game is in no table.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from bgai.board import BAR, CHECKERS, HOME
from bgai.evaluator import bearoff_onesided as onesided
from bgai.evaluator import bearoff_store as store
from bgai.evaluator import bearoff_twosided as twosided
from bgai.evaluator.race_plays import BINOMIAL, POINTS
from bgai.files import cache_dir


class NotInTable(ValueError):
    """A position that the table asked for doesn't hold."""


class Tables(NamedTuple):
    """All float32 and read-only, indexed by `race_plays.index`.

    two_sided  [924, 924, 4]  see `bearoff_twosided.build`
    all_off    [54264, 31]    chance of bearing off all checkers in exactly n rolls
    first_off  [54264, 11]    the same for the first of 15 checkers
    """

    two_sided: np.ndarray
    all_off: np.ndarray
    first_off: np.ndarray


LAYOUT: store.Layout = {
    "two_sided": (twosided.POSITIONS, twosided.POSITIONS, len(twosided.COLUMNS)),
    "all_off": (onesided.POSITIONS, onesided.MAX_ROLLS + 1),
    "first_off": (onesided.POSITIONS, onesided.MAX_ROLLS_FIRST + 1),
}


def path() -> Path:
    """The file that keeps the tables."""
    return cache_dir() / "bearoff.tables"


@lru_cache
def tables() -> Tables:
    """The tables: mapped from their file, or built and kept there if it is missing or damaged."""
    try:
        return Tables(**store.load(path(), LAYOUT))
    except FileNotFoundError:
        pass
    except (OSError, store.DamagedFile) as error:
        warnings.warn(f"the bear-off tables can't be read and are built again: {error}", stacklevel=2)
    with progress_bar() as progress:
        return build(progress)


def build(progress: Callable[[float], None]) -> Tables:
    """`compute` the tables and keep them in `path()`; where that fails, warn: they serve this process all the same."""
    built = compute(progress)
    try:
        store.save(path(), built._asdict())
    except OSError as error:
        warnings.warn(f"the bear-off tables can't be kept for the next time: {error}", stacklevel=2)
    return built


def compute(progress: Callable[[float], None]) -> Tables:
    """Work out the tables, in seconds; `progress` is told the share that is done, up to 1."""
    all_off, first_off = onesided.build(lambda done: progress(done / 2))
    two_sided = twosided.build(lambda done: progress((1 + done) / 2))
    built = Tables(*(np.ascontiguousarray(table, dtype="<f4") for table in (two_sided, all_off, first_off)))
    for table in built:
        table.flags.writeable = False
    return built


@contextmanager
def progress_bar() -> Iterator[Callable[[float], None]]:
    """Show on a terminal how far a `compute` has come; on anything else nothing."""
    from rich.console import Console  # only a build needs it
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("building the bear-off tables", total=1)
        yield lambda done: bar.update(task, completed=done)


def positions(boards: np.ndarray) -> np.ndarray:
    """Table indices of the player on roll and of the opponent, `int32[N, 2]`; -1, -1 where no table applies."""
    found = np.empty((len(boards), 2), dtype=np.int32)
    _positions(boards, found)
    return found


def applies(boards: np.ndarray) -> np.ndarray:
    """`bool[N]`: both sides have all their checkers in their home boards, and the game isn't over."""
    return positions(boards)[:, 0] > 0


def exact(boards: np.ndarray) -> np.ndarray:
    """`bool[N]`: the two-sided table holds it, having at most six checkers on either side."""
    found = positions(boards)
    return (found[:, 0] > 0) & (found < twosided.POSITIONS).all(axis=1)


def fill_outcomes(boards: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Overwrite `outcomes float32[N, 6]` where a table applies, by the best one; return where: `bool[N]`."""
    found = positions(boards)
    _fill_outcomes(found, *tables(), outcomes)
    return found[:, 0] > 0


def outcomes(boards: np.ndarray) -> np.ndarray:
    """Outcomes `float32[N, 6]` by the best table for each board. Raises NotInTable if none applies to some."""
    result = np.empty((len(boards), 6), dtype=np.float32)
    _need(fill_outcomes(boards, result), "all checkers must be in the home boards")
    return result


def equities(boards: np.ndarray) -> np.ndarray:
    """Exact money equities for a cube of 1, `float32[N, 4]`: cubeless, then with this roll thrown without a double and
    the cube centred, owned by the player on roll, owned by the opponent.

    A double that is taken is worth twice the last column, one that is passed 1.
    Raises NotInTable if some board isn't `exact`.
    """
    found = positions(boards)
    _need(exact(boards), "at most six checkers a side, all in the home boards")
    return tables().two_sided[found[:, 0], found[:, 1]]


def _need(held: np.ndarray, what: str) -> None:
    if not held.all():
        raise NotInTable(f"board {int(held.argmin())} isn't in the bear-off table: {what}, and the game not over")


@njit(cache=True, nogil=True)
def _positions(boards, found):
    """`positions`: `race_plays.index` of both sides in one pass from the rear of both home boards."""
    for i in range(len(boards)):
        own, opponent, own_index, opponent_index = 0, 0, 0, 0
        if _both_home(boards[i]):
            for k in range(1, HOME + 1):
                own += boards[i, HOME + 1 - k]
                opponent -= boards[i, POINTS - HOME + k]
                own_index += BINOMIAL[own + k - 1, k]
                opponent_index += BINOMIAL[opponent + k - 1, k]
        over = own == 0 or opponent == 0
        found[i, 0] = -1 if over else own_index
        found[i, 1] = -1 if over else opponent_index


@njit(cache=True, nogil=True)
def _both_home(board):
    own, opponent = 0, 0
    for point in range(BAR + 1):
        if point <= HOME:
            own += board[point]
            opponent -= board[BAR - point]
        elif board[point] > 0 or board[BAR - point] < 0:
            return False
    return own <= CHECKERS and opponent <= CHECKERS  # no index beyond the tables, whatever board was asked for


@njit(cache=True, nogil=True)
def _fill_outcomes(found, two_sided, all_off, first_off, outcomes):
    for i in range(len(found)):
        own, opponent = found[i]
        if own < 0:
            continue
        if own < len(two_sided) and opponent < len(two_sided):
            win = 0.5 + 0.5 * two_sided[own, opponent, 0]
            outcomes[i] = 0
            outcomes[i, 0] = win
            outcomes[i, 3] = 1 - win
        else:
            onesided.outcomes_of(all_off[own], first_off[own], all_off[opponent], first_off[opponent], outcomes[i])
