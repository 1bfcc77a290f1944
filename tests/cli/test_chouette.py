"""`bgai chouette` from the command line."""

import json

import pytest


def test_a_chouette_in_a_pipe(bgai, checkpoint):
    lines = "31\n8/5 6/5\n\n\n\n64\nhint\nquit\n"
    result = bgai("chouette", "ann", "bob", "bgai", "--dice", "typed", "--checkpoint", checkpoint, stdin=lines)
    assert result.code == 0 and result.err == ""
    assert "ann is the box, against bob, bgai-3; bob is captain" in result.out
    assert "cubes: bob 1 (centred), bgai-3 1 (centred)" in result.out and "\n2. " in result.out


def test_saved_and_gone_on_with(bgai, checkpoint, tmp_path):
    path = tmp_path / "evening.chouette"
    players = ("ann", "bob", "bgai", "--checkpoint", checkpoint, "--dice", "typed")
    result = bgai("chouette", *players, "--save", path, stdin="31\n8/5 6/5\nquit\n")
    assert result.out.endswith(f"to go on: bgai chouette --resume {path}\n")
    result = bgai("chouette", "--resume", path, stdin="\n")
    assert result.code == 0 and "8/5 6/5: Enter to pick up the dice" in result.out
    assert json.loads(path.read_text())["entries"] == ["31", "8/5 6/5", ""]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["ann", "bob"], "3 players"),
        (["ann", "bob", "bgai", "--dice", "loaded"], "thrown or typed"),
        (["ann", "ann", "bgai"], "same name"),
        (["ann", "bob", "bgai:"], "'bgai:' is no player: give a name of letters, bgai, or bgai:novice"),
        (["ann", "bob", "cleo:"], "'cleo:' is no player"),
        (["ann", "bob", "cleo", "--save", "/no/such/folder/a.chouette"], "there is no folder /no/such/folder"),
        ([], "3 players"),
        (["ann", "--resume", "a.chouette"], "players: what was agreed"),
        (["--resume", "nowhere.chouette"], "nowhere.chouette"),
        (["ann", "bob", "cleo", "--save", __file__], "--resume"),
    ],
)
def test_mistakes(bgai, arguments, why):
    result = bgai("chouette", *arguments)
    assert result.code == 2 and result.out == "" and why in result.err and result.err.count("\n") == 1
