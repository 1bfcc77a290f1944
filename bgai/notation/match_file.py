"""The record of a match or session: what every match file is read into and written from.

A record says what the rules make of a file. Where a file breaks them, the game is kept up to that point, the rest of
it as text, and a `Fault` tells where and why.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bgai.board import VARIANTS
from bgai.game import State, score_after
from bgai.notation.play_text import format_play
from bgai.notation.position import Position

MAX_BYTES = 16 << 20  # of a file: a long match with another program's analysis has one or two million
MAX_LINES = 200_000
MAX_ACTIONS = 20_000  # in a file: some 20 long matches

CUBE_ACTIONS = ("double", "beaver", "raccoon", "take", "accept", "pass")


class BadMatchFile(ValueError):
    """A file that holds no match at all; the message says what it is, or what one would look like."""


def variant_of(tags: dict[str, str]) -> str:
    """The name in `VARIANTS` that a file's tags tell; backgammon if they tell none that we know."""
    told = tags.get("Variation", "").lower()
    return told if told in VARIANTS else "backgammon"


Moves = tuple[tuple[int, int], ...]  # (from, to) of each checker, seen by the player


def move_array(moves: Moves) -> np.ndarray:
    """Up to four moves as `int8[4, 2]`, unused rows -1."""
    rows = np.full((4, 2), -1, dtype=np.int8)
    rows[: len(moves)] = np.array(moves, dtype=np.int8).reshape(-1, 2)
    return rows


@dataclass(frozen=True)
class Action:
    """One thing that a player did.

    number    of the move: one for each line that a .mat file gives to an action of player 0 and the next of player 1.
              Accepting a beaver has none of its own: whoever does plays on
    player    index into `Match.players`
    kind      "play"; "roll" (thrown, but no play recorded: only before a resignation); one of `CUBE_ACTIONS`; "resign"
    position  before it, with the dice if they were thrown; seen by the player on roll (pending: by who doubled first)
    moves     of a play: (from, to) of each checker, seen by the player; empty if nothing could be played
    level     of a resignation: 1, 2 or 3 for a single game, gammon or backgammon
    """

    number: int
    player: int
    kind: str
    position: Position
    moves: Moves = ()
    level: int = 0

    @property
    def move_array(self) -> np.ndarray:
        """`moves` as `int8[4, 2]`, unused rows -1."""
        return move_array(self.moves)

    @property
    def play(self) -> str:
        """A play as text, "8/5 6/5"."""
        return format_play(self.position.board, self.move_array)


def move_number(before: Sequence[Action], player: int, kind: str) -> int:
    """The number that an action of `player` gets after those `before` it in the game."""
    last = before[-1].number if before else 0
    told = [action.player for action in before[-2:] if action.kind != "accept"]
    same_move = kind == "accept" or (player == 1 and told[-1:] == [0])
    return last if same_move else last + 1


@dataclass(frozen=True)
class Fault:
    """Where a file breaks the rules or contradicts itself. Move 0 is the game as a whole."""

    game: int
    move: int
    why: str

    def __str__(self) -> str:
        where = f"game {self.game}, move {self.move}" if self.move else f"game {self.game}"
        return f"{where}: {self.why}"


@dataclass(frozen=True)
class Game:
    """One game.

    number   as the file has it
    state    at its start, seen by player 0
    actions  all that was done, as far as it is legal
    winner   index into `Match.players`, None if the game was broken off
    points   what it was worth by the rules; surplus points of a match are not cut
    text     lines of the file that are no legal actions: if there are any, `winner` and `points` are the file's word
    """

    number: int
    state: State
    actions: tuple[Action, ...]
    winner: int | None
    points: int
    text: tuple[str, ...] = ()

    @property
    def score_after(self) -> tuple[int, int]:
        """Score of player 0 and 1 after the game."""
        return score_after(self.state, 0 if self.winner is None else (self.points, -self.points)[self.winner])


@dataclass(frozen=True)
class Match:
    """A match, a money session (length 0), or positions alone.

    players    names; player 0 is the left column, or White
    tags       what the file says about the match: place, date, event, ...
    comments   lines of the file that belong to no game
    positions  of a file that shows positions instead of games
    """

    players: tuple[str, str]
    length: int
    games: tuple[Game, ...]
    faults: tuple[Fault, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    comments: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """Score after the last game."""
        return self.games[-1].score_after if self.games else (0, 0)
