"""Adds up the judged games of matches: how well each player played, how lucky they were, and how the chances moved."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bgai.analysis.decisions import ERRORS, MARKS, PR_FACTOR, Decision, JudgedGame
from bgai.lang import say
from bgai.notation.match_file import Game, Match


class JudgedMatch(NamedTuple):
    """A match with what an analysis says of each of its games."""

    match: Match
    games: tuple[JudgedGame, ...]

    def decisions(self) -> Iterator[tuple[int, Game, Decision]]:
        """Every decision with the index of its game and the game."""
        for i, (game, judged) in enumerate(zip(self.match.games, self.games, strict=True)):
            for decision in judged.decisions:
                yield i, game, decision


@dataclass
class PlayerSummary:
    """One player over any number of matches.

    counted   decisions that count; `loss` their EMG, `swing_loss` the match winning chance (points) that it stands for
    errors    how many of each of `ERRORS`, and `lost` how much EMG by them
    marks     how many decisions have each mark
    luck      EMG, and `swing_luck` in match winning chance (points)
    result    sum of match wins (1, 0; in money sessions points won less lost); None while no match was finished
    adjusted  the same, less the luck of both players
    """

    counted: int = 0
    loss: float = 0.0
    swing_loss: float = 0.0
    errors: Counter = field(default_factory=Counter)
    lost: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    marks: Counter = field(default_factory=Counter)
    rolls: int = 0
    luck: float = 0.0
    swing_luck: float = 0.0
    matches: int = 0
    result: float | None = None
    adjusted: float | None = None

    @property
    def performance_rating(self) -> float | None:
        """PR: 500 times the EMG lost for each decision that counts; None without one."""
        return PR_FACTOR * self.loss / self.counted if self.counted else None

    def add(self, other: "PlayerSummary") -> None:
        """Another match of the same player."""
        for name in (
            "counted",
            "loss",
            "swing_loss",
            "errors",
            "marks",
            "rolls",
            "luck",
            "swing_luck",
            "matches",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for error, loss in other.lost.items():
            self.lost[error] += loss
        if other.result is not None:
            self.result = (self.result or 0) + other.result
            self.adjusted = (self.adjusted or 0) + other.adjusted


def summarise(judged: JudgedMatch) -> tuple[PlayerSummary, PlayerSummary]:
    """Both players of one match."""
    players = PlayerSummary(matches=1), PlayerSummary(matches=1)
    for _, _, decision in judged.decisions():
        player = players[decision.player]
        if decision.counts:
            player.counted += 1
            player.loss += decision.loss
            player.swing_loss += decision.loss * decision.swing
        if decision.error:
            player.errors[decision.error] += 1
            player.lost[decision.error] += decision.loss
        if decision.mark:
            player.marks[decision.mark] += 1
    for roll in (roll for game in judged.games for roll in game.rolls):
        player = players[roll.player]
        player.rolls += 1
        player.luck += roll.luck
        player.swing_luck += roll.luck * roll.swing
    result = match_result(judged.match)
    if result is not None:
        ahead = players[0].swing_luck - players[1].swing_luck
        other = 1 - result if judged.match.length else -result
        for player, won, lucky in zip(players, (result, other), (ahead, -ahead), strict=True):
            player.result, player.adjusted = won, won - lucky
    return players


def match_result(match: Match) -> float | None:
    """For player 0: 1 or 0 for a match won or lost, the points won less lost of a money session; None if unfinished."""
    if match.length:
        return float(match.score[0] == match.length) if match.length in match.score else None
    worth = [game.points if game.winner == 0 else -game.points for game in match.games if game.winner is not None]
    return float(sum(worth)) if worth else None


def totals(matches: Iterable[JudgedMatch]) -> dict[str, PlayerSummary]:
    """Every player by name, over many matches."""
    players: dict[str, PlayerSummary] = {}
    for judged in matches:
        for name, summary in zip(judged.match.players, summarise(judged), strict=True):
            players.setdefault(name, PlayerSummary()).add(summary)
    return players


class CurvePoint(NamedTuple):
    """Before a roll: the index of the game and of the action, and what it was worth to player 0 (as `Roll.value`)."""

    game: int
    action: int
    value: float


def curve(judged: JudgedMatch) -> list[CurvePoint]:
    """How player 0's match winning chance moved; in a money session the points so far and the equity of the game."""
    points = []
    for i, (game, each) in enumerate(zip(judged.match.games, judged.games, strict=True)):
        ahead = 0.0 if judged.match.length else float(game.state.score[0] - game.state.score[1])
        points += [CurvePoint(i, roll.action, ahead + roll.value) for roll in each.rolls]
    return points


def summary_lines(players: dict[str, PlayerSummary]) -> list[tuple[str, ...]]:
    """A table: a heading, then what is counted, one column for each player, in the language spoken."""
    rows = [("", *players)]

    def row(name: str, told: Callable[..., str]) -> None:
        rows.append((name, *(told(player) for player in players.values())))

    row("PR", lambda p: "-" if p.performance_rating is None else f"{p.performance_rating:.2f}")
    row(say("decisions"), lambda p: str(p.counted))
    row(say("EMG lost"), lambda p: f"{p.loss:.3f}")
    for error in ERRORS:
        row(say(error), lambda p, error=error: f"{p.errors[error]} ({p.lost[error]:.3f})")
    for _, sign, name in MARKS:
        row(f"{sign} {say(name)}", lambda p, sign=sign: str(p.marks[sign]))
    row(say("luck (EMG)"), lambda p: f"{p.luck:+.3f}")
    row(say("luck (result)"), lambda p: f"{p.swing_luck:+.3f}")
    row(say("result"), lambda p: "-" if p.result is None else f"{p.result:g}")
    row(say("luck-adjusted"), lambda p: "-" if p.adjusted is None else f"{p.adjusted:.3f}")
    return rows
