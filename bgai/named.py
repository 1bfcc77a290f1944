"""What a user has written for the program, named by its import path (docs/extending.md)."""

import os
import sys
from functools import lru_cache
from importlib import import_module
from typing import Any


class BadName(ValueError):
    """An import path that leads to nothing that can be called; the message says where it ends."""


@lru_cache
def imported(path: str) -> Any:
    """The function or class that `path` names: `package.module:name`, of a module that is installed or lies in the
    working directory. Raises BadName."""
    module, _, name = path.partition(":")
    if not all(word.isidentifier() for word in (*module.split("."), name)):
        raise BadName(f"{path!r} is no import path: it is package.module:name")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadName(f"{path}: {error}") from error
    if not callable(found):
        raise BadName(f"{path} is {found!r:.40}, and can't be called: name a function or a class")
    return found
