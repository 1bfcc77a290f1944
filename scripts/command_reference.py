"""Write docs/commands.md, the reference of all commands, from the program itself.

python scripts/command_reference.py
"""

from importlib import import_module
from pathlib import Path

import typer

from bgai.cli.main import COMMANDS

VALUES = {"str": "TEXT", "int": "N", "float": "X", "path": "PATH"}
TARGET = Path(__file__).parents[1] / "docs" / "commands.md"
HEAD = """# Commands

Made by `make docs` from the program itself: what `bgai COMMAND --help` says, in one page.

Exit codes: 0 done, 1 a fault of the program, 2 a user's mistake (one line on standard error says which), 130 stopped by
Ctrl-C; `bgai train` also has [3](training.md#exit-codes), `bgai eval` 143 where SIGTERM stops it. `bgai move -` and
`bgai cube -` read positions from standard input, one a line. Nothing is coloured but on a terminal, nor where
`NO_COLOR` is set.
"""


def main() -> None:
    TARGET.write_text(reference())


def reference() -> str:
    """The page, in Markdown."""
    contents = [f"- [`bgai {name}`](#bgai-{name}): {what}" for name, what in COMMANDS.items()]
    return "\n".join([HEAD, *contents, *(line for name in COMMANDS for line in _section(name))]) + "\n"


def _section(name: str) -> list[str]:
    command = getattr(import_module(f"bgai.cli.{name}"), name)
    if name == "train":
        return ["", f"## bgai {name}", "", "```text", command.__globals__["_help"](), "```"]
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(command)
    parser = typer.main.get_command(app)
    arguments = [param for param in parser.params if param.param_type_name == "argument"]
    options = [param for param in parser.params if param.param_type_name == "option"]
    usage = " ".join([f"bgai {name}", *map(_as_argument, arguments), "[OPTIONS]"])
    rows = [(f"`{_as_argument(param)}`", param.help, "") for param in arguments]
    rows += [(_names(param), param.help, _default(param)) for param in options]
    table = [
        "| | meaning | default |",
        "| --- | --- | --- |",
        *(f"| {' | '.join(_cell(c) for c in row)} |" for row in rows),
    ]
    return ["", f"## bgai {name}", "", f"    {usage}", "", *_prose(parser.help), "", *table]


def _prose(text: str) -> list[str]:
    """The docstring; a line that begins with `bgai` is an example."""
    return [f"    {line}" if line.startswith("bgai ") else line for line in text.splitlines()]


def _as_argument(param) -> str:
    name = (param.metavar or param.name.upper()) + ("..." if param.nargs == -1 and not param.metavar else "")
    return name if param.required else f"[{name}]"


def _names(param) -> str:
    value = "" if param.is_flag else f" {param.metavar or _value(param.type)}"
    return ", ".join(f"`{name}{value}`" for name in [*param.opts, *param.secondary_opts])


def _value(kind) -> str:
    return "|".join(kind.choices) if kind.name == "choice" else VALUES[kind.name.split()[0]]


def _default(param) -> str:
    value = param.default
    if value is None or value is False or callable(value) or value == ():
        return ""
    return f"`{Path(value).name if isinstance(value, Path) else value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
