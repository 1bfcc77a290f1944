"""A game of backgammon as an environment in the manner of Gymnasium, which it doesn't need to be installed for.

>>> import numpy as np
>>> from bgai.env import Backgammon
>>> env = Backgammon()
>>> observation, info = env.reset(seed=7)
>>> observation["board"].shape, len(info["plays"]) > 1
((26,), True)
>>> terminated = False
>>> while not terminated:
...     observation, reward, terminated, truncated, info = env.step(0)
>>> reward in (1.0, 2.0, 3.0)
True

For thousands of games at once call `bgai.plays.legal_plays` with whole batches; this is for one, and for wrappers.
"""

from collections.abc import Callable

import numpy as np

from bgai.board import OUTCOME_POINTS, START, UNFINISHED, flip, outcome
from bgai.game import opening_rolls
from bgai.plays import MAX_PLAYS, legal_plays

Chooser = Callable[[np.ndarray, np.ndarray, np.ndarray], int]


class IllegalStep(ValueError):
    """A step that can't be made: no game is on, or there is no such play."""


class Backgammon:
    """One cubeless money game; an action is the index of a legal play.

    Observations are dicts, seen by the player on roll: `board int8[26]` and `dice int8[2]`, the roll to be played.
    `info["plays"] int8[n, 26]` are the positions after the n legal plays, seen by the player who makes them; a roll
    that can't be played has one, the unchanged board. When the game is over there are none.

    opponent  chooses for the other player: `opponent(board, dice, plays) -> index`. None: `step` is called for both
              players in turn, and each observation is that of whoever is on roll
    """

    MAX_ACTIONS = MAX_PLAYS  # more than any roll has: the size of a fixed action space

    def __init__(self, opponent: Chooser | None = None):
        self._opponent = opponent
        self._rng = np.random.default_rng()
        self._board: np.ndarray
        self._dice: np.ndarray
        self._plays: np.ndarray | None = None  # no game has begun

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        """Begin a game with the opening roll: `(observation, info)`. `seed` starts the dice anew.

        options  {"board": int8[26]} begins there instead, the player on roll throwing any roll. Checkers that a side
                 lacks to 15 are borne off: there is no other variant here
        Raises InvalidBoard for an impossible board or a finished game, ValueError for another shape.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        if options and "board" in options:
            self._begin(np.asarray(options["board"]), self._roll())
        else:
            dice, _ = opening_rolls(self._rng, 1)
            self._begin(START, dice[0])
            if self._opponent and dice[0, 0] < dice[0, 1]:  # the higher die is the opponent's, who starts (R2)
                self._opponent_plays()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict, float, bool, bool, dict]:
        """Make a play: `(observation, reward, terminated, truncated, info)`; a game is never truncated.

        reward  0 until the game is over, then the points of who has just called: 1, 2 or 3 won, or, against an
                opponent, lost
        Raises IllegalStep for an index that no legal play has, or when no game is on.
        """
        reward = self._make(action)
        if reward == 0 and self._opponent:
            reward = 0.0 - self._opponent_plays()
        return self._observation(), reward, reward != 0, False, self._info()

    def _opponent_plays(self) -> float:
        return self._make(self._opponent(self._board, self._dice, self._plays))

    def _make(self, action: int) -> float:
        """Points of who makes the play, 0 if the game goes on; then the other player is on roll."""
        if self._plays is None or len(self._plays) == 0:
            raise IllegalStep("no game is on: call reset first")
        if not 0 <= action < len(self._plays):
            raise IllegalStep(f"action {action}: this roll has plays 0 to {len(self._plays) - 1}")
        after = flip(self._plays[action])
        ended = int(outcome(after))
        if ended == UNFINISHED:
            self._begin(after, self._roll())
            return 0.0
        self._board, self._dice, self._plays = after, np.zeros(2, np.int8), self._plays[:0]
        return -float(OUTCOME_POINTS[ended])

    def _begin(self, board: np.ndarray, dice: np.ndarray) -> None:
        """The turn of who sees `board`, with a roll."""
        self._plays = legal_plays(board[None], dice[None], flipped=False).boards
        self._board, self._dice = board.astype(np.int8), dice

    def _roll(self) -> np.ndarray:
        return self._rng.integers(1, 7, 2, dtype=np.int8)

    def _observation(self) -> dict:
        return {"board": self._board.copy(), "dice": self._dice.copy()}

    def _info(self) -> dict:
        return {"plays": self._plays.copy()}
