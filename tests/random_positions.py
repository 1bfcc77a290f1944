"""Random possible positions and states, for round trips through IDs."""

import numpy as np

from bgai.board import CHECKERS
from bgai.game import State, check_state
from bgai.notation import xgid as xg


def random_boards(rng, count):
    """Any arrangement of up to 15 checkers a side, `int8[count, 26]`."""
    boards = np.zeros((count, 26), dtype=np.int8)
    own_point = rng.random((count, 24)) < rng.random((count, 1))
    for sign, bar, theirs in ((1, 25, own_point), (-1, 0, ~own_point)):
        weight = np.zeros((count, 26))
        weight[:, 1:25] = theirs * rng.exponential(size=(count, 24))
        weight[:, bar] = rng.exponential(size=count) * 0.5
        checkers = rng.integers(1, CHECKERS + 1, count)
        boards += (sign * rng.multinomial(checkers, weight / weight.sum(axis=1, keepdims=True))).astype(np.int8)
    return boards


def random_states(rng, count):
    """Possible states that every ID can hold, with rolls: a list of (State, dice)."""
    found = []
    while len(found) < count:
        length = int(rng.choice([0, 0, 1, 3, 7, 25, 32767]))
        score = tuple(rng.integers(0, length or 100, 2).tolist())
        if rng.random() < 0.3 and length:
            score = (length - 1, score[1]) if rng.random() < 0.5 else (score[0], length - 1)
        pending = str(rng.choice(["", "", "double", "beaver", "raccoon"])) or None
        state = State(
            cube=1 << int(rng.choice([0, 0, 1, 2, 6, 15])),
            owner=str(rng.choice(["centred", "mover", "opponent"])),
            length=length,
            score=score,
            crawford=bool(length and rng.random() < 0.3),
            jacoby=bool(not length and rng.random() < 0.5),
            beavers=0 if length or rng.random() < 0.5 else xg.BEAVERS,
            pending=pending,
        )
        try:
            check_state(state)
        except ValueError:
            continue
        dice = tuple(sorted(rng.integers(1, 7, 2).tolist(), reverse=True))
        found.append((state, None if pending or rng.random() < 0.4 else dice))
    return found
