"""Match equity tables: the chance to win the match at every score, loaded, extended and computed.

A table comes from a CSV file, by default the Kazaross-XG2 table. For longer matches it is extended, and an own table
is computed, in the same way: the match winning chance of a score is the cubeful value, by `cube_match`, of a game that
begins there, with equal chances for both sides and one rate of gammons for all scores. The scores nearest to the
end of the match come first, each one resting on those that the game can lead to.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numba import njit

from bgai.board import swap_outcomes
from bgai.evaluator.cube_match import match_values
from bgai.files import data_file

KAZAROSS_XG2 = data_file("kazaross_xg2.csv")
LONGEST = 64  # points; from further away the trailer's chance drowns in rounding
MAX_BYTES = 1 << 20  # a table of 64 points takes less than 50 kB
ROUNDING = 0.011  # tables of two digits are welcome
POST_CRAWFORD = "post-crawford"  # heads the last line of a CSV file

# Sensible play from the starting position, both sides alike: 26 % of games end in a gammon, 1 % in a backgammon.
SENSIBLE_GAME = np.array([0.365, 0.13, 0.005] * 2)
WHOLE_GAME_EFFICIENCY = 0.75  # of the cube: so a computed table comes nearest to the Kazaross-XG2 table


class InvalidTable(ValueError):
    """A file that is no match equity table, or a score beyond every table; the message says where and what is wrong."""


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """Match winning chances `mwc` float64[2, n + 1, n + 1], for matches of up to n points.

    mwc[post_crawford, i, j] is the chance of the player who needs i points against one who needs j; row 0 is the match
    won, column 0 lost. In table 0 the game at 1-away is the Crawford game; in table 1 it has been played.
    """

    name: str
    mwc: np.ndarray

    @property
    def length(self) -> int:
        """Points of the longest match that the table covers."""
        return self.mwc.shape[1] - 1

    def extended(self, length: int) -> "MatchEquityTable":
        """This table, or one that agrees with it and covers `length` points. InvalidTable beyond `LONGEST`."""
        return self if length <= self.length else _extended(self, length)


def load_table(path: str | Path) -> MatchEquityTable:
    """Read a match equity table from a CSV file.

    n lines of n numbers: line i, column j is the chance (0 to 1) of the player who needs i points against one who needs
    j, where line 1 and column 1 are the Crawford game; then a line that begins with "post-crawford": the trailer's
    chances, needing 1 to n points, against 1-away after the Crawford game. Lines beginning with # are comments.
    Raises InvalidTable naming the line and what is wrong with it, and OSError if the file can't be read.
    """
    path = Path(path)
    with path.open(encoding="utf-8", errors="replace") as file:
        text = file.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise InvalidTable(f"{path}: no match equity table is larger than {MAX_BYTES} bytes")
    numbered = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    lines = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    if len(lines) < 2 or not lines[-1][1].lower().startswith(POST_CRAWFORD):
        raise InvalidTable(f'{path}: after n lines of n chances there must be a last line "{POST_CRAWFORD},0.5,..."')
    rows = [_row(path, number, line.split(",")) for number, line in lines[:-1]]
    rows.append(_row(path, lines[-1][0], lines[-1][1].split(",")[1:]))
    n = len(rows) - 1
    if n > LONGEST:
        raise InvalidTable(f"{path}: {n} lines; a table covers at most {LONGEST} points")
    for (number, _), row in zip(lines, rows, strict=True):
        if len(row) != n:
            raise InvalidTable(f"{path}, line {number}: {len(row)} chances, but a table of {n} lines needs {n}")
    return MatchEquityTable(path.stem, _checked(_table(np.array(rows[:-1]), np.array(rows[-1])), str(path)))


def _row(path: Path, number: int, cells: list[str]) -> list[float]:
    try:
        return [float(cell) for cell in cells]
    except ValueError as error:
        raise InvalidTable(f"{path}, line {number}: {error}; a chance is a number from 0 to 1") from None


def _table(before: np.ndarray, post_crawford: np.ndarray) -> np.ndarray:
    """Both tables `float64[2, n + 1, n + 1]` from chances float[n, n] and the trailer's post-Crawford ones float[n]."""
    n = len(before)
    mwc = np.full((2, n + 1, n + 1), np.nan)  # that both have won never happens
    mwc[:, 0, 1:] = 1.0
    mwc[:, 1:, 0] = 0.0
    mwc[:, 1:, 1:] = before
    mwc[1, 1, 1:] = 1.0 - post_crawford
    mwc[1, 1:, 1] = post_crawford
    return mwc


