"""A board as an SVG picture: flat shapes and system fonts, sharp at any size, clear in black and white too."""

from collections.abc import Iterator
from math import hypot

import numpy as np

from bgai.board import BAR, OPPONENT_BAR, on_board
from bgai.game import has_cube, to_decide
from bgai.lang import say
from bgai.notation.layout import FULL_STACK, rows, sides, situation, terms
from bgai.notation.position import Position

# Lengths in SVG units. A column holds one checker; a half is from an edge of the board to its middle line.
_COLUMN, _RADIUS, _BAR_WIDTH, _HALF = 44, 20.5, 60, 250
_SIDE = 64  # left and right of the board: the cube and the borne-off tray
_FRAME = 8
_TRAY, _THICKNESS = _HALF - 36, 13  # a tray, and a checker lying on its side in it
_TOP = 64  # above the board: a line of text and the point numbers; as much is below, and one line more
_WIDTH = 2 * _SIDE + 12 * _COLUMN + _BAR_WIDTH
_HEIGHT = 2 * _TOP + 2 * _HALF + 24
_MIDDLE = _TOP + _HALF

_INK, _PAPER, _WOOD = "#222222", "#ffffff", "#6b4f3a"
_FIELD, _DARK_POINT, _LIGHT_POINT = "#f6efe2", "#b58a63", "#dcc3a1"
_OWN, _OPPONENT, _EDGE = "#fffdf7", "#33363b", "#222222"
_ARROW = "#c62828"

# Which of the nine spots of a die's face, row by row, show a pip.
_FACES = ("", "4", "08", "048", "0268", "02468", "023568")


def svg_board(
    position: Position,
    *,
    moves: np.ndarray | None = None,
    flip: bool = False,
    clockwise: bool = False,
) -> str:
    """The position as the text of an SVG file. The player on roll has the light checkers.

    moves      a play to show by arrows, int8[4, 2] (from, to; unused rows -1)
    flip       the opponent sits at the bottom instead of the player on roll; points keep the latter's numbers
    clockwise  who sits at the bottom bears off at the left
    """
    picture = _Picture(position, flip, clockwise)
    parts = [
        *picture.board(),
        *picture.checkers(),
        *picture.trays(),
        *picture.cube(),
        *picture.dice(),
        *picture.words(),
        *(picture.arrows(moves) if moves is not None else ()),
    ]
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    font = 'font-family="Helvetica, Arial, sans-serif"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>'
    return "\n".join([head, _rectangle(0, 0, _WIDTH, _HEIGHT, _PAPER), *parts, "</svg>\n"])


