"""Chouettes: the rules R43 to R45, and random sessions."""

import random
from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
from test_game import random_action

from bgai import game
from bgai.chouette import Chouette, act, end_turn, finish, new_chouette, next_game, open_game
from bgai.game import IllegalAction, State, check_state

WIN, WIN_GAMMON, LOSE = 0, 1, 3  # for the side on roll


def play(chouette: Chouette, *steps: tuple[int, str]) -> Chouette:
    return reduce(lambda now, step: act(now, *step), steps, chouette)


def line(chouette: Chouette) -> tuple[int, ...]:
    """Box, then the team in order."""
    return (chouette.box, *chouette.team)


class TestCubes:
    def test_R43_box_captain_and_team(self):
        chouette = new_chouette(4, jacoby=True)
        assert (chouette.box, chouette.captain, chouette.team) == (0, 1, (1, 2, 3))
        assert chouette.cubes == (None, *[State(jacoby=True)] * 3)
        with pytest.raises(IllegalAction, match="3 players or more"):
            new_chouette(2)

    def test_R43_each_member_doubles_alone_and_the_box_answers_each_cube(self):
        chouette = play(new_chouette(4), (1, "double"), (3, "double"))
        assert chouette.waiting == (1, 3)
        with pytest.raises(IllegalAction, match=r"\(1, 3\) wait for an answer"):
            end_turn(chouette)
        chouette = end_turn(play(chouette, (1, "take"), (3, "pass")))
        assert chouette.playing == (1, 2)
        assert chouette.cubes == (None, State(cube=2, owner="mover"), State(), None)  # seen by the box, now on roll
        assert chouette.totals == (-1, 0, 0, 1)

    def test_R43_the_box_doubles_and_each_member_answers_alone(self):
        chouette = end_turn(new_chouette(4, beavers=1))
        chouette = play(chouette, *[(member, "double") for member in (1, 2, 3)])
        chouette = play(chouette, (1, "take"), (2, "beaver"), (3, "pass"), (2, "accept"))
        assert [cube and cube.cube for cube in chouette.cubes] == [None, 2, 4, None]
        assert chouette.totals == (1, 0, 0, -1)

    def test_R43_who_is_out_has_no_say(self):
        chouette = play(new_chouette(3), (2, "double"), (2, "pass"))
        with pytest.raises(IllegalAction, match=r"player 2 has no game with the box now; these have: \(1,\)"):
            act(chouette, 2, "double")

    def test_R43_one_opening_roll_for_all_with_automatic_doubles(self):
        for seed in range(100):
            state, dice, captain_starts = game.open_game(State(), np.random.default_rng(seed), automatic_doubles=1)
            opened = open_game(new_chouette(3), np.random.default_rng(seed), automatic_doubles=1)
            assert opened == (
                replace(new_chouette(3), cubes=(None, state, state), box_on_roll=not captain_starts),
                dice,
            )


class TestNextBox:
    def test_R44_the_box_loses_to_the_captain(self):
        assert line(next_game(finish(new_chouette(4), WIN))) == (1, 2, 3, 0)

    def test_R44_the_box_wins(self):
        chouette = next_game(finish(new_chouette(4), LOSE))
        assert line(chouette) == (0, 2, 3, 1)
        assert chouette.captain == 2

    def test_R44_the_box_passes_the_captains_double_while_others_play_on(self):
        chouette = play(new_chouette(4), (1, "double"), (1, "pass"))
        assert chouette.playing == (2, 3)
        assert line(next_game(finish(chouette, LOSE))) == (1, 2, 3, 0)  # only the captain's game decides

    def test_R44_a_captain_who_passes_while_others_play_on_goes_to_the_end_of_the_team(self):
        chouette = play(end_turn(new_chouette(4)), *[(member, "double") for member in (1, 2, 3)])
        chouette = play(chouette, (1, "pass"))
        assert chouette.captain == 1  # until all have answered
        chouette = play(chouette, (2, "pass"), (3, "take"))
        assert (chouette.captain, chouette.team) == (3, (2, 3, 1))
        assert line(next_game(finish(chouette, LOSE))) == (3, 2, 1, 0)  # the new captain has won
        assert line(next_game(finish(chouette, WIN))) == (0, 2, 1, 3)

    def test_R44_a_captain_doubled_alone_who_passes(self):
        chouette = play(end_turn(new_chouette(3)), (1, "double"), (1, "pass"))
        assert (chouette.captain, chouette.team) == (2, (2, 1))

    def test_R44_if_all_pass_the_box_has_won(self):
        steps = [(member, action) for action in ("double", "pass") for member in (1, 2, 3)]
        chouette = play(end_turn(new_chouette(4)), *steps)
        assert chouette.totals == (3, -1, -1, -1)
        assert line(next_game(chouette)) == (0, 2, 3, 1)

    def test_R44_the_game_must_be_over(self):
        with pytest.raises(IllegalAction, match=r"\(1, 2\) still play"):
            next_game(new_chouette(3))


class TestSettlement:
    def test_R45_zero_sum_and_each_cube_by_itself_with_jacoby(self):
        chouette = play(new_chouette(4, jacoby=True), (1, "double"), (3, "double"), (1, "take"), (3, "pass"))
        assert finish(chouette, WIN_GAMMON).totals == (-6, 4, 1, 1)
        assert finish(end_turn(chouette), WIN_GAMMON).totals == (4, -4, -1, 1)  # now the box is on roll

    def test_R45_resignations_are_settled_cube_by_cube(self):
        chouette = end_turn(new_chouette(3))  # the box is on roll
        assert play(chouette, (2, "resign gammon"), (2, "accept")).totals == (-2, 0, 2)

    def test_R45_nothing_is_settled_while_a_cube_waits(self):
        with pytest.raises(IllegalAction, match="wait for an answer"):
            finish(play(new_chouette(3), (2, "double")), WIN)

    def test_R45_totals_go_on_into_the_next_game(self):
        chouette = next_game(finish(new_chouette(3), WIN))
        assert chouette.totals == (-2, 1, 1)
        assert finish(chouette, LOSE).totals == (-3, 3, 0)


@pytest.mark.parametrize("seed", range(5))
def test_random_chouettes_stay_possible_and_zero_sum(seed):
    """500 sessions a seed, of two games with 3 to 5 players; the matches are in test_game.py."""
    rng, dice = random.Random(seed), np.random.default_rng(seed)
    for _ in range(500):
        chouette = new_chouette(rng.randint(3, 5), jacoby=rng.random() < 0.5, beavers=rng.randint(0, 3))
        for _ in range(2):
            chouette = random_game(rng, open_game(chouette, dice, automatic_doubles=1)[0])
            before, chouette = chouette, next_game(chouette)
            assert chouette.box == (before.captain if before.box_lost else before.box)
            assert sorted(line(chouette)) == list(range(len(chouette.totals)))
            assert chouette.captain == chouette.team[0]


def random_game(rng: random.Random, chouette: Chouette) -> Chouette:
    """A chouette game, in which nobody looks at the board, up to its last settlement."""
    while chouette.playing:
        for member in chouette.waiting or chouette.playing:
            if action := random_action(rng, chouette.cubes[member]):
                chouette = act(chouette, member, action)
        assert sum(chouette.totals) == 0
        assert all(check_state(chouette.cubes[member]) for member in chouette.playing)
        if not chouette.waiting:
            chouette = finish(chouette, rng.randrange(6)) if rng.random() < 0.25 else end_turn(chouette)
    assert sum(chouette.totals) == 0
    return chouette
