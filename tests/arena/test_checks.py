"""Checks of the arena itself, with the player that ships and the same one spoiled by noise in its weights: every
instrument ranks that one lower."""

from pathlib import Path

import numpy as np
import pytest

from bgai import files
from bgai.arena.benchmark import error_rates, load_benchmark
from bgai.arena.calibration import calibration
from bgai.arena.games import play_games
from bgai.arena.luck import Judge
from bgai.arena.players import BareNetwork
from bgai.arena.pool import rate
from bgai.arena.pubeval import Pubeval
from bgai.arena.sequential import decide
from bgai.arena.statistics import of_pairs, points_against, summarise
from bgai.net.checkpoint import load_checkpoint
from bgai.net.fast import FastNet

BENCHMARK = Path(__file__).parents[1] / "data" / "benchmark.jsonl"
NOISE = 0.3  # of each weight array's own spread
LITTLE_NOISE = 0.03


@pytest.fixture(scope="module")
def nets():
    """The player that ships, and the same with noise."""
    return shipped(0), shipped(NOISE)


def shipped(noise):
    try:
        checkpoint = load_checkpoint(files.checkpoint())
    except FileNotFoundError:
        pytest.skip("no trained player ships")
    rng = np.random.default_rng(1)
    spoiled = {
        name: w + (noise * w.std() * rng.standard_normal(w.shape)).astype(np.float32)
        for name, w in checkpoint.weights.items()
    }
    return FastNet(checkpoint.architecture, spoiled)


def test_duplicate_dice_leave_the_mean_and_narrow_the_interval(nets):
    """They help most between players who think alike."""
    results = play_games(BareNetwork(nets[0]), BareNetwork(shipped(LITTLE_NOISE)), 2000, seed=6).results.reshape(2, -1)
    single = of_pairs(np.concatenate([results[0], results[0]]))  # as if no game had a partner
    pairs = of_pairs(results.ravel())
    assert abs(single.mean - pairs.mean) < 2 * single.halfwidth  # 4 standard errors: it must hold for any player
    assert pairs.halfwidth < 0.95 * single.halfwidth / np.sqrt(2)  # than as many games without partners


def test_colours_and_the_first_move_are_balanced(nets):
    """The same player in both seats wins as often in either, whoever starts."""
    net = BareNetwork(nets[0])
    played = play_games(net, net, 400, seed=7)
    assert of_pairs(played.results).mean == 0
    assert played.ends[:3].tolist() == played.ends[3:6].tolist()


def test_by_points_against_pubeval(nets):
    (whole, error), (spoiled, other_error) = (points_against(Pubeval(), net, 600, seed=1) for net in nets)
    assert whole - error > spoiled + other_error


def test_by_games_with_and_without_luck(nets):
    whole, spoiled = map(BareNetwork, nets)
    assert of_pairs(play_games(whole, spoiled, 800, 2).results).ci95[0] > 0
    summary = summarise(play_games(whole, spoiled, 100, 2, judge=Judge(nets[0])))
    assert summary.adjusted.ci95[0] > 0
    assert summary.adjusted.halfwidth < summary.mean.halfwidth


def test_by_the_sequential_decision(nets):
    assert decide(*map(BareNetwork, nets), margin=0.0, most=2000, seed=3).answer is True


def test_by_elo_in_a_pool(nets):
    whole, spoiled = map(BareNetwork, nets)
    names = [r.name for r in rate({"pubeval": Pubeval(), "whole": whole, "spoiled": spoiled}, 300, seed=4)]
    assert names.index("whole") < names.index("spoiled")


def test_by_calibration(nets):
    whole, spoiled = (
        sum(
            abs(line.error.mean)
            for line in calibration(net, 150, seed=5)
            if (line.phase, line.low, line.high) == ("all", 0, 1)
        )
        for net in nets
    )
    assert whole < spoiled


def test_by_error_rates(nets):
    if not BENCHMARK.exists():
        pytest.skip("no benchmark ships")
    whole, spoiled = (
        next(r.pr for r in error_rates(BareNetwork(net), load_benchmark(BENCHMARK)) if r.kind == "play") for net in nets
    )
    assert whole < 0.8 * spoiled
