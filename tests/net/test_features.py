"""The computed features: exact values of positions made by hand, and the counts of rolls by brute force."""

from itertools import product

import numpy as np
import pytest
from brute_force import after_move, single_moves
from hypothesis import given
from positions import boards, from_play

from bgai.board import OPPONENT_BAR, START, flip, is_race, pips
from bgai.net import features as f
from bgai.plays import legal_plays

ROLLS = tuple(product(range(1, 7), repeat=2))


def seen(board: np.ndarray) -> np.ndarray:
    out = np.full(f.N_FEATURES, np.nan, dtype=np.float32)
    f.features(board, out)
    return out


def board(own: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    """A board from point -> checkers; the opponent's by the opponent's own numbers, 25 being its bar."""
    position = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        position[point] += count
    for point, count in opponent.items():
        position[25 - point] -= count
    return position


def dice_of(a: int, b: int) -> tuple[int, ...]:
    return (a,) * 4 if a == b else (a, b)


# --- values ------------------------------------------------------------------------------------------------------


def test_start_position_in_every_feature():
    side = np.empty(f.N_SIDE)
    side[f.PIPS] = 1
    side[f.HOME_POINTS], side[f.HOME_POINTS_SQUARED] = 1 / 6, 1 / 36
    side[f.PRIME], side[f.BLOCK] = 1 / 6, 2 / 6  # the 6 point alone; the 8 and 6 points
    # The last checkers look at points 5, 7 and 12 pips away. A 6 gets beyond the 5; so do 5-1, 5-3, 5-4, 4-2 and
    # the doubles 2-2, 3-3, 4-4.
    side[f.ESCAPES], side[f.ESCAPES_SQUARED] = 22 / 36, (22 / 36) ** 2
    side[f.LEAST_ESCAPES] = 15 / 36  # from the bar
    side[f.BACK_CHECKERS], side[f.ANCHORS], side[f.BEST_ANCHOR] = 2 / 4, 1 / 3, 1 / 6
    side[[f.BLOTS, f.SHUT_OUT, f.SHOTS, f.SHOTS_SQUARED, f.HIT_PIPS]] = 0
    side[f.BREAK_CONTACT] = (2 * 23 + 5 * 12 + 3 * 7 + 5 * 5) / 150
    side[f.TIMING] = (5 * 7 + 3 * 2 + 3 * 5) / 100
    side[f.MOBILITY] = (2 * 18 * 22 + 5 * 7 * 35 + 3 * 2 * 36) / 3600  # 1-1 doesn't pass the point before the 13
    side[f.SPREAD] = (2369 / 15 - (167 / 15) ** 2) / 100
    side[f.OUTSIDE_PIPS] = (2 * 18 + 5 * 7 + 3 * 2) / 100
    side[f.ZONE] = 13 / 10  # all but the two at the back
    np.testing.assert_allclose(seen(START), [*side, *side, 0, 23 / 25, 0], rtol=1e-6)


@pytest.mark.parametrize(
    ("own", "opponent", "feature", "value"),
    [
        pytest.param({7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2}, {24: 1}, f.PRIME, 1, id="full prime"),
        pytest.param({7: 2, 6: 2, 5: 2, 3: 2, 2: 2}, {24: 1}, f.PRIME, 3 / 6, id="prime with a gap"),
        pytest.param({7: 2, 6: 2, 5: 2, 3: 2, 2: 2}, {24: 1}, f.BLOCK, 5 / 6, id="block with a gap"),
        pytest.param({7: 2, 6: 2, 4: 2, 3: 2, 2: 2}, {20: 1}, f.PRIME, 2 / 6, id="points passed don't count"),
        pytest.param({21: 2, 20: 3, 24: 1}, {6: 2}, f.ANCHORS, 2 / 3, id="two anchors"),
        pytest.param({21: 2, 20: 3, 24: 1}, {6: 2}, f.BEST_ANCHOR, 5 / 6, id="golden point"),
        pytest.param({25: 1, 24: 2, 13: 1}, {6: 2}, f.BACK_CHECKERS, 3 / 4, id="the bar is at the back"),
        pytest.param({10: 1, 5: 1, 2: 1}, {22: 1}, f.BLOTS, 2 / 5, id="a blot nobody can reach is none"),
        pytest.param({25: 1}, {6: 2, 5: 2, 4: 2}, f.SHUT_OUT, 9 / 36, id="on the bar against three points"),
        pytest.param({24: 1}, {6: 2, 5: 2, 4: 2}, f.SHUT_OUT, 0, id="not on the bar"),
        pytest.param({25: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, f.ESCAPES, 0, id="closed out"),
        pytest.param({10: 1, 6: 3, 4: 1}, {20: 1}, f.TIMING, (4 + 5 + 3) / 100, id="spare checkers"),
        pytest.param({10: 1, 3: 1}, {20: 1}, f.BREAK_CONTACT, 5 / 150, id="only checkers still behind"),
        pytest.param({10: 2, 4: 2}, {25: 1}, f.OUTSIDE_PIPS, 8 / 100, id="outside pips"),
        pytest.param({13: 2, 12: 3}, {25: 1}, f.ZONE, 3 / 10, id="zone of a checker on the bar"),
        pytest.param({24: 2}, {5: 1}, f.HIT_PIPS, (15 * 20) / (36 * 12), id="a hit four away costs 20 pips"),
        pytest.param({24: 2}, {5: 2}, f.HIT_PIPS, 0, id="nothing to hit"),
    ],
)
def test_value_by_hand(own, opponent, feature, value):
    position = board(own, opponent)
    assert seen(position)[feature] == pytest.approx(value)
    assert seen(flip(position))[f.N_SIDE + feature] == pytest.approx(value)


@pytest.mark.parametrize(
    ("own", "opponent", "rolls"),
    [
        pytest.param({24: 2}, {6: 1}, 15, id="five away: 11 fives, 4-1, 3-2"),
        pytest.param({24: 2}, {7: 1}, 17, id="six away"),
        pytest.param({24: 2}, {8: 1}, 6, id="seven away"),
        pytest.param({24: 2}, {13: 1}, 3, id="twelve away: 6-6, 4-4, 3-3"),
        pytest.param({24: 2}, {8: 1, 7: 2}, 6, id="seven away, 6-1 by the ace first"),
        pytest.param({24: 2}, {8: 1, 7: 2, 2: 2}, 4, id="seven away, 6-1 blocked both ways"),
        pytest.param({24: 2, 17: 1}, {9: 1}, 17, id="one away or eight away"),
        pytest.param({25: 1}, {3: 1}, 14, id="entering hits: threes, 2-1, 1-1"),
        pytest.param({25: 2}, {3: 1}, 12, id="two on the bar: threes, and 1-1 has two moves left"),
        pytest.param({25: 1, 10: 1}, {18: 1}, 13, id="one on the bar: the other die hits, any three; 1-1, 6-6"),
        pytest.param({25: 1, 10: 1}, {18: 1, 3: 2}, 12, id="one on the bar that a three can't enter: no 3-3"),
        pytest.param({25: 1, 10: 1}, {18: 1, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, 0, id="closed out"),
        pytest.param({25: 3, 9: 1}, {18: 1}, 1, id="three on the bar: 1-1 has one move left, no other roll"),
    ],
)
def test_shots_by_hand(own, opponent, rolls):
    assert seen(board(own, opponent))[f.SHOTS] * 36 == pytest.approx(rolls)


@pytest.mark.parametrize(
    ("own", "opponent", "race", "contact", "lead"),
    [
        pytest.param({6: 5}, {6: 5, 3: 2}, 1, 0, 6 / 66, id="race"),
        pytest.param({13: 1}, {13: 1}, 0, 1, 0, id="one pip of contact"),
        pytest.param({13: 1}, {11: 1}, 1, 0, -2 / 24, id="just passed"),
        pytest.param({25: 1}, {25: 1}, 0, 25, 0, id="both on the bar"),
    ],
)
def test_features_of_the_position(own, opponent, race, contact, lead):
    got = seen(board(own, opponent))
    np.testing.assert_allclose(got[[f.RACE, f.CONTACT, f.LEAD]], [race, contact / 25, lead], rtol=1e-6)


# --- by brute force ----------------------------------------------------------------------------------------------


def test_every_entry_of_the_escape_table():
    """Every blocking of the next 12 points: how many rolls get beyond the last of the next six."""
    for blocked in range(4096):
        free = [True] + [not blocked >> (12 - d) & 1 for d in range(1, 13)] + [False] * 12
        last = max((d for d in range(1, 7) if not free[d]), default=0)
        escaping = 0
        for a, b in ROLLS:
            ways = [dice_of(a, b), dice_of(a, b)[::-1]]
            stops = [[sum(way[: k + 1]) for k in range(len(way))] for way in ways]
            escaping += any(
                free[stop] and stop > last and all(free[earlier] for earlier in way[:k])
                for way in stops
                for k, stop in enumerate(way)
            )
        assert f._ESCAPES[blocked] == escaping, bin(blocked)


def hitting_moves(position: tuple[int, ...], dice: tuple[int, ...]) -> list[int]:
    """Pips that the other side loses by every hit that the dice, in any order, can make; no rule asks to play more."""
    lost = []
    for die in set(dice):
        rest = list(dice)
        rest.remove(die)
        for move in single_moves(position, die):
            after = after_move(position, move)
            if after[OPPONENT_BAR] < position[OPPONENT_BAR]:
                lost.append(move[1])
            lost += hitting_moves(after, tuple(rest))
    return lost


@given(boards())
def test_shots_of_any_position(position):
    position = flip(position)
    hits = [hitting_moves(tuple(position.tolist()), dice_of(a, b)) for a, b in ROLLS]
    got = seen(position)
    assert round(got[f.SHOTS] * 36) == sum(map(bool, hits))
    assert round(got[f.HIT_PIPS] * 36 * 12) == sum(max(pips, default=0) for pips in hits)


def test_shots_against_legal_plays():
    """The legal hits are never more than the shots, and only now and then fewer (R9, R10, R12)."""
    positions, _ = from_play(60, 25, sensible=False, seed=5)
    dice = np.array(ROLLS, dtype=np.int8)
    rolls = np.tile(dice, (len(positions), 1))
    plays = legal_plays(np.repeat(positions, 36, axis=0), rolls, flipped=False)
    before = np.repeat(np.repeat(positions[:, OPPONENT_BAR], 36), np.diff(plays.offsets))
    hit = np.logical_or.reduceat(plays.boards[:, OPPONENT_BAR] < before, plays.offsets[:-1])
    legal = hit.reshape(-1, 36).sum(axis=1)
    shots = np.array([round(seen(position)[f.SHOTS] * 36) for position in positions])
    assert (shots >= legal).all()
    assert (shots == legal).mean() > 0.98


@given(boards())
def test_the_other_player_sees_the_sides_swapped(position):
    ours, theirs = seen(position), seen(flip(position))
    assert (ours[: f.N_SIDE] == theirs[f.N_SIDE : 2 * f.N_SIDE]).all()
    assert (theirs[: f.N_SIDE] == ours[f.N_SIDE : 2 * f.N_SIDE]).all()
    assert ours[f.RACE] == theirs[f.RACE] and ours[f.CONTACT] == theirs[f.CONTACT] and ours[f.LEAD] == -theirs[f.LEAD]


@given(boards())
def test_pips_and_race_agree_with_the_board(position):
    own, opponent = pips(position)
    got = seen(position)
    np.testing.assert_allclose(got[[f.PIPS, f.N_SIDE + f.PIPS]] * 167, [own, opponent], rtol=1e-6)
    assert got[f.RACE] == is_race(position)


@given(boards())
def test_every_feature_is_finite_and_of_moderate_size(position):
    got = seen(position)
    assert np.isfinite(got).all() and (abs(got) < 5).all()


def test_a_finished_game_has_features_too():
    assert np.isfinite(seen(board({}, {6: 3}))).all() and np.isfinite(seen(board({6: 3}, {}))).all()
