"""The report: nothing missing, nothing from the network, and right in a real browser."""

import os
import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bgai import api
from bgai.analysis.html_report import html_report
from bgai.analysis.judging import judge_game
from bgai.analysis.summary import JudgedMatch
from bgai.analysis.tables import position_of, worst
from bgai.notation.match_file import move_array
from bgai.notation.reading import read_match
from bgai.notation.svg_board import svg_board

FILES = Path(__file__).parent.parent / "data" / "match_files"
CHROMIUM = shutil.which("chromium")
VOID = {"meta", "br"}


@cache
def judged() -> JudgedMatch:
    """Two games with cube actions of both players, and names that a page must not take for HTML."""
    text = (FILES / "12_gibbon_7point.mat").read_text().replace("JoeBlack", "<b>Joe & Co</b>")
    match = read_match(text[: text.index(" Game 3")])
    return JudgedMatch(match, tuple(judge_game(api.player("default"), game, 0) for game in match.games))


@cache
def report() -> str:
    return html_report(judged(), "12_gibbon_7point.mat")


class Page(HTMLParser):
    """Checks that every tag is closed, and collects ids and what is linked or loaded."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.ids, self.links = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_well_formed_and_every_link_leads_somewhere():
    page = Page(report())
    assert max(Counter(page.ids).values()) == 1
    assert all(link[0] == "#" and link[1:] in page.ids for link in page.links)


def test_nothing_comes_from_the_network():
    assert set(re.findall(r"https?://[^\"'\s)]+", report())) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in report() and "url(" not in report()


def test_names_from_the_file_are_text():
    assert "<b>Joe" not in report()
    assert "&lt;b&gt;Joe &amp; Co&lt;/b&gt;" in report()


def test_every_decision_has_its_place_with_the_board_as_it_was():
    for i, game, decision in judged().decisions():
        start = report().index(f'<details id="g{i + 1}-{decision.action}-{decision.kind}">')
        part = report()[start : report().index("</details>", start)]
        moves = move_array(decision.options[decision.chosen].moves) if decision.kind == "play" else None
        assert svg_board(position_of(game, decision), moves=moves) in part
        if decision.kind == "play":
            best = svg_board(position_of(game, decision), moves=move_array(decision.options[0].moves))
            assert best in part


def test_who_has_the_light_checkers():
    """The board is seen by the player on roll, who has the light ones; a double is seen by who offers it."""
    seen = set()
    names = "&lt;b&gt;Joe &amp; Co&lt;/b&gt;", "SnowWhite"
    for i, _, decision in judged().decisions():
        start = report().index(f'<details id="g{i + 1}-{decision.action}-{decision.kind}">')
        on_roll = 1 - decision.player if decision.kind == "answer" else decision.player
        told = report()[start : report().index(" has the light checkers", start)]
        assert told.endswith(f"; {names[on_roll]}")
        seen.add((decision.player, decision.kind))
    assert seen == {(player, kind) for player in (0, 1) for kind in ("play", "double", "answer")}


def test_the_quiz_asks_the_worst_and_hides_the_answer_in_changing_places():
    answers = re.findall(r"<summary>Answer</summary><p>([A-D])\. (.+?)\. Played was", report())
    assert [text for _, text in answers] == [each.options[0].text for _, _, each in worst(judged(), 10)]
    assert len({letter for letter, _ in answers}) > 1


MEASURE = """<script>
for (const each of document.querySelectorAll("details")) each.open = true;
const boards = [...document.querySelectorAll("figure svg")];
document.body.dataset.found = [document.documentElement.scrollWidth - innerWidth, boards.length,
  Math.min(...boards.map(each => each.getBoundingClientRect().width)) | 0].join(" ");
</script></body>"""


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium isn't installed")
@pytest.mark.parametrize("width", [1280, 390])
def test_in_a_browser_everything_fits(width, tmp_path):
    page = tmp_path / "report.html"
    page.write_text(report().replace("</body>", MEASURE), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    run = subprocess.run(
        [CHROMIUM, *flags, f"--window-size={width},900", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=120, check=True, env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip
    too_wide, boards, narrowest = map(int, re.search(r'data-found="(\S+) (\S+) (\S+)"', run.stdout).groups())
    assert too_wide <= 0
    assert boards == report().count("<figure>")
    assert narrowest > (500 if width > 1000 else 300)
