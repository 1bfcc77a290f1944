"""Plays only as many games as it takes to decide whether one player is stronger than another by a margin.

A 95 % interval is right once, after a number of games fixed beforehand; looked at again and again it excludes the truth
sooner or later. The interval here may be looked at after every batch: with 95 % it holds the truth all the time.
"""

from dataclasses import dataclass

import numpy as np

from bgai.arena.games import Games, check_pairs, joined, play_games
from bgai.arena.luck import Judge
from bgai.arena.players import Player
from bgai.arena.statistics import Estimate
from bgai.game import State

_ALPHA = 0.05
_TIGHTEST_AT = 1000  # pairs
_BATCH = 1000  # games between two looks, an even number


@dataclass(frozen=True)
class Verdict:
    """answer: is A stronger than B by the margin? None: not decided. interval: the one that may be looked at always."""

    answer: bool | None
    interval: Estimate
    played: Games


def decide(
    a: Player,
    b: Player,
    margin: float,
    most: int,
    seed: int,
    rules: State | None = None,
    judge: Judge | None = None,
) -> Verdict:
    """Play until the interval of A's mean result, luck taken out if there is a judge, lies on one side of `margin`.

    most   games at most, an even number; a rest of 2 goes with the batch before
    Raises OddGames, and what `play_games` does.
    """
    check_pairs(most)
    batches: list[Games] = []
    answer, left = None, most
    while answer is None and left:
        games = _BATCH if left >= _BATCH + 4 else left
        left -= games
        batches.append(play_games(a, b, games, (seed, len(batches)), rules, judge))
        played = joined(batches)
        interval = always_valid(played.results - (0 if judge is None else played.luck))
        low, high = interval.ci95
        answer = True if low > margin else False if high < margin else None
    return Verdict(answer, interval, played)


def always_valid(values: np.ndarray) -> Estimate:
    """Mean of `values [G]` in pairs i and i + G/2, with a 95 % interval that holds at all times at once.

    The normal mixture bound of Robbins (1970) with the estimated variance, as Waudby-Smith et al. (2021) justify it.
    """
    pairs = values.reshape(2, -1).mean(axis=0)
    n = len(pairs)
    width = -2 * np.log(_ALPHA)
    rho2 = (width + np.log(width + 1)) / _TIGHTEST_AT
    bound = np.sqrt(2 * (n * rho2 + 1) / (n * n * rho2) * np.log(np.sqrt(n * rho2 + 1) / _ALPHA))
    return Estimate(float(pairs.mean()), float(bound * pairs.std(ddof=1)))
