"""Trains a backgammon player from nothing but its own games, and puts that player to use.

>>> import bgai
>>> [play.play for play in bgai.best_plays("start", roll=(4, 2))][0]
'8/4 6/4'
"""

from importlib import import_module

_TRAINING = ["resume_run", "train_player"]  # these need torch
__all__ = ["best_plays", "cube_decision", "evaluate", *_TRAINING]


def __getattr__(name: str) -> object:
    """What is public, imported when first asked for: `import bgai` alone must not wait for Numba, let alone torch."""
    if name not in __all__:
        raise AttributeError(f"module 'bgai' has no attribute {name!r}")
    return getattr(import_module("bgai.training" if name in _TRAINING else "bgai.api"), name)
