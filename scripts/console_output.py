"""Run the commands that stand as `$ bgai ...` in the console blocks of README.md and docs/ and put down what they say.

python scripts/console_output.py
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?<=^```console\n)\$ bgai (.*)\n((?:.*\n)*?)(?=^```$)", re.MULTILINE)


def main() -> None:
    for page in PAGES:
        page.write_text(refreshed(page.read_text(), _run))


def shown(page: str) -> list[tuple[list[str], str]]:
    """Every command of a page's console blocks, as its arguments, with the output that follows it."""
    return [(shlex.split(command, comments=True), output) for command, output in BLOCK.findall(page)]


def refreshed(page: str, run: Callable[[list[str]], str]) -> str:
    """The page with the output that `run` gives for each command's arguments."""
    return BLOCK.sub(lambda block: f"$ bgai {block[1]}\n{run(shlex.split(block[1], comments=True))}", page)


def _run(arguments: list[str]) -> str:
    command = [sys.executable, "-m", "bgai", *arguments]
    return subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout.rstrip("\n") + "\n"


if __name__ == "__main__":
    main()
