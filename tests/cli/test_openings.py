"""`bgai openings`: the 15 opening rolls beside the accepted plays."""

import json

import numpy as np
from cases import cases

from bgai import files
from bgai.board import START
from bgai.plays import legal_plays


def test_every_opening_roll_is_there_and_every_accepted_play_is_legal():
    rolls = json.loads(files.data_file("openings.json").read_text())["rolls"]
    assert sorted(rolls) == sorted(f"{a}{b}" for a in range(2, 7) for b in range(1, a))  # never a double (R2)
    for roll, plays in rolls.items():
        dice = np.array([[int(die) for die in roll]], np.int8)
        legal = legal_plays(START[None], dice, flipped=False).boards.tolist()
        assert all(board in legal for board in plays.values())


def test_the_table_counts_the_accepted_plays(bgai, checkpoint):
    lines = bgai("openings", "--checkpoint", checkpoint).out.splitlines()
    assert len(lines) == 17
    agreed = sum("=" in line for line in lines[1:16])
    assert lines[16] == f"{agreed} of 15 are accepted plays"


def test_the_table_is_that_of_the_checked_cases():
    rolls = json.loads(files.data_file("openings.json").read_text())["rolls"]
    for case in cases("best_move"):
        if case.get("note", "").startswith("open_"):
            larger, smaller = sorted(case["dice"], reverse=True)
            assert list(rolls[f"{larger}{smaller}"].values()) == case["expected"]["boards"], case["id"]
