"""What games say about two players: points a game, matches won, gammons and Elo, with 95 % intervals."""

from dataclasses import dataclass

import numpy as np

from bgai.arena.games import LOST_BY_PASS, WON_BY_PASS, Games, play_games
from bgai.arena.players import BareNetwork, Player
from bgai.board import START
from bgai.net.net import Net

NORMAL_95 = 1.959964  # standard errors on either side that hold 95 % of a normal distribution
SCEPTICISM = (1.0, 0.0)  # pairs of games won and lost that are added where an interval of a share is wanted


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
    """Games or matches between A and B, seen by A. A backgammon counts as a gammon too.

    games     how many, in matches all their games; `turns`: rolls of each, by both
    matches   how many; 0: these aren't matches
    mean      points a game, or the share of matches won
    adjusted  the same with luck taken out; None without a judge
    wins      share won, of the games or matches, and its interval [low, high]
    gammons_won, ...  shares of all games
    elo       difference of Elo ratings that the share of wins stands for, and its interval
    """

    games: int
    matches: int
    turns: float
    mean: Estimate
    adjusted: Estimate | None
    wins: float
    wins95: list[float]
    gammons_won: float
    gammons_lost: float
    backgammons_won: float
    backgammons_lost: float
    won_by_pass: float
    lost_by_pass: float
    elo: float
    elo95: list[float]


def of_pairs(values: np.ndarray) -> Estimate:
    """Mean of `values [G]`, games i and i + G/2 having had the same dice; two pairs or more.

    Only pairs are independent of each other, so the interval comes from the spread of their means.
    """
    return _of_independent(values.reshape(2, -1).mean(axis=0, dtype=np.float64))


def share_of_pairs(won: np.ndarray) -> list[float]:
    """95 % interval [low, high] of the share of games `won bool[G]`, in pairs as in `of_pairs`.

    One pair won and one lost are added, as Agresti and Coull (1998) add two successes and two failures: without them
    there would be no doubt left once all games are won.
    """
    low, high = _of_independent(np.append(won.reshape(2, -1).mean(axis=0), SCEPTICISM)).ci95
    return [max(low, 0.0), min(high, 1.0)]


def _of_independent(values: np.ndarray) -> Estimate:
    error = values.std(ddof=1) / np.sqrt(len(values))
    return Estimate(float(values.mean()), float(NORMAL_95 * error))


def summarise(played: Games, matches: bool = False) -> Summary:
    """The figures of finished games or matches."""
    games = int(played.ends.sum())
    rates = played.ends / games
    units = len(played.results)
    wins, wins95 = float((played.results > 0).mean()), share_of_pairs(played.results > 0)
    return Summary(
        games=games,
        matches=units if matches else 0,
        turns=float(played.turns.sum() / games),
        mean=of_pairs(played.results),
        adjusted=None if played.luck is None else of_pairs(played.results - played.luck),
        wins=wins,
        wins95=wins95,
        gammons_won=float(rates[1] + rates[2]),
        gammons_lost=float(rates[4] + rates[5]),
        backgammons_won=float(rates[2]),
        backgammons_lost=float(rates[5]),
        won_by_pass=float(rates[WON_BY_PASS]),
        lost_by_pass=float(rates[LOST_BY_PASS]),
        elo=elo(wins, units),
        elo95=[elo(share, units) for share in wins95],
    )


def elo(wins: float, games: int) -> float:
    """Elo difference that a share of `wins` in so many games stands for: 400 log10(wins / losses) (Elo 1978).

    No share is taken for nearer to 0 or 1 than half a game, beyond which so many games can't tell.
    """
    share = min(max(wins, 0.5 / games), 1 - 0.5 / games)
    return float(400 * np.log10(share / (1 - share)))


def points_against(
    opponent: Player, net: Net, games: int, seed: int | tuple[int, ...], start: np.ndarray = START
) -> tuple[float, float]:
    """Points a game of the bare network, cubeless and from the board `start`, and the half width of the 95 %
    interval."""
    ppg = of_pairs(play_games(BareNetwork(net), opponent, games, seed, start=start).results)
    return ppg.mean, ppg.halfwidth
