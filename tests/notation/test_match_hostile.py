"""Whatever a file holds, reading it ends soon: with a match, or with a message."""

import time
from pathlib import Path

import numpy as np
import pytest
from brute_force import after_moves
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.notation.match_file import MAX_BYTES, BadMatchFile
from bgai.notation.reading import read_match
from bgai.plays import legal_plays

FILES = Path(__file__).parent.parent / "data" / "match_files"
SHORT = [(FILES / name).read_text() for name in ("01_galaxy_3pt.txt", "02_galaxy_single_8pt.txt")]
SHORT += [(FILES / "12_gibbon_7point.sgf").read_text()[:1500], (FILES / "16_bgblitz_text_01_EN.txt").read_text()]


def unsound(text: str) -> list[str]:
    """What is wrong with how the text is read: nothing if it is refused in a line, or gives nothing but legal plays."""
    try:
        match = read_match(text + "\n")
    except BadMatchFile as refusal:
        return [] if str(refusal) and "\n" not in str(refusal) else ["a refusal that isn't one line"]
    wrong = [] if match.games or match.positions else ["nothing was read"]
    for action in (action for game in match.games for action in game.actions if action.kind == "play"):
        position = action.position
        plays = legal_plays(
            position.board[None], np.array([position.dice], np.int8), flipped=False, checkers=position.checkers
        )
        if not (plays.boards == after_moves(tuple(position.board.tolist()), *action.moves)).all(axis=1).any():
            wrong.append(f"{action.moves} is no legal play of {position.dice}")
    return wrong


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damaged_files(data):
    text = data.draw(st.sampled_from(SHORT))
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 40))
    assert unsound(text[:at] + data.draw(st.text(max_size=20)) + text[at + length :]) == []


WORDS = ["|", "8", "1", "8/", "/", "/4", "*", "bar", "off", "8/5", "6/5", "5/3", "8/5*", "x/y/z", "(2)", "8/5/4"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_plays_of_words_that_are_no_moves(words):
    assert unsound(f"7 point match\n\n Game 1\n A : 0      B : 0\n  1) 31: {' '.join(words)}\n") == []


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="(;)[]\\WBGMI6531aez :\n\t/*=>") | st.binary().map(lambda data: data.decode("latin-1")))
def test_noise(text):
    assert unsound(text) == []


BIG = 600_000
HOSTILE = {
    "nested": "(;" * (BIG // 2),
    "nodes": "(;GM[6]" + ";" * BIG + ")",
    "trees": "(;)" * (BIG // 3),
    "empty trees": "(;)" + "()" * (BIG // 2),
    "unclosed value": "(;GM[" + "\\" * BIG,
    "values": "(;GM" + "[]" * (BIG // 2) + ")",
    "names": "(;" + "ABCDEFGHIJ" * (BIG // 10) + ")",
    "one line": "7 point match" + " " * BIG,
    "colons": "7 point match\nGame 1\n" + (" : 1  " * 150 + "\n") * 400,
    "rows": "7 point match\nGame 1\na : 0  b : 0\n" + ("  1) 31: " + "8/5 " * 200 + "\n") * 400,
    "lines": "x\n" * (BIG // 2),
    "games": "7 point match\n" + "Game 1\na : 0  b : 0\n" * 1000,
    "ids": "XGID=" + "a" * BIG,
    "ids that repeat": "Position ID: " * (BIG // 13),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_large_and_malicious(kind):
    start = time.process_time()
    assert unsound(HOSTILE[kind]) == []
    assert time.process_time() - start < 5


def test_a_file_larger_than_any_match(tmp_path):
    path = tmp_path / "big.mat"
    path.write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(BadMatchFile, match="larger than 16 MB"):
        read_match(path)
