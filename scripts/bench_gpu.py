"""How fast the default player is with a GPU and one core, beside that core alone, a second of wall time.

`bench.py` adds these rows where torch can use a GPU.
"""

import time

import numpy as np
import torch
from bench import compare, self_play_positions

from bgai.board import START
from bgai.evaluator.own_net import load_torch_net
from bgai.evaluator.rollout import of_position, roll_out
from bgai.evaluator.trials import Settings
from bgai.files import checkpoint
from bgai.game import State
from bgai.net.checkpoint import load_checkpoint
from bgai.net.fast import FastNet, load_net
from bgai.train.learner import Learner
from bgai.train.torch_learner import TorchLearner

DEVICE = "cuda"
TRIALS = 36 * 20
BATCH = 4096


def gpu_evaluations(peers: bool, rounds: int) -> dict:
    """Evaluations of self-play positions a second, 65,536 at a time."""
    boards = np.tile(self_play_positions(load_net(checkpoint()))[0], (20, 1))
    return _beside_one_core(rounds, lambda net: net.outcomes(boards), len(boards))


def gpu_rollouts(peers: bool, rounds: int) -> dict:
    """Trials of the starting position a second, luck taken out, to the end."""
    start, settings = of_position(START, State()), Settings(luck_ply=0)
    return _beside_one_core(rounds, lambda net: list(roll_out(net, start, TRIALS, settings)), TRIALS)


def gpu_learning(peers: bool, rounds: int) -> dict:
    """Positions learned a second, in batches of 4,096."""
    player = load_checkpoint(checkpoint())
    boards = np.random.default_rng(3).permutation(self_play_positions(load_net(checkpoint()))[0])[: 4 * BATCH]
    targets = load_net(checkpoint()).outcomes(boards)
    learners = TorchLearner(player.architecture, player.weights, DEVICE), Learner(player.architecture, player.weights)

    def one_round(learner):
        return lambda: _rate(lambda: learner.learn(boards, targets, BATCH, 1e-5), len(boards))

    return compare(rounds, *map(one_round, learners)) | {"peer_name": "one core"}


BENCHES = {f.__name__: f for f in (gpu_evaluations, gpu_rollouts, gpu_learning)} if torch.cuda.is_available() else {}


def _beside_one_core(rounds: int, work, count: int) -> dict:
    """`work(net)` with the default player on a GPU and on the core."""
    nets = load_torch_net(checkpoint(), DEVICE), load_net(checkpoint())

    def one_round(net: FastNet):
        return lambda: _rate(lambda: work(net), count)

    return compare(rounds, *map(one_round, nets)) | {"peer_name": "one core"}


def _rate(work, count: int) -> float:
    begun = time.perf_counter()
    work()
    return count / (time.perf_counter() - begun)
