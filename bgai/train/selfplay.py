"""Games of the network against itself, many at once, and what it should have thought of every position in them."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bgai.board import CHECKERS, swap_outcomes
from bgai.evaluator import bearoff
from bgai.evaluator.race_plays import ROLLS, roll_index
from bgai.evaluator.search import each_roll, mean_over_rolls
from bgai.net.net import Net
from bgai.train.returns import collect, luck_free, td_lambda
from bgai.train.starts import draw

_BY_TURN = ("boards", "values", "expected", "explored")  # what SelfPlay remembers of every turn


class Samples(NamedTuple):
    """Positions `boards int8[n, 26]` of games that ended, what to learn of them, and what the network thought.

    targets    float32[n, 6]  what it should think of them
    thought    float32[n, 6]  what it thought when the game came by
    results    int8[n]        how the game ended for who was on roll there, an index into `board.OUTCOMES`
    ended      int64[6]       games by outcome, seen by whoever was on roll when they ended
    turns      how many turns those games took together
    evaluated  positions that the network judged meanwhile, in all games
    """

    boards: np.ndarray
    targets: np.ndarray
    thought: np.ndarray
    results: np.ndarray
    ended: np.ndarray
    turns: int
    evaluated: int

    @property
    def games(self) -> int:
        return int(self.ended.sum())


class BadTarget(ValueError):
    """Returns of one's own don't fit the samples."""


class SelfPlay:
    """`n` games in progress. A game that ends hands over its positions and a new one takes its place.

    `games` is how many to begin in all; all of them are then played to their ends. None: there is no end of them.
    With `luck_free` all 21 rolls of every turn are looked at, and samples have luck-free returns; else TD(lambda) ones.
    `target`, where there is one, takes the place of `returns.luck_free`, whose arguments it gets.
    """

    def __init__(
        self,
        n: int,
        variant: str,
        starts: dict[str, float],
        rng: np.random.Generator,
        luck_free: bool = False,
        target: Callable[..., np.ndarray] | None = None,
        games: int | None = None,
    ):
        self.rng = rng
        self.to_begin = sys.maxsize if games is None else games - n
        self.luck_free = luck_free
        self.target = target
        self.variant = variant
        self.starts = starts
        self.turn = np.zeros(n, dtype=np.int64)  # turns played so far
        self.boards = np.zeros((n, 256, 26), dtype=np.int8)  # position before each turn, player on roll
        self.values = np.zeros((n, 256, 6), dtype=np.float32)  # what the network thought of it
        self.expected = np.zeros((n, 256 * luck_free, 6), dtype=np.float32)  # what it expects of all rolls
        self.explored = np.zeros((n, 256), dtype=np.bool_)  # was the play of that turn a random one?
        self.opening = np.empty(n, dtype=np.bool_)  # did the game begin with an opening roll?
        self._begin(np.arange(n))

    def _begin(self, games: np.ndarray) -> None:
        for name in _BY_TURN:  # so that a saved state depends on nothing but the games in progress
            getattr(self, name)[games] = 0
        self.boards[games, 0], self.opening[games] = draw(len(games), self.starts, self.variant, self.rng)
        self.turn[games] = 0

    def _replace(self, games: np.ndarray) -> None:
        """Others take the place of games that ended, as long as there are any to begin."""
        self._begin(games[: self.to_begin])
        left_over = games[self.to_begin :]
        self.to_begin -= len(games) - len(left_over)
        if len(left_over):
            for name in ("turn", "opening", *_BY_TURN):
                setattr(self, name, np.delete(getattr(self, name), left_over, axis=0))

    def roll(self) -> np.ndarray:
        """Dice int8[n, 2] for the present turn of each game; an opening roll is never a double (R2)."""
        dice = self.rng.integers(1, 7, (len(self.turn), 2), dtype=np.int8)
        other = (dice[:, 0] - 1 + self.rng.integers(1, 6, len(dice), dtype=np.int8)) % 6 + 1
        first = self.opening & (self.turn == 0)
        dice[first, 1] = other[first]
        return dice

    def play(self, net: Net, turns: int, trace: float, explore: float) -> Samples:
        """Play `turns` turns of every game; `trace` is the lambda of the games that end meanwhile."""
        finished = []
        ended = np.zeros(6, dtype=np.int64)
        played = evaluated = 0
        for _ in range(turns):
            n = len(self.turn)
            if n == 0:
                break
            rows = np.arange(n)
            if self.turn.max() + 1 == self.boards.shape[1]:
                self._make_room()
            begun = np.flatnonzero(self.turn == 0)
            self.values[begun, 0] = net.outcomes(self.boards[begun, 0])
            dice = self.roll()
            at_random = np.where(self.rng.random(n) < explore, self.rng.random(n), -1).astype(np.float32)
            self.explored[rows, self.turn] = at_random >= 0
            if self.luck_free:
                after, values, count = self._play_all_rolls(net, dice, at_random)
            else:
                after, values, count = net.play(self.boards[rows, self.turn], dice, at_random)
            evaluated += count + len(begun)
            self.turn += 1
            self.boards[rows, self.turn] = after
            self.values[rows, self.turn] = values
            over = np.flatnonzero((after >= 0).all(axis=1))  # who has just moved has no checker left
            if len(over):
                finished.append(self._samples(over, trace))
                ended += np.bincount(values[over].argmax(axis=1), minlength=6)
                played += int(self.turn[over].sum())
                self._replace(over)
        positions, targets, thought, results = map(np.concatenate, zip(_no_samples(), *finished, strict=True))
        return Samples(positions, targets, thought, results, ended, played, evaluated)

    def _play_all_rolls(self, net: Net, dice: np.ndarray, at_random: np.ndarray) -> tuple:
        """`FastNet.play` of `dice`; notes besides what the network expects of each position over all 21 rolls.

        Values of positions in the bear-off tables come from there.
        """
        rows = np.arange(len(dice))
        rolled = rows * len(ROLLS) + roll_index(dice)
        every = np.full(len(rows) * len(ROLLS), -1, dtype=np.float32)
        every[rolled] = at_random
        after, values, count = net.play(*each_roll(self.boards[rows, self.turn]), every)
        if net.architecture.checkers == CHECKERS:
            bearoff.fill_outcomes(after, values)
        self.expected[rows, self.turn] = swap_outcomes(mean_over_rolls(values))
        return after[rolled], values[rolled], count

    def _samples(self, games: np.ndarray, trace: float) -> tuple[np.ndarray, ...]:
        """The first four fields of `Samples` for finished games."""
        history = self.values, self.explored, self.turn, self.opening, games
        positions, thought, results = collect(self.boards, *history)
        if self.target:
            targets = np.asarray(self.target(self.expected, *history, trace), dtype=np.float32)
            if targets.shape != thought.shape:
                raise BadTarget(
                    f"returns of one's own have shape {targets.shape}, but there are {len(thought)} samples"
                )
        else:
            targets = luck_free(self.expected, *history, trace) if self.luck_free else td_lambda(*history, trace)
        return positions, targets, thought, results

    def _make_room(self) -> None:
        for name in _BY_TURN:
            past = getattr(self, name)
            setattr(self, name, np.concatenate([past, np.zeros_like(past)], axis=1))

    def state(self) -> dict[str, np.ndarray]:
        """The games in progress as plain arrays, for the run's state file."""
        used = int(self.turn.max()) + 1
        past = {name: getattr(self, name)[:, :used] for name in _BY_TURN}
        return {"turn": self.turn, "opening": self.opening, **past}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on with the games of `state()`."""
        used = state["boards"].shape[1]
        while self.boards.shape[1] < used:
            self._make_room()
        self.turn[:], self.opening[:] = state["turn"], state["opening"]
        for name in _BY_TURN:
            getattr(self, name)[:, : state[name].shape[1]] = state[name]


def _no_samples() -> tuple[np.ndarray, ...]:
    """The samples of no games at all."""
    nothing = np.empty((0, 6), np.float32)
    return np.empty((0, 26), np.int8), nothing, nothing, np.empty(0, np.int8)
