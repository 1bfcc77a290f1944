"""Cube, score and rule options of money games and matches: what may be done next, and what a game was worth."""

from dataclasses import dataclass


@dataclass(frozen=True)
class State:
    """Everything about a game but the checkers, seen by the player on roll (while `pending`: by who doubled first).

    cube       its value; a power of two
    owner      "centred", "mover" or "opponent"
    length     points of the match; 0 is a money game
    score      points of (the player on roll, the opponent)
    crawford   this is the Crawford game
    jacoby     money: gammons count only after a taken double (R36)
    beavers    money: how many times in a row a double may be turned at once (0 none, 1 beaver, 2 raccoon, ...) (R35)
    pending    None, "double", "beaver" or "raccoon": a cube waits for an answer
    """

    cube: int = 1
    owner: str = "centred"
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: int = 0
    pending: str | None = None
