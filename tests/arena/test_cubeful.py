"""Games with the cube and matches, between players that always do the same with it."""

import numpy as np
import pytest
from pip_player import pip_net

from bgai.arena.games import LARGEST_CUBE, LOST_BY_PASS, WON_BY_PASS, play_games
from bgai.arena.players import NetPlayer
from bgai.arena.pubeval import Pubeval
from bgai.evaluator.decision import decide
from bgai.game import State


class Scripted(Pubeval):
    """Plays as pubeval, doubles always or never, and answers each kind of pending cube with one word."""

    name = "scripted"

    def __init__(self, doubles, **answers):
        self.doubling = doubles
        self.words = answers
        self.asked = []

    def doubles(self, boards, states):
        self.asked += [state for state, _ in states.groups()]
        return np.full(len(boards), self.doubling)

    def answers(self, boards, states):
        return states.map(lambda state: self.words[state.pending], object)


def test_R33_R37_a_pass_ends_the_game_for_the_stake_before_the_double():
    games = play_games(Scripted(True), Scripted(False, double="pass"), 40, 1, State())
    assert (games.results == 1).all() and games.ends[WON_BY_PASS] == 40
    assert set(games.turns) == {1, 2}  # R32: nobody doubles before the opening roll
    games = play_games(Scripted(False, double="pass"), Scripted(True), 40, 1, State())
    assert (games.results == -1).all() and games.ends[LOST_BY_PASS] == 40


def test_R34_only_the_owner_redoubles():
    a, b = Scripted(True), Scripted(False, double="take")
    games = play_games(a, b, 40, 2, State())
    assert set(np.abs(games.results)) <= {2, 4, 6}
    assert {state.owner for state in a.asked} == {"centred"} and {state.owner for state in b.asked} >= {"mover"}


@pytest.mark.parametrize(
    ("answers", "beaver_answer", "won"),
    [
        ({"double": "beaver"}, "pass", {2}),
        ({"double": "beaver"}, "accept", {4, 8, 12}),
        ({"double": "beaver", "raccoon": "pass"}, "raccoon", {4}),
        ({"double": "beaver", "raccoon": "accept"}, "raccoon", {8, 16, 24}),
    ],
)
def test_R35_beavers_and_raccoons(answers, beaver_answer, won):
    games = play_games(Scripted(True, beaver=beaver_answer), Scripted(False, **answers), 40, 3, State(beavers=2))
    assert set(np.abs(games.results)) <= won
    if beaver_answer == "pass":
        assert (games.results == -2).all() and games.ends[LOST_BY_PASS] == 40
    elif answers.get("raccoon") == "pass":
        assert (games.results == 4).all() and games.ends[WON_BY_PASS] == 40
    else:
        assert games.ends[:6].sum() == 40


@pytest.mark.parametrize("jacoby", [True, False])
def test_R36_jacoby_gammons_count_only_once_the_cube_is_turned(jacoby):
    games = play_games(Scripted(False), Scripted(False), 60, 4, State(jacoby=jacoby))
    assert games.ends[[1, 2, 4, 5]].sum() > 0
    assert (set(np.abs(games.results)) == {1}) is jacoby


def test_the_cube_stops_at_its_limit():
    always = Scripted(True, double="take")
    games = play_games(always, Scripted(True, double="take"), 20, 5, State())
    assert max(state.cube for state in always.asked) < LARGEST_CUBE <= np.abs(games.results).max()


def test_R38_R39_R40_matches():
    a, b = Scripted(True, double="take"), Scripted(False, double="pass")
    matches = play_games(a, b, 40, 6, State(length=3))
    assert set(matches.results) <= {0, 1}
    assert not any(state.crawford for state in a.asked + b.asked)  # R39: no cube in the Crawford game
    scores = {state.score for state in a.asked}
    assert (0, 0) in scores and (1, 0) in scores and not any(max(score) >= 3 for score in scores)
    assert any(state.post_crawford for state in a.asked) or any(state.post_crawford for state in b.asked)
    assert matches.ends.sum() > 40 and matches.ends[WON_BY_PASS] >= 40


def test_a_match_to_one_point_has_no_cube():
    a = Scripted(True, double="take")
    play_games(a, Scripted(True), 20, 7, State(length=1))
    assert a.asked == []


@pytest.mark.parametrize("rules", [State(), State(jacoby=True, beavers=1), State(length=5)])
def test_a_network_decides_as_the_cube_formula_does(rules):
    net = pip_net()
    seen = []

    class Watched(NetPlayer):
        def doubles(self, boards, states):
            return self.watch(boards, states, super().doubles(boards, states))

        def answers(self, boards, states):
            return self.watch(boards, states, super().answers(boards, states))

        def watch(self, boards, states, decisions):
            seen.extend((decisions[i], boards[i], state) for state, rows in states.groups() for i in rows)
            return decisions

    play_games(Watched(net), Scripted(True, double="take", beaver="accept"), 6, 8, rules)
    answers = [entry for entry in seen if isinstance(entry[0], str)]
    doubles = [entry for entry in seen if entry[0] is np.True_]
    others = [entry for entry in seen if entry[0] is np.False_]
    assert answers and doubles and others
    for decision, board, state in [*answers[:20], *doubles[:20], *others[:: 1 + len(others) // 40]]:
        expected = decide(net.outcomes(board[None])[0], state)
        said = expected.action if isinstance(decision, str) else expected.action.startswith(("double", "redouble"))
        assert expected.optional or decision == said
