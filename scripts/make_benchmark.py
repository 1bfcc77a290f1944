"""Build a benchmark file: decisions from games, with references by GNU Backgammon's 2-ply or by own rollouts.

    python scripts/make_benchmark.py OUT.jsonl [--plays 700] [--cubes 300] [--games CHECKPOINT] [--seed 1]
    python scripts/make_benchmark.py OUT.jsonl --rollouts 1296 ...

Positions come from a checkpoint's games against itself, evenly over the phases as far as there are enough. Every legal
play is evaluated without lookahead; the best eight, if they are within 0.2 of the best, are looked into: at 2-ply, or
by so many trials of the same checkpoint. A play further back keeps its equity without lookahead, but never more than
the worst that was looked into.
"""

import argparse
import json
from pathlib import Path
from typing import Protocol

import numpy as np

from bgai import files
from bgai.arena.benchmark import FORMAT, in_order
from bgai.arena.calibration import self_play
from bgai.arena.gnubg import Gnubg
from bgai.arena.phases import PHASES, phase
from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS, UNFINISHED, flip, outcome
from bgai.evaluator.cube import best_values, nd_dt, slot
from bgai.evaluator.race_plays import CHANCE, ROLLS
from bgai.evaluator.rollout import of_cube, of_plays, roll_out
from bgai.evaluator.search import evaluate, sides_of
from bgai.evaluator.trials import Settings, Start
from bgai.game import State
from bgai.net.fast import FastNet, load_net
from bgai.plays import legal_plays

LOOKED_INTO, WITHIN = 8, 0.2
DOUBTFUL = 0.35  # cube decisions further from any change of action aren't worth asking
CENTRED = State()
DOUBLED = State(cube=2, owner="opponent")
SIDES = sides_of(CENTRED)
PLIES = 2


