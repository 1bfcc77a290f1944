"""What a network does with the 15 opening rolls, as text and as a picture for TensorBoard."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from bgai.board import BAR, OPPONENT_BAR, OUTCOME_POINTS, VARIANTS, checkers_of, flip, swap_outcomes
from bgai.net.net import Net
from bgai.notation.play_text import format_play
from bgai.plays import legal_plays_with_moves

_CHECKER, _BAR_WIDTH, _HEIGHT, _TITLE, _GAP = 12, 12, 132, 14, 10  # pixels
_WIDTH = 12 * _CHECKER + _BAR_WIDTH
_COLUMNS, _ROWS = 3, 5
_FIELD, _DARK, _LIGHT, _INK = (246, 239, 226), (181, 138, 99), (220, 195, 161), (34, 34, 34)
_OWN, _OPPONENT = (255, 253, 247), (51, 54, 59)


class Opening(NamedTuple):
    """A roll such as "31", the best play of it, its equity for the player who makes it, and the board after it,
    `int8[26]`, seen by that player."""

    roll: str
    play: str
    equity: float
    board: np.ndarray


def opening_plays(net: Net, variant: str) -> list[Opening]:
    """The network's plays of the 15 rolls from the variant's start."""
    dice = np.array([(a, b) for b, a in combinations(range(1, 7), 2)], dtype=np.int8)
    boards = np.repeat(VARIANTS[variant][None], len(dice), axis=0)
    plays = legal_plays_with_moves(boards, dice, checkers=checkers_of(variant))
    outcomes = net.plays_outcomes(boards, plays)
    equities = swap_outcomes(outcomes) @ OUTCOME_POINTS
    openings = []
    for i, (a, b) in enumerate(dice.tolist()):
        first = plays.offsets[i]
        best = first + equities[first : plays.offsets[i + 1]].argmax()
        text = format_play(boards[i], plays.moves[best])
        openings.append(Opening(f"{a}{b}", text, float(equities[best]), flip(plays.boards[best])))
    return openings


def picture(openings: list[Opening]) -> np.ndarray:
    """The boards after the plays, each under its roll and play, `uint8[height, width, 3]`; light has moved."""
    size = (_COLUMNS * (_WIDTH + _GAP) + _GAP, _ROWS * (_HEIGHT + _TITLE + _GAP) + _GAP)
    image = Image.new("RGB", size, (255, 255, 255))
    draw = ImageDraw.Draw(image)
    for i, opening in enumerate(openings):
        left = _GAP + (i % _COLUMNS) * (_WIDTH + _GAP)
        top = _GAP + (i // _COLUMNS) * (_HEIGHT + _TITLE + _GAP)
        draw.text((left, top), f"{opening.roll}: {opening.play}", fill=_INK)
        _draw_board(draw, opening.board, left, top + _TITLE)
    return np.asarray(image)


def _draw_board(draw: ImageDraw.ImageDraw, board: np.ndarray, left: int, top: int) -> None:
    """Points 1 to 12 at the bottom from the right, 13 to 24 at the top from the left."""
    draw.rectangle((left, top, left + _WIDTH, top + _HEIGHT), fill=_FIELD, outline=_INK)
    middle = left + 6 * _CHECKER
    draw.rectangle((middle, top, middle + _BAR_WIDTH, top + _HEIGHT), fill=_LIGHT)
    for place, count in enumerate(board.tolist()):
        at_top = 12 < place < BAR or place == OPPONENT_BAR
        column = place - 13 if at_top else 12 - place
        x = middle if place in (OPPONENT_BAR, BAR) else left + column * _CHECKER + (column >= 6) * _BAR_WIDTH
        edge, up = (top, 1) if at_top else (top + _HEIGHT, -1)
        if x != middle:
            tip = (x + _CHECKER / 2, edge + up * 0.4 * _HEIGHT)
            draw.polygon(((x, edge), (x + _CHECKER, edge), tip), fill=_DARK if place % 2 else _LIGHT)
        for i in range(min(abs(count), 5)):
            y = edge + up * i * _CHECKER
            corners = (x, min(y, y + up * _CHECKER), x + _CHECKER, max(y, y + up * _CHECKER))
            draw.ellipse(corners, fill=_OWN if count > 0 else _OPPONENT, outline=_INK)
