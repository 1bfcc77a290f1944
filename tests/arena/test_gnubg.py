"""GNU Backgammon as a player; where it isn't installed a program that only looks like it is tested."""

import re
import stat
import sys

import numpy as np
import pytest
from positions import from_play

from bgai.arena import gnubg
from bgai.arena.games import play_games
from bgai.arena.gnubg import Gnubg, GnubgError, IllegalReply, find_program
from bgai.arena.gnubg_lines import after_plays
from bgai.arena.pubeval import Pubeval
from bgai.arena.states import States
from bgai.arena.statistics import summarise
from bgai.board import START, flip
from bgai.game import State, act
from bgai.plays import legal_plays

try:
    PROGRAM = find_program()
except GnubgError:
    PROGRAM = None
needs_gnubg = pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon isn't installed")


@needs_gnubg
def test_it_plays_a_legal_play_everywhere():
    boards, dice = from_play(60, 10, sensible=False, seed=3)
    after = Gnubg(0, None).play(boards, dice, States.same(None, len(boards)))
    plays = legal_plays(boards, dice)
    for played, first, end in zip(after, plays.offsets, plays.offsets[1:], strict=False):
        assert (plays.boards[first:end] == played).all(axis=1).any()


@needs_gnubg
def test_it_opens_as_everybody_does():
    dice = np.array([[3, 1], [4, 2], [6, 1]], dtype=np.int8)
    after = flip(Gnubg(0, None).play(np.tile(START, (3, 1)), dice, States.same(None, 3)))
    made = [[np.flatnonzero((row >= 2) & (START < 2)).tolist()] for row in after]
    assert made == [[[5]], [[4]], [[7]]]  # the five-point, the four-point and the bar-point


@needs_gnubg
def test_a_published_figure_it_beats_pubeval_by_about_0_63():
    s = summarise(play_games(Gnubg(0, None), Pubeval(), 300, 4))
    low, high = s.mean.ci95
    assert low < 0.63 < high
    assert s.mean.halfwidth < 0.18


@needs_gnubg
def test_a_published_figure_26_to_27_percent_of_its_games_with_itself_end_in_a_gammon():
    player = Gnubg(0, None)
    s = summarise(play_games(player, player, 400, 5))
    assert s.mean.mean == 0, "each game is played twice, from either side"
    standard_error = np.sqrt(0.265 * 0.735 / 200)
    assert s.gammons_won + s.gammons_lost == pytest.approx(0.265, abs=3 * standard_error)


@needs_gnubg
def test_the_score_goes_to_the_right_side():
    """At 4-0 to 5 after the Crawford game the trailer doubles at once and the leader never does."""
    trailing = State(length=5, score=(0, 4))
    leading = State(length=5, score=(4, 0))
    player = Gnubg(0, trailing)
    assert player.doubles(START[None], States.same(trailing, 1)).tolist() == [True]
    assert player.doubles(START[None], States.same(leading, 1)).tolist() == [False]


@needs_gnubg
def test_the_take_depends_on_the_score_of_the_right_side():
    """In a race won by the doubler 77 % of the time, to 7 points: a cube at 2 helps a doubler who needs 2 little, and
    the owner who needs 7 much, so that is a pass; the other way round it is an easy take."""
    board = np.zeros(26, dtype=np.int8)
    board[1:7] = [0, 2, 2, 2, 2, 2]
    board[19:25] = [-2, -2, -2, -2, -2, -2]
    ahead, behind = (act(State(length=7, score=score), "double") for score in ((5, 0), (0, 5)))
    player = Gnubg(0, State(length=7))
    assert player.answers(board[None], States.same(ahead, 1)).tolist() == ["pass"]
    assert player.answers(board[None], States.same(behind, 1)).tolist() == ["take"]


@needs_gnubg
@pytest.mark.parametrize("rules", [State(), State(jacoby=True, beavers=1), State(length=3)], ids=str)
def test_whole_games_with_the_cube(rules):
    played = play_games(Gnubg(0, rules), Pubeval(), 20, 5, rules)
    assert np.isfinite(played.results).all()