class References(Protocol):
    """Who knows better. Money games, cube centred; equities for the player on roll, unfinished games only."""

    about: str

    def quick(self, boards: np.ndarray) -> np.ndarray:
        """Equities `float64[N]` without lookahead."""

    def equities(self, boards: np.ndarray) -> np.ndarray:
        """The same, looked into; the boards are rivals, the results of plays of one roll."""

    def quick_cube(self, boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Without lookahead: equities of no double and of double and take, `float64[N]` each."""

    def cube(self, board: np.ndarray) -> tuple[float, float]:
        """The same of one position, looked into."""


class ByGnubg:
    """GNU Backgammon at 2-ply."""

    about = f"GNU Backgammon, {PLIES}-ply cubeful, money without Jacoby rule"

    def __init__(self):
        self.gnubg = Gnubg(PLIES, CENTRED)

    def quick(self, boards: np.ndarray) -> np.ndarray:
        return self._equities(boards, CENTRED, 0)

    def equities(self, boards: np.ndarray) -> np.ndarray:
        return self._equities(boards, CENTRED, PLIES)

    def quick_cube(self, boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.quick(boards), 2 * self._equities(boards, DOUBLED, 0)

    def cube(self, board: np.ndarray) -> tuple[float, float]:
        """No double is the mean over the rolls thrown without one, one ply less deep."""
        boards = np.tile(board, (len(ROLLS), 1))
        after = self.gnubg.play(boards, ROLLS, States.same(CENTRED, len(ROLLS)))
        no_double = CHANCE @ after_play(after, lambda rivals: self._equities(rivals, CENTRED, PLIES - 1))
        return no_double, 2 * self._equities(board[None], DOUBLED, PLIES)[0]

    def _equities(self, boards: np.ndarray, state: State, plies: int) -> np.ndarray:
        return self.gnubg.equities(boards, States.same(state, len(boards)), plies)


class ByRollout:
    """The checkpoint's own cubeful rollouts of so many trials, their luck taken out."""

    def __init__(self, net: FastNet, trials: int, seed: int):
        self.net, self.trials = net, trials
        self.settings = Settings(luck_ply=0, seed=seed)
        self.about = f"own rollouts of {trials} trials, 0-ply cubeful, money without Jacoby rule"

    def quick(self, boards: np.ndarray) -> np.ndarray:
        return best_values(evaluate(self.net, boards, SIDES, 0).values, SIDES.mover)[:, slot(CENTRED.owner)]

    def equities(self, boards: np.ndarray) -> np.ndarray:
        return -self._rolled_out(of_plays(boards, CENTRED))

    def quick_cube(self, boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return nd_dt(evaluate(self.net, boards, SIDES, 0).values, SIDES.mover, CENTRED.owner)

    def cube(self, board: np.ndarray) -> tuple[float, float]:
        no_double, taken = self._rolled_out(of_cube(board, CENTRED))
        return no_double, taken

    def _rolled_out(self, start: Start) -> np.ndarray:
        *_, rollout = roll_out(self.net, start, self.trials, self.settings)
        return rollout.equities


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--plays", type=int, default=700)
    parser.add_argument("--cubes", type=int, default=300)
    parser.add_argument("--games", default="default", help="the checkpoint whose games are used")
    parser.add_argument("--rollouts", type=int, help="references by so many trials instead of GNU Backgammon")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    net = load_net(files.checkpoint(options.games))
    boards = np.unique(self_play(net, 2000, options.seed).boards, axis=0)
    references = ByRollout(net, options.rollouts, options.seed) if options.rollouts else ByGnubg()
    with options.out.open("w") as out:
        print(json.dumps({"bgai benchmark": FORMAT, "references": references.about}), file=out)
        for record in [*plays(references, boards, options.plays, rng), *cubes(references, boards, options.cubes, rng)]:
            print(json.dumps(record), file=out)


def _sample(boards: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """So many boards, evenly over the phases."""
    phases = phase(boards)
    chosen = []
    for left, i in zip(range(len(PHASES), 0, -1), np.argsort(np.bincount(phases, minlength=len(PHASES))), strict=True):
        among = np.flatnonzero(phases == i)
        share = (count - sum(map(len, chosen))) // left
        chosen.append(rng.choice(among, min(share, len(among)), replace=False))
    return boards[np.sort(np.concatenate(chosen))]


def plays(references: References, boards: np.ndarray, count: int, rng: np.random.Generator) -> list[dict]:
    boards = _sample(boards, 2 * count, rng)
    rolls = rng.integers(1, 7, (len(boards), 2), dtype=np.int8)
    legal = legal_plays(boards, rolls)
    choice = np.flatnonzero(np.diff(legal.offsets) > 1)  # else there is nothing to decide
    records = []
    for i in np.sort(rng.permutation(choice)[:count]):
        after = legal.boards[legal.offsets[i] : legal.offsets[i + 1]]
        after = after[in_order(flip(after))]
        equities = after_play(after, references.quick)
        best = np.argsort(-equities, kind="stable")[:LOOKED_INTO]
        best = best[equities[best] >= equities.max() - WITHIN]
        looked_into = after_play(after[best], references.equities)
        equities = np.minimum(equities, looked_into.min())
        equities[best] = looked_into
        record = {"kind": "play", "board": boards[i].tolist(), "roll": rolls[i].tolist()}
        records.append(record | {"equities": equities.round(4).tolist()})
    return records


def after_play(after: np.ndarray, equities_of) -> np.ndarray:
    """Equities for who has just moved; `after` is seen by the opponent. Finished games are exact."""
    ends = outcome(after)
    equities = -OUTCOME_POINTS[ends].astype(np.float64)
    going_on = ends == UNFINISHED
    if going_on.any():
        equities[going_on] = -equities_of(after[going_on])
    return equities


def cubes(references: References, boards: np.ndarray, count: int, rng: np.random.Generator) -> list[dict]:
    """Cube decisions that aren't plain: of many positions those where a change of action is near without lookahead."""
    boards = _sample(boards, 20 * count, rng)
    no_double, taken = references.quick_cube(boards)
    gap = np.minimum(taken, 1) - no_double
    boards = _sample(boards[(gap > -DOUBTFUL) & (taken < 1 + DOUBTFUL)], count, rng)
    decisions = [references.cube(board) for board in boards]
    return [
        {"kind": "cube", "board": board.tolist(), "nd": round(float(nd), 4), "dt": round(float(dt), 4)}
        for board, (nd, dt) in zip(boards, decisions, strict=True)
    ]


if __name__ == "__main__":
    main()
