"""A player reckoned by torch, on a GPU where there is one, is the player that the kernels reckon."""

import numpy as np
import pytest
import torch
from devices import every_device, no_gpu
from positions import from_play

from bgai.board import START
from bgai.evaluator.own_net import load_torch_net
from bgai.evaluator.rollout import of_position, roll_out
from bgai.evaluator.trials import Settings
from bgai.files import checkpoint
from bgai.game import State
from bgai.net import model
from bgai.net.fast import load_net
from bgai.plays import legal_plays

PLAYER = checkpoint()


@pytest.fixture(scope="module")
def boards_and_dice():
    return from_play(10, 40, sensible=False, seed=1)


@every_device
def test_values_positions_and_plays_alike(boards_and_dice, device):
    boards, dice = boards_and_dice
    fast, ours = load_net(PLAYER), load_torch_net(PLAYER, device)
    plays = legal_plays(boards, dice)
    np.testing.assert_allclose(ours.outcomes(plays.boards), fast.outcomes(plays.boards), atol=2e-4)
    np.testing.assert_allclose(ours.plays_outcomes(boards, plays), fast.plays_outcomes(boards, plays), atol=2e-4)
    after, expected = ours.best(boards, dice)[0], fast.best(boards, dice)[0]
    assert (after == expected).all(axis=1).mean() > 0.98  # where two plays are worth the same, the last bits decide


@every_device
def test_large_batches_go_in_parts(boards_and_dice, device, monkeypatch):
    boards = boards_and_dice[0]
    at_once = load_torch_net(PLAYER, device).outcomes(boards)
    monkeypatch.setattr(model, "_AT_ONCE", 7)
    np.testing.assert_allclose(load_torch_net(PLAYER, device).outcomes(boards), at_once, atol=2e-4)


@every_device
@pytest.mark.parametrize("ply", [0, 1])
def test_rolls_out_alike(device, ply):
    settings = Settings(ply=ply, luck_ply=0, truncate=4)
    (*_, there), (*_, here) = (
        roll_out(net, of_position(START, State()), 36, settings)
        for net in (load_torch_net(PLAYER, device), load_net(PLAYER))
    )
    assert there.trials == here.trials == 36
    np.testing.assert_allclose(there.outcomes, here.outcomes, atol=0.01)
    np.testing.assert_allclose(there.equities, here.equities, atol=0.02)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so():
    with pytest.raises(model.NoGpu, match="device cuda: there is no GPU that torch can use; leave it out, or say cpu"):
        load_torch_net(PLAYER, "cuda")


@no_gpu
def test_on_a_gpu_is_where_it_reckons(boards_and_dice):
    torch.cuda.reset_peak_memory_stats()
    load_torch_net(PLAYER, "cuda").outcomes(boards_and_dice[0])
    assert torch.cuda.max_memory_allocated() > 0
