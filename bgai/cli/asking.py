"""How commands read what is asked, be it one position or one a line, and write answers that programs read."""

import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from typer import Exit

from bgai.board import VARIANTS, outcome
from bgai.cli.main import users_mistake
from bgai.game import OWNERS, State, check_state, points
from bgai.notation.position import Position, parse_position, position_id
from bgai.notation.xgid import BEAVERS

LONGEST_LINE = 1000
_CUBE = re.compile(r"(\d{1,9})(?::([a-z]{1,20}))?", re.ASCII)
_SCORE = re.compile(r"(\d{1,5})-(\d{1,5})/(\d{1,5})(:crawford)?", re.ASCII)


class BadRequest(ValueError):
    """Something on a command line, or on a line of standard input, that can't be made sense of."""


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


def _with_options(state: State, cube, score, jacoby, beavers) -> State:
    if cube is not None:
        found = _CUBE.fullmatch(cube)
        if not found or found[2] not in (None, *OWNERS):
            raise BadRequest(f"--cube {cube[:30]}: give value and owner ({', '.join(OWNERS)}), such as 2:mover, or 1")
        state = replace(state, cube=int(found[1]), owner=found[2] or "centred")
    if score is not None:
        found = _SCORE.fullmatch(score)
        if not found:
            raise BadRequest(f"--score {score[:30]}: give own points, the opponent's and the length, such as 3-4/7")
        own, other, length = (int(number) for number in found.groups()[:3])
        state = replace(state, length=length, score=(own, other), crawford=found[4] is not None)
        state = replace(state, jacoby=False, beavers=0, holland=0)
    if jacoby is not None:
        state = replace(state, jacoby=jacoby)
    if beavers is not None:
        state = replace(state, beavers=BEAVERS if beavers else 0)
    return state


def checked_variant(name: str) -> str:
    """`name`, or BadRequest if there is no such variant."""
    if name not in VARIANTS:
        raise BadRequest(f"--variant {name[:20]}: give {', '.join(VARIANTS)}")
    return name


def finished_game(position: Position) -> dict | None:
    """What there is to say of a finished game: its value to the player on roll. None while it goes on."""
    if not position.finished:
        return None
    result = int(outcome(position.board, position.checkers))
    value = points(position.state, result) / position.state.cube
    return {
        "position": position_id(position),
        "board": position.board.tolist(),
        "finished": True,
        "equity": value,
        "outcomes": [float(k == result) for k in range(6)],
    }


def finished_text(answer: dict) -> str:
    """`finished_game` in words."""
    return f"the game is over: {answer['equity']:+.0f} for the player on roll, at a cube of 1"


def json_line(answer: dict) -> str:
    """`answer` as JSON: numbers with six digits after the point, null for those that aren't finite."""
    return json.dumps(_rounded(answer))


def _rounded(value):
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value


def answer_lines(answer: Callable[..., str], most_words: int, as_json: bool) -> None:
    """Call `answer` with the words of each line of standard input and print what it says at once.

    A line that can't be answered gets its error instead, and the exit code is 2 in the end.
    """
    failed = False
    for number, line in enumerate(_lines(), start=1):
        try:
            words = line.split()
            if not 1 <= len(words) <= most_words:
                raise BadRequest("expected a position and a roll" if most_words > 1 else "expected a position")
            said = answer(*words)
        except ValueError as error:
            if users_mistake(error) is None:
                raise
            failed = True
            said = json.dumps({"error": str(error)}) if as_json else f"line {number}: {error}"
        print(said, flush=True)
    if failed:
        raise Exit(2)


def _lines() -> Iterator[str]:
    sys.stdin.reconfigure(errors="replace")
    while line := sys.stdin.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BadRequest(f"a line on standard input has more than {LONGEST_LINE} characters")
        yield line
