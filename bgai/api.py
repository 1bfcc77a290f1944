"""Asking a trained player from Python: the best plays of a roll, the cube action, and how a game will end.

What is public here is `bgai.best_plays`, `bgai.cube_decision` and `bgai.evaluate`. None imports torch.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from bgai import files
from bgai.board import CHECKERS, check, flip, on_board
from bgai.evaluator import answers, search
from bgai.evaluator.decision import CubeDecision
from bgai.game import State
from bgai.lang import say
from bgai.net.fast import FastNet, load_net
from bgai.net.net import Net
from bgai.notation.play_text import format_play
from bgai.notation.position import Position, parse_position
from bgai.plays import legal_plays_with_moves


class InvalidRoll(ValueError):
    """A roll that two dice can't show, or a position that lacks one."""


class NothingToDecide(ValueError):
    """A question that the position doesn't put: the game is over, or something else has to be decided first."""


class InvalidSearch(ValueError):
    """A depth or filter of lookahead that there isn't."""


class WrongVariant(ValueError):
    """A position of a variant that the player hasn't learned."""


@dataclass(frozen=True, eq=False)
class Play:
    """One play of a roll, and what it is worth to the player who makes it.

    play      "8/5 6/5"
    ply       the lookahead with which it was judged
    equity    what plays of the same ply are ranked by, in EMG
    cubeless  points of a game without cube
    kind      what `equity` is: "cubeless", "cubeful", or "mwc" where it stands for a match winning chance
    outcomes  float32[6]
    board     int8[26] after the play, still seen by the player who made it
    """

    play: str
    ply: int
    equity: float
    cubeless: float
    kind: str
    outcomes: np.ndarray
    board: np.ndarray


def best_plays(
    position: str | np.ndarray | Position,
    roll: str | tuple[int, int] | None = None,
    *,
    checkpoint: str | Path = "default",
    ply: int = 0,
    filter: str = "normal",
    cubeful: bool = True,
) -> list[Play]:
    """Every play of a roll, best first; an empty list if the roll can't be played.

    position    an XGID, a GNU Position ID with or without Match ID, "start" and so on, or a board int8[26], player
                on roll
    roll        (3, 1) or "31"; not needed where the ID holds one
    checkpoint  a player that ships or the path of a file
    ply         rolls of lookahead, 0 to 4
    filter      which plays are looked into deeper: "fast", "normal", "wide" or "full" (`search.FILTERS`). The others
                stay judged at less ply, and come after those at more
    cubeful     rank by equity with the cube, in a match by match winning chance; else as if nobody could double
    Raises InvalidID, InvalidBoard, InvalidRoll, NothingToDecide, InvalidSearch, WrongVariant, BadCheckpoint,
    FileNotFoundError, or InvalidTable where a player is more than 64 points away from winning the match.

    >>> import bgai
    >>> best = bgai.best_plays("start", roll=(3, 1))[0]
    >>> best.play, best.kind
    ('8/5 6/5', 'cubeful')
    """
    net = player(checkpoint)
    position = fitted(with_roll(position, roll), net)
    dice = np.array([position.dice], dtype=np.int8)
    plays = legal_plays_with_moves(position.board[None], dice, checkers=position.checkers)
    if not plays.moved[0]:
        return []
    judged = answers.judge(
        net, position.board, plays, position.state, checked_ply(ply), _filter(filter), cubeful=cubeful
    )
    after = flip(plays.boards)
    cubeless = judged.cubeless
    return [
        Play(
            format_play(position.board, plays.moves[i]),
            int(judged.ply[i]),
            float(judged.equity[i]),
            float(cubeless[i]),
            kind_of(position.state, cubeful),
            judged.outcomes[i].astype(np.float32),
            after[i],
        )
        for i in judged.ranking(plays.offsets)
    ]


def cube_decision(
    position: str | np.ndarray | Position, *, checkpoint: str | Path = "default", ply: int = 0
) -> CubeDecision:
    """What to do with the cube: whether to double and to take, or the answer to the cube that is pending.

    position and the rest as for `best_plays`; it must be before the roll.
    Raises what `best_plays` raises, InvalidRoll excepted.

    >>> import bgai
    >>> bgai.cube_decision("start").action
    'no double/take'
    """
    net = player(checkpoint)
    position = fitted(before_roll(position), net)
    return answers.cube_decision(net, position.board, position.state, checked_ply(ply))


