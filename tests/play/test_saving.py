"""Sessions saved as match files and gone on with."""

import numpy as np
import pytest
from pip_player import pip_weights
from talks import Talk

from bgai.board import START
from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint
from bgai.notation.match_file import BadMatchFile
from bgai.play import dialogue, saving
from bgai.play.levels import UnknownLevel
from bgai.play.session import plays

SETTINGS = {"level": "novice", "seed": 8}


def entry(session, rng) -> str:
    """Anything that may be said now."""
    if session.stage == "play":
        return dialogue.table.play_text(session, int(rng.integers(len(plays(session).boards))))
    if session.stage == "answer" and session.position.state.resigned:
        return "accept"
    words = {"answer": ["take", "take", "pass"], "cube": ["", "", "", "double", "resign"]}
    return str(rng.choice(words.get(session.stage, [""])))


def resumed(session, folder):
    path = folder / "session.mat"
    path.write_text(saving.to_mat(session))
    return saving.from_mat(path)


@pytest.fixture(scope="module")
def hypergammon_player(tmp_path_factory):
    architecture = Architecture(hidden=(2,), checkers=3)
    path = tmp_path_factory.mktemp("player") / "hypergammon.safetensors"
    save_checkpoint(path, Checkpoint(architecture, pip_weights()))
    return str(path)


@pytest.mark.parametrize(
    "settings",
    [
        {"length": 3},
        {"jacoby": True, "beavers": 2},
        {"variant": "nackgammon", "length": 3},
        {"variant": "hypergammon", "length": 5},
    ],
    ids=["match", "money", "nackgammon", "hypergammon"],
)
def test_wherever_it_is_left_it_goes_on_as_if_it_had_not_been(tmp_path, settings, hypergammon_player):
    if settings.get("variant") == "hypergammon":
        settings = settings | {"checkpoint": hypergammon_player}
    rng = np.random.default_rng(5)
    t = Talk(**SETTINGS, **settings)
    for turn in range(200):
        if turn % 10 == 0:
            again, _ = dialogue.begin(resumed(t.session, tmp_path))
            assert saving.to_mat(again) == saving.to_mat(t.session)
            assert again.stage == t.session.stage.replace("made", "play")  # the dice weren't picked up
            if t.session.stage not in ("over", "end"):
                assert (again.position, again.on_roll) == (t.session.position, t.session.on_roll)
                assert (again.start, again.actions) == (t.session.start, t.session.actions)
        if t.session.stage == "end":
            break
        t(entry(t.session, rng))
    assert len(t.session.games) > 1
    if settings.get("length"):
        assert t.session.stage == "end" and resumed(t.session, tmp_path).stage == "end"


def test_before_the_first_roll(tmp_path):
    session = Talk(length=5, typed=True, tutor=True).session
    assert resumed(session, tmp_path) == session


def test_a_match_of_other_players_can_be_gone_on_with(tmp_path):
    path = tmp_path / "other.mat"
    path.write_text(
        " 7 point match\n\n Game 1\n A : 0           B : 0\n  1) 31: 8/5 6/5   52: 13/8 24/22\n  2) 61: 13/7 8/7\n"
    )
    session, _ = dialogue.begin(saving.from_mat(path))
    assert session.settings.length == 7 and session.rolls == 4 and session.position.board[7] == 2


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("hello\n", BadMatchFile, "expected|XGID|position"),
        (" 5 point match\n\n Game 1\n A : 0     B : 0\n  1) 31: 8/4 6/5\n", saving.CannotResume, "breaks the rules"),
        ('; [Level "godlike"]\n 5 point match\n\n Game 1\n A : 0     B : 0\n', UnknownLevel, "beginner"),
        ('; [Ply "9"]\n 5 point match\n\n Game 1\n A : 0     B : 0\n', saving.CannotResume, "from 0 to 2"),
        ('; [Seed "-1"]\n 5 point match\n\n Game 1\n A : 0     B : 0\n', saving.CannotResume, "no number"),
        (
            " 5 point match\n\n Game 1\n A : 0     B : 0\n      Wins 1 point\n",
            saving.CannotResume,
            "nothing was played",
        ),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n", saving.CannotResume, "holds positions"),
        (
            " 5 point match\n\n Game 1\n A : 0     B : 0\n  1) 31: 8/5 6/5\n\n Game 2\n A : 0     B : 0\n",
            saving.CannotResume,
            "without a result",
        ),
    ],
)
def test_what_cannot_be_gone_on_with(tmp_path, text, error, why):
    path = tmp_path / "bad.mat"
    path.write_text(text)
    with pytest.raises(error, match=why):
        saving.from_mat(path)


def test_the_board_of_a_new_session_is_the_starting_position(tmp_path):
    assert (resumed(Talk(typed=True).session, tmp_path).position.board == START).all()
