"""What every drawing of a board has in common: where the points lie, and what is said beside it."""

from bgai.board import UNFINISHED, on_board, outcome, pips
from bgai.game import State, to_decide
from bgai.notation.position import Position

FULL_STACK = 5  # checkers drawn on a point; more are told by a number

_VERBS = {"double": "doubles", "beaver": "beavers", "raccoon": "raccoons"}
_RESIGNATIONS = ("", "a single game", "a gammon", "a backgammon")


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
        f"{pip_count} {'pip' if pip_count == 1 else 'pips'}, {position.checkers - in_play} off"
        + (f", score {score}" if with_score else "")
        for pip_count, in_play, score in counts
    )
    return own, opponent


def has_cube(state: State) -> bool:
    """There is a cube to draw: not in the Crawford game, nor where nobody may ever double (R39, R41)."""
    return not (state.crawford or state.length == 1 or (state.length and state.away == (1, 1)))


def terms(state: State) -> str:
    """What is played for: money with its options, or a match."""
    if state.length:
        special = "Crawford game" if state.crawford else "post-Crawford" if state.post_crawford else ""
        return ", ".join(filter(None, [f"match to {state.length}", special]))
    return ", ".join(filter(None, ["money game", state.jacoby and "Jacoby", state.beavers and "beavers"]))


def situation(position: Position, own: str, opponent: str) -> str:
    """Whose turn it is and for what, calling the player on roll `own`."""
    state = position.state
    result = int(outcome(position.board, position.checkers))
    if result != UNFINISHED:
        winner = own if result < 3 else opponent
        return f"{winner} has won a {('single game', 'gammon', 'backgammon')[result % 3]}"
    if position.ended:
        return f"the game is over, {position.ended}"
    actor, other = (own, opponent) if to_decide(state) == "mover" else (opponent, own)
    if state.resigned:
        return f"{other} offers {_RESIGNATIONS[state.resigned]}, {actor} to accept or decline"
    if state.pending:
        answer = "take" if state.pending == "double" else "accept"
        return f"{other} {_VERBS.get(state.pending, 'turns the cube')} to {2 * state.cube}, {actor} to {answer} or pass"
    if position.dice:
        return f"{actor} to play {position.dice[0]}{position.dice[1]}"
    return f"{actor} on roll"
