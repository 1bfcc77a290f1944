"""Where a run comes from: the versions of what it rests on, and the state of the code, for whoever wants it again."""

import json
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bgai.files import PACKAGE

ORIGIN = "origin.jsonl"
RESTS_ON = ("bgai", "numpy", "numba", "llvmlite", "torch", "safetensors", "hydra-core")


def note_origin(run: Path) -> None:
    """Add a line to `origin.jsonl` in the run's folder: one for each process that trains in it."""
    line = {
        "command": sys.argv,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "versions": {name: _version(name) for name in RESTS_ON},
        "code": code_state(PACKAGE.parent),
    }
    with (run / ORIGIN).open("a") as file:
        file.write(json.dumps(line) + "\n")


def code_state(checkout: Path) -> dict | None:
    """The commit of a Git checkout, and the files that differ from it; None where there is no checkout."""
    if not (checkout / ".git").exists():
        return None
    commit, changed = _git(checkout, "rev-parse", "HEAD"), _git(checkout, "status", "--porcelain")
    return None if commit is None or changed is None else {"commit": commit, "changed": changed.splitlines()}


def _git(checkout: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.rstrip() if done.returncode == 0 else None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
