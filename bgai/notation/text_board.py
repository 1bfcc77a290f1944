"""A board as text, for a terminal or a file."""

from bgai.board import BAR, OPPONENT_BAR
from bgai.game import has_cube
from bgai.lang import say
from bgai.notation.layout import FULL_STACK, rows, sides, situation, terms
from bgai.notation.position import Position

_CELL = 4  # columns of a point
_HALF = 6 * _CELL
_OWN_COLOUR, _OPPONENT_COLOUR = "\x1b[1;33m", "\x1b[1;36m"  # bold yellow and cyan: seen on light and dark
_PLAIN = "\x1b[0m"


def text_board(
    position: Position,
    *,
    flip: bool = False,
    clockwise: bool = False,
    ascii: bool = False,
    colour: bool = False,
    words: bool = True,
) -> str:
    """The board as lines of text, without a line end after the last.

    flip       the opponent sits at the bottom instead of the player on roll; points keep the latter's numbers
    clockwise  who sits at the bottom bears off at the left
    ascii      only ASCII: X for the player on roll and O for the opponent
    colour     with ANSI colour codes
    words      what is played for and whose turn it is, on a last line
    """
    own, opponent = ("X", "O") if ascii else ("●", "○")
    own_side, opponent_side = sides(position)
    lines = [f"{own} {own_side}", f"{opponent} {opponent_side}"]
    bottom_line, top_line = lines[::-1] if flip else lines
    cube = _cube_column(position, flip)
    top, bottom = rows(flip=flip, clockwise=clockwise)
    top_bar, bottom_bar = (BAR, OPPONENT_BAR) if flip else (OPPONENT_BAR, BAR)

    def field(points: list[int], bar: int, row: int) -> str:
        cells = [_cell(int(position.board[place]), row, own, opponent, colour) for place in [*points, bar]]
        return f"|{''.join(cells[:6])}|{cells[12]} |{''.join(cells[6:12])}|"

    stacked = range(FULL_STACK)
    board = [
        _numbers(top),
        _edge("┌┬┐"),
        *(field(top, top_bar, row) for row in stacked),
        _middle(position, flip),
        *(field(bottom, bottom_bar, row) for row in reversed(stacked)),
        _edge("└┴┘"),
        _numbers(bottom),
    ]
    margin = max(map(len, cube)) + 1
    drawn = [f"{cube[i]:<{margin}}{line}".rstrip() for i, line in enumerate(board)]
    frame = str.maketrans("┌┬┐└┴┘─", "++++++-") if ascii else str.maketrans("|", "│")
    text = [" " * margin + top_line, "", *drawn, "", " " * margin + bottom_line]
    if words:
        what = say("{terms}: {situation}", terms=terms(position.state), situation=situation(position, own, opponent))
        text.append(" " * margin + what)
    return "\n".join(text).translate(frame)


def _cell(count: int, row: int, own: str, opponent: str, colour: bool) -> str:
    """What stands on a place in one row, counted from the edge of the board."""
    checkers = abs(count)
    if row >= checkers:
        return " " * _CELL
    shown = own if count > 0 else opponent
    if checkers > FULL_STACK and row == FULL_STACK - 1:
        shown = str(checkers)
    text = f"{shown:>{_CELL - 1}} "
    return f"{_OWN_COLOUR if count > 0 else _OPPONENT_COLOUR}{text}{_PLAIN}" if colour else text


def _numbers(points: list[int]) -> str:
    left, right = ("".join(f"{point:>{_CELL - 1}} " for point in half) for half in (points[:6], points[6:]))
    return f" {left} {say('bar'):^{_CELL + 1}} {right}"


def _edge(corners: str) -> str:
    left, between, right = tuple(corners)
    return f"{left}{'─' * _HALF}{between}{'─' * (_CELL + 1)}{between}{'─' * _HALF}{right}"


def _middle(position: Position, flip: bool) -> str:
    """The line between the rows: an offered cube, and the dice on the right of whoever threw them."""
    offered = f"[{2 * position.state.cube}]" if position.state.pending else ""
    dice = "{} {}".format(*position.dice) if position.dice else ""
    left, right = (dice, offered) if flip else (offered, dice)
    return f"|{left:^{_HALF}}|{'':{_CELL + 1}}|{right:^{_HALF}}|"


def _cube_column(position: Position, flip: bool) -> list[str]:
    """What stands left of each line of the board: the cube beside its owner, or in the middle. Offered, it's inside."""
    state = position.state
    column = [""] * (2 * FULL_STACK + 5)
    if has_cube(state) and not state.pending:
        owner_at_bottom = (state.owner == "mover") != flip
        line = FULL_STACK + 2 if state.owner == "centred" else 2 * FULL_STACK + 2 if owner_at_bottom else 2
        column[line] = f"[{state.cube}]"
    return column