def evaluate(
    positions: str | Iterable[str | Position] | np.ndarray, *, checkpoint: str | Path = "default", ply: int = 0
) -> np.ndarray:
    """Outcomes `float32[N, 6]` for the players on roll, before they roll, in money games; those of finished games are
    exact.

    positions   one ID (as for `best_plays`) or several, or boards `int8[N, 26]` or one `int8[26]`
    ply         rolls of lookahead, 0 to 4
    Raises InvalidID, InvalidBoard, InvalidSearch, WrongVariant, BadCheckpoint or FileNotFoundError.

    >>> import bgai
    >>> outcomes = bgai.evaluate("start")
    >>> outcomes.shape, bool(0.5 < outcomes[0, :3].sum() < 0.56)  # an advantage to the player on roll
    ((1, 6), True)
    """
    net = player(checkpoint)
    if isinstance(positions, str):
        positions = [positions]
    if not isinstance(positions, np.ndarray):
        positions = np.array([fitted(as_position(p), net).board for p in positions], dtype=np.int8).reshape(-1, 26)
    boards = check(positions, net.architecture.checkers).reshape(-1, 26)
    return search.evaluate(net, boards, search.sides_of(State()), checked_ply(ply)).outcomes.astype(np.float32)


def kind_of(state: State, cubeful: bool) -> str:
    """The name of the equities that plays are ranked by."""
    if not cubeful:
        return "cubeless"
    return "mwc" if state.length else "cubeful"


def checked_ply(ply: int) -> int:
    """`ply`, or InvalidSearch if nobody looks so far ahead."""
    if not 0 <= ply <= search.MAX_PLY:
        raise InvalidSearch(f"{ply}-ply: lookahead goes from 0 to {search.MAX_PLY} rolls")
    return ply


def _filter(name: str) -> search.Filter:
    if name not in search.FILTERS:
        raise InvalidSearch(f"there is no filter {name[:20]!r}: give {', '.join(search.FILTERS)}")
    return search.FILTERS[name]


def parse_roll(roll: str | tuple[int | str, int | str]) -> tuple[int, int]:
    """The two dice of "31", "3-1" or (3, 1), the larger first. Raises InvalidRoll.

    >>> parse_roll("16")
    (6, 1)
    """
    dice = [c for c in roll if c not in "-, "] if isinstance(roll, str) else list(roll)
    if len(dice) != 2 or not all(str(die) in ("1", "2", "3", "4", "5", "6") for die in dice):
        raise InvalidRoll(say("{roll!r} is no roll: give two dice from 1 to 6, such as 31", roll=str(roll)[:20]))
    larger, smaller = sorted((int(die) for die in dice), reverse=True)
    return larger, smaller


def as_position(position: str | np.ndarray | Position) -> Position:
    """The position that an ID, a board or a `Position` stands for."""
    if isinstance(position, Position):
        return position
    return parse_position(position) if isinstance(position, str) else Position(position)


def fitted(position: Position, net: Net) -> Position:
    """The position with as many checkers a side as the network plays with, which an ID doesn't tell.

    Raises WrongVariant if the position has another number, or more on the board.
    """
    checkers = net.architecture.checkers
    too_many = max(on_board(position.board)) > checkers
    if position.checkers != checkers and (position.checkers != CHECKERS or too_many):
        raise WrongVariant(
            f"this player has learned to play with {checkers} checkers a side, not with {position.checkers}: give "
            "another one by --checkpoint (bgai train experiment=quick variant=hypergammon trains one for 3)"
        )
    return replace(position, checkers=checkers)


def with_roll(position: str | np.ndarray | Position, roll: str | tuple[int, int] | None = None) -> Position:
    """The position with `roll` to be played, or with its own where that is None.

    Raises InvalidRoll if it has none, NothingToDecide if no roll can be played now.
    """
    position = as_position(position)
    _check_going_on(position)
    if position.state.pending:
        raise NothingToDecide(f"a {position.state.pending} waits for an answer, before any roll: ask bgai cube")
    if roll is not None:
        return replace(position, dice=parse_roll(roll))
    if position.dice is None:
        raise InvalidRoll("the position has no roll: give one, such as 31")
    return position


def before_roll(position: str | np.ndarray | Position) -> Position:
    """The position, before the roll. Raises NothingToDecide if the dice are thrown or the game is over."""
    position = as_position(position)
    _check_going_on(position)
    if position.dice:
        raise NothingToDecide("the dice are thrown, and a double comes before the roll (R32): leave the roll out")
    return position


def _check_going_on(position: Position) -> None:
    if position.ended:
        raise NothingToDecide(f"the game was {position.ended}: there is nothing to decide")
    if position.finished:
        raise NothingToDecide("the game is over: there is nothing to decide")


def player(checkpoint: str | Path) -> FastNet:
    """The network of a checkpoint; it is read only once as long as the file doesn't change."""
    path = files.checkpoint(checkpoint)
    return _load(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _load(path: Path, changed: int) -> FastNet:
    return load_net(path)
