"""Build a benchmark file: decisions from games, with GNU Backgammon's 2-ply equities as references.

    python scripts/make_benchmark.py OUT.jsonl [--plays 700] [--cubes 300] [--games CHECKPOINT] [--seed 1]

Positions come from a checkpoint's games against itself, evenly over the phases as far as there are enough. Every legal
play is evaluated without lookahead; the best eight, if they are within 0.2 of the best, at 2-ply. A play further back
keeps its equity without lookahead, but never more than the worst that was looked into.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from bgai import files
from bgai.arena.benchmark import FORMAT, in_order
from bgai.arena.calibration import self_play
from bgai.arena.gnubg import Gnubg
from bgai.arena.luck import CHANCES, ROLLS
from bgai.arena.phases import PHASES, phase
from bgai.arena.states import States
from bgai.board import UNFINISHED, flip, outcome
from bgai.game import State
from bgai.net.fast import load_net
from bgai.plays import legal_plays

LOOKED_INTO, WITHIN = 8, 0.2
DOUBTFUL = 0.35  # cube decisions further from any change of action aren't worth asking
CENTRED = State()
DOUBLED = State(cube=2, owner="opponent")
PLIES = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--plays", type=int, default=700)
    parser.add_argument("--cubes", type=int, default=300)
    parser.add_argument("--games", default="default", help="the checkpoint whose games are used")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    boards = self_play(load_net(files.checkpoint(options.games)), 2000, options.seed).boards
    boards = np.unique(boards, axis=0)
    gnubg = Gnubg(PLIES, CENTRED)
    about = {"bgai benchmark": FORMAT, "references": f"GNU Backgammon, {PLIES}-ply cubeful, money without Jacoby rule"}
    with options.out.open("w") as out:
        print(json.dumps(about), file=out)
        for record in [*_plays(gnubg, boards, options.plays, rng), *_cubes(gnubg, boards, options.cubes, rng)]:
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


def _plays(gnubg: Gnubg, boards: np.ndarray, count: int, rng: np.random.Generator) -> list[dict]:
    boards = _sample(boards, 2 * count, rng)
    rolls = rng.integers(1, 7, (len(boards), 2), dtype=np.int8)
    plays = legal_plays(boards, rolls)
    choice = np.flatnonzero(np.diff(plays.offsets) > 1)  # else there is nothing to decide
    records = []
    for i in np.sort(rng.permutation(choice)[:count]):
        after = plays.boards[plays.offsets[i] : plays.offsets[i + 1]]
        after = after[in_order(flip(after))]
        equities = _after_play(gnubg, after, 0)
        best = np.argsort(-equities, kind="stable")[:LOOKED_INTO]
        best = best[equities[best] >= equities.max() - WITHIN]
        looked_into = _after_play(gnubg, after[best], PLIES)
        equities = np.minimum(equities, looked_into.min())
        equities[best] = looked_into
        record = {"kind": "play", "board": boards[i].tolist(), "roll": rolls[i].tolist()}
        records.append(record | {"equities": equities.round(4).tolist()})
    return records


def _after_play(gnubg: Gnubg, after: np.ndarray, plies: int) -> np.ndarray:
    """Equities for who has just moved; `after` is seen by the opponent. Finished games are exact."""
    ends = outcome(after)
    equities = np.array([0, 0, 0, 1, 2, 3])[ends].astype(np.float64)
    going_on = ends == UNFINISHED
    equities[going_on] = -gnubg.equities(after[going_on], States.same(CENTRED, int(going_on.sum())), plies)
    return equities


def _cubes(gnubg: Gnubg, boards: np.ndarray, count: int, rng: np.random.Generator) -> list[dict]:
    """Cube decisions that aren't plain: of many positions those where 0-ply thinks a change of action is near."""
    boards = _sample(boards, 20 * count, rng)
    doubled = 2 * gnubg.equities(boards, States.same(DOUBLED, len(boards)), 0)
    gap = np.minimum(doubled, 1) - gnubg.equities(boards, States.same(CENTRED, len(boards)), 0)
    doubtful = boards[(gap > -DOUBTFUL) & (doubled < 1 + DOUBTFUL)]
    boards = _sample(doubtful, count, rng)
    dt = 2 * gnubg.equities(boards, States.same(DOUBLED, len(boards)), PLIES)
    nd = [_no_double(gnubg, board) for board in boards]
    return [
        {"kind": "cube", "board": board.tolist(), "nd": round(float(a), 4), "dt": round(float(b), 4)}
        for board, a, b in zip(boards, nd, dt, strict=True)
    ]


def _no_double(gnubg: Gnubg, board: np.ndarray) -> float:
    """Equity if this roll is thrown without a double: the mean over the rolls, one ply less deep."""
    boards = np.tile(board, (len(ROLLS), 1))
    after = gnubg.play(boards, ROLLS, States.same(CENTRED, len(ROLLS)))
    return float(CHANCES @ _after_play(gnubg, after, PLIES - 1))


if __name__ == "__main__":
    main()
