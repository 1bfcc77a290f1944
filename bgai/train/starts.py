"""Where self-play games begin. Rare kinds of position are learned only if games begin there often enough."""

import numpy as np

from bgai.board import BAR, HYPERGAMMON, NACKGAMMON, OPPONENT_BAR, START, on_board

VARIANTS = {"backgammon": START, "nackgammon": NACKGAMMON, "hypergammon": HYPERGAMMON}


def checkers_of(variant: str) -> int:
    """How many checkers a side has in the variant."""
    return int(on_board(VARIANTS[variant])[0])


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


KINDS = {"opening": opening, "scattered": scattered, "race": race}


def _counts(places: np.ndarray) -> np.ndarray:
    """Boards `int8[n, 26]` with a checker on each of `places int[n, checkers]`; -1 is none."""
    n = len(places)
    flat = places + 26 * np.arange(n)[:, None]
    return np.bincount(flat[places >= 0], minlength=26 * n).reshape(n, 26).astype(np.int8)


def draw(n: int, weights: dict[str, float], variant: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """`n` starting positions int8[n, 26] mixed by `weights`, and whether each begins with an opening roll (R2)."""
    kinds = [kind for kind, weight in weights.items() if weight > 0]
    shares = np.cumsum([weights[kind] for kind in kinds])
    chosen = np.searchsorted(shares, rng.random(n) * shares[-1], side="right")
    boards = np.empty((n, 26), dtype=np.int8)
    for k, kind in enumerate(kinds):
        at = np.flatnonzero(chosen == k)
        boards[at] = KINDS[kind](len(at), variant, rng)
    return boards, np.array([kind == "opening" for kind in kinds])[chosen]
