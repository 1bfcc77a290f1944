"""Positions as games bring them about, and positions no game would: what tests feed to the rules and to the network."""

import numpy as np
from hypothesis import strategies as st

from bgai import board
from bgai.plays import legal_plays


def place(own: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    """`int8[26]` from the checkers of the player on roll (bar 25) and of the opponent (bar 0) by place."""
    assert not own.keys() & opponent.keys()
    position = np.zeros(26, dtype=np.int8)
    position[list(own)] = list(own.values())
    position[list(opponent)] = [-count for count in opponent.values()]
    return position


def random_dice(rng: np.random.Generator, count: int) -> np.ndarray:
    """`int8[count, 2]`, all 36 rolls equally likely."""
    return rng.integers(1, 7, (count, 2), dtype=np.int8)


def from_play(
    turns: int, games: int, *, sensible: bool, seed: int, start: np.ndarray = board.START, checkers: int = 15
) -> tuple[np.ndarray, np.ndarray]:
    """Positions `int8[turns * games, 26]` and the rolls `int8[.., 2]` thrown there, from games played side by side.

    A finished game is followed by a new one. Plays are chosen at random or, if `sensible`, by a rule of thumb.
    """
    rng = np.random.default_rng(seed)
    boards = np.tile(start, (games, 1))
    seen_boards, seen_dice = [], []
    for _ in range(turns):
        dice = random_dice(rng, games)
        seen_boards.append(boards)
        seen_dice.append(dice)
        plays = legal_plays(boards, dice, checkers=checkers)
        value = rng.random(len(plays.boards))
        if sensible:
            value += rule_of_thumb(board.flip(plays.boards))
        game = np.repeat(np.arange(games), np.diff(plays.offsets))
        best = np.lexsort((value, game))[plays.offsets[1:] - 1]
        boards = plays.boards[best]
        boards[board.outcome(boards, checkers) != board.UNFINISHED] = start
    return np.concatenate(seen_boards), np.concatenate(seen_dice)


def rule_of_thumb(boards: np.ndarray) -> np.ndarray:
    """How good boards look to the player who just moved: points made, checkers hit and borne off, few blots."""
    points = boards[:, 1:25]
    made, blots = (points >= 2).sum(axis=1), (points == 1).sum(axis=1)
    own, _ = board.on_board(boards)
    return 2 * made + (points[:, :6] >= 2).sum(axis=1) - blots - 2 * boards[:, board.OPPONENT_BAR] - 3 * own


@st.composite
def boards(draw: st.DrawFn, checkers: int = 15) -> np.ndarray:
    """Any valid board with a game still going on, however far from anything that play would bring about."""
    owner = draw(st.lists(st.sampled_from((1, 1, -1, 0)), min_size=24, max_size=24))
    position = np.zeros(26, dtype=np.int8)
    for side, bar in ((1, board.BAR), (-1, board.OPPONENT_BAR)):
        places = [bar] + [point for point in range(1, 25) if owner[point - 1] == side]
        in_play = draw(st.integers(1, checkers))
        for place in draw(st.lists(st.sampled_from(places), min_size=in_play, max_size=in_play)):
            position[place] += side
    return position


def dice() -> st.SearchStrategy[tuple[int, int]]:
    """Any roll."""
    return st.tuples(st.integers(1, 6), st.integers(1, 6))
