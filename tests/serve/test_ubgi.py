"""Our player as a UBGI engine, by the specification of UBGI 0.2."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import from_play, place

from bgai.notation.gnubg_id import encode_board
from bgai.notation.play_text import parse_play
from bgai.plays import legal_plays
from bgai.serve.ubgi import Engine

START = "position gnubgid 4HPwATDgc/ABMA"


def talk(*lines: str) -> str:
    """The answer to the last line."""
    engine = Engine()
    return [engine.reply(line) for line in lines][-1]


def test_the_handshake():
    first, *_, proto, last = talk("ubgi").splitlines()
    assert re.fullmatch(r"id name bgai \S+", first) and (proto, last) == ("proto 0.2", "ubgiok")
    assert talk("isready") == "readyok" and talk("newgame") == "" and talk(START) == ""


def test_the_best_move():
    assert talk(START, "dice 3 1", "go") == "bestmove 8/5 6/5"
    assert talk("newgame", "dice 1 3", "go chequer") == "bestmove 8/5 6/5"
    assert talk("position xgid -b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "go") == "bestmove 8/5 6/5"
    assert talk("newgame", "dice 6 5", "go") == "bestmove 24/18 18/13"


def at(own: dict[int, int], opponent: dict[int, int]) -> str:
    return f"position gnubgid {encode_board(place(own, opponent))}"


def test_bar_off_and_pass():
    home_closed = {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2}
    assert talk(at({25: 1, 6: 2}, home_closed), "dice 3 1", "go") == "bestmove pass"
    assert talk(at({25: 1, 6: 2}, home_closed | {24: 0}), "dice 5 1", "go") == "bestmove bar/24 6/1"
    assert talk(at({1: 2, 2: 2}, {24: 2}), "dice 6 6", "go") == "bestmove 2/off 2/off 1/off 1/off"


def test_every_move_is_legal_and_written_die_by_die():
    engine = Engine()
    boards, dice = from_play(40, 3, sensible=True, seed=1)
    for board, (a, b) in zip(boards, dice.tolist(), strict=True):
        engine.reply(f"position gnubgid {encode_board(board)}")
        engine.reply(f"dice {a} {b}")
        payload = engine.reply("go").removeprefix("bestmove ")
        plays = legal_plays(board[None], np.array([[a, b]], dtype=np.int8), flipped=False)
        if payload == "pass":
            assert not plays.moved[0]
            continue
        assert 0 <= parse_play(payload, board, (a, b)) < len(plays.boards)
        assert all(re.fullmatch(r"(bar|\d+)/(off|\d+)", move) for move in payload.split())


def test_the_cube_and_a_whole_turn():
    assert talk(START, "go cube") == "bestcube nodouble"
    assert talk(at({1: 8}, {24: 8}), "go cube") == "bestcube double"  # four rolls each
    assert talk("newgame", "dice 3 1", "go turn") == "bestturn cube=nodouble move=8/5 6/5"


def test_keys():
    assert talk("keys").splitlines() == [
        "key engine.ply int 0..4 0 rolls of lookahead",
        "key game.variant enum backgammon|nackgammon backgammon where a new game begins",
    ]
    assert talk("set engine.ply 1") == "" and talk("set engine.ply 1", "get engine.ply") == "value engine.ply 1"
    assert talk("set game.variant nackgammon", "newgame", "get game.variant") == "value game.variant nackgammon"
    engine = Engine()
    engine.reply("set game.variant nackgammon")
    engine.reply("newgame")
    assert engine.position.board[23] == 2


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["hello"], "bad_command expected one of: ubgi"),
        ([""], "bad_command"),
        (["UBGI"], "bad_command"),
        (["dice 3"], "bad_command expected: dice <d1> <d2>"),
        (["x" * 2000], "bad_command a line has at most 1000"),
        (["go"], "bad_state no position"),
        (["newgame", "go"], "bad_state no dice"),
        (["dice 3 1"], "bad_state no position"),
        (["newgame", "dice 1 7"], "bad_value '1 7' is no roll: give two dice from 1 to 6"),
        (["newgame", "dice -3 1"], "bad_value '-3 1' is no roll"),
        (["position gnubgid nonsense"], "bad_value 'nonsense' is not a position"),
        (["position fen 8/8"], "unsupported position fen"),
        (["newgame", "go home"], "unsupported go home"),
        (["set engine.ply 9"], "bad_value engine.ply is 0 to 4"),
        (["set game.variant hypergammon"], "bad_value game.variant is backgammon or nackgammon"),
        (["set engine.magic on"], "unsupported key engine.magic"),
        (["get engine.magic"], "unsupported key engine.magic"),
        (["position xgid -b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "go cube"], "unsupported a double waits"),
        (["position xgid -b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "dice 3 1"], "bad_value a double waits"),
    ],
    ids=str,
)
def test_errors_are_of_the_four_kinds(lines, error):
    assert talk(*lines).startswith(f"error {error}")


@given(st.text(max_size=60))
def test_no_line_breaks_it(line):
    assert "\n" not in talk(line) or line.split()[0] in ("ubgi", "keys")
