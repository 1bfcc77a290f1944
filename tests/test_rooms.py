"""Imports between the rooms of docs/architecture.md run downwards only, those inside functions too."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bgai"
FLOORS = [  # from the ground up; rooms on one floor don't import each other
    {"lang", "files", "named", "threads"},
    {"board"},
    {"one_roll"},
    {"plays"},
    {"game"},
    {"chouette", "notation", "net"},
    {"evaluator"},
    {"api"},
    {"analysis"},
    {"arena"},
    {"train", "ask"},
    {"play"},
    {"serve"},
    {"cli", "training", "notebook", "env"},
    {"__main__"},
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
ROOMS = sorted(
    {file.relative_to(PACKAGE).parts[0].removesuffix(".py") for file in PACKAGE.rglob("*.py")} - {"__init__"}
)


def imported(file: Path) -> set[str]:
    """Dotted names of ours that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.startswith("bgai.")}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_is_below_it(room):
    files = [PACKAGE / f"{room}.py", *(PACKAGE / room).rglob("*.py")]
    names = set().union(*(imported(file) for file in files if file.exists()))
    assert {name for name in names if name.split(".")[1] != room and FLOOR[name.split(".")[1]] >= FLOOR[room]} == set()
