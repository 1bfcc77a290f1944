"""One side of a race: numbering of positions, and its plays against the general play generator."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgai.evaluator.race_plays import CHANCE, ROLLS, all_plays, all_positions, index_all
from bgai.plays import legal_plays


@pytest.mark.parametrize(("points", "checkers"), [(6, 6), (6, 15), (24, 3)])
def test_positions_of_up_to_n_checkers_are_numbered_without_a_gap(points, checkers):
    numbers = np.arange(comb(points + checkers, checkers))
    counts = all_positions(numbers, points)
    assert (counts >= 0).all() and counts.sum(axis=1).max() == checkers
    assert (index_all(counts) == numbers).all()


def test_the_chances_of_the_21_rolls_add_up():
    assert len(ROLLS) == 21 and CHANCE.sum() == pytest.approx(1)


def side(points: int):
    """`int8[points]` of one side with 1 to 15 checkers on these points."""
    checkers = st.lists(st.integers(0, points - 1), min_size=1, max_size=15)
    return checkers.map(lambda on: np.bincount(on, minlength=points).astype(np.int8))


@given(st.sampled_from([6, 9, 24]).flatmap(side))
def test_R21_to_R24_plays_of_a_lone_side_are_those_of_the_general_generator(counts):
    boards = np.zeros((21, 26), dtype=np.int8)
    boards[:, 1 : 1 + counts.size] = counts
    boards[:, 0] = -1  # the opponent waits on the bar, in nobody's way
    expected = legal_plays(boards, ROLLS, flipped=False)
    start = index_all(counts[None])
    plays, offsets = all_plays(start, counts.size)
    assert (plays < start).all()
    for roll in range(21):
        results = plays[offsets[roll] : offsets[roll + 1]]
        legal = index_all(expected.boards[expected.offsets[roll] : expected.offsets[roll + 1], 1 : 1 + counts.size])
        assert sorted(results) == sorted(legal)


def test_a_finished_position_has_no_plays():
    plays, offsets = all_plays(np.array([0]), 6)
    assert plays.size == 0 and (offsets == 0).all()
