"""Questions about positions from Python."""

import numpy as np
import pytest

import bgai
from bgai.board import START, InvalidBoard


def test_one_board_is_evaluated_as_a_batch_of_one():
    alone = bgai.evaluate(START)
    assert alone.shape == (1, 6) and alone.dtype == np.float32
    assert (alone == bgai.evaluate(START[None])).all() and (alone == bgai.evaluate("start")).all()


@pytest.mark.parametrize("positions", [np.zeros(25, np.int8), np.zeros((2, 25), np.int8)])
def test_boards_of_another_shape_are_refused(positions):
    with pytest.raises(InvalidBoard, match="26 numbers"):
        bgai.evaluate(positions)
