"""`bgai cube`: the action, its equities and what players know it by."""

import pytest
from cases import cases

CONTACT = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:{}:{}:{}:{}:10"
OVER = "XGID=------------------------o-:0:0:1:00:0:0:0:0:10"  # the opponent has all 15 checkers left: a gammon
KEYS = [
    "position", "board", "ply", "kind", "action", "optional", "nd", "dt", "dp", "mwc", "outcomes", "cubeless",
    "take_point", "doubling_point", "cash_point", "gammon_values", "market_losing_rolls", "pips", "epc", "wastage",
]  # fmt: skip
EXACT = [case for case in cases("cube") if case["certainty"].split()[0] == "exact"][:3]


@pytest.mark.parametrize("case", EXACT, ids=[case["id"] for case in EXACT])
def test_exact_cases(bgai, checkpoint, case):
    (answer,) = bgai("cube", case["xgid"], "--json", "--checkpoint", checkpoint).records
    assert list(answer) == KEYS
    assert answer["action"] == case["expected"]["action"] and answer["kind"] == "cubeful"
    assert answer["nd"] == pytest.approx(case["expected"]["nd"], abs=case["expected"]["tol"])
    assert answer["dt"] == pytest.approx(case["expected"]["dt"], abs=case["expected"]["tol"])
    assert answer["mwc"] is None and answer["dp"] == 1
    for epc, wastage in zip(answer["epc"], answer["wastage"], strict=True):
        assert epc > wastage > 0
    assert 0 < answer["market_losing_rolls"] <= 36


def test_text_has_the_action_its_equities_and_the_points(bgai, checkpoint):
    out = bgai("cube", EXACT[0]["xgid"], "--checkpoint", checkpoint, "--ply", "1").out
    assert f"\n{EXACT[0]['expected']['action']}, 1-ply\n" in out
    for word in ("no double", "double, take", "double, pass", "take point", "market-losing rolls", "EPC, own"):
        assert f"\n{word} " in out


def test_options_say_where_the_cube_is_and_what_the_score_is(bgai, checkpoint):
    def ask(*options):
        (answer,) = bgai("cube", "start", "--json", "--ply", "0", "--checkpoint", checkpoint, *options).records
        return answer

    assert ask("--cube", "2:opponent")["action"] == "not available"
    assert ask("--cube", "2:mover")["action"].split("/")[0].endswith("redouble")
    match = ask("--score", "3-4/7")
    assert match["kind"] == "mwc" and match["mwc"]["dp"] == pytest.approx(0.5)
    assert ask("--score", "6-4/7:crawford")["action"] == "not available"
    assert ask("--jacoby")["gammon_values"] == [0, 0]


def test_a_pending_double_is_answered(bgai, checkpoint):
    """By the XGID's D; and the same position in which nothing is pending says the same of the take."""
    pending, asked = (CONTACT.format(dice, 0, 0, 0, 0) for dice in ("D", "00"))
    answers = [bgai("cube", xgid, "--json", "--checkpoint", checkpoint).records[0] for xgid in (pending, asked)]
    assert answers[0]["action"] == answers[1]["action"].split("/")[1]
    assert answers[0]["dt"] == answers[1]["dt"] and answers[0]["market_losing_rolls"] is None


def test_a_finished_game_returns_its_value(bgai, checkpoint):
    for command in ("cube", "move", "rollout"):
        (answer,) = bgai(command, OVER, "--json", "--checkpoint", checkpoint).records
        assert answer["finished"] and answer["equity"] == 2 and answer["outcomes"] == [0, 1, 0, 0, 0, 0]
        assert "the game is over: +2" in bgai(command, OVER, "--checkpoint", checkpoint).out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--cube", "3"], "power of two"),
        (["--cube", "2:me"], "mover, opponent"),
        (["--cube", "2", "--score", "0-0/5"], "R3"),
        (["--score", "7-3/7"], "R38"),
        (["--score", "7"], "such as 3-4/7"),
        (["--score", "2-3/7:crawford"], "R39"),
        (["--score", "2-3/7", "--jacoby"], "R40"),
        (["--score", "2-3/7", "--beavers"], "R40"),
        (["--ply", "5"], "0 to 4"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_impossible_requests_are_refused_with_the_reason(bgai, checkpoint, options, reason):
    result = bgai("cube", "start", "--checkpoint", checkpoint, *options)
    assert result.code == 2 and reason in result.err and result.out == ""


def test_thrown_dice_leave_nothing_to_double(bgai, checkpoint):
    result = bgai("cube", CONTACT.format("31", 0, 0, 0, 0), "--checkpoint", checkpoint)
    assert result.code == 2 and "R32" in result.err


def test_standard_input_is_answered_line_by_line(bgai, checkpoint):
    options = ["--json", "--ply", "0", "--checkpoint", checkpoint]
    result = bgai("cube", "-", *options, stdin="start\nnonsense\n")
    assert result.records[0]["action"] and "nonsense" in result.records[1]["error"] and result.code == 2
