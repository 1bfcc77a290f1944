"""Fit the efficiency of the cube in each phase (`bgai/evaluator/efficiency.py`) on a player's own cubeful rollouts.

    python scripts/fit_efficiency.py [--net CHECKPOINT] [--positions 40] [--trials 36]

Positions of the player's own games are rolled out for money with the cube in each of its three places, nobody doubling
this turn, luck taken out. The efficiency that fits best leaves the least squares between these values and those of the
formula for the outcomes of the same rollouts; the error is that over the positions (jackknife). The bear-offs that the
two-sided table holds need no rollout: there the exact equities are fitted.
"""

import argparse

import numpy as np

from bgai.board import OUTCOME_POINTS, START, UNFINISHED, outcome
from bgai.evaluator import bearoff
from bgai.evaluator.cube import cube_values
from bgai.evaluator.efficiency import BEAR_OFF, EFFICIENCY, PHASES, phase
from bgai.evaluator.evaluate import best_replies
from bgai.evaluator.rollout import roll_out
from bgai.evaluator.search import sides_of
from bgai.evaluator.trials import Settings, Start
from bgai.files import checkpoint
from bgai.game import State
from bgai.net.fast import FastNet, load_net

SIDES = sides_of(State())
SLOTS = 3  # centred, owned, owned by the opponent


def own_games(net: FastNet, games: int, seed: int) -> np.ndarray:
    """All positions before a roll of so many games without a cube, `int8[N, 26]`."""
    rng = np.random.default_rng(seed)
    boards, seen = np.tile(START, (games, 1)), []
    while len(boards):
        seen.append(boards)
        boards, _ = best_replies(net, boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8), OUTCOME_POINTS)
        boards = boards[outcome(boards) == UNFINISHED]
    return np.concatenate(seen)


def rolled_out(net: FastNet, boards: np.ndarray, trials: int) -> tuple[np.ndarray, np.ndarray]:
    """Money values `float64[N, 3]` for each place of the cube, and the outcomes `float64[N, 6]`."""
    start = Start(
        np.repeat(boards, SLOTS, axis=0),
        np.tile(np.arange(SLOTS), len(boards)),
        np.ones(SLOTS * len(boards)),
        SIDES,
        decided=True,
    )
    *_, known = roll_out(net, start, trials, Settings(luck_ply=0))
    outcomes = np.maximum(known.outcomes.reshape(-1, SLOTS, 6).mean(axis=1), 0.0)
    return known.values.reshape(-1, SLOTS), outcomes / outcomes.sum(axis=1, keepdims=True)


def fit(values: np.ndarray, outcomes: np.ndarray) -> tuple[float, float]:
    """The best efficiency for `values [N, 3]` of positions with these `outcomes [N, 6]`, and its standard error."""
    dead, live = (cube_values(outcomes, efficiency, SIDES.mover) for efficiency in (0.0, 1.0))
    products = ((values - dead) * (live - dead)).sum(axis=1)
    squares = ((live - dead) ** 2).sum(axis=1)
    without = (products.sum() - products) / (squares.sum() - squares)
    n = len(values)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    return products.sum() / squares.sum(), error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--net", default="default")
    parser.add_argument("--positions", type=int, default=40, help="of each phase")
    parser.add_argument("--trials", type=int, default=36, help="of each position and place of the cube")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    net, rng = load_net(checkpoint(arguments.net)), np.random.default_rng(arguments.seed)
    boards = own_games(net, 20 * arguments.positions, arguments.seed)
    exact = bearoff.exact(boards)
    for number, name in enumerate(PHASES):
        rows = np.flatnonzero((phase(boards) == number) & ~exact)
        chosen = boards[rng.choice(rows, arguments.positions, replace=False)]
        report(name, number, *fit(*rolled_out(net, chosen, arguments.trials)))
    held = boards[exact]
    report("last checkers", BEAR_OFF, *fit(bearoff.equities(held)[:, 1:], bearoff.outcomes(held)))


def report(name: str, number: int, fitted: float, error: float) -> None:
    print(f"{name:<14} {fitted:.3f} +- {error:.3f}, now {EFFICIENCY[number]:.2f}", flush=True)


if __name__ == "__main__":
    main()
