"""Legal plays agree with GNU Backgammon."""

import numpy as np
import pytest
from gnubg import GNUBG, legal_results
from positions import from_play

from bgai.plays import legal_plays

pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")


def test_2000_positions_of_play_agree_with_gnubg():
    sides = [from_play(100, 10, sensible=sensible, seed=29) for sensible in (False, True)]
    boards, dice = (np.concatenate(parts) for parts in zip(*sides, strict=True))
    assert len(boards) == 2000
    plays = legal_plays(boards, dice, flipped=False)
    for i, expected in enumerate(legal_results(boards, dice)):
        results = plays.boards[plays.offsets[i] : plays.offsets[i + 1]]
        assert {tuple(result) for result in results.tolist()} == expected, (boards[i].tolist(), dice[i].tolist())
