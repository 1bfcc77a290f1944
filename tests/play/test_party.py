"""Chouettes in words: who is asked what, and whole sessions in which people and programs mix."""

import numpy as np
import pytest

from bgai.board import check
from bgai.game import IllegalAction
from bgai.play import party
from bgai.play.levels import UnknownLevel
from bgai.play.party import BadParty, new_party

PEOPLE = ["ann", "bob", "cleo"]


def talk(table, *lines):
    table, said = party.begin(table) if table.stage == "opening" and not table.throws else (table, "")
    for line in lines:
        table, said = party.reply(table, line)
    return table, said


def test_R43_every_member_doubles_alone_and_the_box_answers_each():
    table, said = party.begin(new_party(PEOPLE, typed=True))
    assert said == "ann is the box, against bob, cleo; bob is captain"
    assert party.question(table) == "opening roll, the die of bob first: "
    table, _ = talk(table, "31")
    assert party.question(table) == "bob, 31: "
    table, _ = talk(table, "8/5 6/5", "")
    assert party.question(table) == "ann, double bob, or Enter: "
    table, _ = talk(table, "", "")
    assert party.question(table) == "the dice of ann: "
    table, _ = talk(table, "64", "24/14", "", "")
    assert party.question(table) == "cleo, double, or Enter: "
    table, said = talk(table, "double")
    assert said == "cleo: double" and party.question(table) == "ann, take or pass to cleo: "
    table, said = talk(table, "take")
    assert said == "ann: take (cleo's cube)" and party.question(table) == "the dice of bob: "
    assert [cube and cube.cube for cube in table.chouette.cubes] == [None, 1, 2]
    assert party.cubes_text(table) == "cubes: bob 1 (centred), cleo 2 (ann)"


def test_R44_a_captain_who_passes_makes_way():
    table, _ = talk(new_party(PEOPLE, typed=True), "31", "8/5 6/5", "", "double", "pass")
    assert table.chouette.captain == 2 and table.leader == 0
    table, said = talk(table, "double", "drop")
    assert "the game is over: ann +2, bob -1, cleo -1" in said
    table, said = talk(table, "")
    assert said.startswith("ann is the box, against ")


def test_a_play_is_undone_until_the_dice_are_picked_up():
    table, _ = talk(new_party(PEOPLE, typed=True), "31", "24/20")
    assert party.question(table).startswith("24/20: Enter")
    table, _ = talk(table, "undo")
    assert party.question(table) == "bob, 31: "


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["33"], "thrown again"),
        (["71"], "two dice"),
        (["31", "8/1"], "7 pips"),
        (["31", "8/5 6/5", "again"], "enter nothing to pick up"),
        (["31", "8/5 6/5", "", "take"], "double, or nothing"),
        (["31", "8/5 6/5", "", "double", "maybe"], "take, pass"),
        (["31", "8/5 6/5", "", "double", "pass", "double", "pass", "what"], "next one, or quit"),
        (["x" * 300], "at most"),
        (["hint"], "nothing to decide"),
    ],
    ids=str,
)
def test_a_wrong_entry_explains_itself_and_changes_nothing(lines, why):
    table, _ = talk(new_party(PEOPLE, typed=True), *lines[:-1])
    after, said = party.reply(table, lines[-1])
    assert why in said and after is table


def test_hints_for_plays_and_cubes():
    table, _ = talk(new_party(PEOPLE, typed=True), "31")
    assert party.reply(table, "hint")[1].startswith("1. 8/5 6/5 ")
    table, _ = talk(table, "8/5 6/5", "")
    assert "no double/take" in party.reply(table, "hint")[1]


@pytest.mark.parametrize(
    "players", [["ann", "bgai", "bob", "bgai:novice"], ["bgai", "ann", "bgai:beginner"]], ids=" ".join
)
def test_people_and_programs_mix_and_R45_every_game_adds_up_to_nothing(players):
    rng = np.random.default_rng(3)
    table, _ = party.begin(new_party(players, seed=5, jacoby=True, beavers=2))
    games = 0
    while games < 3:
        if table.stage == "over":
            games += 1
            assert sum(table.chouette.totals) == 0
        entry = ""
        if table.stage == "play":
            plays = party._plays(table)
            entry = party._text(table, int(rng.integers(len(plays.boards))))
        elif table.stage == "cube" and table.chouette.waiting:
            entry = str(rng.choice(["take", "take", "pass"]))
            entry = entry if entry in party._answers(table.chouette.cubes[table.chouette.waiting[0]]) else "accept"
        elif table.stage == "cube":
            entry = str(rng.choice(["", "", "double"]))
        before = table
        table, said = party.reply(table, entry)
        assert table is not before, said
        check(table.board)


def test_the_same_seed_throws_the_same_dice():
    one, other = (party.begin(new_party(["bgai", "bgai", "ann"], seed=seed))[0] for seed in (1, 1))
    assert (one.board == other.board).all() and one.dice == other.dice


@pytest.mark.parametrize(
    ("players", "error", "why"),
    [
        (["ann", "bob"], IllegalAction, "3 players"),
        (["ann", "bob", "ann"], BadParty, "same name"),
        (["ann", "bob", "1"], BadParty, "no player"),
        (["ann", "bob", "x" * 30], BadParty, "no player"),
        (["ann", "bob:novice", "cleo"], BadParty, "no player"),
        (["ann", "bgai:godlike", "cleo"], UnknownLevel, "beginner"),
        (["bgai"] * 9, BadParty, "8 at most"),
    ],
)
def test_who_cannot_sit_down(players, error, why):
    with pytest.raises(error, match=why):
        new_party(players)
