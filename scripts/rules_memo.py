"""Draw docs/rules-memo.md and its French as pages to print: SVG here, PDF by rsvg-convert (of librsvg) where it is.

python scripts/rules_memo.py
"""

import os
import re
import subprocess
from html import escape
from pathlib import Path
from shutil import which
from textwrap import wrap

from bgai.lang import speak
from bgai.notation.position import start_of
from bgai.notation.svg_board import svg_board

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"en": "rules-memo.md", "fr": "rules-memo.fr.md"}

# Lengths in pixels of an A4 page at 96 a inch.
WIDTH, HEIGHT, MARGIN, GAP = 794, 1123, 34, 20
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
TOP = 74  # below the heading
BOARD = 0.96 * COLUMN, 0.96 * COLUMN * 652 / 716
BELOW_BOARD = 3  # sections; the others fill the second column
SIZE, LINE, HEADING = 11.5, 16, 26
CHARACTERS = 58  # in a line beside the number of a rule
INK, QUIET, RULE = "#222222", "#8a6a4f", "#dcc3a1"


def main() -> None:
    for language, name in PAGES.items():
        target = (DOCS / name).with_suffix(".svg")
        target.write_text(memo(language))
        if which("rsvg-convert"):
            command = ["rsvg-convert", "-f", "pdf", "-o", target.with_suffix(".pdf"), target]
            subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})  # the same bytes again


def memo(language: str) -> str:
    """The page as the text of an SVG file."""
    speak(language)
    board = svg_board(start_of("backgammon"))
    speak("en")
    title, introduction, sections = _read((DOCS / PAGES[language]).read_text())
    place = f'x="{MARGIN}" y="{TOP}" width="{BOARD[0]:.1f}" height="{BOARD[1]:.1f}"'
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(MARGIN, 44, title, 24, bold=True),
        _text(MARGIN, 62, introduction, SIZE, colour=QUIET),
        re.sub(r'width="\d+" height="\d+"', place, board, count=1),
        *_columns(sections),
    ]
    size = f'width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}"'
    font = 'font-family="Helvetica, Arial, sans-serif"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>', *parts, "</svg>\n"])


def _read(markdown: str) -> tuple[str, str, list[tuple[str, list[str]]]]:
    """Title, introduction, and each section with its rules."""
    head, *sections = re.split(r"^## ", markdown, flags=re.MULTILINE)
    title, introduction = head.removeprefix("# ").strip().split("\n\n")
    parted = [section.split("\n\n", 1) for section in sections]
    return title, introduction, [(name, re.findall(r"^- (.*)$", rules, re.MULTILINE)) for name, rules in parted]


def _columns(sections: list[tuple[str, list[str]]]):
    x, y = MARGIN, TOP + BOARD[1] + 20
    for i, (name, rules) in enumerate(sections):
        if i == BELOW_BOARD:
            x, y = MARGIN + COLUMN + GAP, TOP + 10
        yield _text(x, y + 10, name, 14, bold=True)
        yield f'<line x1="{x}" x2="{x + COLUMN}" y1="{y + 15}" y2="{y + 15}" stroke="{RULE}"/>'
        y += HEADING + 6
        for rule in rules:
            number, _, words = re.sub(" ([;:])", "\N{NO-BREAK SPACE}\\1", rule).partition(" ")
            yield _text(x, y, number, 9, colour=QUIET)
            for line in wrap(words, CHARACTERS):
                yield _text(x + 26, y, line, SIZE)
                y += LINE
        y += 14


def _text(x: float, y: float, words: str, size: float, bold: bool = False, colour: str = INK) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:.1f}" font-size="{size}" fill="{colour}"{weight}>{escape(words, quote=False)}</text>'


if __name__ == "__main__":
    main()
