"""Levels of strength, from beginner to champion: how far the program errs on purpose.

Before a decision every equity that it compares (one for each play; no double and double, take) is changed by a normally
distributed error of its own, and what then looks best is done. docs/play.md tells what each level costs, measured by
scripts/measure_levels.py.
"""

from dataclasses import replace

import numpy as np

from bgai.arena.players import NetPlayer
from bgai.arena.states import States
from bgai.evaluator.cube import emg, nd_dt, slot
from bgai.evaluator.decision import best_answer
from bgai.evaluator.search import evaluate, judge_plays, sides_of
from bgai.game import State, act
from bgai.net.fast import FastNet
from bgai.plays import legal_plays

LEVELS = {  # standard deviation of the errors, in EMG
    "beginner": 0.2,
    "novice": 0.12,
    "intermediate": 0.07,
    "advanced": 0.04,
    "expert": 0.02,
    "champion": 0.0,
}


class UnknownLevel(ValueError):
    """A level that there isn't."""


def error_of(level: str) -> float:
    """Standard deviation of a level's errors, in EMG. Raises UnknownLevel."""
    if level not in LEVELS:
        raise UnknownLevel(f"there is no level {level[:20]!r}: give {', '.join(LEVELS)}")
    return LEVELS[level]


class Erring(NetPlayer):
    """A network that errs: `error` is the standard deviation in EMG; where it is 0 nothing is drawn from `rng`."""

    def __init__(self, net: FastNet, ply: int, error: float, rng: np.random.Generator):
        super().__init__(net, ply, f"network with errors of {error}")
        self.error, self.rng = error, rng

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        if self.error == 0:
            return super().play(boards, dice, states)
        after = np.empty_like(boards)
        for state, games in states.groups():
            plays = legal_plays(boards[games], dice[games])
            place = slot(state.owner) if state else 0
            sides = sides_of(state or State())
            judged = judge_plays(self.net, boards[games], plays, sides, place, self.ply, cubeful=state is not None)
            looks = self._wrong(judged.equity)
            rows = np.repeat(np.arange(len(games)), np.diff(plays.offsets))
            after[games] = plays.boards[np.lexsort((-looks, rows))[plays.offsets[:-1]]]
        return after

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        if self.error == 0:
            return super().doubles(boards, states)
        doubles = np.empty(len(boards), dtype=bool)
        for state, games in states.groups():
            no_double, taken = map(self._wrong, self._nd_dt(boards[games], state))
            answered = act(state, "double")
            passed = np.array([best_answer(value, answered)[0] == "pass" for value in taken])
            doubles[games] = np.where(passed, 1.0, taken) > no_double
        return doubles

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        if self.error == 0:
            return super().answers(boards, states)
        answers = np.empty(len(boards), dtype=object)
        for state, games in states.groups():
            taken = self._wrong(self._nd_dt(boards[games], state)[1])
            answers[games] = [best_answer(value, state)[0] for value in taken]
        return answers

    def _nd_dt(self, boards: np.ndarray, state: State) -> tuple[np.ndarray, np.ndarray]:
        """EMG of no double and of double, take."""
        sides = sides_of(replace(state, pending=None))
        values = evaluate(self.net, boards, sides, self.ply).values
        no_double, taken = nd_dt(values, sides.mover, state.owner)
        return emg(no_double, sides.mover), emg(taken, sides.mover)

    def _wrong(self, equities: np.ndarray) -> np.ndarray:
        return equities + self.rng.normal(0.0, self.error, equities.shape)
