"""Error rates: a player's plays and cube decisions held against reference equities, decision by decision.

A benchmark is a file of JSON lines: first what it is and who made the references, then one decision a line.

    {"kind": "play", "board": [26], "roll": [2], "equities": [n]}  of every legal play, by `in_order`
    {"kind": "cube", "board": [26], "nd": .., "dt": ..}            a money game, cube centred; a pass is worth 1

Equities are for the player on roll. References flatter whoever made them and whoever thinks alike: they are a yardstick
to compare players of one kind, and never a target of training.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bgai.analysis.decisions import BLUNDER, CLOSE, PR_FACTOR
from bgai.arena.phases import PHASES, phase
from bgai.arena.players import Player
from bgai.arena.states import States
from bgai.board import InvalidBoard, check, flip
from bgai.files import Unreadable, read_whole
from bgai.game import State, act
from bgai.plays import index_of, legal_plays

FORMAT = 1
_STATE = State()


class BadBenchmark(ValueError):
    """A file that is no benchmark; the message says which line and what is wrong."""


class Benchmark(NamedTuple):
    """about: who made the references. Plays: `play_boards int8[N, 26]`, `rolls int8[N, 2]`, `equities` one array each.
    Cube decisions: `cube_boards int8[M, 26]`, `nd_dt float64[M, 2]`."""

    about: dict
    play_boards: np.ndarray
    rolls: np.ndarray
    equities: list[np.ndarray]
    cube_boards: np.ndarray
    nd_dt: np.ndarray


@dataclass(frozen=True)
class ErrorRate:
    """Of one kind of decision ("play", "double", "take" or "all") in one phase ("all": in every one).

    decisions    how many were asked
    counted      how many count for the PR
    pr           500 x total loss / counted (0 where none counts)
    millipoints  mean loss of a decision, in thousandths of a point
    blunders     how many lost 0.08 or more
    """

    kind: str
    phase: str
    decisions: int
    counted: int
    pr: float
    millipoints: float
    blunders: int


def in_order(boards: np.ndarray) -> np.ndarray:
    """Order in which a benchmark lists plays: the indices that sort `boards int8[n, 26]` after the play, seen by the
    player who moved, as lists of numbers."""
    return np.lexsort(boards.T[::-1])


def load_benchmark(path: str | Path) -> Benchmark:
    """Read a benchmark file. Raises BadBenchmark, or OSError if it can't be read."""
    path = Path(path)
    try:
        text = read_whole(path).decode(errors="replace")
    except Unreadable as error:
        raise BadBenchmark(f"{path} is no benchmark: {error}") from None
    first, *lines = text.splitlines() or [""]
    about = _record(path, 1, first)
    if about.get("bgai benchmark") != FORMAT:
        raise BadBenchmark(f'{path} doesn\'t begin with {{"bgai benchmark": {FORMAT}, ...}}')
    records = [_record(path, number, line) for number, line in enumerate(lines, start=2)]
    plays = [record for record in records if record.get("kind") == "play"]
    cubes = [record for record in records if record.get("kind") == "cube"]
    try:
        benchmark = Benchmark(
            about,
            check(np.array([r["board"] for r in plays], dtype=int).reshape(-1, 26)),
            np.array([r["roll"] for r in plays], dtype=np.int8).reshape(-1, 2),
            [np.array(r["equities"], dtype=np.float64) for r in plays],
            check(np.array([r["board"] for r in cubes], dtype=int).reshape(-1, 26)),
            np.array([(r["nd"], r["dt"]) for r in cubes], dtype=np.float64).reshape(-1, 2),
        )
        counts = np.diff(legal_plays(benchmark.play_boards, benchmark.rolls).offsets)
    except (KeyError, TypeError, ValueError, OverflowError, InvalidBoard) as error:
        raise BadBenchmark(f"{path}: a decision lacks or misstates {error}") from None
    wrong = [i for i, listed in enumerate(benchmark.equities) if listed.shape != (counts[i],)]
    if len(plays) + len(cubes) < len(records) or wrong:
        what = f"play {wrong[0] + 1} doesn't have one equity for each legal play" if wrong else "an unknown kind"
        raise BadBenchmark(f"{path}: {what}")
    return benchmark


def _record(path: Path, number: int, line: str) -> dict:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise BadBenchmark(f"{path}, line {number} is no JSON object")
    return record


def error_rates(player: Player, benchmark: Benchmark) -> list[ErrorRate]:
    """The player's error rates, over all and by kind and phase, where there are decisions."""
    play_losses, choices = _play_losses(player, benchmark)
    double_losses, take_losses = _cube_losses(player, benchmark)
    nd, dt = benchmark.nd_dt.T
    kinds = [
        ("play", benchmark.play_boards, play_losses, choices > 1),
        ("double", benchmark.cube_boards, double_losses, np.abs(np.minimum(dt, 1) - nd) < CLOSE),
        ("take", benchmark.cube_boards, take_losses, np.abs(dt - 1) < CLOSE),
    ]
    kind, phases, losses, counts = (
        np.concatenate(column)
        for column in zip(
            *((np.full(len(b), k), phase(b), loss, (loss > 0) | close) for k, b, loss, close in kinds), strict=True
        )
    )
    rates = []
    for name in ("all", "play", "double", "take"):
        for i, phase_name in enumerate(("all", *PHASES)):
            among = ((kind == name) | (name == "all")) & ((phases == i - 1) | (i == 0))
            if among.any():
                rates.append(_rate(name, phase_name, losses[among], counts[among]))
    return rates


def _rate(kind: str, phase_name: str, losses: np.ndarray, counts: np.ndarray) -> ErrorRate:
    total, counted = float(losses.sum()), int(counts.sum())
    pr = PR_FACTOR * total / counted if counted else 0.0
    blunders = int((losses >= BLUNDER).sum())
    return ErrorRate(kind, phase_name, len(losses), counted, pr, 1000 * total / len(losses), blunders)


def _play_losses(player: Player, benchmark: Benchmark) -> tuple[np.ndarray, np.ndarray]:
    """What each play lost, `float64[N]`, and among how many it was chosen."""
    boards, rolls = benchmark.play_boards, benchmark.rolls
    chosen = flip(player.play(boards, rolls, States.same(_STATE, len(boards))))
    plays = legal_plays(boards, rolls, flipped=False)
    losses = np.empty(len(boards))
    for i, equities in enumerate(benchmark.equities):
        results = plays.boards[plays.offsets[i] : plays.offsets[i + 1]]
        results = results[in_order(results)]
        losses[i] = equities.max() - equities[index_of(chosen[i], results)]
    return losses, np.diff(plays.offsets)


def _cube_losses(player: Player, benchmark: Benchmark) -> tuple[np.ndarray, np.ndarray]:
    """What each decision to double or not, and each answer to a double, lost: two `float64[M]`."""
    nd, dt = benchmark.nd_dt.T
    boards = benchmark.cube_boards
    states = States.same(_STATE, len(boards))
    doubled = np.minimum(dt, 1)
    got = np.where(player.doubles(boards, states), doubled, nd)
    answers = player.answers(boards, states.changed(lambda state: act(state, "double")))
    return np.maximum(doubled, nd) - got, np.where(answers == "take", dt, 1.0) - doubled
