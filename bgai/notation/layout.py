"""What every drawing of a board has in common: where the points lie, and what is said beside it."""

from bgai.board import UNFINISHED, on_board, outcome, pips
from bgai.game import State, to_decide
from bgai.lang import say
from bgai.notation.position import Position

FULL_STACK = 5  # checkers drawn on a point; more are told by a number

_TURNS_CUBE = {
    "double": "{actor} doubles to {cube}, {other} to take or pass",
    "beaver": "{actor} beavers to {cube}, {other} to accept or pass",
    "raccoon": "{actor} raccoons to {cube}, {other} to accept or pass",
}
_TURNS_AGAIN = "{actor} turns the cube to {cube}, {other} to accept or pass"
_RESIGNS = {
    1: "{actor} offers a single game, {other} to accept or decline",
    2: "{actor} offers a gammon, {other} to accept or decline",
    3: "{actor} offers a backgammon, {other} to accept or decline",
}
_WINS = ("{winner} has won a single game", "{winner} has won a gammon", "{winner} has won a backgammon")
_ENDED = {"resigned": "the game is over, resigned", "passed": "the game is over, passed"}


def rows(*, flip: bool = False, clockwise: bool = False) -> tuple[list[int], list[int]]:
    """The points of the top and the bottom row from left to right, numbered by the player on roll.

    The player on roll sits at the bottom, with `flip` the opponent. Whoever sits there moves anticlockwise and bears
    off at the right, `clockwise` at the left.
    """
    top, bottom = list(range(13, 25)), list(range(12, 0, -1))
    if flip:
        top, bottom = bottom, top
    return (top[::-1], bottom[::-1]) if clockwise else (top, bottom)


def sides(position: Position) -> tuple[str, str]:
    """Pip count, checkers borne off and score of the player on roll and of the opponent, in words."""
    counts = zip(pips(position.board), on_board(position.board), position.state.score, strict=True)
    with_score = position.state.length > 0 or any(position.state.score)
    own, opponent = (
        say("{n} pip" if pip_count == 1 else "{n} pips", n=pip_count)
        + say(", {n} off", n=position.checkers - in_play)
        + (say(", score {n}", n=score) if with_score else "")
        for pip_count, in_play, score in counts
    )
    return own, opponent


def terms(state: State) -> str:
    """What is played for: money with its options, or a match."""
    if state.length:
        special = say("Crawford game") if state.crawford else say("post-Crawford") if state.post_crawford else ""
        return ", ".join(filter(None, [say("match to {length}", length=state.length), special]))
    options = state.jacoby and say("Jacoby"), state.beavers and say("beavers")
    return ", ".join(filter(None, [say("money game"), *options]))


def situation(position: Position, own: str, opponent: str) -> str:
    """Whose turn it is and for what, calling the player on roll `own`."""
    state = position.state
    result = int(outcome(position.board, position.checkers))
    if result != UNFINISHED:
        winner = own if result < 3 else opponent
        return say(_WINS[result % 3], winner=winner)
    if position.ended:
        return say(_ENDED[position.ended])
    actor, other = (own, opponent) if to_decide(state) == "mover" else (opponent, own)
    if state.resigned:
        return say(_RESIGNS[state.resigned], actor=other, other=actor)
    if state.pending:
        return say(_TURNS_CUBE.get(state.pending, _TURNS_AGAIN), actor=other, cube=2 * state.cube, other=actor)
    if position.dice:
        return say("{actor} to play {roll}", actor=actor, roll="{}{}".format(*position.dice))
    return say("{actor} on roll", actor=actor)
