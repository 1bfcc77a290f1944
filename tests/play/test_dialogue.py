"""The dialogue of `bgai play`, line by line, with dice as they are typed in from a real board."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import Talk

from bgai import api
from bgai.board import START, flip
from bgai.game import State, act
from bgai.notation.position import Position
from bgai.play import dialogue, opponent, tutor
from bgai.play import session as table
from bgai.play.session import IT, YOU, Session, Settings, new_session, next_game, play, plays

# Twelve of your checkers are off and the opponent has none: your win is certain, and so are its gammons or not.
RACE = np.zeros(26, dtype=np.int8)
RACE[1], RACE[19:25] = 3, [-3, -3, -3, -2, -2, -2]
MONEY = State()

# It has three checkers left and you can't bear off in time: you lose a gammon and no backgammon.
BEATEN = np.zeros(26, dtype=np.int8)
BEATEN[7:12], BEATEN[24] = 3, -3


def rolls_left(own: int, opponent: int) -> np.ndarray:
    """Both need so many rolls that aren't doubles: all checkers lie on the ace points."""
    board = np.zeros(26, dtype=np.int8)
    board[1], board[24] = 2 * own, -2 * opponent
    return board


def at(board, state=MONEY, stage="cube", on_roll=YOU, dice=None, **settings) -> Session:
    """A session in the middle of its first game."""
    score = state.score if on_roll == YOU else state.score[::-1]
    start = State(length=state.length, score=score, jacoby=state.jacoby, beavers=state.beavers)
    position = Position(np.array(board, dtype=np.int8), state, dice)
    return Session(Settings(length=state.length, **settings), (), start, stage, on_roll, position)


# Dice and plays


def test_typed_dice_from_the_opening_roll_on():
    t = Talk(length=5, typed=True)
    assert dialogue.question(t.session) == "opening roll, your die first: "
    assert "thrown again" in t("44")
    t("31")
    assert dialogue.question(t.session) == "31, your play: "
    t("8/5 6/5", "")
    assert dialogue.question(t.session) == "bgai's dice: "
    assert t("4 2").startswith("bgai rolls 42: ")
    assert dialogue.question(t.session) == "Enter to roll, or double: "
    t("")
    assert dialogue.question(t.session) == "your dice: "


def test_R2_the_higher_die_starts():
    assert Talk(typed=True)("13").startswith("bgai rolls 31: 8/5 6/5")


def test_a_play_can_be_undone_until_the_dice_are_picked_up():
    t = Talk(typed=True)
    t("31", "13/10 6/5")
    assert t.session.stage == "made" and "undo" in dialogue.question(t.session)
    t("undo")
    assert t.session.stage == "play" and (t.session.position.board == START).all()
    t("8/5 6/5", "done")
    assert t.said == "you play 8/5 6/5" and t.session.on_roll == IT
    assert "until its dice are picked up" in t("undo")


def test_R13_a_roll_that_cannot_be_played_and_a_forced_one_are_played_by_themselves():
    board = np.zeros(26, dtype=np.int8)
    board[25], board[6], board[19:25] = 1, 2, [-2, -2, -2, -2, -2, -2]
    session = at(board, stage="roll", typed=True)
    assert dialogue.reply(session, "31")[1].startswith("you roll 31: no play")
    board[24] = 0
    session = at(board, stage="roll", typed=True)
    _, said = dialogue.reply(session, "51")
    assert said.startswith("you roll 51: bar/24 6/1, which is forced")


def test_thrown_dice_depend_on_the_seed_alone():
    def first_game(seed, entry):
        t = Talk(seed=seed, length=1)
        said = t.said
        while t.session.stage == "play":  # undoing and asking change nothing
            play_text = dialogue.table.play_text(t.session, 0)
            t(play_text, "undo", entry, play_text)
            said += t("")
        return said

    assert first_game(3, "hint") == first_game(3, "nonsense")
    assert first_game(3, "hint") != first_game(4, "hint")


