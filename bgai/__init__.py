"""Trains a backgammon player from nothing but its own games, and puts that player to use.

>>> import bgai
>>> [play.play for play in bgai.best_plays("start", roll=(4, 2))][0]
'8/4 6/4'
"""

__all__ = ["best_plays", "cube_decision", "evaluate"]


def __getattr__(name: str):
    """What is public, imported when first asked for: `import bgai` alone must not wait for Numba."""
    if name not in __all__:
        raise AttributeError(f"module 'bgai' has no attribute {name!r}")
    from bgai import api

    return getattr(api, name)
