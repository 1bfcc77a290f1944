"""Starting positions of self-play games."""

import numpy as np
import pytest

from bgai.board import BAR, OPPONENT_BAR, UNFINISHED, VARIANTS, check, checkers_of, flip, is_race, on_board, outcome
from bgai.train.starts import KINDS, draw

RNG = np.random.default_rng


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_possible_unfinished_positions(kind, variant):
    boards = KINDS[kind](2000, variant, RNG(1))
    check(boards, checkers_of(variant))
    assert boards.dtype == np.int8 and (outcome(boards, checkers_of(variant)) == UNFINISHED).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_races_have_no_contact_and_any_number_of_checkers(variant):
    boards = KINDS["race"](3000, variant, RNG(2))
    assert is_race(boards).all()
    for side in on_board(boards):
        assert set(side) == set(range(1, checkers_of(variant) + 1))


@pytest.mark.parametrize("variant", VARIANTS)
def test_scattered_positions_have_all_checkers_some_on_the_bar(variant):
    boards = KINDS["scattered"](3000, variant, RNG(3))
    assert all((side == checkers_of(variant)).all() for side in on_board(boards))
    for bar in (boards[:, BAR], -boards[:, OPPONENT_BAR]):
        assert 0.01 < (bar > 0).mean() < 0.3
    assert len(np.unique(boards, axis=0)) > 2900


def test_kinds_are_mixed_by_their_weights_and_only_openings_begin_with_an_opening_roll():
    boards, opening = draw(4000, {"opening": 1.0, "scattered": 0.0, "race": 3.0}, "backgammon", RNG(4))
    assert opening.mean() == pytest.approx(0.25, abs=0.03)
    assert (boards[opening] == VARIANTS["backgammon"]).all() and is_race(boards[~opening]).all()


def test_back_games_have_two_points_in_the_others_home_board():
    boards = KINDS["back_game"](3000, "backgammon", RNG(5))
    mine = (boards[:, 19:25] >= 2).sum(axis=1) >= 2
    theirs = (boards[:, 1:7] <= -2).sum(axis=1) >= 2
    assert (mine | theirs).all()
    assert 0.4 < mine.mean() < 0.75 and all((side == 15).all() for side in on_board(boards))


def test_primes_face_each_other_with_checkers_behind_both():
    boards = KINDS["primes"](3000, "backgammon", RNG(6))
    for seen in (boards, flip(boards)):
        made = (seen[:, 3:10] >= 2).astype(int)
        assert (sum(made[:, k : k + 3] for k in range(5)).max(axis=1) == 5).all()
        assert (seen[:, 23:25].clip(0).sum(axis=1) >= 1).all()


def test_stragglers_stand_in_the_way_of_a_bear_off():
    boards = KINDS["stragglers"](3000, "backgammon", RNG(7))
    mine = (boards[:, 7:] <= 0).all(axis=1) & (boards[:, :7] < 0).any(axis=1)
    theirs = (boards[:, :19] >= 0).all(axis=1) & (boards[:, 19:] > 0).any(axis=1)
    assert (mine | theirs).all() and 0.4 < mine.mean() < 0.6
    assert is_race(boards).mean() < 0.2  # here and there the last one is past everybody
