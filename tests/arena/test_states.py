"""States of many games, kept once each."""

import numpy as np

from bgai.arena.states import States
from bgai.game import State, act, other_side


def test_games_keep_their_own_state():
    states = States.same(State(length=5), 4)
    doubled = np.array([1, 3])
    states[doubled] = states[doubled].changed(lambda state: act(act(state, "double"), "take"))
    assert states.map(lambda state: state.cube, int).tolist() == [1, 2, 1, 2]
    swapped = states.changed(other_side)
    assert swapped.map(lambda state: state.owner, object).tolist() == ["centred", "mover", "centred", "mover"]
    assert states.map(lambda state: state.owner, object).tolist() == ["centred", "opponent", "centred", "opponent"]


def test_groups_hold_every_game_once():
    states = States.same(State(), 5)
    states[np.array([0, 4])] = states[np.array([0, 4])].changed(lambda state: State(cube=2, owner="mover"))
    groups = {state.cube: games.tolist() for state, games in states.groups()}
    assert groups == {1: [1, 2, 3], 2: [0, 4]}
    assert {state.cube: games.tolist() for state, games in states.repeat(2)[np.array([1, 2, 3])].groups()} == {
        2: [0],
        1: [1, 2],
    }


def test_long_matches_have_more_states_than_two_bytes_can_number():
    games = np.arange(2**16)
    states = States.same(State(), len(games))
    for bit in range(16):
        half = games[games >> bit & 1 == 1]
        states[half] = states[half].changed(lambda state: State(score=(state.score[0] + 2**bit, 0)))  # noqa: B023
    assert np.array_equal(states.map(lambda state: state.score[0], int), games)


def test_cubeless_games_have_no_state():
    states = States.same(None, 3)
    assert states.cubeless and not States.same(State(), 3).cubeless
    assert [games.tolist() for state, games in states.changed(other_side).groups()] == [[0, 1, 2]]
