"""The states of thousands of games at once: few of them differ, so each is kept once and games hold its number."""

from collections.abc import Callable, Iterator

import numpy as np

from bgai.game import State


class States:
    """The `State` of each of N games; None stands for a cubeless game, in which nothing but the board counts.

    Everything is asked of a state, or done to it, once for all games that share it.
    """

    def __init__(self, known: dict[State | None, int], numbers: np.ndarray):
        """known: all distinct states, and the number of each; numbers `int32[N]`: which one a game has."""
        self._known = known
        self._numbers = numbers

    @classmethod
    def same(cls, state: State | None, games: int) -> "States":
        """So many games in the same state."""
        return cls({state: 0}, np.zeros(games, dtype=np.int32))

    @property
    def cubeless(self) -> bool:
        """These are cubeless games; then all are."""
        return None in self._known

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, games: np.ndarray) -> "States":
        return States(self._known, self._numbers[games])

    def __setitem__(self, games: np.ndarray, states: "States") -> None:
        """Put in `states` that were made from this object."""
        self._numbers[games] = states._numbers

    def repeat(self, times: int | np.ndarray) -> "States":
        """Each game so many times in a row, as `np.repeat` has it."""
        return States(self._known, np.repeat(self._numbers, times))

    def groups(self) -> Iterator[tuple[State | None, np.ndarray]]:
        """Each distinct state here with the indices of its games, which are in order."""
        order = np.argsort(self._numbers, kind="stable")
        ends = np.cumsum(np.bincount(self._numbers, minlength=len(self._known)))
        for state, start, end in zip(list(self._known), [0, *ends], ends, strict=False):
            if start < end:
                yield state, order[start:end]

    def map(self, value: Callable[[State | None], object], dtype: type | str) -> np.ndarray:
        """`value(state)` of each game, `dtype[N]`."""
        values: np.ndarray = np.empty(len(self), dtype=dtype)
        for state, games in self.groups():
            values[games] = value(state)
        return values

    def changed(self, change: Callable[[State], State]) -> "States":
        """The states that `change` makes of these; cubeless games stay."""
        numbers = self._numbers.copy()
        for state, games in self.groups():
            after = state if state is None else change(state)
            numbers[games] = self._known.setdefault(after, len(self._known))
        return States(self._known, numbers)
