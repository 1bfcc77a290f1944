"""Players by their names, and networks as players."""

import numpy as np
import pytest
from pip_player import ARCHITECTURE, pip_net, pip_weights
from positions import from_play

from bgai.arena.players import BareNetwork, NetPlayer
from bgai.arena.pubeval import Pubeval
from bgai.arena.seats import NoLookahead, player
from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS, START, flip
from bgai.evaluator.search import evaluate, sides_of
from bgai.game import State
from bgai.net.checkpoint import Checkpoint, save_checkpoint
from bgai.plays import legal_plays


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("players") / "pips.safetensors"
    save_checkpoint(file, Checkpoint(ARCHITECTURE, pip_weights()))
    return file


def test_players_by_name(path):
    assert isinstance(player("pubeval", None, 1), Pubeval)
    deep = player(f"{path}:1", None, 1)
    assert (deep.ply, deep.name) == (1, f"{path}:1")
    assert player(path, None, 1).ply == 0
    for name in ("pubeval:1", "random:2", "gnubg:5", f"{path}:9"):
        with pytest.raises(NoLookahead, match="ahead"):
            player(name, None, 1)


def test_random_play_draws_nothing_that_the_dice_of_its_seed_draw():
    boards, dice = np.repeat(START[None], 60, axis=0), np.full((60, 2), (3, 1))
    after = legal_plays(boards[:1], dice[:1]).boards
    chosen = player("random", None, 3).play(boards, dice, States.same(None, 60))
    numbers = (chosen[:, None] == after).all(axis=2).argmax(axis=1)
    assert len(set(numbers)) > 10
    assert not np.array_equal(numbers, np.random.default_rng(3).integers(0, np.full(60, len(after))))


def test_a_bare_network_makes_its_best_play():
    net = pip_net()
    boards, dice = from_play(30, 4, sensible=True, seed=5)
    chosen = net.outcomes(BareNetwork(net).play(boards, dice, States.same(None, len(boards)))) @ OUTCOME_POINTS
    plays = legal_plays(boards, dice)
    equities = net.outcomes(plays.boards) @ OUTCOME_POINTS  # the opponent's
    assert chosen == pytest.approx(np.minimum.reduceat(equities, plays.offsets[:-1]), abs=1e-5)


def test_one_ply_play_is_the_best_after_every_roll_of_the_opponent():
    net = pip_net()
    boards, dice = from_play(12, 1, sensible=True, seed=6)
    after = NetPlayer(net, ply=1).play(boards, dice, States.same(None, len(boards)))
    plays = legal_plays(boards, dice)
    looked_into = evaluate(net, plays.boards, sides_of(State()), 1).outcomes @ OUTCOME_POINTS
    bare = net.outcomes(plays.boards) @ OUTCOME_POINTS
    for i in range(len(boards)):
        candidates = slice(plays.offsets[i], plays.offsets[i + 1])
        chosen = (plays.boards[candidates] == after[i]).all(axis=1).argmax()
        near = np.argsort(bare[candidates], kind="stable")[:1]  # the best without lookahead is always looked into
        assert looked_into[candidates][chosen] <= looked_into[candidates][near[0]] + 1e-6
        assert (flip(after[i]) != boards[i]).any() or not plays.moved[i]
