"""Games of the network against itself, many at once, and what it should have thought of every position in them."""

from typing import NamedTuple

import numpy as np
from numba import njit

from bgai.net.fast import FastNet
from bgai.train.starts import draw


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


class SelfPlay:
    """`n` games in progress. A game that ends hands over its positions and a new one takes its place."""

    def __init__(self, n: int, variant: str, starts: dict[str, float], rng: np.random.Generator):
        self.rng = rng
        self.variant = variant
        self.starts = starts
        self.turn = np.zeros(n, dtype=np.int64)  # turns played so far
        self.boards = np.zeros((n, 256, 26), dtype=np.int8)  # position before each turn, player on roll
        self.values = np.zeros((n, 256, 6), dtype=np.float32)  # what the network thought of it
        self.explored = np.zeros((n, 256), dtype=np.bool_)  # was the play of that turn a random one?
        self.opening = np.empty(n, dtype=np.bool_)  # did the game begin with an opening roll?
        self._begin(np.arange(n))

    def _begin(self, games: np.ndarray) -> None:
        self.boards[games, 0], self.opening[games] = draw(len(games), self.starts, self.variant, self.rng)
        self.turn[games] = 0

    def roll(self) -> np.ndarray:
        """Dice int8[n, 2] for the present turn of each game; an opening roll is never a double (R2)."""
        dice = self.rng.integers(1, 7, (len(self.turn), 2), dtype=np.int8)
        other = (dice[:, 0] - 1 + self.rng.integers(1, 6, len(dice), dtype=np.int8)) % 6 + 1
        first = self.opening & (self.turn == 0)
        dice[first, 1] = other[first]
        return dice

    def play(self, net: FastNet, turns: int, trace: float, explore: float) -> Samples:
        """Play `turns` turns of every game; `trace` is the lambda of the games that end meanwhile."""
        n = len(self.turn)
        rows = np.arange(n)
        finished = []
        ended = np.zeros(6, dtype=np.int64)
        played = evaluated = 0
        for _ in range(turns):
            if self.turn.max() + 1 == self.boards.shape[1]:
                self._make_room()
            begun = np.flatnonzero(self.turn == 0)
            self.values[begun, 0] = net.outcomes(self.boards[begun, 0])
            dice = self.roll()
            at_random = np.where(self.rng.random(n) < explore, self.rng.random(n), -1).astype(np.float32)
            self.explored[rows, self.turn] = at_random >= 0
            after, values, count = net.play(self.boards[rows, self.turn], dice, at_random)
            evaluated += count + len(begun)
            self.turn += 1
            self.boards[rows, self.turn] = after
            self.values[rows, self.turn] = values
            over = np.flatnonzero((after >= 0).all(axis=1))  # who has just moved has no checker left
            if len(over):
                finished.append(
                    td_lambda(self.boards, self.values, self.explored, self.turn, self.opening, over, trace)
                )
                ended += np.bincount(values[over].argmax(axis=1), minlength=6)
                played += int(self.turn[over].sum())
                self._begin(over)
        joined = [np.concatenate(parts) for parts in zip(_no_samples(), *finished, strict=True)]
        return Samples(*joined, ended, played, evaluated)

    def _make_room(self) -> None:
        self.boards, self.values, self.explored = (
            np.concatenate([a, np.zeros_like(a)], axis=1) for a in (self.boards, self.values, self.explored)
        )

    def state(self) -> dict[str, np.ndarray]:
        """The games in progress as plain arrays, for the run's state file."""
        used = int(self.turn.max()) + 1
        return {
            "turn": self.turn,
            "boards": self.boards[:, :used],
            "values": self.values[:, :used],
            "explored": self.explored[:, :used],
            "opening": self.opening,
        }

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on with the games of `state()`."""
        used = state["boards"].shape[1]
        while self.boards.shape[1] < used:
            self._make_room()
        self.turn[:], self.opening[:] = state["turn"], state["opening"]
        for name in ("boards", "values", "explored"):
            getattr(self, name)[:, :used] = state[name]


def _no_samples() -> tuple[np.ndarray, ...]:
    """What `td_lambda` returns for no games at all."""
    nothing = np.empty((0, 6), np.float32)
    return np.empty((0, 26), np.int8), nothing, nothing, np.empty(0, np.int8)


@njit(cache=True, nogil=True)
def td_lambda(boards, values, explored, turn, opening, games, trace):
    """Positions and lambda-returns of finished `games`, computed backwards from each game's exact outcome.

    The return of a position is the next position's, seen from the other side:
    G_t = swap((1 - lambda) V_{t+1} + lambda G_{t+1}), with G = V = the outcome at the end (Sutton 1988).
    A turn that played at random says nothing of its position's worth: no sample, and the return begins anew from V.
    The position before an opening roll gives no sample either, since no double was possible there.
    Returns (boards int8[n, 26], returns float32[n, 6], V float32[n, 6], final outcome for the player on roll int8[n]).
    """
    most = turn[games].sum()
    positions = np.empty((most, 26), dtype=np.int8)
    targets = np.empty((most, 6), dtype=np.float32)
    thought = np.empty((most, 6), dtype=np.float32)
    results = np.empty(most, dtype=np.int8)
    g = np.empty(6, dtype=np.float32)
    mixed = np.empty(6, dtype=np.float32)
    n = 0
    for game in games:
        last = turn[game]
        g[:] = values[game, last]
        result = g.argmax()
        for t in range(last - 1, -1, -1):
            result = (result + 3) % 6
            for k in range(6):
                mixed[k] = (1 - trace) * values[game, t + 1, k] + trace * g[k]
            if explored[game, t]:
                g[:] = values[game, t]
                continue
            for k in range(6):
                g[k] = mixed[(k + 3) % 6]
            if t == 0 and opening[game]:
                continue
            positions[n] = boards[game, t]
            targets[n] = g
            thought[n] = values[game, t]
            results[n] = result
            n += 1
    return positions[:n], targets[:n], thought[:n], results[:n]