# Wrong entries


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["7"], "give two dice from 1 to 6"),
        (["31", "8/3"], "5 pips"),
        (["31", "24/18"], "6 pips"),
        (["31", "hello"], "write from/to"),
        (["31", ""], "a play is written like"),
        (["31", "double"], "comes before the roll (R32)"),
        (["31", "take"], "nothing waits for an answer"),
        (["31", "roll"], "not a move"),
        (["31", "undo"], "nothing to undo"),
        (["31", "8/5 6/5", "13/10"], "enter nothing to pick up the dice, or undo"),
        (["31", "8/5 6/5", "hint"], "nothing to decide"),
        (["31", "8/5 6/5", "", "21", "what"], "enter nothing to roll, double, or resign"),
        (["31", "x" * 1000], "at most 200 characters"),
    ],
    ids=str,
)
def test_a_wrong_entry_explains_itself_and_changes_nothing(lines, why):
    t = Talk(typed=True)
    t(*lines[:-1])
    before = t.session
    assert why in t(lines[-1])
    assert t.session == before


@given(st.text(max_size=30))
def test_no_entry_breaks_anything(text):
    session, _ = dialogue.begin(at(START, stage="roll", typed=True))
    session, _ = dialogue.reply(session, "31")
    after, said = dialogue.reply(session, text)
    assert after == session or after.stage in ("made", "play", "over")
    assert said or after.stage == "made"


# The cube


def test_R34_you_double_it_takes_and_you_may_not_redouble():
    session, said = dialogue.reply(at(START, typed=True), "double")
    assert said == "you double to 2\nbgai takes"
    assert session.position.state == State(cube=2, owner="opponent") and session.stage == "roll"


def test_R37_it_passes_when_it_should():
    session, said = dialogue.reply(at(RACE), "double")
    assert said == "you double to 2\nbgai passes\nyou win 1 point (passed); you 1, bgai 0"
    assert session.stage == "over" and session.score == (1, 0)


def test_it_doubles_and_you_answer():
    doubled, said = dialogue.begin(at(rolls_left(4, 4), on_roll=IT, typed=True))
    assert said.endswith("bgai doubles to 2") and dialogue.question(doubled) == "take, pass: "
    assert "take" in dialogue.reply(doubled, "hint")[1]
    taken, said = dialogue.reply(doubled, "take")
    assert said == "you take" and dialogue.question(taken) == "bgai's dice: "
    assert taken.position.state == State(cube=2, owner="opponent")
    passed, said = dialogue.reply(doubled, "drop")
    assert said == "you pass\nbgai wins 1 point (passed); you 0, bgai 1" and passed.score == (0, 1)
    assert "beavers in a row" in dialogue.reply(doubled, "beaver")[1]


def test_R35_your_beaver_and_its_answer():
    """It has doubled with next to no chance: you beaver, and it passes or accepts."""
    doubled = at(flip(RACE), act(State(beavers=2), "double"), stage="answer", on_roll=IT, typed=True)
    assert dialogue.question(doubled) == "take, pass, beaver: "
    session, said = dialogue.reply(doubled, "beaver")
    assert said.startswith("you beaver to 4\nbgai passes\nyou win 2 points") and session.score == (2, 0)


def test_R35_its_beaver_and_your_answers():
    beavered = act(act(State(beavers=2), "double"), "beaver")
    waiting = at(RACE, beavered, stage="answer", typed=True)
    assert dialogue.question(waiting) == "accept, pass, raccoon: "
    accepted, said = dialogue.reply(waiting, "accept")
    assert said == "you accept" and accepted.position.state == State(cube=4, owner="opponent", beavers=2)
    _, said = dialogue.reply(waiting, "drop")
    assert said.endswith("bgai wins 2 points (passed); you 0, bgai 2")
    _, said = dialogue.reply(waiting, "raccoon")
    assert said.startswith("you raccoon to 8\nbgai passes\nyou win 4 points")


def test_R39_where_there_is_no_cube_nobody_is_asked():
    crawford = State(length=5, score=(4, 0), crawford=True)
    session, _ = dialogue.begin(at(START, crawford, typed=True))
    assert session.stage == "roll"
    session, _ = dialogue.reply(session, "31")
    assert "the dice are thrown" in dialogue.reply(session, "double")[1]


# Resigning


@pytest.mark.parametrize(
    ("resignation", "answer"), [("resign", "declines"), ("resign gammon", "accepts"), ("resign backgammon", "accepts")]
)
def test_R31_it_accepts_what_is_at_least_its_equity(resignation, answer):
    session = at(BEATEN, State(cube=2, owner="opponent"), typed=True)
    after, said = dialogue.reply(session, resignation)
    assert f"bgai {answer} your resignation" in said
    if answer == "declines":
        assert after.stage in ("cube", "roll") and after.position.state.resigned == 0
    else:
        assert after.score == (0, 4 if "back" not in resignation else 6)


