"""Error rates against references."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from pip_player import pip_net
from positions import from_play

from bgai.arena.benchmark import BadBenchmark, error_rates, in_order, load_benchmark
from bgai.arena.players import RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.board import START, flip, pips
from bgai.plays import legal_plays

HEAD = {"bgai benchmark": 1, "references": "made up"}
SHIPPED = Path(__file__).parents[1] / "data" / "benchmark.jsonl"


def write(path, *records):
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


def results(board, roll):
    """The boards after every legal play, as a benchmark lists them."""
    boards = legal_plays(board[None], np.array([roll], np.int8), flipped=False).boards
    return boards[in_order(boards)]


class Chooser:
    """Makes the play of a given rank in the benchmark's list, and the given cube decisions."""

    name = "chooser"

    def __init__(self, rank=0, doubles=False, answer="take"):
        self.rank, self.doubling, self.answer = rank, doubles, answer

    def play(self, boards, dice, states):
        return flip(np.array([results(board, roll)[self.rank] for board, roll in zip(boards, dice, strict=True)]))

    def doubles(self, boards, states):
        return np.full(len(boards), self.doubling)

    def answers(self, boards, states):
        assert states.map(lambda state: state.pending == "double", bool).all()
        return np.full(len(boards), self.answer, dtype=object)


def rates(player, path):
    return {(r.kind, r.phase): r for r in error_rates(player, load_benchmark(path))}


def test_plays_are_listed_in_the_order_of_their_boards():
    boards = results(START, (3, 1)).tolist()
    assert boards == sorted(boards) and len(boards) == 16


def test_PR_of_plays(tmp_path):
    equities = [0.1 - 0.01 * i for i in range(16)]
    play = {"kind": "play", "board": START.tolist(), "roll": [3, 1], "equities": equities}
    path = write(tmp_path / "b.jsonl", HEAD, play, play | {"equities": equities[::-1]})
    found = rates(Chooser(rank=9), path)
    loss = [0.09, 0.06]
    assert found["play", "all"].pr == pytest.approx(500 * sum(loss) / 2)
    assert found["play", "contact"].millipoints == pytest.approx(1000 * sum(loss) / 2)
    assert (found["play", "all"].counted, found["play", "all"].blunders) == (2, 1)


def test_a_forced_play_does_not_count(tmp_path):
    board = np.zeros(26, dtype=np.int8)
    board[[1, 24]] = 2, -2
    play = {"kind": "play", "board": board.tolist(), "roll": [6, 5], "equities": [1.0]}
    found = rates(Chooser(), write(tmp_path / "b.jsonl", HEAD, play))
    assert (found["play", "all"].decisions, found["play", "all"].counted, found["play", "all"].pr) == (1, 0, 0)


@pytest.mark.parametrize(
    ("nd", "dt", "double", "answer", "losses", "counts"),
    [
        (0.5, 0.6, True, "take", (0, 0), (1, 0)),
        (0.5, 0.6, False, "pass", (0.1, 0.4), (1, 1)),
        (0.5, 0.1, True, "take", (0.4, 0), (1, 0)),
        (0.5, 0.1, False, "take", (0, 0), (0, 0)),  # plain, and right: not counted
        (0.9, 1.1, True, "take", (0, 0.1), (1, 1)),  # worth 1, as the opponent should pass
        (1.2, 1.5, True, "pass", (0.2, 0), (1, 0)),  # too good
    ],
)
def test_losses_of_cube_decisions(tmp_path, nd, dt, double, answer, losses, counts):
    cube = {"kind": "cube", "board": START.tolist(), "nd": nd, "dt": dt}
    found = rates(Chooser(doubles=double, answer=answer), write(tmp_path / "b.jsonl", HEAD, cube))
    for kind, loss, count in zip(("double", "take"), losses, counts, strict=True):
        assert found[kind, "all"].millipoints == pytest.approx(1000 * loss)
        assert found[kind, "all"].counted == count


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ([], "line 1 is no JSON object"),
        ([{"kind": "play"}], "doesn't begin with"),
        ([HEAD, {"kind": "play", "board": [0] * 26, "roll": [3, 1]}], "misstates"),
        ([HEAD, {"kind": "play", "board": START.tolist(), "roll": [7, 1], "equities": []}], "dice are 1 to 6"),
        ([HEAD, {"kind": "play", "board": START.tolist(), "roll": [3, 1], "equities": [0.1]}], "one equity for each"),
        ([HEAD, {"kind": "cube", "board": START.tolist(), "nd": "much", "dt": 0}], "misstates"),
        ([HEAD, {"kind": "guess"}], "unknown kind"),
        ([HEAD, [1, 2]], "line 2"),
    ],
)
def test_what_is_no_benchmark_is_refused(tmp_path, lines, wrong):
    with pytest.raises(BadBenchmark, match=wrong):
        load_benchmark(write(tmp_path / "b.jsonl", *lines))


@pytest.mark.skipif(not SHIPPED.exists(), reason="no benchmark ships")
def test_better_players_have_lower_error_rates():
    benchmark = load_benchmark(SHIPPED)
    assert len(benchmark.play_boards) + len(benchmark.cube_boards) >= 1000
    pubeval, chance = (
        {(r.kind, r.phase): r.pr for r in error_rates(player, benchmark)} for player in (Pubeval(), RandomPlayer(1))
    )
    assert pubeval["play", "all"] < 0.6 * chance["play", "all"]


def test_a_benchmark_by_own_rollouts(tmp_path):
    script = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "make_benchmark.py"))
    references = script["ByRollout"](pip_net(), trials=36, seed=1)
    boards, _ = from_play(80, 20, sensible=True, seed=5)
    boards = boards[sum(pips(boards)) < 100]  # short trials
    rng = np.random.default_rng(1)
    records = [*script["plays"](references, boards, 3, rng), *script["cubes"](references, boards, 2, rng)]
    benchmark = load_benchmark(write(tmp_path / "b.jsonl", HEAD | {"references": references.about}, *records))
    assert len(benchmark.play_boards) == 3 and len(benchmark.cube_boards) <= 2
    assert all(len(equities) > 1 and np.isfinite(equities).all() for equities in benchmark.equities)


def test_training_never_reads_a_benchmark():
    """References of other programs are yardsticks, not teachers."""
    training = Path(__file__).parents[2] / "bgai" / "train"
    assert list(training.glob("*.py"))
    for file in training.glob("*.py"):
        assert "arena.benchmark" not in file.read_text() and "arena.gnubg" not in file.read_text(), file
