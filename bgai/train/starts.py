"""Where self-play games begin. Rare kinds of position are learned only if games begin there often enough."""

import numpy as np

from bgai.board import BAR, OPPONENT_BAR, UNFINISHED, VARIANTS, InvalidBoard, check, checkers_of, flip, outcome
from bgai.named import imported


def opening(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """The variant's own starting position."""
    return np.repeat(VARIANTS[variant][None], n, axis=0)


def scattered(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """Checkers thrown onto the board: strange contact positions, bars and blots everywhere, nothing borne off.

    The points are shared out at random; a side stands on 3 to 8 of its own, and each of its checkers is on the bar with
    chance 1 in 75, which puts one there on every fifth board.
    """
    order = rng.random((n, 24)).argsort(axis=1) + 1
    sides = []
    for points in (order[:, :12], order[:, 12:]):
        checkers = rng.integers(0, rng.integers(3, 9, (n, 1)), (n, checkers_of(variant)))
        places = np.take_along_axis(points, checkers, axis=1)
        sides.append(np.where(rng.random(places.shape) < 1 / 75, BAR, places))
    sides[1] = np.where(sides[1] == BAR, OPPONENT_BAR, sides[1])
    return _counts(sides[0]) - _counts(sides[1])


def race(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """No contact: the two sides on either side of a random line, each with any number of checkers borne off."""
    most = checkers_of(variant)
    line = rng.integers(6, 19, (n, 1))  # the last own point
    own = rng.integers(1, line + 1, (n, most))
    theirs = rng.integers(line + 1, 25, (n, most))
    left = rng.integers(1, most + 1, (2, n, 1))
    nowhere = np.arange(most) >= left
    return _counts(np.where(nowhere[0], -1, own)) - _counts(np.where(nowhere[1], -1, theirs))


def back_game(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """One side holds two points in the other's home board, timed anyhow; either side is on roll."""
    most = checkers_of(variant)
    anchors = 19 + rng.random((n, 6)).argsort(axis=1)[:, :2]
    order = rng.random((n, 18)).argsort(axis=1) + 1  # the other points, shared out between the sides
    behind = np.take_along_axis(order[:, :9], rng.integers(0, rng.integers(3, 7, (n, 1)), (n, most)), axis=1)
    behind[:, :4] = anchors[:, [0, 0, 1, 1]][:, :most]
    free = np.concatenate([order[:, 9:], 19 + rng.random((n, 6)).argsort(axis=1)], axis=1)
    free[(free[:, :, None] == anchors[:, None, :]).any(axis=2)] = 0
    home_first = (free + rng.integers(0, 8, free.shape) * (free > 0)).argsort(axis=1)[:, ::-1]
    points = np.take_along_axis(free, home_first, axis=1)[:, :7]
    front = np.take_along_axis(points, rng.integers(0, rng.integers(4, 8, (n, 1)), (n, most)), axis=1)
    return _either_side(_counts(behind) - _counts(front), rng)


def primes(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """Prime against prime: each side has five points in a row and one or two checkers behind the other's."""
    most = checkers_of(variant)
    sides = []
    for _ in range(2):
        start = rng.integers(3, 6, (n, 1))
        places = rng.integers(10, 13, (n, most))  # spare checkers
        places[:, 2:12] = (start + np.repeat(np.arange(5), 2))[:, : max(most - 2, 0)]
        places[:, :2] = rng.integers(23, 25, (n, 2))
        places[rng.random(n) < 0.5, 1] = 12  # only one is trapped
        sides.append(_counts(places))
    return sides[0] - sides[1][:, ::-1]


def stragglers(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """One side bears off, the other still has one or two checkers on the bar or in the way; either side is on roll."""
    most = checkers_of(variant)
    order = rng.random((n, 6)).argsort(axis=1) + 1
    off = np.arange(most) >= rng.integers(1, most + 1, (n, 1))
    own = np.take_along_axis(order, rng.integers(0, rng.integers(2, 6, (n, 1)), (n, most)), axis=1)
    theirs = np.where(np.arange(most) >= rng.integers(2, most + 1, (n, 1)), -1, rng.integers(13, 25, (n, most)))
    theirs[:, :2] = np.where(rng.random((n, 1)) < 0.5, OPPONENT_BAR, order[:, 5:])
    theirs[rng.random(n) < 0.5, 1] = -1  # only one is there
    return _either_side(_counts(np.where(off, -1, own)) - _counts(theirs), rng)


KINDS = {
    "opening": opening,
    "scattered": scattered,
    "race": race,
    "back_game": back_game,
    "primes": primes,
    "stragglers": stragglers,
}


def _either_side(boards: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Half of the boards seen by the other player."""
    return np.where(rng.random((len(boards), 1)) < 0.5, boards, flip(boards))


def _counts(places: np.ndarray) -> np.ndarray:
    """Boards `int8[n, 26]` with a checker on each of `places int[n, checkers]`; -1 is none."""
    n = len(places)
    flat = places + 26 * np.arange(n)[:, None]
    return np.bincount(flat[places >= 0], minlength=26 * n).reshape(n, 26).astype(np.int8)


def _own(path: str, n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """What the function at an import path makes, if games can begin there. Raises InvalidBoard."""
    boards = check(imported(path)(n, variant, rng), checkers_of(variant))
    if boards.shape != (n, 26) or (outcome(boards, checkers_of(variant)) != UNFINISHED).any():
        raise InvalidBoard(f"{path} is to make {n} boards int8[{n}, 26] of games that go on; it made {boards.shape}")
    return boards


def draw(n: int, weights: dict[str, float], variant: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """`n` starting positions int8[n, 26] mixed by `weights`, and whether each begins with an opening roll (R2).

    A kind is one of `KINDS` or the import path of a function like them.
    """
    kinds = [kind for kind, weight in weights.items() if weight > 0]
    shares = np.cumsum([weights[kind] for kind in kinds])
    chosen = np.searchsorted(shares, rng.random(n) * shares[-1], side="right")
    boards = np.empty((n, 26), dtype=np.int8)
    for k, kind in enumerate(kinds):
        at = np.flatnonzero(chosen == k)
        boards[at] = KINDS[kind](len(at), variant, rng) if kind in KINDS else _own(kind, len(at), variant, rng)
    return boards, np.array([kind == "opening" for kind in kinds])[chosen]
