"""Chouettes in words: who is asked what, and whole sessions in which people and programs mix."""

import json

import numpy as np
import pytest

from bgai.board import check
from bgai.game import IllegalAction
from bgai.play import party as steps
from bgai.play import party_dialogue as dialogue
from bgai.play import party_saving as saving
from bgai.play.levels import UnknownLevel
from bgai.play.party import BadParty, new_party

PEOPLE = ["ann", "bob", "cleo"]


def talk(table, *lines):
    table, said = dialogue.begin(table) if table.stage == "opening" and not table.throws else (table, "")
    for line in lines:
        table, said = dialogue.reply(table, line)
    return table, said


def test_R43_every_member_doubles_alone_and_the_box_answers_each():
    table, said = dialogue.begin(new_party(PEOPLE, typed=True))
    assert said == "ann is the box, against bob, cleo; bob is captain"
    assert dialogue.question(table) == "opening roll, the die of bob first: "
    table, _ = talk(table, "31")
    assert dialogue.question(table) == "bob, 31: "
    table, _ = talk(table, "8/5 6/5", "")
    assert dialogue.question(table) == "ann, double bob, or Enter: "
    table, _ = talk(table, "", "")
    assert dialogue.question(table) == "the dice of ann: "
    table, _ = talk(table, "64", "24/14", "", "")
    assert dialogue.question(table) == "cleo, double, or Enter: "
    table, said = talk(table, "double")
    assert said == "cleo: double" and dialogue.question(table) == "ann, take or pass to cleo: "
    table, said = talk(table, "take")
    assert said == "ann: take (cleo's cube)" and dialogue.question(table) == "the dice of bob: "
    assert [cube and cube.cube for cube in table.chouette.cubes] == [None, 1, 2]
    assert dialogue.cubes_text(table) == "cubes: bob 1 (centred), cleo 2 (ann)"


def test_R44_a_captain_who_passes_makes_way():
    table, _ = talk(new_party(PEOPLE, typed=True), "31", "8/5 6/5", "", "double", "pass")
    assert table.chouette.captain == 2 and table.leader == 0
    table, said = talk(table, "double", "drop")
    assert "the game is over: ann +2, bob -1, cleo -1" in said
    table, said = talk(table, "")
    assert said.startswith("ann is the box, against ")


def test_a_play_is_undone_until_the_dice_are_picked_up():
    table, _ = talk(new_party(PEOPLE, typed=True), "31", "24/20")
    assert dialogue.question(table).startswith("24/20: Enter")
    table, _ = talk(table, "undo")
    assert dialogue.question(table) == "bob, 31: "


def test_help_tells_what_can_be_entered_and_the_words_of_a_session_are_known_here_too():
    table, said = talk(new_party(PEOPLE, typed=True), "31", "8/5 6/5", "help")
    assert "now: Enter (or done) to pick up the dice" in said and "hint" in said
    table, _ = talk(table, "next")
    assert dialogue.question(table) == "ann, double bob, or Enter: "


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
    after, said = dialogue.reply(table, lines[-1])
    assert why in said and after is table


def test_hints_for_plays_and_cubes():
    table, _ = talk(new_party(PEOPLE, typed=True), "31")
    assert dialogue.reply(table, "hint")[1].startswith("1. 8/5 6/5 ")
    table, _ = talk(table, "8/5 6/5", "")
    assert "no double/take" in dialogue.reply(table, "hint")[1]


@pytest.mark.parametrize(
    "players", [["ann", "bgai", "bob", "bgai:novice"], ["bgai", "ann", "bgai:beginner"]], ids=" ".join
)
def test_people_and_programs_mix_and_R45_every_game_adds_up_to_nothing(players):
    rng = np.random.default_rng(3)
    table, _ = dialogue.begin(new_party(players, seed=5, jacoby=True, beavers=2))
    games = 0
    while games < 3:
        if table.stage == "over":
            games += 1
            assert sum(table.chouette.totals) == 0
        entry = ""
        if table.stage == "play":
            plays = steps.plays(table)
            entry = steps.play_text(table, int(rng.integers(len(plays.boards))))
            entry = entry if rng.random() < 0.95 else "resign"
        elif table.stage == "cube" and table.chouette.waiting:
            entry = str(rng.choice(["take", "take", "pass"]))
            entry = entry if entry in dialogue._answers(table.chouette.cubes[table.chouette.waiting[0]]) else "accept"
        elif table.stage == "cube":
            entry = str(rng.choice(["", "", "double"]))
        before = table
        table, said = dialogue.reply(table, entry)
        assert table is not before, said
        check(table.board)


def test_R45_a_member_resigns_alone_and_the_box_to_all():
    table, said = talk(new_party(PEOPLE, typed=True), "31", "resign gammon")
    assert said == "bob: resign gammon" and dialogue.question(table) == "ann, accept or decline to bob: "
    declined, said = talk(table, "decline")
    assert said == "ann: decline (bob's cube)" and dialogue.question(declined) == "bob, 31: "
    accepted, said = talk(table, "accept")
    assert accepted.chouette.totals == (2, -2, 0) and dialogue.question(accepted) == "cleo, 31: "
    table, _ = talk(accepted, "8/5 6/5", "", "", "64", "resign")
    assert dialogue.question(table) == "cleo, accept or decline: "
    over, said = talk(table, "accept")
    assert over.stage == "over" and said.endswith("the game is over: ann +1, bob -2, cleo +1")
    box, _ = talk(new_party(PEOPLE, typed=True), "13", "resign")
    assert dialogue.question(box) == "bob, accept or decline: "
    box, _ = talk(box, "accept")
    assert dialogue.question(box) == "cleo, accept or decline: "
    assert talk(box, "accept")[0].chouette.totals == (-2, 1, 1)


