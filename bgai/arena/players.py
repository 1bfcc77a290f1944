"""Who can sit down in the arena. A player decides for whole batches of games."""

from typing import Protocol

import numpy as np

from bgai.arena.states import States
from bgai.arena.values import after_play, stakes
from bgai.evaluator.cube import best_values, cube_values, emg, nd_dt, slot
from bgai.evaluator.cube_money import EFFICIENCY
from bgai.evaluator.decision import best_answer
from bgai.net.fast import FastNet
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

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        plays = legal_plays(boards, dice)
        counts = np.diff(plays.offsets)
        return plays.boards[plays.offsets[:-1] + self._rng.integers(0, counts)]


class NetPlayer:
    """A network without lookahead. It plays for the highest equity, cubeful where there is a cube, and for the highest
    match winning chance in a match; cube decisions are by the formula."""

    def __init__(self, net: FastNet, name: str = "network"):
        self.net = net
        self.name = name

    def play(self, boards: np.ndarray, dice: np.ndarray, states: States) -> np.ndarray:
        if states.cubeless:
            return self.net.best(boards, dice)[0]
        plays = legal_plays(boards, dice)
        starts, counts = plays.offsets[:-1], np.diff(plays.offsets)
        values = after_play(self.net.plays_outcomes(boards, plays), states.repeat(counts))
        best = values == np.repeat(np.maximum.reduceat(values, starts), counts)
        first_best = np.flatnonzero(best)[np.searchsorted(np.flatnonzero(best), starts)]
        return plays.boards[first_best]

    def doubles(self, boards: np.ndarray, states: States) -> np.ndarray:
        doubles = np.empty(len(boards), dtype=bool)
        outcomes = self.net.outcomes(boards)
        for state, rows in states.groups():
            at_stake, place = stakes(state), slot(state.owner)
            values = cube_values(outcomes[rows], EFFICIENCY, at_stake)
            doubles[rows] = best_values(values.copy(), at_stake)[:, place] > values[:, place]
        return doubles

    def answers(self, boards: np.ndarray, states: States) -> np.ndarray:
        answers = np.empty(len(boards), dtype=object)
        outcomes = self.net.outcomes(boards)
        for state, rows in states.groups():
            at_stake = stakes(state)
            _, taken = nd_dt(cube_values(outcomes[rows], EFFICIENCY, at_stake), at_stake, state.owner)
            answers[rows] = [best_answer(value, state)[0] for value in emg(taken, at_stake)]
        return answers
