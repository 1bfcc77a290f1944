"""Questions over HTTP: right answers, which are those of the commands, and plain words for wrong questions."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from bgai.cli.main import main
from bgai.notation.position import parse_position
from bgai.notation.svg_board import svg_board
from bgai.serve import http_limits as limits
from bgai.serve.http import QUESTIONS

PENDING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"
BOARD_16 = "XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
FINISHED = f"XGID=-b{'-' * 24}:0:0:1:00:0:0:0:0:10"


@pytest.fixture
def command(monkeypatch, capsys):
    """The object that a command prints."""

    def run(*arguments: str) -> dict:
        monkeypatch.setattr("sys.argv", ["bgai", *arguments, "--json"])
        with pytest.raises(SystemExit):
            main()
        return json.loads(capsys.readouterr().out)

    return run


def example_of(path: str) -> dict:
    """The right question that is shown to who asks a wrong one."""
    return QUESTIONS[path].model_config["json_schema_extra"]["examples"][0]


# The same answers as on the command line


def test_move(http, command):
    reply = http.ask("/api/move", position="start", roll="31", ply=1, top=3)
    assert reply.status == 200 and reply.headers["content-type"] == "application/json"
    assert reply.json == command("move", "start", "31", "--ply", "1", "--top", "3")
    assert reply.json["plays"][0]["play"] == "8/5 6/5"


def test_move_with_cube_and_score(http, command):
    reply = http.ask("/api/move", position="start", roll="62", cube="2:mover", score="3-4/7", cubeful=False)
    options = ["--cube", "2:mover", "--score", "3-4/7", "--cubeless"]
    assert reply.json == command("move", "start", "62", *options)


def test_cube(http, command):
    assert http.ask("/api/cube", position="start", jacoby=True).json == command("cube", "start", "--jacoby")
    assert http.ask("/api/cube", position=PENDING, ply=0).json == command("cube", PENDING, "--ply", "0")


def test_evaluate(http, command):
    results = http.ask("/api/evaluate", positions=["start", PENDING]).json["results"]
    assert results == [command("show", position, "--evaluate") for position in ("start", PENDING)]


def test_rollout(http, command):
    reply = http.ask("/api/rollout", position="start", roll="41", trials=36, truncate=2, top=2).json
    assert reply.pop("finished") is True
    options = ["--trials", "36", "--truncate", "2", "--top", "2"]
    assert reply == command("rollout", "start", "41", *options)


def test_rollout_of_a_cube_action(http):
    reply = http.ask("/api/rollout", position="start", cube_action=True, trials=36, truncate=2).json
    assert reply["action"] == "no double/take" and [each["of"] for each in reply["results"]] == reply["of"]


@pytest.mark.parametrize("seconds", [0.01, 0.000001])
def test_a_rollout_that_takes_too_long_says_what_it_knows(http, seconds):
    reply = http.ask("/api/rollout", position="start", trials=limits.MAX_TRIALS, truncate=2, seconds=seconds)
    assert reply.status == 200 and reply.json["finished"] is False
    assert 36 <= reply.json["trials"] < limits.MAX_TRIALS


def test_show(http, command):
    assert http.ask("/api/show", position=PENDING).json == command("show", PENDING)


def test_board(http):
    reply = http.get("/api/board.svg?position=start")
    assert reply.headers["content-type"].startswith("image/svg+xml")
    assert reply.body.decode() == svg_board(parse_position("start"))
    with_arrows = http.get(f"/api/board.svg?position={PENDING.replace(':D:', ':31:')}&play=8/5%206/5&flip=true").body
    assert len(list(ElementTree.fromstring(with_arrows))) > len(list(ElementTree.fromstring(reply.body)))


@pytest.mark.parametrize("name", ["move", "cube", "rollout"])
def test_a_finished_game_is_told_as_one(http, command, name):
    reply = http.ask(f"/api/{name}", position=FINISHED)
    assert reply.status == 200 and reply.json == command(name, FINISHED) and reply.json["finished"]


# Wrong questions


@pytest.mark.parametrize(
    ("path", "question", "reason"),
    [
        ("/api/move", {"position": "nonsense", "roll": "31"}, "expected an XGID"),
        ("/api/move", {"position": "start"}, "give one, such as 31"),
        ("/api/move", {"position": "start", "roll": "37"}, "dice from 1 to 6"),
        ("/api/move", {"position": "start", "roll": 31}, "roll: "),
        ("/api/move", {"roll": "31"}, "position: "),
        ("/api/move", {"position": "start", "roll": "31", "plies": 2}, "plies: "),
        ("/api/move", {"position": "start", "roll": "31", "ply": limits.MAX_PLY + 1}, "ply: "),
        ("/api/move", {"position": "start", "roll": "31", "top": 0}, "top: "),
        ("/api/move", {"position": "x" * 201, "roll": "31"}, "position: "),
        ("/api/move", {"position": PENDING, "roll": "31"}, "waits for an answer"),
        ("/api/move", {"position": BOARD_16}, "16"),
        ("/api/cube", {"position": "start", "cube": "3"}, "power of two"),
        ("/api/cube", {"position": "start", "cube": "2:me"}, "such as 2:mover"),
        ("/api/cube", {"position": "start", "score": "7-3/7"}, "R38"),
        ("/api/cube", {"position": PENDING.replace(":D:", ":31:")}, "R32"),
        ("/api/evaluate", {"positions": []}, "positions: "),
        ("/api/evaluate", {"positions": ["start"] * (limits.MAX_POSITIONS + 1)}, "positions: "),
        ("/api/evaluate", {"positions": ["start", "?"]}, "'?' is not a position"),
        ("/api/rollout", {"position": "start", "trials": limits.MAX_TRIALS + 1}, "trials: "),
        ("/api/rollout", {"position": "start", "seconds": limits.ROLLOUT_SECONDS + 1}, "seconds: "),
        ("/api/rollout", {"position": "start", "roll": "31", "top": limits.MAX_ROLLED_OUT + 1}, "top: "),
        ("/api/rollout", {"position": "start", "cube_action": True, "cube": "2:opponent"}, "R34"),
        ("/api/show", {"position": "start", "beavers": True, "score": "0-0/5"}, "R40"),
    ],
    ids=lambda each: str(each)[:60],
)
def test_a_wrong_question_is_told_what_is_wrong_and_shown_a_right_one(http, path, question, reason):
    reply = http.ask(path, **question)
    assert reply.status == 422 and reason in reply.json["error"]
    assert reply.json["example"] == example_of(path)


@pytest.mark.parametrize("path", QUESTIONS)
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'"start"', b"\xff", b"[" * 30_000], ids=lambda b: repr(b[:9])
)
def test_a_body_that_is_no_object_is_refused(http, path, body):
    reply = http.request("POST", path, body, Content_Type="application/json")
    assert reply.status in (400, 422) and reply.json["error"] and reply.json["example"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"position": "\xff"}', "the body isn't JSON in UTF-8"),
        (b"\xff\xfe", "the body isn't JSON in UTF-8: Expecting value at character 0"),
        (b'{"position"', "the body isn't JSON in UTF-8: Expecting ':' delimiter at character 11"),
    ],
    ids=repr,
)
def test_a_body_that_is_no_json_is_told_as_such(http, body, reason):
    assert http.request("POST", "/api/move", body, Content_Type="application/json").json["error"] == reason


@pytest.mark.parametrize("kind", ["APPLICATION/JSON", "application/json ; charset=utf-8", " application/json"])
def test_capital_letters_and_blanks_in_a_media_type_mean_nothing(http, kind):
    assert http.request("POST", "/api/show", b'{"position": "start"}', Content_Type=kind).status == 200


def test_a_board_that_cannot_be_drawn(http):
    for query in ("", "?position=nonsense", "?position=start&play=8/5", "?position=" + "x" * 300):
        reply = http.get("/api/board.svg" + query)
        assert reply.status == 422 and reply.json["error"]


def test_elsewhere_and_otherwise(http):
    assert http.get("/api/chess").status == 404 and "/docs" in http.get("/api/chess").json["error"]
    assert http.get("/api/move").status == 405 and http.get("/api/move").headers["allow"] == "POST"
    reply = http.request("POST", "/api/move", b"position=start", Content_Type="application/x-www-form-urlencoded")
    assert reply.status == 415 and "application/json" in reply.json["error"]
    for path in ("/page/../http.py", "/page/%2e%2e/http.py", "/page/..%2fhttp.py", "/page//etc/passwd"):
        assert http.get(path).status == 404


# What it says of itself


def test_openapi_tells_every_question_with_an_example_that_works(http):
    told = http.get("/openapi.json").json
    assert told["openapi"].startswith("3.") and set(QUESTIONS) == {p for p, m in told["paths"].items() if "post" in m}
    for path in QUESTIONS:
        content = told["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        name = content["schema"]["$ref"].split("/")[-1]
        assert told["components"]["schemas"][name]["examples"] == [example_of(path)]
        assert http.ask(path, **example_of(path)).status == 200


@pytest.mark.parametrize("path", ["/", "/docs", "/page/page.css", "/page/main.js", "/page/docs.js", "/page/icon.svg"])
def test_pages_load_nothing_from_elsewhere_and_nobody_may_frame_them(http, path):
    reply = http.get(path)
    assert reply.status == 200
    assert b"http://" not in reply.body.replace(b"http://www.w3.org/2000/svg", b"") and b"https://" not in reply.body
    rules = reply.headers["content-security-policy"]
    assert "default-src 'none'" in rules and "frame-ancestors 'none'" in rules and "unsafe" not in rules
    assert reply.headers["x-content-type-options"] == "nosniff"
