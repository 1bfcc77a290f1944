"""Who can sit down in the arena. A player decides for whole batches of games."""

from dataclasses import replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS
from bgai.evaluator.cube import doubled, emg, nd_dt, slot
from bgai.evaluator.decision import best_answer
from bgai.evaluator.evaluate import best_replies
from bgai.evaluator.search import Judged, evaluate, judge_plays, sides_of
from bgai.game import State
from bgai.net.net import Net
from bgai.plays import legal_plays


class Player(Protocol):
    """Boards are `int8[N, 26]` of unfinished games, seen like their states: by the player on roll, while a cube is
    pending by who doubled first. `name` is what reports call the player."""

    name: str

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        """The boards after the plays of `dice int8[N, 2]`, `int8[N, 26]` with the opponent on roll."""

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        """Whether to double, `bool[N]`. Asked before the roll where a double is legal and of use."""

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        """Answers to pending cubes, an object array `[N]` of words that `game.actions` allows."""


class WithoutCube:
    """The cube decisions of a player that knows nothing of the cube: it never doubles and never passes."""

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        return np.zeros(len(boards), dtype=bool)

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        return states.map(lambda state: "take" if state.pending == "double" else "accept", object)


class RandomPlayer(WithoutCube):
    """Every legal play is equally likely."""

    name = "random"

    def __init__(self, seed: int | tuple[int, ...]):
        self._rng = np.random.default_rng(seed)

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        plays = legal_plays(boards, dice)
        counts = np.diff(plays.offsets)
        return plays.boards[plays.offsets[:-1] + self._rng.integers(0, counts)]


class BareNetwork(WithoutCube):
    """A network alone, as training watches it: no bear-off tables, no lookahead, no cube."""

    def __init__(self, net: Net):
        self.net = net
        self.name = "network"

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        return self.net.best(boards, dice)[0]


class NetPlayer:
    """A network with bear-off tables and, if wanted, `ply` rolls of lookahead. It plays for the highest equity, cubeful
    where there is a cube, and for the highest match winning chance in a match."""

    def __init__(self, net: Net, ply: int = 0, name: str = "network"):
        self.net = net
        self.ply = ply
        self.name = name

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        if states.cubeless and self.ply == 0:
            return best_replies(self.net, boards, dice, OUTCOME_POINTS)[0]
        return self._compared(boards, dice, states)

    def _compared(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        """The boards after the plays that compare best."""
        after = np.empty_like(boards)
        for state, games in states.groups():
            plays = legal_plays(boards[games], dice[games])
            sides = _sides(state or State())
            place = slot(state.owner) if state else 0
            cubeful = state is not None
            judged = judge_plays(self.net, boards[games], plays, sides, place, self.ply, cubeful=cubeful)
            judged = self._seen_plays(judged)
            after[games] = plays.boards[judged.ranking(plays.offsets)[plays.offsets[:-1]]]
        return after

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        doubles = np.empty(len(boards), dtype=bool)
        for state, games in states.groups():
            no_double, taken = map(self._seen, self._nd_dt(boards[games], state))
            doubles[games] = doubled(taken, 1.0, state.beavers > 0) > no_double
        return doubles

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        answers = np.empty(len(boards), dtype=object)
        for state, games in states.groups():
            _, taken = self._nd_dt(boards[games], state)
            answers[games] = [best_answer(value, state)[0] for value in self._seen(taken)]
        return answers

    def _nd_dt(self, boards: np.ndarray, state: State) -> tuple[np.ndarray, np.ndarray]:
        """EMG of no double and of double, take, both `float64[N]`."""
        sides = _sides(replace(state, pending=None))
        no_double, taken = nd_dt(evaluate(self.net, boards, sides, self.ply).values, sides.mover, state.owner)
        return emg(no_double, sides.mover), emg(taken, sides.mover)

    def _seen_plays(self, judged: Judged) -> Judged:
        """What this player takes plays to be worth: one that errs takes them for better or worse than they are."""
        return judged

    def _seen(self, equities: np.ndarray) -> np.ndarray:
        """The same for no double, or for double, take: `float64[N]`, EMG."""
        return equities


_sides = lru_cache(maxsize=None)(sides_of)  # the same few states come up turn after turn
