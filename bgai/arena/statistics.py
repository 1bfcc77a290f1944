"""What games say about two players: points a game, gammons and Elo, each with its 95 % interval."""

from dataclasses import dataclass

import numpy as np

from bgai.arena.games import Games, play_games
from bgai.arena.players import NetPlayer
from bgai.arena.pubeval import Pubeval
from bgai.net.fast import FastNet

NORMAL_95 = 1.959964  # standard errors on either side that hold 95 % of a normal distribution


@dataclass(frozen=True)
class Estimate:
    """A mean and the half width of its 95 % interval."""

    mean: float
    halfwidth: float

    @property
    def ci95(self) -> list[float]:
        """The interval, [low, high]."""
        return [self.mean - self.halfwidth, self.mean + self.halfwidth]


@dataclass(frozen=True)
class Summary:
    """Games between A and B, seen by A. Rates are shares of all games, and a backgammon counts as a gammon too.

    ppg     points a game
    wins    share of games won
    elo     difference of Elo ratings that this share of wins stands for, and its interval [low, high]
    """

    games: int
    ppg: Estimate
    wins: Estimate
    gammons_won: float
    gammons_lost: float
    backgammons_won: float
    backgammons_lost: float
    turns: float
    elo: float
    elo95: list[float]


def of_pairs(values: np.ndarray) -> Estimate:
    """Mean of `values [G]`, games i and i + G/2 having had the same dice; two pairs or more.

    Only pairs are independent of each other, so the interval comes from the spread of their means.
    """
    pairs = values.reshape(2, -1).mean(axis=0, dtype=np.float64)
    error = pairs.std(ddof=1) / np.sqrt(len(pairs))
    return Estimate(float(pairs.mean()), float(NORMAL_95 * error))


def summarise(played: Games) -> Summary:
    """The figures of finished games."""
    games = len(played.outcomes)
    rates = np.bincount(played.outcomes, minlength=6) / games
    wins = of_pairs(played.outcomes < 3)
    return Summary(
        games=games,
        ppg=of_pairs(played.points),
        wins=wins,
        gammons_won=float(rates[1] + rates[2]),
        gammons_lost=float(rates[4] + rates[5]),
        backgammons_won=float(rates[2]),
        backgammons_lost=float(rates[5]),
        turns=float(played.turns.mean()),
        elo=elo(wins.mean, games),
        elo95=[elo(share, games) for share in wins.ci95],
    )


def elo(wins: float, games: int) -> float:
    """Elo difference that a share of `wins` in so many games stands for: 400 log10(wins / losses) (Elo 1978).

    No share is taken for nearer to 0 or 1 than half a game, beyond which so many games can't tell.
    """
    share = min(max(wins, 0.5 / games), 1 - 0.5 / games)
    return float(400 * np.log10(share / (1 - share)))


def points_against_pubeval(net: FastNet, games: int, seed: int) -> tuple[float, float]:
    """Points a game of the network without lookahead against pubeval, cubeless, and the 95 % interval's half width."""
    ppg = of_pairs(play_games(NetPlayer(net), Pubeval(), games, seed).points)
    return ppg.mean, ppg.halfwidth
