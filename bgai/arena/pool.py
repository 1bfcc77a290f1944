"""One Elo table of many players who all met each other."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from zlib import crc32

import numpy as np

from bgai.arena.games import play_games
from bgai.arena.players import Player
from bgai.arena.statistics import NORMAL_95, SCEPTICISM, Estimate
from bgai.game import State

_SPREAD = 400 / np.log(10)  # Elo points of a factor e in the odds of winning
_RESAMPLES = 200


@dataclass(frozen=True)
class Rating:
    """A player's Elo rating, 0 being the anchor's, and how many games it rests on."""

    name: str
    elo: Estimate
    games: int


def rate(
    players: dict[str, Player],
    games: int,
    seed: int,
    rules: State | None = None,
    played: dict[tuple[str, str], np.ndarray] | None = None,
    keep: Callable[[tuple[str, str], np.ndarray], None] = lambda names, won: None,
) -> list[Rating]:
    """Ratings of `players`, who are given by their names, the best first; the first one given is the anchor.

    Each plays each other so many games, cubeless or by the `rules` of a match. Their dice follow from the seed and both
    names alone.

    played  meetings that aren't played again: by both names, of every pair of games with the same dice how many the
            first player won, int8[games / 2]
    keep    is given every other one as soon as it has been played

    The intervals come from playing the same pairs of games over, drawn with replacement (bootstrap), among which
    `SCEPTICISM` is added so that somebody who won everything isn't certain to go on like that.
    """
    wins = []
    for names in combinations(players, 2):
        won = (played or {}).get(names)
        if won is None:
            won = _met(players, names, games, seed, rules)
            keep(names, won)
        wins.append(won / 2)
    meetings, rng = list(combinations(range(len(players)), 2)), np.random.default_rng(seed)
    elos = elo_of(meetings, np.array([share.mean() for share in wins]), games)
    drawn = [
        elo_of(meetings, np.array([rng.choice([*share, *SCEPTICISM], len(share)).mean() for share in wins]), games)
        for _ in range(_RESAMPLES)
    ]
    halfwidths = NORMAL_95 * np.std(drawn, axis=0)
    ratings = [
        Rating(name, Estimate(float(e), float(h)), games * (len(players) - 1))
        for name, e, h in zip(players, elos, halfwidths, strict=True)
    ]
    return sorted(ratings, key=lambda rating: -rating.elo.mean)


def _met(players: dict[str, Player], names: tuple[str, str], games: int, seed: int, rules: State | None) -> np.ndarray:
    """What the first of two players won in a meeting, as `rate` takes it."""
    dice = (seed, *(crc32(name.encode(errors="replace")) for name in names))
    a, b = (players[name] for name in names)
    won = play_games(a, b, games, dice, rules).results > 0
    return won.reshape(2, -1).sum(axis=0, dtype=np.int8)


def elo_of(meetings: list[tuple[int, int]], wins: np.ndarray, games: int) -> np.ndarray:
    """Elo ratings, the first player's 0, that make the shares `wins float64[meetings]` of so many games likeliest.

    The Bradley-Terry model, fitted by the iteration of Hunter (2004). A player that won everything would have no
    finite rating, so each meeting is given half a game more for either side.
    """
    won = (wins * games + 0.5) / (games + 1)
    first, second = np.array(meetings).T
    strength = np.ones(max(second) + 1)
    for _ in range(10_000):
        meets = 1 / (strength[first] + strength[second])
        total = np.bincount(first, won, len(strength)) + np.bincount(second, 1 - won, len(strength))
        expected = np.bincount(first, meets, len(strength)) + np.bincount(second, meets, len(strength))
        before, strength = strength, total / expected
        strength /= strength[0]
        if np.abs(np.log(strength / before)).max() < 1e-9:
            break
    return _SPREAD * np.log(strength)