def test_a_program_answers_a_resignation():
    table, said = talk(new_party(["bgai", "bob", "cleo"], typed=True), "31", "resign backgammon")
    assert "bgai-1: accept (bob's cube)" in said and table.chouette.totals == (3, -3, 0)


def test_the_tutor_warns_people():
    table, _ = talk(new_party(PEOPLE, typed=True, tutor=True), "31")
    warned, said = dialogue.reply(table, "6/5 6/3")
    assert said.startswith("6/5 6/3 loses 0.") and warned.stage == "play"
    assert dialogue.reply(warned, "6/5 6/3")[0].stage == "made"
    table, said = talk(table, "8/5 6/5", "", "double")
    assert said.startswith("To double loses") and table.stage == "cube"
    assert talk(table, "tutor off", "double")[1] == "ann: double (bob's cube)"


def resumed(table, path):
    path.write_text(saving.to_json(table))
    return saving.from_json(path)


def test_wherever_it_is_left_it_goes_on_as_if_it_had_not_been(tmp_path):
    path = tmp_path / "a.chouette"
    table, _ = talk(new_party(["ann", "bob", "bgai:novice"], seed=5, beavers=2, tutor=True))
    for turn in range(60):
        entry = steps.play_text(table, 0) if table.stage == "play" else ""
        if table.stage == "cube" and table.chouette.waiting:
            entry = "take"
        table, _ = dialogue.reply(table, entry)
        if table.warned:
            table, _ = dialogue.reply(table, entry)
        if turn % 10 == 0:
            again = resumed(table, path)
            assert again.entries == table.entries and again.chouette == table.chouette
            assert again.decisions == table.decisions and again.start == table.start
            assert (again.stage, again.dice, again.made, again.tutor) == (table.stage, table.dice, table.made, True)
            assert again.board.tolist() == table.board.tolist()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"bgai chouette": 9}, "no chouette"),
        ({"players": "ann"}, "players isn't"),
        ({"ply": 100}, "ply isn't"),
        ({"seed": -1}, "seed isn't"),
        ({"typed": 1}, "typed isn't"),
        ({"entries": ["31", 5]}, "entries isn't"),
        ({"entries": ["31", "8/1"]}, "entry 2, '8/1', isn't possible there: "),
        ({"entries": ["31", "hint"]}, "entry 2"),
        ({"extra": 1}, "extra isn't"),
        ({"entries": ["31"] * 4001}, "entries isn't"),
        ({"decisions": [0]}, "decided more than 0 times"),
        ({"box": 1}, "each of them once"),
        ({"team": [1, 1]}, "each of them once"),
        ({"team": [True, 2]}, "each of them once"),
        ({"totals": [1, 0, 0]}, "R45"),
        ({"totals": [0, 0]}, "R45"),
        ({"totals": [10**10, -(10**10), 0]}, "each of them once"),
        ({"throws": -1}, "throws isn't"),
    ],
    ids=str,
)
def test_what_cannot_be_gone_on_with(tmp_path, change, why):
    path = tmp_path / "bad.chouette"
    table, _ = talk(new_party(PEOPLE, typed=True), "31")
    path.write_text(json.dumps(json.loads(saving.to_json(table)) | change))
    with pytest.raises(saving.CannotResume, match=why):
        saving.from_json(path)


@pytest.fixture(scope="module")
def second_game():
    """A chouette with programs, some turns after the beginning of its second game."""
    table, _ = dialogue.begin(new_party(["bgai", "ann", "bgai:novice"], seed=5))
    left = 8
    while left:
        entry = steps.play_text(table, 0) if table.stage == "play" else "take" if table.chouette.waiting else ""
        table, _ = dialogue.reply(table, entry)
        left -= table.start[1] > 0
    return table


def test_a_saved_chouette_holds_its_last_game_and_is_resumed_without_thinking(tmp_path, monkeypatch, second_game):
    table = second_game
    assert len(table.entries) <= 8 and {type(decision) for decision in table.decisions} >= {int, bool}
    monkeypatch.setattr(steps, "_program", None)
    again = resumed(table, tmp_path / "a.chouette")
    assert (again.chouette, again.throws, again.board.tolist()) == (table.chouette, table.throws, table.board.tolist())


@pytest.mark.parametrize("decision", [None, -1, 10**6, "take", 1.0, True, [0], {}])
def test_a_decision_that_no_program_can_have_made(tmp_path, monkeypatch, second_game, decision):
    table = second_game
    monkeypatch.setattr(steps, "_program", None)
    at = next(i for i, made in enumerate(table.decisions) if type(made) is int)
    for decisions in ((*table.decisions[:at], decision, *table.decisions[at + 1 :]), table.decisions[:at]):
        (tmp_path / "a").write_text(json.dumps(json.loads(saving.to_json(table)) | {"decisions": decisions}))
        with pytest.raises(saving.CannotResume, match="a program's decision"):
            saving.from_json(tmp_path / "a")


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, "\x00"])
def test_what_is_no_chouette(tmp_path, text):
    path = tmp_path / "bad.chouette"
    path.write_text(text)
    with pytest.raises(saving.CannotResume, match="no chouette"):
        saving.from_json(path)


def test_the_same_seed_throws_the_same_dice():
    one, other = (dialogue.begin(new_party(["bgai", "bgai", "ann"], seed=seed))[0] for seed in (1, 1))
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
