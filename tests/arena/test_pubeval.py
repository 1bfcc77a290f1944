"""Pubeval against its published description, written down again in the plainest way."""

import json

import numpy as np
import pytest
from positions import from_play

from bgai import files
from bgai.arena.pubeval import Pubeval
from bgai.arena.states import States
from bgai.board import flip, is_race
from bgai.plays import legal_plays

WEIGHTS = json.loads(files.data_file("pubeval.json").read_text())


def score(after: np.ndarray, weights: list[float]) -> float:
    """What pubeval thinks of a board after the play, seen by the player who made it."""
    own_off = 15 - sum(n for n in after.tolist() if n > 0)
    if own_off == 15:
        return float("inf")
    inputs = [0.0] * 122
    for j in range(1, 25):
        n = int(after[25 - j])
        inputs[5 * (j - 1) : 5 * j] = [n == -1, n == 1, n >= 2, n == 3, (n - 3) / 2 if n >= 4 else 0]
    inputs[120] = -int(after[0]) / 2
    inputs[121] = own_off / 15
    return float(np.dot(inputs, weights))


@pytest.mark.parametrize("sensible", [True, False])
def test_makes_the_play_with_the_highest_score(sensible):
    boards, dice = from_play(100, 12, sensible=sensible, seed=4)
    chosen = Pubeval().play(boards, dice, States.same(None, len(boards)))
    plays = legal_plays(boards, dice)
    race = is_race(boards)
    assert race.any() and not race.all()
    for i in range(len(boards)):
        weights = WEIGHTS["race" if race[i] else "contact"]
        candidates = flip(plays.boards[plays.offsets[i] : plays.offsets[i + 1]])
        scores = [score(candidate, weights) for candidate in candidates]
        assert score(flip(chosen[i]), weights) == pytest.approx(max(scores), abs=1e-9)


def test_bears_off_the_last_checker():
    board = np.zeros(26, dtype=np.int8)
    board[[1, 2, 24]] = 1, 1, -5
    after = Pubeval().play(board[None], np.array([[6, 5]], dtype=np.int8), States.same(None, 1))[0]
    assert (after >= 0).all()
