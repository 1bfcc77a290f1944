"""Position ID, Match ID and XGID: the checked cases, what each field holds, round trips, and refusals."""

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from cases import cases
from hypothesis import example, given
from hypothesis import strategies as st
from random_positions import random_boards, random_states

from bgai.board import HYPERGAMMON, NACKGAMMON, START, flip
from bgai.game import State, to_decide
from bgai.notation import gnubg_id
from bgai.notation import xgid as xg
from bgai.notation.position import InvalidID, Position, parse_position, position_id, xgid

START_ID = "4HPwATDgc/ABMA"
CASES = cases("id_roundtrip")
READABLE = [case for case in CASES if case["state"]]
REFUSED = [case for case in CASES if case["expected"].get("error")]


def case_ids(some):
    return [case["id"] for case in some]


def expected_position(case):
    fields = case["state"]
    assert not fields["beavers"]
    state = State(**{**fields, "score": tuple(fields["score"]), "beavers": 0})
    return Position(np.array(case["position"]), state, case["dice"] and tuple(case["dice"]))


@pytest.mark.parametrize("case", READABLE, ids=case_ids(READABLE))
def test_checked_ids_are_read_and_written(case):
    position = expected_position(case)
    expected = case["expected"]
    assert position.board.tolist() == expected["position"]
    for text in (case["xgid"], case["xgid"].removeprefix("XGID="), case["gnuid"], expected.get("xgid_same_position")):
        assert text is None or parse_position(text) == position
    assert position_id(position) == case["gnuid"] == expected.get("gnuid", case["gnuid"])
    assert position_id(position).split(":")[0] == expected.get("posid", case["gnuid"].split(":")[0])
    assert parse_position(xgid(position)) == position
    if (
        ":1:" in case["xgid"] and case["xgid"].split(":")[3] == "1" and case["id"] != "ID-16"
    ):  # ID-16: smaller die first
        assert xgid(position) == case["xgid"]


@pytest.mark.parametrize("case", REFUSED, ids=case_ids(REFUSED))
def test_checked_impossible_ids_are_refused(case):
    with pytest.raises(InvalidID):
        parse_position(case["xgid"])


def test_ID_29_double_on_the_table_in_an_xgid():
    (case,) = (case for case in CASES if case["id"] == "ID-29")
    position = parse_position(case["xgid"])
    assert case["expected"]["pending"] == "take_or_pass"
    assert position.state == State(jacoby=True, beavers=xg.BEAVERS, pending="double")
    assert position.board.tolist() == START.tolist() and position.dice is None
    assert to_decide(position.state) == "opponent"


def test_ID_31_short_form_with_dice_and_jacoby():
    (case,) = (case for case in CASES if case["id"] == "ID-31")
    position = parse_position(case["gnuid"])
    assert position == Position(START, State(jacoby=True), (3, 1))
    assert position_id(position) == case["gnuid"]


def test_ID_32_double_on_the_table_in_a_match_id():
    (case,) = (case for case in CASES if case["id"] == "ID-32")
    position = parse_position(case["gnuid"])
    assert position.state == State(score=(8, 5), jacoby=True, pending="double")  # player 0 doubled
    assert (position.board > 0).sum() == (position.board < 0).sum() == 1


def test_ID_34_beaver_in_an_xgid():
    (case,) = (case for case in CASES if case["id"] == "ID-34")
    state = parse_position(case["xgid"]).state
    assert state == State(2, "opponent", jacoby=True, beavers=xg.BEAVERS, pending="beaver")
    assert to_decide(state) == "mover"
    assert xgid(Position(START, state)) == case["xgid"]


def test_every_id_case_is_tested():
    assert len(CASES) == len(READABLE) + len(REFUSED) + 4


@pytest.mark.parametrize(
    ("match_id", "state"),
    [
        ("cBEAAAAAAAAE", State(pending="double")),
        ("UREAAAAAAAAE", State(2, "mover", pending="double")),
        ("QRkAAAAAAAAE", State(2, "opponent", beavers=1, pending="beaver")),
        ("QhEAAAAAAAAE", State(4, "opponent", beavers=2, pending="raccoon")),
        ("UTkAAAAAAAAE", State(2, "mover", pending="double", resigned=1)),
    ],
    ids=["double", "redouble", "beaver", "raccoon", "resignation in answer to a redouble"],
)
def test_R31_R35_match_ids_that_gnubg_shows_while_something_is_offered(match_id, state):
    assert parse_position(f"{START_ID}:{match_id}") == Position(START, state)
    assert position_id(Position(START, state)) == f"{START_ID}:{match_id}"


def test_R31_resignation_offered_after_the_roll_keeps_the_dice():
    position = Position(START, State(resigned=2), (3, 1))
    assert position_id(position) == f"{START_ID}:cMEFAAAAAAAE"
    assert parse_position(f"{START_ID}:cMEFAAAAAAAE") == position


