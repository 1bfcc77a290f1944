"""Asking a trained player from Python: the best plays of a roll, and how the game of a position will end.

What is public here is `bgai.best_plays` and `bgai.evaluate`. Neither imports torch.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from bgai import files
from bgai.board import OUTCOME_POINTS, check, flip, swap_outcomes
from bgai.net.fast import FastNet, load_net
from bgai.notation.play_text import format_play
from bgai.notation.position import Position, parse_position
from bgai.plays import legal_plays_with_moves


class InvalidRoll(ValueError):
    """A roll that two dice can't show, or a position that lacks one."""


@dataclass(frozen=True, eq=False)
class Play:
    """One play of a roll, and what it is worth to the player who makes it.

    play      "8/5 6/5"
    equity    what plays are ranked by, in points for a cube of 1
    cubeless  the same without the cube
    kind      what `equity` is: "cubeless"
    outcomes  float32[6]
    board     int8[26] after the play, still seen by the player who made it
    """

    play: str
    equity: float
    cubeless: float
    kind: str
    outcomes: np.ndarray
    board: np.ndarray


def best_plays(
    position: str | np.ndarray | Position, roll: str | tuple[int, int] | None = None, *, checkpoint: str = "default"
) -> list[Play]:
    """Every play of a roll, best first; an empty list if the roll can't be played.

    position    an XGID, a GNU Position ID with or without Match ID, "start", or a board int8[26], player on roll
    roll        (3, 1) or "31"; not needed where the ID holds one
    checkpoint  a player that ships or the path of a file
    Raises InvalidID, InvalidBoard, InvalidRoll, BadCheckpoint or FileNotFoundError.

    >>> import bgai
    >>> best = bgai.best_plays("start", roll=(3, 1))[0]
    >>> best.play, best.kind
    ('8/5 6/5', 'cubeless')
    """
    position = with_roll(position, roll)
    net = player(checkpoint)
    boards = position.board[None]
    dice = np.array([position.dice], dtype=np.int8)
    plays = legal_plays_with_moves(boards, dice, checkers=net.architecture.checkers)
    if not plays.moved[0]:
        return []
    outcomes = swap_outcomes(net.plays_outcomes(boards, plays))
    equity = outcomes @ OUTCOME_POINTS
    after = flip(plays.boards)
    return [
        Play(
            format_play(position.board, plays.moves[i]),
            float(equity[i]),
            float(equity[i]),
            "cubeless",
            outcomes[i],
            after[i],
        )
        for i in np.argsort(-equity, kind="stable")
    ]


def evaluate(positions: Iterable[str | Position] | np.ndarray, *, checkpoint: str = "default") -> np.ndarray:
    """Outcomes `float32[N, 6]` for the players on roll, before they roll; those of finished games are exact.

    positions   IDs (as for `best_plays`), or boards `int8[N, 26]`
    Raises InvalidID, InvalidBoard, BadCheckpoint or FileNotFoundError.

    >>> import bgai
    >>> outcomes = bgai.evaluate(["start"])
    >>> outcomes.shape, bool(0.5 < outcomes[0, :3].sum() < 0.56)  # an advantage to the player on roll
    ((1, 6), True)
    """
    net = player(checkpoint)
    if not isinstance(positions, np.ndarray):
        positions = np.array([as_position(p).board for p in positions], dtype=np.int8).reshape(-1, 26)
    return net.outcomes(check(positions, net.architecture.checkers))


def parse_roll(roll: str | tuple[int, int]) -> tuple[int, int]:
    """The two dice of "31", "3-1" or (3, 1), the larger first. Raises InvalidRoll.

    >>> parse_roll("16")
    (6, 1)
    """
    dice = [c for c in roll if c not in "-, "] if isinstance(roll, str) else list(roll)
    if len(dice) != 2 or not all(str(die) in ("1", "2", "3", "4", "5", "6") for die in dice):
        raise InvalidRoll(f"{str(roll)[:20]!r} is no roll: give two dice from 1 to 6, such as 31")
    larger, smaller = sorted((int(die) for die in dice), reverse=True)
    return larger, smaller


def as_position(position: str | np.ndarray | Position) -> Position:
    """The position that an ID, a board or a `Position` stands for."""
    if isinstance(position, Position):
        return position
    return parse_position(position) if isinstance(position, str) else Position(position)


def with_roll(position: str | np.ndarray | Position, roll: str | tuple[int, int] | None = None) -> Position:
    """The position with `roll` to be played, or with its own where that is None. Raises InvalidRoll if it has none."""
    position = as_position(position)
    if roll is not None:
        return replace(position, dice=parse_roll(roll))
    if position.dice is None:
        raise InvalidRoll("the position has no roll: give one, such as 31")
    return position


def player(checkpoint: str) -> FastNet:
    """The network of a checkpoint; it is read only once as long as the file doesn't change."""
    path = files.checkpoint(checkpoint)
    return _load(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _load(path: Path, changed: int) -> FastNet:
    return load_net(path)