@needs_gnubg
def test_its_processes_end_with_it():
    player = Gnubg(0, None)
    finalizer = next(f for f in gnubg.weakref.finalize._registry if f.peek()[0] is player)
    processes = finalizer.peek()[2][0]
    del player
    assert all(process.poll() is not None for process in processes)


@pytest.mark.parametrize(
    ("reply", "after"),
    [
        ("8/5 6/5 ", {8: 2, 6: 4, 5: 2}),
        ("24/23* 13/11", {24: 1, 23: 1, 13: 4, 11: 1, 0: -1}),
        ("13/8(2)", {13: 3, 8: 5}),
        ("bar/22 25/24", {25: 0, 24: 3, 22: 1}),
        ("6/off 6/0", {6: 3}),
        ("24/18/14", {24: 1, 14: 1}),
        ("", {}),
    ],
)
def test_replies_are_read(reply, after):
    board = START.copy()
    if "bar" in reply:
        board[25] = 2
    if "*" in reply:
        board[23] = -1
    expected = board.copy()
    expected[list(after)] = list(after.values())
    assert after_plays(board[None], [reply.encode()])[0].tolist() == expected.tolist()


class Liar(Gnubg):
    """Gives the same reply whatever is asked."""

    def __init__(self, reply):
        self.name = "liar"
        self._ask = lambda asked: [reply.encode()] * len(asked)


@pytest.mark.parametrize("reply", ["8/5", "6/5 8/5 6/5", "5/8 6/5", "6/5(9)", "rubbish", "", "13/8"])
def test_an_illegal_play_is_reported_and_never_played(reply):
    with pytest.raises(IllegalReply, match=re.escape(repr(reply))):
        Liar(reply).play(START[None], np.array([[3, 1]], np.int8), States.same(None, 1))


def test_rubbish_is_reported_even_where_nothing_can_be_played():
    board = np.zeros(26, dtype=np.int8)
    board[25], board[19:25] = 1, -2
    closed_out = (board[None], np.array([[3, 1]], np.int8), States.same(None, 1))
    with pytest.raises(IllegalReply, match="rubbish"):
        Liar("rubbish").play(*closed_out)
    assert (Liar("").play(*closed_out) == flip(board[None])).all()


def test_a_word_that_is_no_cube_action_is_reported():
    with pytest.raises(IllegalReply, match="maybe"):
        Liar("maybe").doubles(START[None], States.same(State(), 1))


FAKE = """#!{python}
import socket, sys, time
path = next(line for line in sys.stdin if line.startswith("external ")).split()[1]
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen()
line, _ = server.accept()
line.recv(4096)
{then}
"""


@pytest.mark.parametrize(
    ("then", "wrong"),
    [
        ("time.sleep(60)", "no answer within 1 s to 'board:opponent:us:"),
        ("line.sendall(b'8/5 6/'); time.sleep(60)", "no answer within 1 s"),
        ("line.close()", "has ended instead of answering 'board:"),
    ],
    ids=["hangs", "hangs in the middle", "ends"],
)
def test_a_program_that_stops_answering(tmp_path, monkeypatch, then, wrong):
    monkeypatch.setattr(gnubg, "ANSWER_SECONDS", 1)
    program = tmp_path / "fake"
    program.write_text(FAKE.format(python=sys.executable, then=then))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    player = Gnubg(0, None, str(program))
    with pytest.raises(GnubgError, match=wrong):
        player.play(np.tile(START, (4, 1)), np.array([[3, 1]] * 4, np.int8), States.same(None, 4))


def test_a_missing_program_and_one_that_is_not_gnubg(tmp_path):
    with pytest.raises(GnubgError, match="install GNU Backgammon"):
        Gnubg(0, None, str(tmp_path / "nothing"))
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\nexit 0\n")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(GnubgError, match="doesn't listen"):
        Gnubg(0, None, str(other))
