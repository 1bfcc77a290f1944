"""Every notebook runs from top to bottom, with fewer games than when it is read."""

import ast
import json
from pathlib import Path

import pytest

from bgai.train import watch

NOTEBOOKS = sorted(Path(__file__).parents[1].glob("notebooks/*.ipynb"))
SHOWN = {"01_first_training": 2, "02_reading_a_position": 2, "03_how_strong_is_it": 2}  # how many pictures


def cells(path: Path) -> list[dict]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


def run(source: str, names: dict) -> object:
    """Executes a cell, and returns what it would show: the value of its last line, if that has any."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BGAI_NOTEBOOK_GAMES", "160")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(watch, "RANDOM_GAMES", 4)
    names: dict = {}
    shown = [run("".join(cell["source"]), names) for cell in cells(path)]
    pictures = [value for value in shown if hasattr(value, "_repr_html_")]
    assert len(pictures) == SHOWN[path.stem] and all("<img" in each._repr_html_() for each in pictures)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs(path):
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells(path))
