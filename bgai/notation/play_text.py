"""Plays as players write them: `24/18*/13`, `bar/20 6/4*(2)`, `6/off(2)`.

Each part is one checker's way, from and to; a star is a hit, and a point passed on the way is named when it is hit on.
A number in brackets says how many checkers go that way. People are read more freely than that: `24-18`, `25/20`, `6/0`,
parts in any order, checkers one by one, stars left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bgai.board import BAR
from bgai.lang import say

NO_PLAY = "no play"

_NO_PLAY_WORDS = (NO_PLAY, "no move", "cannot move", "can't move", "dance", "dances")
_OFF = 0
_NAMES = {BAR: "bar", _OFF: "off"}
_PLACES = {"bar": BAR, "off": _OFF}
_PLACE = r"(?:bar|off|[0-9]{1,2})\*?"
_PART = re.compile(rf"({_PLACE}(?:[/-]{_PLACE})+)(?:\(([1-4])\))?")
_LONGEST_TEXT = 100


class InvalidPlay(ValueError):
    """Text that isn't a play, or a play that the rules don't allow; the message says which rule or die forbids it."""


def format_play(board: np.ndarray, moves: np.ndarray) -> str:
    """The play that makes `moves` int8[4, 2] (from, to; unused rows -1) on `board` int8[26], both seen by who moves."""
    ways: list[list[int]] = []
    for source, target in sorted((move for move in moves.tolist() if move[0] >= 0), reverse=True):
        arrived = next((way for way in ways if way[-1] == source), None)
        if arrived:
            arrived.append(target)
        else:
            ways.append([source, target])
    blots = {point for point in range(1, 25) if board[point] == -1}
    parts = []
    for way, times in sorted(Counter(map(tuple, ways)).items(), reverse=True):
        text = _name(way[0])
        for place in way[1:]:
            if place in blots:
                blots.remove(place)  # whoever comes later finds nothing to hit
                text += f"/{_name(place)}*"
            elif place == way[-1]:
                text += f"/{_name(place)}"
        parts.append(text if times == 1 else f"{text}({times})")
    return " ".join(parts) or NO_PLAY


def parse_play(text: str, board: np.ndarray, dice: tuple[int, int]) -> int:
    """Which of the legal plays `text` names: its index in `legal_plays_with_moves(board[None], [dice])`.

    Raises InvalidPlay with the reason: not understood, not legal, or one of two plays that hit on different points.
    """
    from bgai.plays import legal_plays_with_moves  # here, for its kernels take long to load

    plays = legal_plays_with_moves(board[None], np.array([dice], dtype=np.int8), flipped=False)
    roll = "{}{}".format(*sorted(map(int, dice), reverse=True))
    example = say("for example {play}", play=format_play(board, plays.moves[0]))
    text = " ".join(text.lower().replace(",", " ").split())
    if text in _NO_PLAY_WORDS:
        if plays.moved[0]:
            raise InvalidPlay(say("{roll} can be played and so must be, {example} (R13)", roll=roll, example=example))
        return 0
    ways = _read(text)
    moves = Counter(map(int, dice)) if dice[0] != dice[1] else Counter({int(dice[0]): 4})
    reached = list(_reach(_Reached(board.tolist(), tuple(way.places for way in ways), moves)))
    ends = [at for at in reached if not at.ways]
    if not plays.moved[0]:
        why = _why_stuck(reached)
        raise InvalidPlay(
            say("{roll} can't be played, the turn passes ({no_play!r}): {why}", roll=roll, no_play=NO_PLAY, why=why)
        )
    if not ends:
        raise InvalidPlay(_not_legal(text, roll, _why_stuck(reached)))
    index_of = {tuple(result): i for i, result in enumerate(plays.boards.tolist())}
    legal = [(end.hits, index_of[tuple(end.board)]) for end in ends if tuple(end.board) in index_of]
    if not legal:
        why = _why_incomplete(plays.moves, ends[0].dice, dice)
        raise InvalidPlay(_not_legal(text, roll, f"{why}, {example}"))
    return _the_one_meant(text, legal, ways, lambda i: format_play(board, plays.moves[i]))


def _not_legal(text: str, roll: str, why: str) -> str:
    return say("{text} is not legal with {roll}: {why}", text=text, roll=roll, why=why)


def _name(place: int) -> str:
    return _NAMES.get(place, str(place))


class _Way(NamedTuple):
    """One checker's way as typed: the places it names, the first being where it stands, and those with a star."""

    places: tuple[int, ...]
    stars: frozenset[int]