def test_R37_a_passed_double_is_an_ended_game():
    position = Position(START, State(8, "opponent", score=(0, 8)), ended="passed")
    assert parse_position(f"{START_ID}:QwwAAIAAAAAE") == position
    assert position_id(position) == f"{START_ID}:QwwAAIAAAAAE"


def test_R34_R35_a_raccoon_that_turns_the_cube_beyond_an_id_is_refused():
    with pytest.raises(InvalidID, match="the largest is 32768"):
        parse_position("XGID=-b----E-C---eE---c-e----B-:15:1:1:R:0:0:2:0:15")


def test_a_position_is_the_same_from_either_side_of_the_xgid():
    bottom = parse_position("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:5:0:7:10")
    top = parse_position("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:5:2:0:7:10")
    assert bottom == top and hash(bottom) == hash(top)
    assert bottom.state.owner == "mover" and bottom.state.score == (2, 5)


def test_match_id_speaks_of_players_not_of_the_mover():
    state = State(2, "mover", 7, (2, 5))
    text = gnubg_id.encode_match(state, (3, 1))
    number = gnubg_id._from_base64(text, "Match ID")
    as_player_0 = number ^ (1 << 4) ^ (1 << 6) ^ (1 << 11)  # owner, on roll and turn are player 0
    as_player_0 &= ~(0x3FFFFFFF << 36)
    as_player_0 |= 2 << 36 | 5 << 51  # so are the mover's 2 points
    assert gnubg_id.decode_match(gnubg_id._to_base64(as_player_0, 9)) == (state, (3, 1), "playing")


def test_position_id_alone_and_start_are_plain_money_games_before_the_roll():
    assert parse_position(START_ID) == parse_position(" start\n") == Position(START)


@pytest.mark.parametrize(
    ("word", "board", "checkers"), [("nackgammon", NACKGAMMON, 15), ("HyperGammon", HYPERGAMMON, 3)]
)
def test_a_variant_is_named_by_a_word(word, board, checkers):
    position = parse_position(word)
    assert position == Position(board, checkers=checkers) and position.state == State()
    assert (parse_position(position_id(position)).board == board).all()


def test_finished_game_is_written_as_over():
    board = np.zeros(26, dtype=np.int8)
    board[12] = -3
    text = position_id(Position(board))
    assert gnubg_id.decode_match(text.split(":")[1])[2] == "over"
    assert parse_position(text) == Position(board)


def test_100_000_random_boards_survive_the_position_id():
    boards = random_boards(np.random.default_rng(1976), 100_000)
    assert (np.array([gnubg_id.decode_board(gnubg_id.encode_board(board)) for board in boards]) == boards).all()


def test_20_000_random_positions_survive_the_match_id_and_the_xgid():
    rng = np.random.default_rng(1977)
    states = random_states(rng, 2_000)
    for i, board in enumerate(random_boards(rng, 20_000)):
        state, dice = states[i % len(states)]
        read, read_dice, _ = gnubg_id.decode_match(gnubg_id.encode_match(state, dice))
        assert (replace(read, beavers=state.beavers), read_dice) == (state, dice)
        read_board, *rest = xg.decode(xg.encode(board, state, dice))
        assert rest == [state, dice] and read_board.tobytes() == board.tobytes()


def test_random_positions_survive_as_text_from_both_sides():
    rng = np.random.default_rng(1978)
    for board, (state, dice) in zip(random_boards(rng, 1_000), random_states(rng, 1_000), strict=True):
        position = Position(board, state, dice)
        assert parse_position(xgid(position)) == position
        _, cube, owner, turn, roll, own, other, *rest = xgid(position).split(":")
        seen_by_top = xg.encode(flip(board), State()).split(":")[0]
        text = ":".join([seen_by_top, cube, str(-int(owner)), str(-int(turn)), roll, other, own, *rest])
        assert parse_position(text) == position
        assert parse_position(position_id(position)) == as_a_match_id_keeps_it(position)


def as_a_match_id_keeps_it(position):
    """What is left of the agreed beavers in a Match ID: as many as the waiting cube shows."""
    beavers = {"beaver": 1, "raccoon": 2}.get(position.state.pending, 0)
    return Position(position.board, replace(position.state, beavers=beavers), position.dice)


