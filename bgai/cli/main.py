"""The `bgai` command: imports the one command that is asked for, runs it, and answers a user's mistake with one line.

Each command is a function of the same name in its own file. Typer reads its arguments from its signature, except for
`train`, whose arguments go untouched to Hydra.

Exit codes: 0 done, 1 a fault of ours (with its traceback), 2 a user's mistake, 3 training has collapsed, 130 stopped by
Ctrl-C (`train` also by SIGTERM), 143 `eval` stopped by SIGTERM.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module

COMMANDS = {
    "train": "train a player from nothing but its own games",
    "runs": "list training runs and compare them",
    "move": "rank the plays of a roll",
    "cube": "say whether to double and to take",
    "rollout": "play a position out many times to see what it is worth",
    "bearoff": "build the exact tables of bear-offs",
    "met": "compute a match equity table from a player's own games",
    "show": "draw a position, as text or as a picture",
    "openings": "compare a player's opening plays with the accepted ones",
    "eval": "measure how strong a player is against another one",
    "analyse": "say what every decision of a match cost, and who was lucky",
    "play": "play against a trained player in the terminal",
    "chouette": "play one against all the others, people and programs",
    "label": "label positions of a player's games by lookahead or rollouts",
    "selfplay": "record games of a player against itself",
    "serve": "let a player play in the browser or inside another program",
    "export": "write a player as an ONNX model",
}
LONGEST_MESSAGE = 2000  # characters: what a message quotes may come from a file of any size
ALIASES = {"analyze": "analyse"}
HELP = "\n".join(
    [
        "usage: bgai COMMAND [ARGUMENTS]",
        "",
        "Trains a backgammon player from nothing but its own games, and puts that player to use.",
        "",
        *(f"  {name:<10} {what}" for name, what in COMMANDS.items()),
        "",
        "bgai COMMAND --help tells more; bgai --version prints the version.",
    ]
)


class UnknownCommand(ValueError):
    """The first word on the command line is no command."""


def main() -> None:
    """Runs the command line that the process was given and ends the process with its exit code."""
    name = ""
    _open_closed_streams()
    sys.stdout.reconfigure(errors="backslashreplace")  # names of files needn't be text
    try:
        name, *arguments = sys.argv[1:] or ["--help"]
        name = ALIASES.get(name, name)
        code = _run(name, arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:  # whoever reads our output has gone; Python's own last flush must not complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        message = users_mistake(error)
        if message is None:
            raise
        where = f"bgai {name}" if name in COMMANDS else "bgai"
        code = 2
        told = printable(" ".join(message.split()))
        if len(told) > LONGEST_MESSAGE:
            told = f"{told[:LONGEST_MESSAGE]}..."
        with suppress(OSError):  # where errors go to a disk that is full, the code is all that is left to say
            print(f"{where}: {told}", file=sys.stderr, flush=True)
    sys.exit(code)


def _open_closed_streams() -> None:
    """The null device in the place of each standard stream that whoever started us has closed (`<&-`, `>&-`, `2>&-`):
    Python has None there, and the next file to be opened would get its number, and with it what is printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)  # the lowest that is free
            os.set_inheritable(number, True)  # as a standard stream is
            setattr(sys, name, os.fdopen(number, mode))


def _run(name: str, arguments: list[str]) -> int:
    if name in ("--help", "-h"):
        print(HELP)
        return 0
    if name == "--version":
        from importlib.metadata import version

        print(f"bgai {version('bgai')}")
        return 0
    if name not in COMMANDS:
        nearest = get_close_matches(name, COMMANDS, n=1)
        meant = f"did you mean {nearest[0]}?" if nearest else "bgai --help lists them"
        raise UnknownCommand(f"there is no command {name!r}; {meant}")
    command = getattr(import_module(f"bgai.cli.{name}"), name)
    return command(arguments) if name == "train" else _run_typer(name, command, arguments)


def _run_typer(name: str, command: Callable, arguments: list[str]) -> int:
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, context_settings={"help_option_names": ["-h", "--help"]})(command)
    parser = typer.main.get_command(app)
    try:
        with parser.make_context(f"bgai {name}", arguments) as context:
            return parser.invoke(context) or 0
    except typer.Exit as end:  # --help
        return end.exit_code


def printable(text: str) -> str:
    """`text`, which may come from anybody's file or be a file's name, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def users_mistake(error: Exception) -> str | None:
    """What to tell the user who caused `error`, or None if nobody but the programmer can have caused it."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if isinstance(error, ValueError) and type(error).__module__.startswith("bgai."):
        return str(error)
    typer = sys.modules.get("typer")
    if typer and isinstance(error, typer.TyperException):
        return f"{error.format_message().rstrip('.')}; --help tells what there is"
    return None
