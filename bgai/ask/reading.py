"""What is asked: a position by its ID, and the state of the game where the ID doesn't say it."""

import re
from dataclasses import replace

from bgai.game import BEAVERS, OWNERS, State, check_state
from bgai.notation.position import Position, parse_position

_CUBE = re.compile(r"(\d{1,9})(?::([a-z]{1,20}))?", re.ASCII)
_SCORE = re.compile(r"(\d{1,5})-(\d{1,5})/(\d{1,5})(:crawford)?", re.ASCII)


class BadRequest(ValueError):
    """Something in a question that can't be made sense of."""


def read_position(
    text: str,
    cube: str | None = None,
    score: str | None = None,
    jacoby: bool | None = None,
    beavers: bool | None = None,
) -> Position:
    """The position of an ID, its state changed to what the options say.

    Raises InvalidID, BadRequest for an option that can't be read, ImpossibleState for a state no game can come to.
    """
    position = parse_position(text)
    return replace(position, state=check_state(_with_options(position.state, cube, score, jacoby, beavers)))


def _with_options(
    state: State, cube: str | None, score: str | None, jacoby: bool | None, beavers: bool | None
) -> State:
    if cube is not None:
        found = _CUBE.fullmatch(cube)
        if not found or found[2] not in (None, *OWNERS):
            raise BadRequest(f"cube {cube[:30]!r}: give value and owner ({', '.join(OWNERS)}), such as 2:mover, or 1")
        state = replace(state, cube=int(found[1]), owner=found[2] or "centred")
    if score is not None:
        found = _SCORE.fullmatch(score)
        if not found:
            raise BadRequest(f"score {score[:30]!r}: give own points, the opponent's and the length, such as 3-4/7")
        own, other, length = (int(number) for number in found.groups()[:3])
        state = replace(state, length=length, score=(own, other), crawford=found[4] is not None)
        state = replace(state, jacoby=False, beavers=0, holland=0)
    if jacoby is not None:
        state = replace(state, jacoby=jacoby)
    if beavers is not None:
        state = replace(state, beavers=BEAVERS if beavers else 0)
    return state
