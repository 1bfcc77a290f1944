"""How commands read from standard input: questions, one a line, each answered in turn; and single lines."""

import json
import sys
from collections.abc import Callable, Iterator

from typer import Exit

from bgai.ask.reading import BadRequest
from bgai.cli.main import users_mistake

LONGEST_LINE = 1000


def answer_lines(answer: Callable[..., str], most_words: int, as_json: bool) -> None:
    """Call `answer` with the words of each line of standard input and print what it says at once.

    A line that can't be answered gets its error instead, and the exit code is 2 in the end.
    """
    failed = False
    for number, line in enumerate(_lines(), start=1):
        try:
            words = line.split()
            if not 1 <= len(words) <= most_words:
                raise BadRequest("expected a position and a roll" if most_words > 1 else "expected a position")
            said = answer(*words)
        except ValueError as error:
            if users_mistake(error) is None:
                raise
            failed = True
            said = json.dumps({"error": str(error)}) if as_json else f"line {number}: {error}"
        print(said, flush=True)
    if failed:
        raise Exit(2)


def _lines() -> Iterator[str]:
    sys.stdin.reconfigure(errors="replace")
    while line := sys.stdin.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise BadRequest(f"a line on standard input has more than {LONGEST_LINE} characters")
        yield line


def read_line(longest: int) -> str:
    """A line of standard input, of which the rest is dropped where it is longer; empty at the end of it all."""
    line = rest = sys.stdin.readline(longest + 2)
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(longest + 2)
    return line
