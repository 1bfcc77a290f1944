"""Games between players: legal, repeatable, with duplicate dice and balanced seats."""

import numpy as np
import pytest
from tiny_runs import pip_counter

from bgai.arena.games import EndlessGames, OddGames, play_games
from bgai.arena.players import BareNetwork, RandomPlayer, WithoutCube
from bgai.arena.pubeval import Pubeval
from bgai.board import HYPERGAMMON, NACKGAMMON, START, flip, on_board
from bgai.game import State, opening_rolls
from bgai.net.fast import FastNet
from bgai.plays import legal_plays


class Recorder(WithoutCube):
    """Pubeval that keeps all it is asked: a list of (boards, dice, boards after)."""

    name = "recorder"

    def __init__(self):
        self.asked = []

    def play(self, boards, dice, states):
        after = Pubeval().play(boards, dice, states)
        self.asked.append((boards.copy(), dice.copy(), after.copy()))
        return after


def test_the_same_seed_gives_the_same_games():
    first, again, other = (play_games(Pubeval(), RandomPlayer(3), 60, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.results, again.results) and np.array_equal(first.turns, again.turns)
    assert not np.array_equal(first.turns, other.turns)


def test_R2_opening_rolls_are_never_doubles_and_each_player_starts_half_of_the_games():
    a, b = Recorder(), Recorder()
    play_games(a, b, 200, seed=5)
    (boards_a, dice_a, _), (boards_b, dice_b, _) = a.asked[0], b.asked[0]
    assert len(boards_a) == len(boards_b) == 100
    opening = opening_rolls(np.random.default_rng(5), 100)[0]
    first = opening[:, 0] > opening[:, 1]  # A threw the larger die in the first game of a pair, B in the second
    assert np.array_equal(dice_a, np.concatenate([opening[first], opening[~first]]))
    assert np.array_equal(dice_b, np.concatenate([opening[~first], opening[first]]))


def test_duplicate_dice_a_player_meets_itself_in_mirrored_games():
    games = play_games(Pubeval(), Pubeval(), 200, seed=6)
    assert np.array_equal(games.results[:100], -games.results[100:])
    assert np.array_equal(games.turns[:100], games.turns[100:])


def test_every_turn_goes_on_from_the_last_one_with_a_legal_play():
    a, b = Recorder(), Recorder()
    games = play_games(a, b, 4, seed=7)
    for asked in (a.asked, b.asked):
        for boards, dice, after in asked:
            plays = legal_plays(boards, dice)
            for i in range(len(boards)):
                results = plays.boards[plays.offsets[i] : plays.offsets[i + 1]]
                assert (results == after[i]).all(axis=1).any()
    assert games.turns.sum() == sum(len(boards) for asked in (a.asked, b.asked) for boards, _, _ in asked)


def test_the_outcome_is_that_of_the_last_board():
    """A's last play in a game it wins leaves A nothing; points then follow R27 to R29 by `board.outcome`."""
    a = Recorder()
    games = play_games(a, RandomPlayer(8), 100, seed=8)
    wins = sum(int((on_board(flip(after))[0] == 0).sum()) for _, _, after in a.asked)
    assert (games.results > 0).sum() == wins
    assert set(np.abs(games.results)) == {1, 2, 3}


def test_the_opening_can_be_fixed():
    a, b = Recorder(), Recorder()
    play_games(a, b, 8, seed=5, opening=(3, 1))
    assert (a.asked[0][1] == [3, 1]).all() and (b.asked[0][1] == [3, 1]).all()
    assert len(a.asked[0][0]) == len(b.asked[0][0]) == 4
    assert not (a.asked[1][1] == [3, 1]).all()


def test_games_begin_and_end_by_their_variant():
    a, b = Recorder(), Recorder()
    play_games(a, b, 40, seed=5, rules=State(length=2), start=NACKGAMMON)
    first = [boards[0] for boards, *_ in (a.asked[0], b.asked[0])]
    assert all(np.array_equal(board, NACKGAMMON) for board in first)
    assert all((boards != START).any(axis=1).all() for boards, *_ in a.asked), "later games of a match too"
    few = play_games(RandomPlayer(1), RandomPlayer(2), 100, seed=5, start=HYPERGAMMON)
    assert set(np.abs(few.results)) == {1, 2, 3}, "a side of three checkers can lose a gammon"


def test_players_who_never_come_home_are_stopped():
    backwards = BareNetwork(FastNet(pip_counter(-1).architecture, pip_counter(-1).weights))
    with pytest.raises(EndlessGames, match=r"[1-4] of 4 games of network against network haven't ended after 2000"):
        play_games(backwards, backwards, 4, seed=1)


@pytest.mark.parametrize("games", [0, 2, 7, -4])
def test_games_come_in_pairs(games):
    with pytest.raises(OddGames, match="even number"):
        play_games(Pubeval(), Pubeval(), games, seed=1)