def test_R36_under_jacoby_a_gammon_is_offered_in_vain_and_counts_once():
    session = at(BEATEN, State(jacoby=True), typed=True, jacoby=True)
    after, _ = dialogue.reply(session, "resign gammon")
    assert after.score == (0, 1)


def test_resigning_after_the_roll_and_instead_of_an_answer():
    state = State(cube=2, owner="opponent")
    after, said = dialogue.reply(at(BEATEN, state, stage="play", dice=(6, 1), typed=True), "resign gammon")
    assert "accepts" in said and after.score == (0, 4)
    doubled = act(State(), "double")
    after, said = dialogue.reply(at(flip(BEATEN), doubled, stage="answer", on_roll=IT, typed=True), "resign gammon")
    assert "accepts" in said and after.score == (0, 2)


# You need one roll, it needs many: it will lose a gammon, or a single game where one of its checkers is off.
ITS_GAMMON = np.zeros(26, dtype=np.int8)
ITS_GAMMON[24], ITS_GAMMON[7:12] = -2, 3
ITS_SINGLE = np.zeros(26, dtype=np.int8)
ITS_SINGLE[24], ITS_SINGLE[1:8] = -2, 2


@pytest.mark.parametrize(
    ("board", "state", "offer", "points"),
    [
        (ITS_SINGLE, MONEY, "a single game", 1),
        (ITS_SINGLE, State(cube=4, owner="mover"), "a single game", 4),
        (ITS_GAMMON, MONEY, "a gammon", 2),
        (ITS_GAMMON, State(jacoby=True), "a single game", 1),  # R36: a gammon doesn't count
        (ITS_GAMMON, State(length=5, score=(0, 4), crawford=True), "a single game", 1),  # it wins the match
    ],
    ids=["single", "with the cube", "gammon", "Jacoby", "match point"],
)
def test_R31_it_resigns_what_it_is_certain_to_lose(board, state, offer, points):
    offered, said = dialogue.begin(at(board, state, on_roll=IT, jacoby=state.jacoby))
    assert said.endswith(f"bgai resigns {offer}") and dialogue.question(offered) == "accept, decline: "
    assert dialogue.reply(offered, "hint")[1].startswith("accept (the offer ")
    assert "nothing waits" not in dialogue.reply(offered, "help")[1]
    accepted, said = dialogue.reply(offered, "accept")
    assert said.startswith("you accept\nyou win ") and "(resigned)" in said
    assert accepted.games[-1].points == points and accepted.games[-1].winner == YOU


def test_R31_a_declined_offer_is_not_made_again_in_the_same_game():
    offered, _ = dialogue.begin(at(ITS_SINGLE, on_roll=IT))
    declined, said = dialogue.reply(offered, "decline")
    assert said.startswith("you decline\nbgai rolls ") and "resigns" not in said
    assert declined.declined == 1 and table.new_game(declined.settings, (), MONEY).declined == 0


def test_it_plays_on_while_anything_can_still_happen():
    for board in (START, rolls_left(4, 4), flip(BEATEN)):
        assert opponent.resigns(at(board, on_roll=IT)) is None


# The tutor


def test_the_tutor_warns_before_a_blunder_and_tells_why():
    t = Talk(typed=True, tutor=True)
    t("31")
    warning = t("6/5 6/3")
    assert "6/5 6/3 loses 0." in warning and "against 8/5 6/5" in warning
    assert (
        "wins " in warning and "more often" in warning and "rolls of 36" in warning and "holds the 5 point" in warning
    )
    assert t.session.stage == "play"
    t("6/5 6/3")
    assert t.session.stage == "made"


def test_another_entry_in_between_and_it_warns_again():
    t = Talk(typed=True, tutor=True)
    t("31", "6/5 6/3", "8/5 6/5", "undo")
    assert "loses" in t("6/5 6/3")


def test_the_tutor_says_nothing_against_good_plays_and_nothing_when_off():
    t = Talk(typed=True, tutor=True)
    t("31")
    assert t("8/5 6/5") == ""
    t("undo", "tutor off")
    assert t("6/5 6/3") == "" and t.session.stage == "made"


