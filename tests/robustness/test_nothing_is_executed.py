"""No file that is read can run code or unfold: the program has no reader of pickles, archives or YAML objects.

What pretends to be a checkpoint is in `tests/net/test_checkpoint.py`, deeply nested SGF in
`tests/notation/test_match_hostile.py`, YAML in `test_run_folder.py`.
"""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "bgai"
SOURCES = sorted(PACKAGE.rglob("*.py"))
MODULES = {"pickle", "marshal", "shelve", "zipfile", "tarfile", "gzip", "bz2", "lzma", "joblib", "dill"}
CALLS = {"eval", "exec", "np.load", "numpy.load", "torch.load", "yaml.load", "yaml.unsafe_load", "os.system"}


def forbidden(source: str) -> list[str]:
    """What there is in a source that could execute or unpack what it reads."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.split(".")[0] in MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            found.append(node.module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS:
            found.append(ast.unparse(node.func))
        elif isinstance(node, ast.keyword) and node.arg in ("allow_pickle", "shell"):
            found.append(node.arg)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_reader_of_pickles_archives_or_code(path):
    assert forbidden(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    ["import pickle", "from zipfile import ZipFile", "np.load(file)", "eval(text)", "run(words, shell=True)"],
)
def test_such_a_reader_would_be_found(source):
    assert forbidden(source)
