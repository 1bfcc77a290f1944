"""Matches beyond every match equity table, which an ID or a line can tell: each door refuses them in words."""

import pytest

from bgai import api
from bgai.evaluator.met import LONGEST, InvalidTable
from bgai.notation.position import parse_position
from bgai.serve.gnubg import Server
from bgai.serve.ubgi import Engine

TOO_LONG = LONGEST + 1
XGID = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:{{}}:0:0:0:{TOO_LONG}:10"
BOARD = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
LINE = f"board:a:b:{TOO_LONG}:0:0:{BOARD}:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"


def test_in_python():
    with pytest.raises(InvalidTable, match=f"{TOO_LONG} points"):
        api.best_plays(XGID.format("31"))
    with pytest.raises(InvalidTable, match=f"{TOO_LONG} points"):
        api.cube_decision(XGID.format("00"))


def test_inside_gnubg():
    with Server("127.0.0.1", 0, checkpoint="default", ply=0, jacoby=True, log=lambda line: None) as server:
        assert server.reply(LINE).startswith(f"Error: a match to {TOO_LONG} points")


@pytest.mark.parametrize("go", ["chequer", "cube", "turn"])
def test_by_ubgi(go):
    engine = Engine()
    assert engine.reply(f"position xgid {XGID.format('31')}") == ""
    assert engine.reply(f"go {go}").startswith(f"error bad_value a match to {TOO_LONG} points")


def test_the_longest_match_is_answered():
    text = XGID.format("31").replace(f":{TOO_LONG}:", f":{LONGEST}:")
    assert parse_position(text).state.length == LONGEST and api.best_plays(text)