@pytest.mark.parametrize(
    ("session", "entry"),
    [
        (at(START, tutor=True), "double"),
        (at(rolls_left(2, 2), tutor=True), ""),
        (at(flip(RACE), act(State(), "double"), stage="answer", on_roll=IT, tutor=True), "pass"),
        (at(RACE, act(State(), "double"), stage="answer", on_roll=IT, tutor=True), "take"),
    ],
    ids=["too early", "a double not made", "a wrong pass", "a wrong take"],
)
def test_the_tutor_warns_of_blunders_with_the_cube(session, entry):
    warned, said = dialogue.reply(session, entry)
    assert "loses" in said and "double, take" in said
    assert warned.position == session.position and warned.warned == entry


BEAVERS = State(beavers=2)
DOUBLED = act(BEAVERS, "double")
BEAVERED = act(DOUBLED, "beaver")


@pytest.mark.parametrize(
    ("dt", "state", "action", "warned"),
    [
        (-0.3, DOUBLED, "take", "To take loses 0.300"),
        (-0.3, DOUBLED, "beaver", None),
        (0.5, DOUBLED, "beaver", "To beaver loses 1.500"),
        (0.5, DOUBLED, "take", None),
        (-0.4, BEAVERED, "pass", "To pass loses 0.600"),
        (0.2, BEAVERED, "accept", "To accept loses 0.200"),
        (-0.2, BEAVERED, "raccoon", "To raccoon loses 0.200"),
        (-0.3, BEAVERS, "double", "To double loses 0.700"),
    ],
)
def test_R35_the_tutor_counts_beavers(monkeypatch, dt, state, action, warned):
    judged = replace(api.cube_decision("start"), nd=0.1, dt=dt, dp=1.0)
    monkeypatch.setattr(api, "cube_decision", lambda *position, **network: judged)
    said = tutor.action_warning(Position(START, state), action, "default", 0)
    assert said is None if warned is None else said.startswith(warned)


# What surrounds it


@pytest.mark.parametrize(
    ("session", "entry", "why"),
    [
        (at(RACE, tutor=True), "resign", "To resign this much loses"),
        (at(BEATEN, tutor=True), "resign backgammon", "To resign this much loses"),
        (at(ITS_GAMMON, act(MONEY, "resign single"), stage="answer", on_roll=IT, tutor=True), "accept", "To accept"),
        (at(ITS_SINGLE, act(MONEY, "resign gammon"), stage="answer", on_roll=IT, tutor=True), "drop", "To decline"),
    ],
    ids=["a won game", "too much", "too little accepted", "too much declined"],
)
def test_the_tutor_warns_of_blunders_with_resignations(session, entry, why):
    warned, said = dialogue.reply(session, entry)
    assert said.startswith(why) and warned.position == session.position and warned.warned == entry


def test_hints():
    t = Talk(typed=True)
    t("31")
    lines = t("hint").splitlines()
    assert lines[0].startswith("1. 8/5 6/5 ") and len(lines) == 5
    equities = [float(line.split("  ")[-1 if i == 0 else -2].strip()) for i, line in enumerate(lines)]
    assert equities == sorted(equities, reverse=True)


@pytest.mark.parametrize("lines", [[], ["31"], ["31", "8/5 6/5"], ["31", "8/5 6/5", ""], ["31", "8/5 6/5", "", "21"]])
def test_help_at_every_stage(lines):
    t = Talk(typed=True)
    t(*lines)
    assert t("help").startswith("now: ")


def test_a_match_goes_on_from_game_to_game_and_ends():
    state = State(length=3)
    session, said = dialogue.reply(at(RACE, state), "double")
    assert session.stage == "over" and session.score == (1, 0)
    session, said = dialogue.reply(session, "")
    assert said.startswith("game 2, match to 3, you 1, bgai 0")
    assert next_game(dialogue.reply(at(RACE, state), "double")[0]).start == State(length=3, score=(1, 0))
    point = at(RACE, State(length=3, score=(2, 2)), stage="play", dice=(6, 6))
    ended = play(point, int(np.flatnonzero((plays(point).boards >= 0).all(axis=1))[0]))
    assert ended.stage == "end" and dialogue.reply(ended, "")[1] == "the match is over"


def test_options_that_do_not_go_together():
    with pytest.raises(ValueError, match="Jacoby"):
        new_session(Settings(length=5, jacoby=True))


def test_levels_err_by_the_seed():
    def choices(level):
        return [opponent.best_play(at(START, stage="play", dice=(3, 1), level=level, seed=seed)) for seed in range(30)]

    assert len(set(choices("champion"))) == 1 and len(set(choices("beginner"))) > 3
    assert choices("beginner") == choices("beginner")
