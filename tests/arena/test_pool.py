"""One Elo table of many players."""

import numpy as np
import pytest

from bgai.arena.players import RandomPlayer
from bgai.arena.pool import elo_of, rate
from bgai.arena.pubeval import Pubeval
from bgai.arena.seats import NoCheckpoints, checkpoints_of
from bgai.game import State


def test_ratings_that_explain_all_meetings():
    true = np.array([0, 100, -150, 300])
    meetings = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    wins = np.array([1 / (1 + 10 ** ((true[j] - true[i]) / 400)) for i, j in meetings])
    assert elo_of(meetings, wins, 10**7) == pytest.approx(true, abs=0.1)


def test_who_wins_everything_has_a_finite_rating():
    assert 500 < elo_of([(0, 1)], np.array([0.0]), 100)[1] < 1500


def test_a_table_best_first_with_the_anchor_at_0():
    random, other = RandomPlayer(1), RandomPlayer(2)
    other.name = "another"
    table = rate([random, Pubeval(), other], 60, seed=1)
    assert table[0].name == "pubeval" and table[0].elo.mean > 400
    [anchor] = [r for r in table if r.name == "random"]
    assert anchor.elo.mean == 0 and anchor.elo.halfwidth == 0 and anchor.games == 120
    [equal] = [r for r in table if r.name == "another"]
    assert abs(equal.elo.mean) < 2 * equal.elo.halfwidth


def test_a_pool_of_matches_and_one_who_wins_them_all():
    table = rate([RandomPlayer(1), Pubeval()], 40, seed=1, rules=State(length=2))
    assert table[0].name == "pubeval" and table[0].elo.halfwidth > 50


def test_the_checkpoints_of_a_run(tmp_path):
    with pytest.raises(NoCheckpoints, match="folder of a run"):
        checkpoints_of(tmp_path)
    (tmp_path / "checkpoints").mkdir()
    for name in ("last", "state", "state.previous", "checkpoints/games-1000"):
        (tmp_path / f"{name}.safetensors").touch()
    names = [str(path.relative_to(tmp_path)) for path in checkpoints_of(tmp_path)]
    assert names == ["checkpoints/games-1000.safetensors", "last.safetensors"]
