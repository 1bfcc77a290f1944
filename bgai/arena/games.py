"""Games between two players, thousands at a time, with duplicate dice.

Each sequence of dice is played twice with the seats exchanged: what luck gives to one player in one game of such a pair
it gives to the other in the second. A pair is the unit of the statistics, since its two games hang together.
"""

from typing import NamedTuple

import numpy as np

from bgai.arena.players import Player
from bgai.board import OUTCOME_POINTS, START, outcome, swap_outcomes
from bgai.game import opening_rolls

_SEEN_BY_OTHER = swap_outcomes(np.arange(6))  # index of an outcome, seen by the other player


class OddGames(ValueError):
    """A number of games that isn't made of pairs, or of too few for an interval."""


class Games(NamedTuple):
    """Finished games between players A and B. Games i and i + G/2 are a pair; A starts in the first half.

    outcomes  int8[G]   index into `board.OUTCOMES`, for A
    turns     int64[G]  rolls thrown, by both
    """

    outcomes: np.ndarray
    turns: np.ndarray

    @property
    def points(self) -> np.ndarray:
        """Cubeless points for A, `float32[G]`."""
        return OUTCOME_POINTS[self.outcomes]


def play_games(a: Player, b: Player, games: int, seed: int) -> Games:
    """Play cubeless money games in pairs of the same dice, the first roll by R2; the same `seed` gives the same games.

    Raises OddGames for an odd number of games, or fewer than two pairs.
    """
    if games < 4 or games % 2:
        raise OddGames(f"{games} games: duplicate dice need an even number, of 4 or more for an interval")
    rng = np.random.default_rng(seed)
    pairs = games // 2
    boards = np.tile(START, (games, 1))
    outcomes = np.empty(games, dtype=np.int8)
    turns = np.zeros(games, dtype=np.int64)
    a_on_roll = np.arange(games) < pairs
    running = np.arange(games)
    dice, _ = opening_rolls(rng, pairs)
    while len(running):
        for player, games_on_roll in ((a, running[a_on_roll[running]]), (b, running[~a_on_roll[running]])):
            if len(games_on_roll):
                boards[games_on_roll] = player.play(boards[games_on_roll], dice[games_on_roll % pairs])
        turns[running] += 1
        a_on_roll = ~a_on_roll
        over = (boards[running] >= 0).all(axis=1)  # the player who has moved, seen by the other, has nothing left (R26)
        ended = running[over]
        for_player_on_roll = outcome(boards[ended])
        outcomes[ended] = np.where(a_on_roll[ended], for_player_on_roll, _SEEN_BY_OTHER[for_player_on_roll])
        running = running[~over]
        dice = rng.integers(1, 7, (pairs, 2), dtype=np.int8)
    return Games(outcomes, turns)