def _read(text: str) -> list[_Way]:
    """The typed ways, one for each checker. Raises InvalidPlay where the text isn't in the field's manner."""
    if not text or len(text) > _LONGEST_TEXT:
        raise InvalidPlay(say("a play is written like 24/18 13/11 or bar/20* 6/4(2), or {no_play!r}", no_play=NO_PLAY))
    ways = []
    for part in text.split(" "):
        match = _PART.fullmatch(part)
        if not match:
            raise InvalidPlay(
                say("{part!r} is not a move: write from/to, like 24/18, bar/20*, 6/off or 8/5(2)", part=part)
            )
        names = re.split("[/-]", match[1])
        places = tuple(_PLACES[name] if name in _PLACES else int(name) for name in (n.rstrip("*") for n in names))
        if max(places) > BAR:
            raise InvalidPlay(
                say("{part!r}: points are 1 to 24, the bar is bar or 25, borne off is off or 0", part=part)
            )
        if any(here <= there for here, there in pairwise(places)):
            raise InvalidPlay(
                say("{part!r} goes backwards: checkers move from high points to low ones (R4)", part=part)
            )
        stars = frozenset(place for place, name in zip(places, names, strict=True) if name.endswith("*"))
        ways += [_Way(places, stars)] * int(match[2] or 1)
    if len(ways) > 4:
        n = len(ways)
        raise InvalidPlay(say("{text} moves {n} checkers, and no roll moves more than 4 (R8)", text=text, n=n))
    return ways


class _Reached(NamedTuple):
    """Where some of the typed moves lead: the board, what is left of the ways, the dice left, the points hit."""

    board: list[int]
    ways: tuple[tuple[int, ...], ...]
    dice: Counter
    hits: frozenset[int] = frozenset()


def _reach(at: _Reached) -> Iterator[_Reached]:
    """`at` and all that can follow, in every order of the ways and with every choice of dice, by legal moves."""
    yield at
    for i, target, die in _steps(at):
        way = at.ways[i]
        rest = (target, *way[1:]) if target > way[1] else way[1:]
        ways = at.ways[:i] + ((rest,) if len(rest) > 1 else ()) + at.ways[i + 1 :]
        board, hit = _move(at.board, way[0], target)
        yield from _reach(_Reached(board, ways, at.dice - Counter([die]), at.hits | {target} if hit else at.hits))


def _steps(at: _Reached) -> Iterator[tuple[int, int, int]]:
    """Legal next moves along the ways: (which way, where to, which die). Equal ways are tried once."""
    for i, way in enumerate(at.ways):
        if way not in at.ways[:i]:
            for die in at.dice:
                target = max(way[0] - die, _OFF)
                if target >= way[1] and _why_not(at.board, way[0], die) is None:
                    yield i, target, die


def _move(board: list[int], source: int, target: int) -> tuple[list[int], bool]:
    """The board after one checker's move, and whether it hit. (R16)"""
    after = board.copy()
    after[source] -= 1
    hit = target != _OFF and board[target] == -1
    if target != _OFF:
        after[target] = board[target] + 1 + hit
    after[0] -= hit
    return after, hit


def _why_not(board: list[int], source: int, die: int) -> str | None:
    """Which rule forbids to move `die` from `source`; None if it is legal as a move by itself."""
    if board[source] <= 0:
        on_bar = source == BAR
        return say("no checker of yours is on the bar" if on_bar else "no checker of yours is on point {n}", n=source)
    if board[BAR] > 0 and source != BAR:
        return say("a checker on the bar must enter first (R17)")
    target = source - die
    if target > _OFF:
        if board[target] >= -1:
            return None
        return say("point {point} is held by {n} opposing checkers (R6)", point=target, n=-board[target])
    rearmost = max(point for point in range(1, 26) if board[point] > 0)
    if rearmost > 6:
        return say("nothing can be borne off while a checker is outside the home board, on point {n} (R21)", n=rearmost)
    if target < _OFF and rearmost > source:
        return say(
            "a {die} can't bear off from point {point} while a checker is behind it, on point {n} (R23)",
            die=die,
            point=source,
            n=rearmost,
        )
    return None


