"""Pages say what is so: what is made from the program is fresh, links lead somewhere, names in the code exist."""

import doctest
import re
import runpy
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from bgai.cli.main import COMMANDS

CHECKOUT = Path(__file__).parents[1]
PAGES = [CHECKOUT / name for name in ("README.md", "CONTRIBUTING.md")]
PAGES += sorted([*CHECKOUT.glob("docs/*.md"), *CHECKOUT.glob("checkpoints/*.md")])
MEMOS = [CHECKOUT / "docs" / name for name in ("rules-memo.md", "rules-memo.fr.md")]


def script(name: str) -> dict:
    return runpy.run_path(str(CHECKOUT / "scripts" / f"{name}.py"))


def test_the_command_reference_is_that_of_the_program():
    assert (CHECKOUT / "docs/commands.md").read_text() == script("command_reference")["reference"](), "run make docs"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(name):
    function = getattr(import_module(f"bgai.cli.{name}"), name)
    text = function.__globals__["_help"]() if name == "train" else function.__doc__
    assert re.search(rf"(?:^|: |\s)bgai {name}( |$)", text, re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_to_print_are_those_of_the_page_and_fit_on_it(language):
    memo = script("rules_memo")
    drawn, page = memo["memo"](language), MEMOS[language == "fr"]
    assert page.with_suffix(".svg").read_text() == drawn, "run make docs"
    assert re.findall(r"^- R(\d+) ", page.read_text(), re.MULTILINE) == [str(number) for number in range(1, 46)]
    lowest = max(float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)" font-size="11.5"', drawn))
    assert 0.8 * memo["HEIGHT"] < lowest < memo["HEIGHT"] - memo["MARGIN"]
    assert page.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_of_the_code_exist(page):
    for name in re.findall(r"`(bgai(?:\.\w+)+)`", page.read_text()):
        found = import_module("bgai")
        for part in name.split(".")[1:]:
            module = f"{found.__name__}.{part}" if hasattr(found, "__path__") else None
            assert hasattr(found, part) or (module and find_spec(module)), name
            found = getattr(found, part) if hasattr(found, part) else import_module(module)


def test_the_map_of_the_files_has_every_file_and_no_other():
    rows = re.findall(r"^\| (`.*?`) \|", (CHECKOUT / "docs/architecture.md").read_text(), re.MULTILINE)
    patterns = []
    for row in rows:
        first, *others = re.findall(r"`(.*?)`", row)
        room = Path(first).parent
        patterns += [first, *(name if "/" in name else str(room / name) for name in others)]
    package = CHECKOUT / "bgai"
    mapped = {file for pattern in patterns for found in package.glob(pattern) for file in (found, *found.glob("*.py"))}
    assert all(list(package.glob(pattern)) for pattern in patterns), patterns
    assert [file for file in package.rglob("*.py") if file not in mapped and not file.name.startswith("__")] == []


def test_the_python_of_the_readme():
    assert doctest.testfile(str(CHECKOUT / "README.md"), module_relative=False) == (0, 2)
