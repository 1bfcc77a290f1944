"""Calibration: of the positions in which a network expects something of 30 %, does it happen in 30 %?

What is tested is the network's opinion of its own play, over all positions of games against itself.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bgai.arena.phases import PHASES, phase
from bgai.arena.statistics import NORMAL_95, Estimate
from bgai.board import OUTCOMES, START, UNFINISHED, outcome, swap_outcomes
from bgai.game import opening_rolls
from bgai.net.net import Net

BINS = 10  # of the expected chance
FEWEST_GAMES = 100  # on which a range has to rest for its interval to be of use


class Seen(NamedTuple):
    """Positions of finished games: boards `int8[M, 26]` before the roll, the game of each `int64[M]`, and its outcome
    for the player on roll there, `int8[M]`."""

    boards: np.ndarray
    games: np.ndarray
    outcomes: np.ndarray


@dataclass(frozen=True)
class Line:
    """One outcome in one phase, or in all of them ("all"), where the expected chance lies in [low, high].

    games   how many of them the positions come from
    error   actual rate less expected one; positions of one game hang together, so its interval counts games
    """

    phase: str
    outcome: str
    low: float
    high: float
    positions: int
    games: int
    expected: float
    actual: float
    error: Estimate

    @property
    def whole(self) -> bool:
        """This is the line over all chances, not one range of them."""
        return (self.low, self.high) == (0, 1)


def self_play(net: Net, games: int, seed: int) -> Seen:
    """All positions of cubeless games that the network plays against itself, the start (before the opening roll, which
    is never a double) left out."""
    rng = np.random.default_rng(seed)
    boards = np.tile(START, (games, 1))
    running = np.arange(games)
    dice, _ = opening_rolls(rng, games)
    seen: list[np.ndarray] = []
    turns: list[np.ndarray] = []
    final = np.zeros(games, dtype=np.int8)  # outcome for who is on roll when the game is over
    length = np.zeros(games, dtype=np.int64)
    while len(running):
        boards = net.best(boards, dice)[0]
        ended = outcome(boards)
        over = ended != UNFINISHED
        final[running[over]], length[running[over]] = ended[over], len(seen)
        boards, running = boards[~over], running[~over]
        seen.append(boards)
        turns.append(running)
        dice = rng.integers(1, 7, (len(running), 2), dtype=np.int8)
    played = np.concatenate(turns)
    turn = np.repeat(np.arange(len(turns)), [len(games_then) for games_then in turns])
    other = (length[played] - turn) % 2 == 1
    outcomes = np.where(other, swap_outcomes(np.arange(6))[final[played]], final[played])
    return Seen(np.concatenate(seen), played, outcomes.astype(np.int8))


def calibration(net: Net, games: int, seed: int) -> list[Line]:
    """For every phase and outcome a line over all positions, then one for each of ten ranges of the expected chance."""
    seen = self_play(net, games, seed)
    expected = net.outcomes(seen.boards)
    phases = phase(seen.boards)
    lines = []
    for name, among in (("all", np.full(len(phases), True)), *((p, phases == i) for i, p in enumerate(PHASES))):
        for k in range(len(OUTCOMES)):
            chances, happened, of_game = expected[among, k], seen.outcomes[among] == k, seen.games[among]
            ranges = [(0.0, 1.0), *((i / BINS, (i + 1) / BINS) for i in range(BINS))]
            for low, high in ranges:
                inside = (chances >= low) & ((chances < high) | (high == 1))
                if inside.any():
                    lines.append(_line(name, k, low, high, chances[inside], happened[inside], of_game[inside]))
    return lines


def _line(
    name: str, k: int, low: float, high: float, chances: np.ndarray, happened: np.ndarray, of_game: np.ndarray
) -> Line:
    difference = happened - chances.astype(np.float64)
    by_game = np.bincount(of_game, weights=difference - difference.mean())
    halfwidth = NORMAL_95 * np.sqrt((by_game**2).sum()) / len(chances)
    error = Estimate(float(difference.mean()), float(halfwidth))
    games = len(np.unique(of_game))
    expected, actual = float(chances.mean()), float(happened.mean())
    return Line(name, OUTCOMES[k], low, high, len(chances), games, expected, actual, error)
