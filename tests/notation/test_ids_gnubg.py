"""GNU Backgammon reads our IDs and shows the same ones."""

import re

import numpy as np
import pytest
from gnubg import GNUBG, answers_to
from random_positions import random_boards, random_states

from bgai.notation.position import Position, position_id, xgid

pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")

LARGEST_CUBE, LONGEST_MATCH = 4096, 64  # of GNU Backgammon itself
SHOWN = re.compile(r"Position ID: (\S+)\s+Match ID   : (\S+)")


def test_500_positions_have_the_ids_that_gnubg_gives_them():
    rng = np.random.default_rng(1998)
    states = [
        (state, dice)
        for state, dice in random_states(rng, 2000)
        if state.cube <= LARGEST_CUBE and state.length <= LONGEST_MATCH and not state.pending
    ][:500]
    boards = random_boards(rng, 500)
    positions = [Position(board, *state) for board, state in zip(boards, states, strict=True)]
    commands = ""
    for i, position in enumerate(positions):
        given = f"set xgid {xgid(position)}" if i % 2 else f"set gnubgid {position_id(position)}"
        commands += f"{given}\nshow board\nshow beavers\n"  # the last one to tell the answers apart
    answers = re.split("^.*beaver.*$", answers_to(commands), flags=re.MULTILINE)[:-1]
    assert len(answers) == len(positions)
    for position, answer in zip(positions, answers, strict=True):
        assert ":".join(SHOWN.findall(answer)[-1]) == position_id(position), xgid(position)