class _Picture:
    """One position seen from one side. `down` is 1 where a place belongs to the bottom half and -1 in the top half."""

    def __init__(self, position: Position, flip: bool, clockwise: bool):
        self.position, self.full = position, position.checkers
        self.places = {}  # of points and bars: x of the middle, and `down`
        for points, down in zip(rows(flip=flip, clockwise=clockwise), (-1, 1), strict=True):
            for column, point in enumerate(points):
                x = _SIDE + (column + 0.5) * _COLUMN + (column >= 6) * _BAR_WIDTH
                self.places[point] = (x, down)
        self.own_down = -1 if flip else 1
        self.places[BAR] = (_WIDTH / 2, self.own_down)
        self.places[OPPONENT_BAR] = (_WIDTH / 2, -self.own_down)
        self.cube_x, self.tray_x = _SIDE / 2 - _FRAME / 2, _WIDTH - _SIDE / 2 + _FRAME / 2
        if clockwise:
            self.cube_x, self.tray_x = self.tray_x, self.cube_x

    def spot(self, place: int, i: int) -> tuple[float, float]:
        """Middle of the i-th checker on a point or bar; those on the bar are stacked from the middle outwards."""
        x, down = self.places[place]
        i = min(i, FULL_STACK - 1)
        if place in (BAR, OPPONENT_BAR):
            return x, _MIDDLE + down * (2 * i + 1.4) * _RADIUS
        return x, _MIDDLE + down * (_HALF - (2 * i + 1) * _RADIUS - 1)

    def board(self) -> Iterator[str]:
        width = _WIDTH - 2 * _SIDE
        yield _rectangle(_SIDE - _FRAME, _TOP - _FRAME, width + 2 * _FRAME, 2 * _HALF + 2 * _FRAME, _WOOD, rounded=4)
        for left in (_SIDE, _SIDE + 6 * _COLUMN + _BAR_WIDTH):
            yield _rectangle(left, _TOP, 6 * _COLUMN, 2 * _HALF, _FIELD)
        for point in range(1, 25):
            x, down = self.places[point]
            base = _MIDDLE + down * _HALF
            colour = _DARK_POINT if point % 2 else _LIGHT_POINT
            corners = f"{x - _COLUMN / 2},{base} {x + _COLUMN / 2},{base} {x},{base - down * 0.84 * _HALF}"
            yield f'<polygon points="{corners}" fill="{colour}"/>'
            yield _text(x, base + down * (_FRAME + 12), str(point), 14)

    def checkers(self) -> Iterator[str]:
        for place, count in enumerate(self.position.board.tolist()):
            for i in range(min(abs(count), FULL_STACK)):
                yield _checker(*self.spot(place, i), own=count > 0)
            if abs(count) > FULL_STACK:
                x, y = self.spot(place, FULL_STACK - 1)
                yield _text(x, y, str(abs(count)), 20, bold=True, colour=_INK if count > 0 else _PAPER)

    def trays(self) -> Iterator[str]:
        """Checkers borne off, lying on their side in a tray beside the owner's home board, with their number."""
        own, opponent = on_board(self.position.board)
        for borne_off, down, is_own in (
            (self.full - int(own), self.own_down, True),
            (self.full - int(opponent), -self.own_down, False),
        ):
            x, edge = self.tray_x, _MIDDLE + down * _HALF
            yield _rectangle(x - 23, min(edge, edge - down * _TRAY), 46, _TRAY, _FIELD, _WOOD, rounded=3)
            for i in range(borne_off):
                y = self.shelf(i, down) - _THICKNESS / 2
                yield _rectangle(x - 20, y, 40, _THICKNESS, _OWN if is_own else _OPPONENT, _EDGE, rounded=3)
            if borne_off:
                yield _text(x, edge - down * (_TRAY + 12), str(borne_off), 16, bold=True)

    def shelf(self, i: int, down: int) -> float:
        """Height of the i-th borne-off checker in its tray."""
        return _MIDDLE + down * (_HALF - 4 - (i + 0.5) * (_THICKNESS + 0.7))

    def cube(self) -> Iterator[str]:
        """The cube beside the board, near its owner; one that is offered lies at the right hand of who must answer."""
        state = self.position.state
        if not has_cube(state):
            return
        x, y, value = self.cube_x, _MIDDLE, state.cube
        if state.pending:
            answers = self.own_down if to_decide(state) == "mover" else -self.own_down
            x, value = self._half_x(answers), 2 * state.cube
        elif state.owner != "centred":
            y += (self.own_down if state.owner == "mover" else -self.own_down) * (_HALF - 26)
        yield _rectangle(x - 22, y - 22, 44, 44, _PAPER, _EDGE, rounded=6, stroke=2)
        yield _text(x, y, str(value), min(24, 56 / len(str(value))), bold=True)

    def dice(self) -> Iterator[str]:
        """The roll, at the right hand of the player on roll."""
        for i, die in enumerate(self.position.dice or ()):
            x, y = self._half_x(self.own_down) + (-26, 26)[i], _MIDDLE
            yield _rectangle(x - 18, y - 18, 36, 36, _OWN, _EDGE, rounded=6, stroke=1.5)
            for spot in map(int, _FACES[die]):
                cx, cy = x + (spot % 3 - 1) * 10, y + (spot // 3 - 1) * 10
                yield f'<circle cx="{cx:g}" cy="{cy:g}" r="3.6" fill="{_INK}"/>'

    def _half_x(self, down: int) -> float:
        """Middle of the right or left half of the board: at the right hand of the bottom or the top player."""
        return _WIDTH / 2 + down * (_BAR_WIDTH / 2 + 3 * _COLUMN)

    def words(self) -> Iterator[str]:
        own, opponent = sides(self.position)
        for words, down, is_own in ((own, self.own_down, True), (opponent, -self.own_down, False)):
            y = _MIDDLE + down * (_HALF + 46)
            yield _checker(_SIDE + 4, y, own=is_own, radius=8)
            yield _text(_SIDE + 20, y, words, 15, anchor="start")
        yield _text(_WIDTH - _SIDE, _TOP - 46, terms(self.position.state), 15, anchor="end")
        yield _text(_SIDE - 4, _HEIGHT - 16, situation(self.position, say("White"), say("Black")), 15, True, "start")

    def arrows(self, moves: np.ndarray) -> Iterator[str]:
        """An arrow for each move, from the checker that moves to where it comes to stand."""
        counts = np.maximum(self.position.board, 0).tolist()
        for source, target in moves[moves[:, 0] >= 0].tolist():
            counts[source] -= 1
            start = self.spot(source, counts[source])
            if target == 0:
                end = self.tray_x, self.shelf(self.full - sum(counts) - 1, self.own_down)
            else:
                end = self.spot(target, counts[target])
                counts[target] += 1
            yield _arrow(*start, *end)


def _rectangle(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    edge: str = "none",
    rounded: float = 0,
    stroke: float = 1,
) -> str:
    shape = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rounded:g}"'
    return f'<rect {shape} fill="{fill}" stroke="{edge}" stroke-width="{stroke:g}"/>'


def _checker(x: float, y: float, own: bool, radius: float = _RADIUS) -> str:
    shape = f'<circle cx="{x:g}" cy="{y:g}" r="{radius - 1:g}" fill="{_OWN if own else _OPPONENT}"'
    return f'{shape} stroke="{_EDGE}" stroke-width="1.5"/>'


def _text(
    x: float, y: float, words: str, size: float, bold: bool = False, anchor: str = "middle", colour: str = _INK
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:g}" y="{y + 0.36 * size:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{words}</text>'


def _arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """An arrow whose point touches (x2, y2), with a light rim so that it is seen on dark checkers too."""
    length = hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - 16 * ux, y2 - 16 * uy
    outline = [
        (x1 - 2.5 * uy, y1 + 2.5 * ux),
        (neck_x - 2.5 * uy, neck_y + 2.5 * ux),
        (neck_x - 8 * uy, neck_y + 8 * ux),
        (x2, y2),
        (neck_x + 8 * uy, neck_y - 8 * ux),
        (neck_x + 2.5 * uy, neck_y - 2.5 * ux),
        (x1 + 2.5 * uy, y1 - 2.5 * ux),
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
    return f'<polygon points="{points}" fill="{_ARROW}" stroke="{_PAPER}" stroke-width="1.2"/>'
