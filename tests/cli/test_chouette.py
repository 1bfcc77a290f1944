"""`bgai chouette` from the command line."""

import pytest


def test_a_chouette_in_a_pipe(bgai, checkpoint):
    lines = "31\n8/5 6/5\n\n\n\n64\nhint\nquit\n"
    result = bgai("chouette", "ann", "bob", "bgai", "--dice", "typed", "--checkpoint", checkpoint, stdin=lines)
    assert result.code == 0 and result.err == ""
    assert "ann is the box, against bob, bgai-3; bob is captain" in result.out
    assert "cubes: bob 1 (centred), bgai-3 1 (centred)" in result.out and "\n2. " in result.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["ann", "bob"], "3 players"),
        (["ann", "bob", "bgai", "--dice", "loaded"], "thrown or typed"),
        (["ann", "ann", "bgai"], "same name"),
        ([], "--help"),
    ],
)
def test_mistakes(bgai, arguments, why):
    result = bgai("chouette", *arguments)
    assert result.code == 2 and result.out == "" and why in result.err and result.err.count("\n") == 1
