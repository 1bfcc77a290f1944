"""Fit the efficiency of the cube in each phase (`bgai/data/cube_efficiency.toml`) on a player's own cubeful rollouts.

    python scripts/fit_efficiency.py [--net CHECKPOINT] [--positions 48] [--trials 36] [--keep FILE] [--write]

Positions of the player's own games that aren't as good as decided are rolled out for money with the cube in each of its
three places, nobody doubling this turn, luck taken out. The efficiency that fits best leaves the least squares between
these values and those of the formula for the outcomes of the same rollouts; the error is that over the positions
(jackknife). The bear-offs that the two-sided table holds need no rollout: there the exact equities are fitted.
With `--keep` the same command goes on where it was stopped. `--write` puts the fit into use.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from bgai.board import OUTCOME_POINTS, START, UNFINISHED, outcome
from bgai.evaluator import bearoff
from bgai.evaluator.cube import cube_values
from bgai.evaluator.efficiency import BEAR_OFF, CUBE_PHASES, EFFICIENCY, FILE, cube_phase
from bgai.evaluator.evaluate import best_replies, outcomes_of
from bgai.evaluator.rollout import roll_out
from bgai.evaluator.search import sides_of
from bgai.evaluator.trials import Settings, Start
from bgai.files import checkpoint
from bgai.game import State
from bgai.net.fast import FastNet, load_net

SIDES = sides_of(State())
SLOTS = 3  # centred, owned, owned by the opponent
OPEN = 0.1, 0.9  # winning chances within which the cube has something to decide
AT_ONCE = 4  # positions that are rolled out and kept together


def own_games(net: FastNet, games: int, seed: int) -> np.ndarray:
    """All positions before a roll of so many games without a cube, `int8[N, 26]`."""
    rng = np.random.default_rng(seed)
    boards, seen = np.tile(START, (games, 1)), []
    while len(boards):
        seen.append(boards)
        boards, _ = best_replies(net, boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8), OUTCOME_POINTS)
        boards = boards[outcome(boards) == UNFINISHED]
    return np.concatenate(seen)


def rolled_out(net: FastNet, boards: np.ndarray, trials: int) -> np.ndarray:
    """`float64[N, 9]`: money values for each place of the cube, and the six outcomes."""
    start = Start(
        np.repeat(boards, SLOTS, axis=0),
        np.tile(np.arange(SLOTS), len(boards)),
        np.ones(SLOTS * len(boards)),
        SIDES,
        decided=True,
    )
    *_, known = roll_out(net, start, trials, Settings(luck_ply=0))
    outcomes = np.maximum(known.outcomes.reshape(-1, SLOTS, 6).mean(axis=1), 0.0)
    return np.hstack([known.values.reshape(-1, SLOTS), outcomes / outcomes.sum(axis=1, keepdims=True)])


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
    parser.add_argument("--positions", type=int, default=48, help="of each phase")
    parser.add_argument("--trials", type=int, default=36, help="of each position and place of the cube")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="file of what is rolled out so far, for this net, seed and trials")
    parser.add_argument("--write", action="store_true", help=f"write the fit to {FILE.name}")
    asked = parser.parse_args()
    net, rng = load_net(checkpoint(asked.net)), np.random.default_rng(asked.seed)
    boards = own_games(net, 500, asked.seed)
    exact = bearoff.exact(boards)
    winning = outcomes_of(net, boards)[:, :3].sum(axis=1)
    undecided = (winning > OPEN[0]) & (winning < OPEN[1])
    kept = asked.keep.read_text().splitlines() if asked.keep and asked.keep.exists() else []
    fitted = []
    for number, name in enumerate(CUBE_PHASES):
        rows = rng.permutation(np.flatnonzero((cube_phase(boards) == number) & ~exact & undecided))[: asked.positions]
        found = [row for line in kept if (part := json.loads(line))["phase"] == name for row in part["rows"]]
        for i in range(len(found), len(rows), AT_ONCE):
            more = rolled_out(net, boards[rows[i : i + AT_ONCE]], asked.trials).tolist()
            found += more
            if asked.keep:
                with asked.keep.open("a") as file:
                    print(json.dumps({"phase": name, "rows": more}), file=file)
        found = np.array(found)
        best, error = fit(found[:, :SLOTS], found[:, SLOTS:])
        fitted.append(f"{name} = {best:.2f}  # +- {error:.2f}, {len(found)} positions")
        print(f"{fitted[-1]}, now {EFFICIENCY[number]:.2f}", flush=True)
    held = boards[exact]
    best, error = fit(bearoff.equities(held)[:, 1:], bearoff.outcomes(held))
    print(f"last checkers  {best:.2f} +- {error:.2f}, exact; in use in matches: {EFFICIENCY[BEAR_OFF]:.2f}")
    if asked.write:
        head = FILE.read_text().splitlines()[0]
        FILE.write_text("\n".join([head, *fitted, ""]))


if __name__ == "__main__":
    main()
