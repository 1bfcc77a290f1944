"""Effective pip counts: exact in the home board, close to the exact recursion outside it."""

from itertools import pairwise

import numpy as np
import pytest
from positions import place

from bgai.evaluator.epc import PIPS_A_ROLL, effective_pips
from bgai.evaluator.race_plays import CHANCE, POINTS, all_plays, index_all


def exact_epc(counts: np.ndarray) -> float:
    """By the recursion over all positions of `counts int8[24]` to come: each roll is played to the smallest mean."""
    come, newest = [], index_all(counts[None])
    while newest.size:
        come.append(newest)
        newest = np.unique(all_plays(newest[newest > 0], POINTS)[0])
    positions = np.unique(np.concatenate(come))
    plays, offsets = all_plays(positions, POINTS)
    rows, rolls = np.searchsorted(positions, plays), np.zeros(len(positions))
    for i in range(1, len(positions)):
        edges = offsets[21 * i : 21 * i + 22]
        rolls[i] = 1 + CHANCE @ [rolls[rows[a:b]].min() for a, b in pairwise(edges)]
    return PIPS_A_ROLL * rolls[-1]


def test_all_home_the_table_knows():
    """15 checkers on the 6 point need 12.266 rolls (GNU Backgammon's one-sided database), one on the ace one roll."""
    epc, wastage = effective_pips(place({6: 15}, {24: 1})[None])
    assert epc[0] == pytest.approx([100.175, 49 / 6], abs=2e-3)
    assert wastage[0] == pytest.approx([10.175, 49 / 6 - 1], abs=2e-3)


@pytest.mark.parametrize("own", [{10: 1, 9: 1, 2: 3}, {13: 2, 7: 1}, {8: 1, 6: 2, 1: 3}])
def test_with_checkers_outside_it_is_close_to_the_exact_count(own):
    board = place(own, {})
    epc, wastage = effective_pips(board[None])
    assert epc[0, 0] == pytest.approx(exact_epc(np.maximum(board[1:25], 0)), abs=0.3)
    assert wastage[0, 0] == pytest.approx(epc[0, 0] - sum(point * n for point, n in own.items()))


def test_the_same_board_always_gets_the_same_count_and_both_sides_alike():
    board = place({13: 2, 8: 4, 6: 5, 5: 4}, {})
    both = board - board[::-1]
    epc, _ = effective_pips(np.stack([board, board]))
    assert epc[0, 0] == epc[1, 0] > 107
    assert (effective_pips(both[None])[0] == epc[0, 0]).all()
