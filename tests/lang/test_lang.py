"""Every message has its French, and no French is left without a message."""

import ast
import re
from pathlib import Path

import pytest
from talks import Talk

from bgai import api, lang
from bgai.analysis.decisions import ERRORS, MARKS
from bgai.analysis.html_report import html_report
from bgai.analysis.judging import judge_game
from bgai.analysis.summary import JudgedMatch
from bgai.board import START
from bgai.game import RESIGNATIONS, TURNS, State
from bgai.lang import fr, say, speak
from bgai.notation import layout, text_board
from bgai.notation.play_text import InvalidPlay, parse_play
from bgai.notation.position import Position
from bgai.notation.reading import read_match
from bgai.notation.svg_board import svg_board
from bgai.play import dialogue, tutor

SOURCES = [path for path in Path(lang.__file__).parents[1].rglob("*.py") if path.parent.name != "lang"]
TREES = [ast.parse(path.read_text()) for path in SOURCES]
CUBE = {f"{no}{verb}" for verb in ("double", "redouble") for no in ("", "no ", "too good to ")} | {"not available"}
LOOKED_UP = {  # said by a name or as an item of a table
    *ERRORS,
    *(name for _, _, name in MARKS),
    *CUBE,
    *("take", "pass", "accept", "decline", "resignation", *TURNS[:3], *RESIGNATIONS),
    *layout._TURNS_CUBE.values(),
    layout._TURNS_AGAIN,
    *layout._RESIGNS.values(),
    *layout._WINS,
    *layout._ENDED.values(),
    *(each for both in dialogue._DID.values() for each in both),
    *dialogue._OFFERS.values(),
    *dialogue._ENDED.values(),
    *tutor._LOSES.values(),
    *("no play", "all matches", "all money sessions"),
    *("wins {n} % more often", "wins {n} % more gammons", "loses {n} % fewer gammons"),
}


@pytest.fixture
def french():
    speak("fr")
    yield
    speak("en")


def said() -> set[str]:
    """The messages that stand in calls of `say`."""
    calls = [
        node.args[0]
        for tree in TREES
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"
    ]
    either = [(call.body, call.orelse) if isinstance(call, ast.IfExp) else (call,) for call in calls]
    return {node.value for nodes in either for node in nodes if isinstance(node, ast.Constant)}


def test_every_message_has_its_french():
    assert sorted((said() | LOOKED_UP) - fr.MESSAGES.keys()) == []


def test_every_french_message_is_used():
    assert sorted(fr.MESSAGES.keys() - said() - LOOKED_UP) == []


@pytest.mark.parametrize("message", fr.MESSAGES)
def test_nothing_is_filled_in_that_the_message_lacks(message):
    names = re.compile(r"{(\w+)")
    missing = {"no_play", "side"}  # the French does without them
    french, english = (set(names.findall(text)) for text in (fr.MESSAGES[message], message))
    assert french <= english and english - french <= missing


def test_every_word_shown_as_an_answer_can_be_entered(french):
    for answer in ("double", "take", "pass", "beaver", "raccoon", "accept", *RESIGNATIONS):
        assert dialogue.ACTIONS[lang.meant(say(answer))] == answer


def test_every_entry_is_understood():
    words = {"roll", "done", "next", "undo", "hint", "help", "tutor on", "tutor off", "save", "quit"}
    assert set(fr.ENTRIES.values()) <= words | dialogue.ACTIONS.keys()


def test_boards_in_french(french):
    shown = Position(START, State(length=7, score=(2, 3)), (3, 1))
    text = text_board.text_board(shown)
    assert "barre" in text and "sortis : 0, score 2" in text and text.endswith("match en 7 points : ● joue 31")
    assert "Blanc joue 31" in svg_board(shown)


def test_rules_are_explained_in_french(french):
    with pytest.raises(InvalidPlay, match=r"un pion sur la barre|la flèche 19 est une porte adverse"):
        parse_play("24/19 6/5", START, (5, 1))


def test_a_session_in_french(french):
    talk = Talk(seed=5, length=3)
    assert talk.said.startswith("partie 1, match en 3 points\nle lancer initial est 51 : bgai commence")
    assert dialogue.question(talk.session) == "Entrée pour lancer, ou double : "
    assert "conseil, aide" in talk("aide")
    assert talk("lancer") == "" and "+0." in talk("conseil")
    assert "n'est pas légal avec 66" in talk("24/10")
    assert talk("abandonner").endswith("bgai gagne 1 point (abandon) ; vous 0, bgai 1")


def test_a_report_in_french(french, report):
    english = {"Summary", "Errors", "All decisions", "missed doubles", "on roll", "to play", "Played", "decisions"}
    assert '<html lang="fr">' in report and "doubles manqués" in report
    assert not [word for word in english if re.search(rf">[^<]*\b{word}\b", report)]


@pytest.fixture
def report():
    """A report of a short match."""
    path = Path(__file__).parents[1] / "data" / "match_files" / "02_galaxy_single_8pt.txt"
    match, net = read_match(path), api.player("default")
    return html_report(JudgedMatch(match, tuple(judge_game(net, game, 0) for game in match.games)), path.name)


def test_an_unknown_language_is_refused():
    with pytest.raises(lang.UnknownLanguage, match="give en or fr"):
        speak("de")
