"""Games over HTTP, one action at a time: the rules are kept, and nothing is remembered by the server."""

import random

import pytest

from bgai.game import State
from bgai.notation.position import parse_position, position_id, start_of

OPENING = position_id(start_of("backgammon", State(length=3)))
ROLL_31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
BEFORE_ROLL = ROLL_31.replace(":31:", ":00:")
DOUBLED = ROLL_31.replace(":31:", ":D:")
LAST_CHECKER = f"XGID=aA{'-' * 24}:0:0:1:21:0:0:0:0:10"  # the opponent, on the bar, has 14 off
GAMMON_LOST = f"XGID={'-' * 18}O{'-' * 5}b-:0:0:1:00:0:0:0:0:10"  # none off, and it has two checkers left


def play_out(http, seed: int, choose) -> list[dict]:
    """All answers of a match to 3 points; `choose(answer) -> action`."""
    dice, answers = random.Random(seed), []
    position, yours, action = OPENING, True, "begin"
    while True:
        question = {"position": position, "yours": yours, "action": action, "level": "beginner"}
        reply = http.ask("/api/game", **question, seed=dice.randrange(2**32))
        assert reply.status == 200, (question, reply.body)
        answers.append(now := reply.json)
        if now["over"] and now["over"]["next"] is None:
            return answers
        if now["over"]:
            position, yours, action = now["over"]["next"], True, "begin"
        else:
            position, yours, action = now["position"], now["yours"], choose(now)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_to_its_end(http, seed):
    choices = random.Random(seed)

    def choose(now: dict) -> str:
        if now["plays"]:
            return choices.choice(now["plays"])["play"]
        return choices.choice([each for each in now["actions"] if not each.startswith("resign")])

    answers = play_out(http, seed, choose)
    assert max(answers[-1]["over"]["score"]) == 3
    games = [each["over"] for each in answers if each["over"]]
    for before, after in zip([{"score": [0, 0]}, *games], games, strict=False):
        won = [max(after["points"], 0), max(-after["points"], 0)]
        assert after["score"] == [min(old + new, 3) for old, new in zip(before["score"], won, strict=True)]
    assert {event["did"] for each in answers for event in each["events"]} >= {"play", "double"}
    for each in answers:
        for event in each["events"]:
            assert len(event["board"]) == 26
            assert event["did"] != "play" or event["play"] == "no play" or event["after"] != event["board"]


def test_R39_the_crawford_game_has_no_cube(http):
    asked = position_id(start_of("backgammon", State(length=3, score=(2, 0), crawford=True)))
    now = http.ask("/api/game", position=asked, yours=True, action="begin", seed=1).json
    assert now["state"]["crawford"] and "double" not in now["actions"]


def test_the_same_seed_throws_the_same_dice(http):
    asked = {"position": OPENING, "yours": True, "action": "begin"}
    rolls = [http.ask("/api/game", **asked, seed=seed).json for seed in (5, 5, 6, 7, 8)]
    assert rolls[0] == rolls[1]
    assert len({str(each["roll"]) + str(each["events"]) for each in rolls}) > 2


def test_after_your_play_its_turn_is_played_until_you_decide(http):
    now = http.ask("/api/game", position=ROLL_31, yours=True, action="8/5 6/5", seed=3).json
    yours, *its = now["events"]
    assert (yours["player"], yours["roll"], yours["play"]) == ("you", [3, 1], "8/5 6/5")
    assert its and {each["player"] for each in its} == {"it"}
    assert now["yours"] or now["state"]["pending"] == "double"
    assert parse_position(now["position"]).board.tolist() == now["board"]


def test_a_double_is_answered_and_a_taken_one_leaves_you_to_roll(http):
    now = http.ask("/api/game", position=BEFORE_ROLL, yours=True, action="double", seed=3).json
    assert [each["did"] for each in now["events"]] == ["double", "take"]
    assert now["state"]["cube"] == 2 and now["state"]["owner"] == "opponent"
    assert "roll" in now["actions"] and "double" not in now["actions"]


def test_its_double_is_yours_to_answer(http):
    asked = {"position": DOUBLED, "yours": False, "seed": 1}
    assert http.ask("/api/game", **asked, action="pass").json["over"]["points"] == -1
    taken = http.ask("/api/game", **asked, action="take").json
    assert taken["events"][0]["did"] == "take" and taken["state"]["cube"] == 2


def test_R26_the_last_checker_off_wins_at_once(http):
    now = http.ask("/api/game", position=LAST_CHECKER, yours=True, action="roll", seed=1)
    assert now.status == 422  # the dice are thrown
    now = http.ask("/api/game", position=LAST_CHECKER.replace(":21:", ":00:"), yours=True, action="roll", seed=1).json
    assert now["over"] == {"points": 1, "how": "play", "score": [1, 0], "next": now["over"]["next"]}
    assert parse_position(now["over"]["next"]).board.tolist() == start_of("backgammon").board.tolist()


def test_R31_a_resignation_is_accepted_when_it_offers_what_is_expected(http):
    asked = {"position": GAMMON_LOST, "yours": True, "seed": 1}
    now = http.ask("/api/game", **asked, action="resign single").json
    assert now["over"] is None and now["events"] == [] and "resign gammon" in now["actions"]
    now = http.ask("/api/game", **asked, action="resign gammon").json
    assert now["over"]["points"] == -2 and now["over"]["how"] == "resign"


@pytest.mark.parametrize(
    ("position", "yours", "action", "reason"),
    [
        (ROLL_31, True, "8/4 6/5", "8/4"),
        (ROLL_31, True, "24/23", "R9"),
        (ROLL_31, True, "roll", "from/to"),
        (ROLL_31, True, "double", "from/to"),
        (ROLL_31, True, "take", "from/to"),
        (ROLL_31, False, "8/5 6/5", "isn't for you"),
        (BEFORE_ROLL, True, "8/5 6/5", "may double"),
        (BEFORE_ROLL, True, "take", "may double"),
        (DOUBLED, True, "take", "isn't for you"),
        (DOUBLED, False, "roll", "may take"),
        (DOUBLED, False, "beaver", "R35"),
        (f"XGID=-a{'-' * 24}:0:0:1:00:0:0:0:0:10", True, "roll", "over"),
    ],
)
def test_what_the_rules_forbid_is_refused_with_the_reason(http, position, yours, action, reason):
    reply = http.ask("/api/game", position=position, yours=yours, action=action, seed=1)
    assert reply.status == 422 and reason in reply.json["error"] and reply.json["example"]
