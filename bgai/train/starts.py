"""Where self-play games begin. Rare kinds of position are learned only if games begin there often enough."""

import numpy as np

from bgai.board import HYPERGAMMON, NACKGAMMON, START, on_board

VARIANTS = {"backgammon": START, "nackgammon": NACKGAMMON, "hypergammon": HYPERGAMMON}


def checkers_of(variant: str) -> int:
    """How many checkers a side has in the variant."""
    return int(on_board(VARIANTS[variant])[0])


def opening(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """The variant's own starting position."""
    return np.repeat(VARIANTS[variant][None], n, axis=0)


def scattered(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """Checkers thrown onto the board: strange contact positions, bars and blots everywhere."""
    boards = np.zeros((n, 26), dtype=np.int8)
    for i in range(n):
        points = rng.permutation(np.arange(1, 25))
        split = rng.integers(6, 19)
        own, theirs = points[:split], points[split:]
        checkers = checkers_of(variant)
        np.add.at(boards[i], _stacked(own, checkers, rng), 1)
        np.add.at(boards[i], _stacked(theirs, checkers, rng), -1)
        boards[i, 25] = rng.binomial(2, 0.1)
        boards[i, 0] = -rng.binomial(2, 0.1)
        boards[i, boards[i].argmax()] -= boards[i, 25]
        boards[i, boards[i].argmin()] -= boards[i, 0]
    return boards


def race(n: int, variant: str, rng: np.random.Generator) -> np.ndarray:
    """No contact: both sides on their own side of a random line, with some checkers off."""
    boards = np.zeros((n, 26), dtype=np.int8)
    checkers = checkers_of(variant)
    for i in range(n):
        line = rng.integers(6, 19)
        own, theirs = rng.integers(1, checkers + 1, 2)
        np.add.at(boards[i], rng.integers(1, line + 1, own), 1)
        np.add.at(boards[i], rng.integers(line + 1, 25, theirs), -1)
    return boards


KINDS = {"opening": opening, "scattered": scattered, "race": race}


def _stacked(points: np.ndarray, checkers: int, rng: np.random.Generator) -> np.ndarray:
    """Points for `checkers` checkers that tend to share points, as real ones do."""
    few = points[: rng.integers(3, min(len(points), 9))]
    return rng.choice(few, checkers)


def draw(n: int, weights: dict[str, float], variant: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """`n` starting positions int8[n, 26] mixed by `weights`, and whether each begins with an opening roll (R2)."""
    kinds = list(weights)
    shares = np.array([weights[k] for k in kinds], dtype=float)
    chosen = rng.choice(len(kinds), n, p=shares / shares.sum())
    boards = np.empty((n, 26), dtype=np.int8)
    for k, kind in enumerate(kinds):
        at = np.flatnonzero(chosen == k)
        boards[at] = KINDS[kind](len(at), variant, rng)
    return boards, np.array([kind == "opening" for kind in kinds])[chosen]