def _why_stuck(reached: list[_Reached]) -> str:
    """Why the typed ways can't be gone to their ends, told where most of them is done with the fewest dice."""
    at = min(reached, key=lambda at: (sum(len(way) - 1 for way in at.ways), -at.dice.total()))
    return _why_no_way(at.board, at.ways[0], at.dice)


def _why_no_way(board: list[int], way: tuple[int, ...], dice: Counter) -> str:
    """Why a checker can't go the next stretch of its way with the dice that are left."""
    source, goal = way[:2]
    stretch = f"{_name(source)}/{_name(goal)}"
    if not dice:
        return say("no die is left for {stretch}", stretch=stretch)
    left = sorted(dice.elements(), reverse=True)
    if board[source] <= 0 or (board[BAR] > 0 and source != BAR):
        return f"{stretch}: {_why_not(board, source, left[0])}"
    if not _spans(dice, source, goal):
        n = source - goal
        if len(left) == 1:
            return say("{stretch} is {n} pips, and only {die} can be moved", stretch=stretch, n=n, die=left[0])
        dice_left = say(" and ").join(map(str, left))
        return say("{stretch} is {n} pips, and {dice} can be moved", stretch=stretch, n=n, dice=dice_left)
    whys = []
    for die in dice:
        target = max(source - die, _OFF)
        rest = dice - Counter([die])
        if target >= goal and (why := _why_not(board, source, die)):
            whys.append(say("{stretch} with the {die}: {why}", stretch=stretch, die=die, why=why))
        elif target > goal and _spans(rest, target, goal):
            whys.append(_why_no_way(_move(board, source, target)[0], (target, goal), rest))
    return "; ".join(whys)


def _spans(dice: Counter, source: int, goal: int) -> bool:
    """Some of the dice make up the distance (no less than it, to bear off), whatever stands on the board."""
    values = list(dice.elements())
    sums = {sum(values[:n]) for n in range(1, len(values) + 1)} | set(values)
    return max(sums, default=0) >= source if goal == _OFF else source - goal in sums


def _why_incomplete(moves: np.ndarray, unused: Counter, dice: tuple[int, int]) -> str:
    """Which of the both-dice rules is broken by a play that leaves `unused`. (R9 to R12)"""
    most = int((moves[:, :, 0] >= 0).sum(axis=1).max())
    if dice[0] == dice[1]:
        played, die = 4 - unused[dice[0]], dice[0]
        return say(
            "{most} moves of the {die} can and must be played, this plays {n} (R12)", most=most, die=die, n=played
        )
    if most == 2:
        return say("both dice can and must be played, this leaves the {die} (R9)", die=min(unused))
    return say("only one die can be played, and it must be the larger, the {die} (R10)", die=max(dice))


def _the_one_meant(text: str, legal: list[tuple[frozenset[int], int]], ways: list[_Way], name_of: Callable) -> int:
    """Of the plays that fit the text, given as (points hit, index), the one that hits on no other point than named."""
    stars = frozenset().union(*(way.stars for way in ways))
    named = {place for way in ways for place in way.places}
    fitting = [(len(hits - named), i) for hits, i in legal if stars <= hits]
    if not fitting:
        wrong = min(stars - legal[0][0])
        raise InvalidPlay(say("{text}: nothing is hit on point {n}, leave out the star", text=text, n=wrong))
    fewest = min(fitting)[0]
    meant = sorted({i for hits, i in fitting if hits == fewest})
    if len(meant) > 1:
        several = say(" or ").join(map(name_of, meant))
        raise InvalidPlay(say("{text} can be {plays}: write where it hits", text=text, plays=several))
    return meant[0]
