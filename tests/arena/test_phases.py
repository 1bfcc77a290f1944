"""The phases of a game."""

import numpy as np
import pytest

from bgai.arena.phases import PHASES, phase
from bgai.board import NACKGAMMON, START, flip

BACK_GAME = {24: 2, 22: 3, 13: 2, 8: 4, 6: 4}, {6: 4, 5: 3, 4: 3, 8: 3, 2: 2}


def board(own: dict[int, int], opponents: dict[int, int]) -> np.ndarray:
    """Each side's checkers by its own points."""
    position = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        position[point] += count
    for point, count in opponents.items():
        position[25 - point] -= count
    return position


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (START, "contact"),
        (NACKGAMMON, "contact"),
        (board(*BACK_GAME), "back game"),
        (board({10: 5, 8: 5, 6: 5}, {12: 5, 5: 10}), "race"),
        (board({6: 5, 3: 5}, {7: 1, 1: 3}), "race"),
        (board({6: 5, 3: 5}, {6: 1, 1: 3}), "bear-off"),
        (board({6: 5, 3: 5, 25: 1}, {6: 1, 1: 3}), "contact"),
    ],
)
def test_phase_of_a_position_and_of_its_other_view(position, expected):
    assert [PHASES[i] for i in phase(np.stack([position, flip(position)]))] == [expected, expected]