def _checked(mwc: np.ndarray, source: str) -> np.ndarray:
    """`mwc`, both sides of a score adding up to 1 exactly; InvalidTable if these are no match winning chances."""
    chances = mwc[:, 1:, 1:]
    others = 1.0 - chances.transpose(0, 2, 1)
    won, lost = mwc[:, :-1, 1:], mwc[:, 1:, :-1]  # after one point for either side
    better = won > lost
    better[1] |= won[1] == lost[1]  # such scores of both sides beyond 1-away don't occur after the Crawford game
    faults = (
        (~((chances > 0) & (chances < 1)), "the chance {:g} is not between 0 and 1"),
        (np.abs(chances - others) > ROUNDING, "the chance {:g} and that of the other side don't add up to 1"),
        (~better, "at {:g} a point won would not be better than a point lost"),
    )
    for fault, what in faults:
        if fault.any():
            post_crawford, i, j = np.argwhere(fault)[0]
            where = f"{i + 1}-away against {j + 1}-away{' post-Crawford' if post_crawford else ''}"
            raise InvalidTable(f"{source}: {where}: {what.format(chances[post_crawford, i, j])}")
    mwc[:, 1:, 1:] = (chances + others) / 2.0
    return mwc


@cache
def default_table() -> MatchEquityTable:
    """The Kazaross-XG2 table, 25 points."""
    return load_table(KAZAROSS_XG2)


def computed_table(outcomes: np.ndarray, length: int) -> MatchEquityTable:
    """A table for `length` points from the outcomes of games played from the start.

    outcomes   float[6], exclusive, of the side that begins; both sides begin equally often, so wins and losses are
               averaged, and what remains are the rates of gammons and backgammons
    """
    outcomes = np.asarray(outcomes, dtype=np.float64)
    start = MatchEquityTable("computed", np.full((2, 1, 1), np.nan))
    return _longer(start, length, (outcomes + swap_outcomes(outcomes)) / 2)


@cache
def _extended(table: MatchEquityTable, length: int) -> MatchEquityTable:
    return _longer(table, length, SENSIBLE_GAME)


def _longer(table: MatchEquityTable, length: int, outcomes: np.ndarray) -> MatchEquityTable:
    if length > LONGEST:
        raise InvalidTable(f"a match to {length} points; match equity tables reach up to {LONGEST}")
    mwc = _table(np.empty((length, length)), np.empty(length))
    known = table.length + 1
    mwc[:, :known, :known] = table.mwc
    _fill(mwc, known, outcomes, WHOLE_GAME_EFFICIENCY)
    return MatchEquityTable(table.name, mwc)


@njit(cache=True)
def _fill(mwc, first, outcomes, efficiency):
    """Compute all scores at which a side needs `first` points or more, each from scores nearer to the end."""
    for i in range(first, mwc.shape[1]):
        for j in range(1, i + 1):
            for post_crawford in range(1, -1, -1) if j == 1 else range(1):
                # Post-Crawford the leader is taken to be on roll: the trailer, whose double is free, will make it.
                crawford = j == 1 and post_crawford == 0
                levels = 1 if crawford else cube_levels(1, i)
                after = game_ends(mwc[1 if j == 1 else 0], j, i, 1, levels)
                values = np.empty(1 + 2 * levels)
                match_values(outcomes, efficiency, after, values)
                mwc[post_crawford, j, i] = values[0]
                mwc[post_crawford, i, j] = 1.0 - values[0]
                if j > 1:  # both need more than one point: Crawford is still to come, and table 1 isn't read here
                    mwc[1, j, i], mwc[1, i, j] = mwc[0, j, i], mwc[0, i, j]


@njit(cache=True)
def cube_levels(cube, away):
    """How many cube levels (`cube`, doubled, ...) there are up to the first that gives `away` points."""
    levels = 1
    while cube < away:
        cube *= 2
        levels += 1
    return levels


@njit(cache=True)
def game_ends(mwc, away, opponent_away, cube, levels):
    """Match winning chance of a player when the game ends with each outcome at each cube level, `float64[levels, 6]`.

    mwc       float64[n + 1, n + 1], the table that holds after this game
    away      points that the player needs, and `opponent_away` the opponent
    cube      value of the cube at level 0
    """
    after = np.empty((levels, 6))
    for level in range(levels):
        for times in range(1, 4):
            points = times * cube << level
            after[level, times - 1] = mwc[max(away - points, 0), opponent_away]
            after[level, times + 2] = mwc[away, max(opponent_away - points, 0)]
    return after
