"""docs/extending.md: every file there runs as it stands, by the commands there."""

import re
from pathlib import Path

import numpy as np
import pytest
from tiny_runs import TINY

from bgai.arena.games import play_games
from bgai.arena.players import NetPlayer, RandomPlayer
from bgai.arena.seats import checkpoint_of, player
from bgai.board import InvalidBoard, swap_outcomes
from bgai.cli.train import train as command
from bgai.evaluator.own_net import OwnNet
from bgai.files import checkpoint
from bgai.game import State
from bgai.named import BadName, imported
from bgai.net.fast import load_net
from bgai.plays import legal_plays
from bgai.train.compose import composed
from bgai.train.config import BadConfig
from bgai.train.selfplay import BadTarget, SelfPlay
from bgai.train.starts import draw

PAGE = (Path(__file__).parents[1] / "docs/extending.md").read_text()
FILES = {block.split()[1]: block for block in re.findall(r"```python\n(# .*?)```", PAGE, re.DOTALL)}


@pytest.fixture
def folder(train, tmp_path, monkeypatch):
    """A working directory with the files of the page."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    imported.cache_clear()
    return tmp_path


def test_a_target(folder):
    assert command([*TINY, "run=run", "stages.0.target=my_returns:two_turns", "threads=1"]) == 0
    values = np.random.default_rng(1).dirichlet(np.ones(6), (1, 5)).astype(np.float32)
    explored = np.array([[False, False, True, False, False]])
    history = values, explored, np.array([4]), np.array([True]), np.array([0])
    targets = imported("my_returns:two_turns")(None, *history, 0.7)
    assert np.array_equal(targets, [swap_outcomes(values[0, 4]), swap_outcomes(values[0, 2])])


def test_starting_positions(folder):
    run = [*TINY, "run=run", "stages.0.starts.function=my_starts:ace_point", "stages.0.starts.own=0.5"]
    assert command(run) == 0
    boards, opening = draw(1000, {"opening": 1.0, "my_starts:ace_point": 3.0}, "backgammon", np.random.default_rng(1))
    held = boards[~opening]
    assert 700 < len(held) < 800 and (held[:, 24] == 2).all() and (held[:, 1:7].sum(axis=1) == 13).all()


def test_an_opponent(folder):
    hitter = player("my_player:Hitter", None, seed=1)
    board = np.zeros((1, 26), np.int8)
    board[0, [1, 8]], board[0, [5, 24]] = (2, 1), (-1, -2)
    after = hitter.play(board, np.array([[3, 1]], np.int8), None)
    assert after[0, 25] == 1  # who is on roll now came to the bar
    assert checkpoint_of("my_player:Hitter") is None


def test_inputs_and_a_network(folder):
    run = [word for word in TINY if not word.startswith(("net", "stages"))]
    assert command([*run, "stages=[{name: a, games: 60, batch: 32}]", "net.own=my_net:MyNet", "run=run"]) == 0
    learned = player("my_net:MyNet@run/last.safetensors", None, seed=1)
    assert isinstance(learned, NetPlayer)
    cubeful = play_games(learned, RandomPlayer(1), 8, 1, State())
    assert np.abs(cubeful.results).min() >= 1


def test_an_own_net_is_asked_and_plays_like_the_network_it_thinks_with():
    net = load_net(checkpoint())
    own = OwnNet(net.outcomes)
    rng = np.random.default_rng(1)
    boards, _ = draw(200, {"scattered": 1.0, "race": 1.0}, "backgammon", rng)
    dice = rng.integers(1, 7, (200, 2), dtype=np.int8)
    plays = legal_plays(boards, dice)
    assert np.allclose(own.outcomes(plays.boards), net.outcomes(plays.boards), atol=1e-6)
    assert np.allclose(own.plays_outcomes(boards, plays), net.plays_outcomes(boards, plays), atol=1e-5)
    explore = np.where(rng.random(200) < 0.5, rng.random(200), -1).astype(np.float32)
    after, _, count = own.play(boards, dice, explore)
    expected, _, expected_count = net.play(boards, dice, explore)
    assert (after == expected).all(axis=1).mean() > 0.98 and count == expected_count  # the last bits differ
    assert np.array_equal(own.best(boards, dice)[0][explore < 0], after[explore < 0])


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ("stages.0.target=my_returns", BadName, "'my_returns' is no import path: it is package.module:name"),
        ("stages.0.target=my_returns:two", BadName, "my_returns:two: module 'my_returns' has no attribute 'two'"),
        ("stages.0.target=.my_returns:two_turns", BadName, "'.my_returns:two_turns' is no import path"),
        ("stages.0.target=math:pi", BadName, "math:pi is 3.14159"),
        ("stages.0.starts.function=nowhere:at_all", BadName, "nowhere:at_all: No module named 'nowhere'"),
        ("stages.0.starts.own=1", BadConfig, "starts.own=1.0 is impossible: it needs starts.function"),
    ],
)
def test_names_are_looked_up_before_anything_begins(folder, setting, error, message):
    with pytest.raises(error, match=re.escape(message)):
        composed([*TINY, setting])


def test_what_does_not_fit_is_refused(folder):
    (folder / "wrong.py").write_text("def over(n, *_): return [[0] * 24 + [-1, 0]] * n\ndef few(*_): return [[1]]\n")
    with pytest.raises(InvalidBoard, match="wrong:over is to make 3 boards"):
        draw(3, {"wrong:over": 1.0}, "backgammon", np.random.default_rng(1))
    games = SelfPlay(16, "hypergammon", {"opening": 1.0}, np.random.default_rng(1), target=imported("wrong:few"))
    with pytest.raises(BadTarget, match=r"have shape \(1, 1\)"):
        games.play(OwnNet(lambda boards: np.full((len(boards), 6), 1 / 6), 3), 200, 0.7, 0.0)