XGID_FIELDS = ["-b----E-C---eE---c-e----B-", "0", "0", "1", "00", "0", "0", "0", "0", "10"]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        (0, "-b----E-C---eE---c-e----C-", "16 checkers of the player on roll"),
        (0, "-c----E-C---eE---c-e----B-", "16 checkers of the opponent"),
        (0, "-" * 26, "both players have borne off"),
        (0, "A" + "-" * 24 + "a", "bar (index 0) holds checkers of the player on roll"),
        (0, "-b----E-C---eE---c-e----B", "this shows 25"),
        (0, "-b----P-C---eE---c-e----B-", "'P' in place 6"),
        (1, "16", "cube (field 2 of the XGID) must be from 0 to 15"),
        (1, "1", "only automatic doubles"),
        (2, "1", "a cube of 1 with the mover"),
        (2, "2", "owner (field 3"),
        (3, "0", "the turn of an XGID is 1"),
        (4, "71", "two numbers from 1 to 6"),
        (4, "30", "two numbers from 1 to 6"),
        (5, "-1", "score (field 6"),
        (7, "4", "rules (field 8"),
        (8, "x", "length (field 9"),
        (9, "-1", "largest cube"),
    ],
)
def test_an_impossible_xgid_field_is_refused_with_the_reason(field, value, reason):
    fields = [*XGID_FIELDS[:field], value, *XGID_FIELDS[field + 1 :]]
    if (field, value) == (1, "1"):
        fields[8] = "7"  # in a match nothing turns the cube without an owner
    with pytest.raises(InvalidID, match=re.escape(reason)):
        parse_position(":".join(fields))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected an XGID"),
        ("start here", "expected an XGID"),
        (START_ID[:-1] + "B", "bits set after the end"),
        (START_ID + ":cAkAAAAAAAA", "12 characters"),
        ("4HPwATDgc/AB!A:cAkAAAAAAAAE", "14 characters"),
        ("/////////////w", "more than 30 checkers"),
        ("XGID=" + ":".join(XGID_FIELDS[:9]), "this has 9"),
    ],
)
def test_text_that_is_no_id_is_refused_with_the_reason(text, reason):
    with pytest.raises(InvalidID, match=re.escape(reason)):
        parse_position(text)


def match_id_with(**changes):
    """The Match ID of a plain money game with some fields changed."""
    number = gnubg_id._from_base64("cAkAAAAAAAAE", "Match ID")
    shift = 0
    for name, width in gnubg_id._MATCH_FIELDS.items():
        if name in changes:
            number = number & ~(((1 << width) - 1) << shift) | changes[name] << shift
        shift += width
    return f"{START_ID}:{gnubg_id._to_base64(number, 9)}"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"owner": 2}, "belongs to player 2"),
        ({"game": 5}, "game state 5"),
        ({"game": 2}, "both players still have checkers"),
        ({"turn": 0}, "no double or resignation to answer"),
        ({"doubled": 1}, "the player who doubled to answer that double"),
        ({"die1": 3}, "3 and 0"),
        ({"die1": 7, "die2": 7}, "7 and 7"),
        ({"doubled": 1, "turn": 0, "die1": 3, "die2": 1}, "no dice can have been thrown"),
        ({"length": 7, "score0": 7}, "both sides must still need a point"),
        ({"length": 7, "crawford": 1}, "a Crawford game at 0-0"),
        ({"crawford": 1}, "a Crawford game"),
        ({"length": 7, "cube": 1}, "centred cube of 2"),
    ],
)
def test_an_impossible_match_id_field_is_refused_with_the_reason(changes, reason):
    with pytest.raises(InvalidID, match=re.escape(reason)):
        parse_position(match_id_with(**changes))


@pytest.mark.parametrize(
    ("write", "state", "reason"),
    [
        (position_id, State(1 << 16, "mover"), "the largest is 32768"),
        (xgid, State(1 << 16, "mover"), "the largest is 32768"),
        (position_id, State(score=(40000, 0)), "above 32767"),
        (xgid, State(resigned=1), "offer to resign"),
        (xgid, State(8, "opponent", beavers=4, pending="re-beaver"), "up to a raccoon"),
    ],
)
def test_R34_what_an_id_cannot_hold_is_refused(write, state, reason):
    with pytest.raises(InvalidID, match=reason):
        write(Position(START, state))


@given(st.one_of(st.text(max_size=60), st.text("ABCabcXGID=:/-0123456789", max_size=70)))
@example("XGID=" + ":" * 1_000_000)
@example("1" * 1_000_000)
@example("XGID=-b----E-C---eE---c-e----B-:" + "9" * 5000 + ":0:1:00:0:0:0:0:10")
def test_any_text_is_a_position_or_a_short_clear_refusal(text):
    try:
        assert parse_position(position_id(parse_position(text)))
    except InvalidID as fault:
        assert len(str(fault)) < 400


@given(st.integers(0, 9), st.text("-0123456789ABDRabo", max_size=27))
def test_any_change_of_an_xgid_field_is_read_or_refused(field, value):
    fields = [*XGID_FIELDS[:field], value, *XGID_FIELDS[field + 1 :]]
    try:
        position = parse_position(":".join(fields))
    except InvalidID:
        return
    assert parse_position(xgid(position)) == position


@given(st.text("ABCDEFghij0189+/", min_size=14, max_size=14), st.text("AQghk0189+/E", min_size=12, max_size=12))
def test_any_letters_are_a_gnu_id_or_refused(position_part, match_part):
    try:
        position = parse_position(f"{position_part}:{match_part}")
    except InvalidID:
        return
    assert parse_position(position_id(position)) == position


def test_reading_ids_and_drawing_boards_loads_no_slow_library():
    modules = "position, play_text, text_board, svg_board"
    script = (
        f"import sys; from bgai.notation import {modules}; print(*{{'numba', 'torch', 'rich'}} & sys.modules.keys())"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"
