"""How good labels are, by kind, what they cost, and whether luck-free ones are right on average.

    python scripts/check_labels.py [CHECKPOINT] [--positions 400] [--games 50] [--seed 1]

Plays many games from each of some positions of self-play with a network that stays as it is, and looks at the label
that each game gives to the position it began with. At lambda 1 its mean must be the mean outcome; that mean is then
what labels of smaller lambda, backups and rollouts are compared with. All figures are cubeless equities, points a game.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bgai.arena.phases import PHASES, phase
from bgai.board import OUTCOME_POINTS, OUTCOMES, START, UNFINISHED, outcome, swap_outcomes
from bgai.evaluator import bearoff
from bgai.evaluator.race_plays import CHANCE, ROLLS
from bgai.evaluator.search import each_roll, mean_over_rolls
from bgai.files import checkpoint as shipped
from bgai.net.fast import FastNet, load_net
from bgai.train.labels import JUDGES, Labelling
from bgai.train.returns import luck_free

LAMBDAS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
MOST_TURNS = 400
REPEATS = {"one-ply": 1, "two-ply": 1, "rollout": 3}  # labels of the same position; the first two have no noise


def main(
    checkpoint: Annotated[Path | None, typer.Argument(help="the shipped player without it")] = None,
    positions: int = 400,
    games: Annotated[int, typer.Option(help="from each position")] = 50,
    seed: int = 1,
) -> None:
    """Print what the docstring of this file says."""
    net = load_net(checkpoint or shipped())
    rng = np.random.default_rng(seed)
    starts = played_positions(net, positions, rng)
    labels, results = labelled(net, np.repeat(starts, games, axis=0), rng)
    right_on_average(labels[-1], results)
    thought = net.outcomes(starts) @ OUTCOME_POINTS
    by_position = (labels @ OUTCOME_POINTS).reshape(len(LAMBDAS), positions, games)
    outcomes = OUTCOME_POINTS[results].reshape(positions, games)
    judged = dict(by_judges(net, starts, rng))
    kinds = phase(starts)
    for name, rows in [("all", np.arange(positions)), *((PHASES[k], np.flatnonzero(kinds == k)) for k in range(4))]:
        if len(rows) > 1:
            print(f"\n{name}, {len(rows)} positions")
            table(thought[rows], by_position[:, rows], outcomes[rows], {k: x[:, rows] for k, x in judged.items()})


def played_positions(net: FastNet, n: int, rng: np.random.Generator) -> np.ndarray:
    """int8[n, 26]: one position each of n games of the network against itself, from anywhere in them."""
    boards = np.tile(START, (4 * n, 1))
    seen = []
    for _ in range(60):
        seen.append(boards)
        boards, _ = net.best(boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8))
        boards = boards[outcome(boards) == UNFINISHED]
    return rng.permutation(np.concatenate([rng.permutation(b)[: n // 20 + 1] for b in seen]))[:n]


def labelled(net: FastNet, starts: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Play one game from each of `starts int8[n, 26]`.

    Returns the luck-free labels of the starts for every lambda, float32[lambdas, n, 6], and how the games ended for who
    was on roll at the start, int[n].
    """
    n = len(starts)
    values, expected = (np.zeros((n, MOST_TURNS, 6), np.float32) for _ in range(2))
    values[:, 0] = net.outcomes(starts)
    turn = np.zeros(n, dtype=np.int32)
    boards, running = starts.copy(), np.arange(n)
    while len(running):
        after, judged = net.best(*each_roll(boards[running]))
        bearoff.fill_outcomes(after, judged)
        expected[running, turn[running]] = swap_outcomes(mean_over_rolls(judged))
        chosen = len(ROLLS) * np.arange(len(running)) + rng.choice(len(ROLLS), len(running), p=CHANCE)
        turn[running] += 1
        boards[running], values[running, turn[running]] = after[chosen], judged[chosen]
        running = running[outcome(boards[running]) == UNFINISHED]
    never = np.zeros((n, MOST_TURNS), np.bool_)
    all_labels = []
    for trace in LAMBDAS:
        labels = luck_free(expected, values, never, turn, never[:, 0], np.arange(n), trace)
        all_labels.append(labels[np.cumsum(turn) - 1])  # the start is the last of its game
    ends = values[np.arange(n), turn].argmax(axis=1)
    return np.array(all_labels), (ends + 3 * turn) % 6


def right_on_average(labels: np.ndarray, results: np.ndarray) -> None:
    """Compare the mean label at lambda 1 with the mean outcome, outcome by outcome."""
    print(f"{len(results):,} games at lambda 1: mean label, mean outcome, difference in standard errors, spreads")
    happened = np.eye(6)[results]
    difference = labels - happened
    z = difference.mean(axis=0) / (difference.std(axis=0, ddof=1) / np.sqrt(len(results)) + 1e-12)
    for k, name in enumerate(OUTCOMES):
        spreads = f"{labels[:, k].std():.3f} {happened[:, k].std():.3f}"
        print(f"  {name:<20} {labels[:, k].mean():.4f} {happened[:, k].mean():.4f} {z[k]:+5.1f}   {spreads}")


def by_judges(net: FastNet, starts: np.ndarray, rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    """What each of `labels.JUDGES` is called and costs, and its labels of `starts`, float64[repeats, n]."""
    for kind, repeats in REPEATS.items():
        begun = time.process_time()
        labels = np.array([JUDGES[kind](net, starts, Labelling(kind), rng) @ OUTCOME_POINTS for _ in range(repeats)])
        yield f"{kind}, {labels.size / (time.process_time() - begun):,.0f} labels a core-second", labels


def table(thought: np.ndarray, labels: np.ndarray, outcomes: np.ndarray, judged: dict[str, np.ndarray]) -> None:
    """For each lambda and judge: rms of the label's bias and of one label's noise, and the two together."""
    games = labels.shape[2]
    truth = labels[-1].mean(axis=1)
    doubt = (labels[-1].var(axis=1, ddof=1) / games).mean()  # of the truth itself
    print(f"  the network's own opinion is off by {np.sqrt(max(((thought - truth) ** 2).mean() - doubt, 0)):.4f} (rms)")
    print(f"  an outcome says it with a noise of {np.sqrt(outcomes.var(axis=1, ddof=1).mean()):.3f}")
    for trace, label in zip(LAMBDAS, labels, strict=True):
        noise = label.var(axis=1, ddof=1).mean()
        difference = labels[-1] - label
        bias = max((difference.mean(axis=1) ** 2 - difference.var(axis=1, ddof=1) / games).mean(), 0)
        line(f"lambda {trace}", bias, noise)
    for name, repeated in judged.items():
        noise = repeated.var(axis=0, ddof=1).mean() if len(repeated) > 1 else 0.0
        line(name, max(((repeated.mean(axis=0) - truth) ** 2).mean() - doubt - noise / len(repeated), 0), noise)


def line(name: str, bias: float, noise: float) -> None:
    """`bias` and `noise` are squares."""
    print(f"  {name}: bias {np.sqrt(bias):.4f}, noise {np.sqrt(noise):.4f}, both {np.sqrt(bias + noise):.4f}")


if __name__ == "__main__":
    typer.run(main)
