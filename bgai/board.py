"""What a position is: the board array, its two views, pips, contact, and how a finished game ended.

A board is `int8[26]`, always seen by the player on roll. Index 1..24 are that player's points (24 is farthest from
home), 25 that player's bar, 0 the opponent's bar. Positive numbers are checkers of the player on roll, negative ones
the opponent's, on the bar too. Checkers borne off are not stored: they are what a side lacks to its full number, 15
unless a variant says otherwise. Every function here takes one board or any batch of them, `int8[..., 26]`.
"""

import numpy as np

CHECKERS = 15
OPPONENT_BAR = 0
BAR = 25
HOME = 6  # points 1..6 are the home board

# The six exclusive outcomes of a game, seen by the player on roll, and what each is worth in points.
OUTCOMES = ("win", "win gammon", "win backgammon", "lose", "lose gammon", "lose backgammon")
OUTCOME_POINTS = np.array([1, 2, 3, -1, -2, -3], dtype=np.float32)
UNFINISHED = -1


def _symmetric(own: dict[int, int]) -> np.ndarray:
    """The board on which both players stand alike: `own` maps point to number of checkers. (R1)"""
    board = np.zeros(26, dtype=np.int8)
    for point, count in own.items():
        board[point] += count
        board[25 - point] -= count
    board.flags.writeable = False
    return board


START = _symmetric({24: 2, 13: 5, 8: 3, 6: 5})
NACKGAMMON = _symmetric({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
HYPERGAMMON = _symmetric({24: 1, 23: 1, 22: 1})  # three checkers a side
VARIANTS = {"backgammon": START, "nackgammon": NACKGAMMON, "hypergammon": HYPERGAMMON}


class InvalidBoard(ValueError):
    """A board that no game of backgammon can show, or one that is asked for what it can't give."""


def flip(boards: np.ndarray) -> np.ndarray:
    """The same position seen by the other player, `int8[..., 26]`, C-contiguous."""
    return np.ascontiguousarray(-boards[..., ::-1])


def swap_outcomes(outcomes: np.ndarray) -> np.ndarray:
    """Outcomes `float[..., 6]` seen by the other player: winning and losing change places, no sign changes."""
    return outcomes[..., [3, 4, 5, 0, 1, 2]]


def on_board(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Checkers still in play, bar included: `int64[...]` of the player on roll, and of the opponent."""
    own = np.where(boards > 0, boards, 0).sum(axis=-1, dtype=np.int64)
    opponent = np.where(boards < 0, -boards, 0).sum(axis=-1, dtype=np.int64)
    return own, opponent


def checkers_of(variant: str) -> int:
    """How many checkers a side has in the variant, a name of `VARIANTS`."""
    return int(on_board(VARIANTS[variant])[0])


def pips(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pip counts `int64[...]` of the player on roll and of the opponent; a checker on the bar counts 25."""
    points = np.arange(26)
    own = (np.where(boards > 0, boards, 0) * points).sum(axis=-1)
    opponent = (np.where(boards < 0, -boards, 0) * (25 - points)).sum(axis=-1)
    return own, opponent


def is_race(boards: np.ndarray) -> np.ndarray:
    """`bool[...]`: the two sides have passed each other, so nobody can be hit any more."""
    rearmost_own = np.where(boards > 0, np.arange(26), -1).max(axis=-1)
    rearmost_opponent = np.where(boards < 0, np.arange(26), 26).min(axis=-1)
    return rearmost_own < rearmost_opponent


def outcome(boards: np.ndarray, checkers: int = CHECKERS) -> np.ndarray:
    """How the game ended for the player on roll: `int8[...]`, an index into `OUTCOMES`, or `UNFINISHED`.

    R26 to R29: the loser who has borne off no checker loses a gammon, and a backgammon with a checker still on the
    bar or in the winner's home board.
    """
    own, opponent = on_board(boards)
    own_behind = (boards[..., 19:26] > 0).any(axis=-1)  # in the opponent's home board or on the bar
    opponent_behind = (boards[..., 0:7] < 0).any(axis=-1)
    won = np.where(opponent < checkers, 0, np.where(opponent_behind, 2, 1))
    lost = np.where(own < checkers, 3, np.where(own_behind, 5, 4))
    return np.where(own == 0, won, np.where(opponent == 0, lost, UNFINISHED)).astype(np.int8)


def check(boards: np.ndarray, checkers: int = CHECKERS) -> np.ndarray:
    """`boards` as C-contiguous `int8[..., 26]`, or `InvalidBoard` naming the first board that is impossible and why."""
    array = np.asarray(boards)
    if array.ndim == 0 or array.shape[-1] != 26:
        raise InvalidBoard(f"a board has 26 numbers (opponent's bar, 24 points, own bar), got shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InvalidBoard(f"a board holds whole numbers of checkers, got {array.dtype}")
    rows = array.reshape(-1, 26)
    own = np.where(rows > 0, rows, 0).sum(axis=-1, dtype=np.int64)
    opponent = np.where(rows < 0, rows, 0).sum(axis=-1, dtype=np.int64) * -1
    faults = (
        (own > checkers, lambda i: f"{own[i]} checkers of the player on roll, at most {checkers} are possible"),
        (opponent > checkers, lambda i: f"{opponent[i]} checkers of the opponent, at most {checkers} are possible"),
        (rows[:, OPPONENT_BAR] > 0, lambda i: "the opponent's bar (index 0) holds checkers of the player on roll"),
        (rows[:, BAR] < 0, lambda i: "the own bar (index 25) holds checkers of the opponent"),
        ((own == 0) & (opponent == 0), lambda i: "both players have borne off all their checkers"),
    )
    for fault, why in faults:
        if fault.any():
            i = int(fault.argmax())
            raise InvalidBoard(f"impossible board{f' {i}' if len(rows) > 1 else ''}: {why(i)}")
    return np.ascontiguousarray(array, dtype=np.int8)
