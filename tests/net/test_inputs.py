"""The raw input code, as `docs/inputs.md` states it, and where the computed features go."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from positions import boards

from bgai.board import HYPERGAMMON, START, flip, on_board
from bgai.net import features
from bgai.net.inputs import N_RAW, encode, n_inputs

DOCUMENT = Path(__file__).parents[2] / "docs" / "inputs.md"


def code(count: int) -> list[float]:
    """The six inputs of one side at one place."""
    return [float(x) for x in (count == 1, count >= 2, count >= 3, count >= 4, count >= 5, max(count - 5, 0) / 4)]


def plain(board: np.ndarray, checkers: int = 15) -> list[float]:
    """The 330 raw inputs, straight from the description."""
    board = [int(n) for n in board]
    own = [x for place in range(1, 26) for x in code(max(board[place], 0))]
    opponent = [x for place in range(25) for x in code(max(-board[place], 0))]
    off = [
        float(borne_off >= k)
        for borne_off in (checkers - sum(max(n, 0) for n in board), checkers - sum(max(-n, 0) for n in board))
        for k in range(1, 16)
    ]
    return own + opponent + off


def on(board: np.ndarray, checkers: int = 15) -> dict[int, float]:
    row = encode(board[None], False, checkers)[0]
    return {int(k): float(row[k]) for k in np.flatnonzero(row)}


@given(boards())
def test_any_board(position):
    assert encode(position[None], False)[0].tolist() == plain(position)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, {0: 1}),
        (2, {1: 1}),
        (3, {1: 1, 2: 1}),
        (4, {1: 1, 2: 1, 3: 1}),
        (5, {1: 1, 2: 1, 3: 1, 4: 1}),
        (6, {1: 1, 2: 1, 3: 1, 4: 1, 5: 0.25}),
        (15, {1: 1, 2: 1, 3: 1, 4: 1, 5: 2.5}),
    ],
)
@pytest.mark.parametrize(
    ("place", "side", "first"),
    [(1, 1, 0), (2, 1, 6), (24, 1, 138), (25, 1, 144), (0, -1, 150), (1, -1, 156), (24, -1, 294)],
    ids=["own 1", "own 2", "own 24", "own bar", "opponent's bar", "its 24 point", "its ace point"],
)
def test_each_place_has_its_six_inputs(place, side, first, count, expected):
    position = np.zeros(26, dtype=np.int8)
    position[place] = side * count
    got = {k: v for k, v in on(position).items() if k < 300}
    assert got == {first + k: v for k, v in expected.items()}


@pytest.mark.parametrize("borne_off", range(16))
def test_borne_off_is_a_thermometer(borne_off):
    position = np.zeros(26, dtype=np.int8)
    position[3], position[20] = 15 - borne_off, -1
    got = [k for k in on(position) if k >= 300]
    assert got == [*range(300, 300 + borne_off), *range(315, 315 + 14)]


def test_variants_start_with_nothing_borne_off():
    assert [k for k in on(HYPERGAMMON, 3) if k >= 300] == []
    assert [k for k in on(HYPERGAMMON) if k >= 300] == [*range(300, 312), *range(315, 327)]


def test_start_position_has_sixteen_places_taken():
    assert len(on(START)) == sum(sum(x > 0 for x in code(n)) for n in (2, 5, 3, 5)) * 2


@given(boards())
def test_no_two_boards_share_a_code(position):
    """The code can be read back: nothing that the rules depend on is lost."""
    row = encode(position[None], False)[0]
    own, opponent = (
        np.where(side[:, 0] == 1, 1, side[:, 1:5].sum(axis=1) + (side[:, 1] > 0) + 4 * side[:, 5]).astype(int)
        for side in (row[:150].reshape(25, 6), row[150:300].reshape(25, 6))
    )
    assert (own == np.maximum(position[1:], 0)).all() and (opponent == np.maximum(-position[:25], 0)).all()
    assert [row[300:315].sum(), row[315:].sum()] == [15 - n for n in on_board(position)]


@given(boards())
def test_computed_features_come_after_the_raw_inputs(position):
    row = encode(position[None], True)[0]
    expected = np.empty(features.N_FEATURES, dtype=np.float32)
    features.features(position, expected)
    assert (row[:N_RAW] == encode(position[None], False)[0]).all()
    assert (row[N_RAW:] == expected).all()


def test_a_batch_is_its_rows():
    batch = np.stack([START, flip(START), HYPERGAMMON])
    rows = encode(batch, True)
    for position, row in zip(batch, rows, strict=True):
        assert (encode(position[None], True)[0] == row).all()


def test_sizes():
    assert (n_inputs(False), n_inputs(True)) == (330, 330 + features.N_FEATURES)


def test_the_document_lists_every_computed_feature_in_order():
    """Rows of its tables: | 330 | `PIPS` | ..."""
    listed = re.findall(r"^\| (\d+)(?: / (\d+))? \| `([A-Z_]+)`", DOCUMENT.read_text(), re.MULTILINE)
    expected = []
    for own, opponent, name in listed:
        k = getattr(features, name)
        assert int(own) == N_RAW + k
        assert opponent == ("" if k >= 2 * features.N_SIDE else str(N_RAW + features.N_SIDE + k))
        expected += [int(own)] + ([int(opponent)] if opponent else [])
    assert sorted(expected) == list(range(N_RAW, n_inputs(True)))
