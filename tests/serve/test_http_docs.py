"""Every request that docs/http.md shows is answered, and its figures are those of the program."""

import re
import shlex
from pathlib import Path

import pytest

from bgai.serve import http_limits as limits
from bgai.serve.http import QUESTIONS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "http.md").read_text()


def requests() -> list[list[str]]:
    """The words of every curl command."""
    blocks = "".join(re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL))
    return [shlex.split(line) for line in blocks.replace("\\\n", " ").splitlines()]


@pytest.mark.parametrize("words", requests(), ids=lambda words: words[2].removeprefix("localhost:8000"))
def test_every_request_is_answered(http, words):
    assert words[:2] == ["curl", "-s"]
    host, slash, path = words[2].partition("/")
    assert host == "localhost:8000"
    body = words[words.index("-d") + 1].encode() if "-d" in words else None
    headers = {"Content-Type": "application/json"} if "Content-Type: application/json" in words else {}
    reply = http.request("POST" if body else "GET", slash + path, body, **headers)
    assert reply.status == 200, reply.body


def test_every_endpoint_has_an_example(http):
    shown = {words[2].removeprefix("localhost:8000").partition("?")[0] for words in requests()}
    assert shown == set(http.get("/openapi.json").json["paths"]) == {*QUESTIONS, "/api/board.svg"}


def test_limits_in_the_text_are_those_of_the_program():
    for words in (
        f"isn't there within {limits.BODY_SECONDS} seconds",
        f"more than {limits.BODY_BYTES} bytes",
        f"{limits.MOST_QUESTIONS} questions wait",
        f"no answer within {limits.ANSWER_SECONDS} seconds",
        f"up to {limits.MAX_POSITIONS} positions",
        f"Lookahead goes to {limits.MAX_PLY}-ply",
    ):
        assert words in TEXT


def test_the_picture_is_there():
    (picture,) = re.findall(r"!\[.*\]\((.*)\)", TEXT)
    assert (DOCS / picture).read_bytes().startswith(b"\x89PNG")
