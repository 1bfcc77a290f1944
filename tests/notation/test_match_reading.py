"""Match files of every server and program, read as GNU Backgammon 1.07 reads them."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bgai.board import pips
from bgai.game import State
from bgai.notation.match_file import BadMatchFile, Match
from bgai.notation.position import parse_position
from bgai.notation.reading import read_match
from bgai.notation.recorder import GameRecorder

FILES = Path(__file__).parent.parent / "data" / "match_files"

# What GNU Backgammon makes of each file: length, actions of each game (an implied resignation counts as one), and
# the last game's score before it, winner and points. 13_golden_dance is below: there it plays on after an illegal turn.
AS_GNUBG = {
    "01_galaxy_3pt.txt": (3, [48], (0, 0), 0, 4),
    "02_galaxy_single_8pt.txt": (8, [17], (0, 0), 0, 1),
    "04_studio_7pt.txt": (7, [76], (0, 0), 1, 8),
    "06_playok_5pt.txt": (5, [58, 13, 47, 54], (3, 2), 1, 4),
    "08_xg_export_15pt_bom.txt": (15, [10, 47, 52, 56, 13, 25, 23, 77, 60, 22, 36, 70, 67, 61], (13, 14), 1, 2),
    "11_gnubg_7pt.mat": (7, [48, 43, 55, 53], (6, 2), 0, 3),
    "11_gnubg_7pt.sgf": (7, [48, 43, 55, 53], (6, 2), 0, 3),
    "12_gibbon_7point.mat": (7, [8, 34, 15, 36, 85, 29, 71, 30, 62], (6, 5), 0, 2),
    "12_gibbon_7point.sgf": (7, [8, 34, 15, 36, 85, 29, 71, 30, 62], (6, 5), 0, 2),
    "13_golden_abandoned_partial.mat": (3, [3, 2], (0, 1), None, 0),
    "13_golden_cube_drop.mat": (0, [3], (0, 0), 1, 1),
    "13_golden_money_session.mat": (0, [3, 4], (0, 0), 1, 3),
}


@cache
def shipped(name: str) -> Match:
    return read_match(FILES / name)


@pytest.mark.parametrize("name", AS_GNUBG)
def test_same_games_actions_and_scores_as_gnubg(name):
    match = shipped(name)
    last = match.games[-1]
    actions = [len(game.actions) for game in match.games]
    assert (match.length, actions, last.state.score, last.winner, last.points) == AS_GNUBG[name]
    assert match.faults == ()


@pytest.mark.parametrize("name", ["11_gnubg_7pt", "12_gibbon_7point"])
def test_the_same_match_in_two_formats(name):
    assert shipped(f"{name}.mat").games == shipped(f"{name}.sgf").games


def test_every_game_begins_at_the_score_that_the_last_one_left():
    for name in ("06_playok_5pt.txt", "08_xg_export_15pt_bom.txt", "12_gibbon_7point.mat"):
        games = shipped(name).games
        assert [game.score_after for game in games[:-1]] == [game.state.score for game in games[1:]]


def test_R39_the_crawford_game_is_the_first_at_match_point():
    games = shipped("08_xg_export_15pt_bom.txt").games
    assert [game.number for game in games if game.state.crawford] == [13]


def test_points_that_a_server_caps_are_no_fault_and_not_kept():
    match = shipped("01_galaxy_3pt.txt")  # says 3 for a gammon on a cube of 2, in a match to 3
    assert (match.games[0].points, match.score) == (4, (3, 0))


def test_a_roll_without_a_play_before_a_resignation():
    game = shipped("08_xg_export_15pt_bom.txt").games[7]
    roll, resignation = game.actions[-2:]
    assert (roll.kind, roll.position.dice, roll.player) == ("roll", (4, 4), 0)
    assert (resignation.kind, resignation.player, resignation.level) == ("resign", 0, 1)


def test_an_illegal_turn_is_reported_and_the_rest_kept_as_text():
    match = shipped("13_golden_dance.mat")  # 52 after 1) 31 can be played
    assert [str(fault) for fault in match.faults] == ["game 1, move 2: a roll after one whose play isn't recorded"]
    game = match.games[0]
    assert [action.kind for action in game.actions] == ["play", "roll"]
    assert game.text == ("  2) 63: 13/7 13/10              21: 24/23 6/5",)
    assert (game.winner, game.points) == (0, 1)


def mat(*rows: str, length: int = 7, score: tuple[int, int] = (0, 0)) -> str:
    """A game of a .mat file with these lines."""
    names = f" White, the 1st : {score[0]}              Black : {score[1]}"
    return "\n".join([f" {length} point match", "", " Game 1", names, *rows, ""])


def why(text: str) -> list[str]:
    return [str(fault) for fault in read_match(text).faults]


ILLEGAL = {
    "play": (["  1) 31: 8/4 6/5                 52: 13/8 24/22"], "game 1, move 1: 8/4 6/5 is not legal with 31"),
    "roll": (["  1) 31: 8/5 6/5                 72: 13/6"], "game 1, move 1: 72 is no roll"),
    "turn": (["  1) 31: 8/5 6/5", "  2) 31: 8/5 6/5"], "game 1, move 2: a roll out of turn"),
    "answer": (["  1) 31: 8/5 6/5     Takes"], "game 1, move 1: no 'take' now: nothing waits for an answer"),
    "unanswered": (["  1) 31: 8/5 6/5     Doubles => 2", "  2) 31: 8/5 6/5"], "game 1, move 2: a roll while a double"),
    "cube": (["  1) 31: 8/5 6/5     Doubles => 8"], "game 1, move 1: a double to 8 of a cube that stands at 1"),
    "word": (["  1) 31: 8/5 6/5     52: 24/22 13/8", "hello"], "game 1, move 1: not understood"),
    "row": (["  1) hello"], "game 1, move 1: neither rolls nor cube actions nor a result"),
}


@pytest.mark.parametrize("kind", ILLEGAL)
def test_what_is_illegal_is_named_with_game_and_move(kind):
    rows, expected = ILLEGAL[kind]
    (found,) = why(mat(*rows))
    assert found.startswith(expected)
    assert read_match(mat(*rows)).games[0].text


def test_a_point_on_the_way_that_the_dice_do_not_lead_to_is_forgiven():
    """GNU Backgammon writes so: the 3 is played first, and the 4 bears off from the highest point."""
    game = GameRecorder(1, State())
    game.board = np.array([0, 5, 3, 0, 0, 1] + [0] * 18 + [-15, 0], dtype=np.int8)
    game.play(0, (4, 3), "5/1 1/0")
    assert game.actions[0].moves == ((5, 2), (2, 0))


def test_the_next_game_is_read_as_usual():
    text = mat("  1) 31: 8/4 6/5", "  2) 31: nonsense", "      Wins 2 points")
    match = read_match(text + " Game 2\n White, the 1st : 2              Black : 0\n  1) 31: 8/5 6/5\n")
    assert [(len(game.actions), len(game.text), game.points) for game in match.games] == [(0, 2, 2), (1, 0, 0)]
    assert len(match.faults) == 1
    assert match.players == ("White, the 1st", "Black")


def test_scores_and_results_that_contradict_the_games_are_faults():
    text = mat("  1) 31: 8/5 6/5     Doubles => 2", "  2)  Drops", "      Wins 1 point")
    assert why(text) == ["game 1, move 2: the file says that player 1 wins 1, by the rules player 2 wins 1"]
    again = mat("  1) 31: 8/5 6/5", "      Wins 1 point") + " Game 2\n White, the 1st : 3       Black : 0\n"
    assert why(again) == ["game 2: begins at 3-0, after 1-0"]
    assert why(mat("  1) 31: 8/5 6/5", score=(9, 0)))[0].startswith("game 1: 9-0 in a match to 7")


def test_dice_that_nobody_has_thrown_are_kept_as_comments():
    match = read_match(mat("  1) 31: 8/5 6/5                 66:", "  2) 11:", "      Wins 1 point"))
    assert [action.kind for action in match.games[0].actions] == ["play", "roll", "resign"]
    assert (match.faults, match.comments) == ((), ("; game 1, move 2: 11 without a play",))


@pytest.mark.parametrize(("points", "jacoby"), [(1, True), (2, False)])
def test_R36_an_undoubled_gammon_that_counts_once_tells_the_jacoby_rule(points, jacoby):
    text = (FILES / "11_gnubg_7pt.mat").read_text()
    game = text[text.index("  1) 31", text.index(" Game 3")) : text.index(" Game 4")]
    rows = game.replace("  7)  Doubles => 2                Takes\n", "").replace("4 points", f"{points} points")
    match = read_match(mat(rows, length=0))
    assert match.faults == ()
    assert (match.games[0].points, match.games[0].state.jacoby) == (points, jacoby)


def test_beavers_in_a_money_session():
    rows = ["  1) 31: 8/5 6/5      Doubles => 2", "  2)  Beavers => 4    Takes"]
    played_on = [rows[0], "  2)  Beavers => 4    52: 24/22 13/8"]
    raccoon = [rows[0], "  2)  Beavers => 4    Beavers => 8"]
    told = [[action.kind for action in read_match(mat(*each, length=0)).games[0].actions] for each in (rows, played_on)]
    assert told == [["play", "double", "beaver", "accept"], ["play", "double", "beaver", "accept", "play"]]
    assert read_match(mat(*raccoon, length=0)).games[0].actions[-1].kind == "raccoon"


@pytest.mark.parametrize("name", ["14_broken_example.xg", "18_gnubg_position.pos"])
def test_binary_files_are_refused_with_what_they_are(name):
    with pytest.raises(BadMatchFile, match=f"{name}: a binary"):
        read_match(FILES / name)


# XGIDs of the exports; BGBlitz and eXtreme Gammon show the same position, in English and French.
POSITIONS = {
    "15_xg_text_01_checkerPosition_EN.txt": 1,
    "15_xg_text_01_checkerPosition_FR.txt": 1,
    "16_bgblitz_text_01_EN.txt": 1,
    "17_gnubg_text_analysis.txt": 6,
    "18_gnubg_position_text.txt": 1,
}


@pytest.mark.parametrize("name", POSITIONS)
def test_text_exports_of_positions(name):
    assert len(read_match(FILES / name).positions) == POSITIONS[name]


def test_the_same_position_from_every_program_and_language():
    names = [name for name in POSITIONS if name.startswith(("15", "16"))]
    first, *others = (read_match(FILES / name).positions[0] for name in names)
    assert all(other == first for other in others)
    assert (first.dice, first.state.score, first.state.owner, first.state.cube) == ((2, 1), (3, 6), "opponent", 2)
    assert pips(first.board) == (111, 52)  # as the exports print


def test_ids_one_a_line():
    ids = ["4HPwATDgc/ABMA:cAkKAAAAAAAA", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:3:0:10", "XGID=-a"]
    ids += ["AAAAAAAAAAAAAA"]
    match = read_match("\n".join(ids))
    assert match.positions == tuple(parse_position(each) for each in ids[:2])
    assert [fault.game for fault in match.faults] == [3]


@pytest.mark.parametrize("text", ["", "hello\n", "(;GM[1])\n", "(;GM[6]\n", ")\n", "7 point match\n"])
def test_what_is_no_match_is_refused(text):
    with pytest.raises(BadMatchFile):
        read_match(text + "\n")


def test_sgf_variations_are_left_out_and_told():
    text = "(;GM[6]MI[length:7][game:0][ws:0][bs:0];W[31hefe](;B[52lqac])(;B[52lqqs](;W[11])))\n"
    match = read_match(text)
    assert len(match.games[0].actions) == 2
    assert match.comments == ("game 1: 1 other variations are left out",)


def test_sgf_illegal_play_and_set_up_are_reported():
    head = "(;GM[6]MI[length:7][game:2][ws:0][bs:0]"
    assert why(head + ";W[31hehe])\n")[0].startswith("game 3, move 1: 8/5 8/5 is not legal with 31")
    assert why(head + ";W[31hefe];AE[a:y])\n") == ["game 3, move 2: AE: something is set up in the middle of the game"]


def test_players_are_those_of_the_games_not_of_the_header():
    match = shipped("08_xg_export_15pt_bom.txt")
    assert (match.tags["Player 1"], match.players) == ("PlayerB", ("PlayerA", "PlayerB"))
