"""The games of a rollout: all its trials are played as one batch, from the same side's turn on.

Trials come in sets of 36. In each set every first roll and every second roll comes up once, so the luck of the
first two rolls is evened out. The sets are independent of each other, which is what the standard error
rests on, and each has its own random numbers: a rollout can go on later as if it had never stopped, and several
positions rolled out side by side meet the same dice.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from bgai.board import swap_outcomes
from bgai.evaluator.cube import WIN, best_values, doubled, slot
from bgai.evaluator.evaluate import best_replies, known, outcomes_of
from bgai.evaluator.race_plays import ROLLS, roll_index
from bgai.evaluator.search import FILTERS, Sides, each_roll, judge_plays, look_ahead, mean_over_rolls
from bgai.net.net import Net
from bgai.plays import legal_plays

SET = 36  # trials
_TURNS = 128  # dice drawn at a time


class Start(NamedTuple):
    """P positions to roll out, the same side on roll in all of them.

    boards   int8[P, 26]
    slots    int64[P]: where the cube is (`cube.slot`), seen by the player on roll
    factors  float64[P]: cube value over the one that the stakes were made for; always 1 in a match
    sides    stakes of the player on roll and of the opponent
    moved    values are wanted for the opponent, who has just made the plays that lead here
    decided  the player on roll doesn't double on the first turn
    """

    boards: np.ndarray
    slots: np.ndarray
    factors: np.ndarray
    sides: Sides
    moved: bool = False
    decided: bool = False


class Settings(NamedTuple):
    """How the trials are played.

    ply       lookahead of plays and cube actions
    luck_ply  lookahead of the evaluations by which the luck of the dice is taken out; None leaves it in
    truncate  stop after so many turns and evaluate; None plays on to the end
    cubeful   doubling takes place, and plays are for cubeful equity; else the cube stays where it is
    seed      of the dice
    """

    ply: int = 0
    luck_ply: int | None = None
    truncate: int | None = None
    cubeful: bool = True
    seed: int = 1


class _Running(NamedTuple):
    """Trials in progress. `outcomes` are those of the boards without lookahead; all is seen by the player on roll."""

    rows: np.ndarray
    boards: np.ndarray
    outcomes: np.ndarray
    slots: np.ndarray
    factors: np.ndarray

    def only(self, mask: np.ndarray) -> "_Running":
        return _Running(*(part[mask] for part in self))


def play_trials(net: Net, start: Start, sets: range, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """Play the trials of some sets from each position.

    Returns (results, luck), each float64[P, sets, 36, 7]: the value (points per cube that the stakes were made for, or
    match winning chance) and the six outcomes, and by how much the dice have favoured each of these. Results less luck
    have the same mean as results, and less variance. A game that ends by a pass has the outcomes it was judged to have.
    """
    dice = _dice(sets, settings.seed)
    trials = len(sets) * SET
    rows = np.arange(len(start.boards) * trials)
    results, luck = np.empty((len(rows), 7)), np.zeros((len(rows), 7))
    parts = start.boards, outcomes_of(net, start.boards), start.slots, start.factors
    running = _Running(rows, *(np.repeat(part, trials, axis=0) for part in parts))
    sides, wanted = start.sides, not start.moved  # are values wanted as the player on roll sees them?
    turn = 0
    while True:
        doubling = settings.cubeful and (turn > 0 or not start.decided)
        over = known(net, running.boards, sides.mover) | (turn == settings.truncate)
        ended = running.only(over)
        ends = [(ended.rows, _worth(net, ended, sides, settings.ply, settings.cubeful, doubling))]
        running = running.only(~over)
        if doubling:
            running, passed, won = _double(net, running, sides, settings.ply)
            ends.append((passed.rows, won))
        total = 0.0 if sides.mover.money else 1.0
        for rows, worth in ends:
            results[rows] = worth if wanted else _other_view(worth, total)
        if not len(running.rows):
            shape = (len(start.boards), len(sets), SET, 7)
            return results.reshape(shape), luck.reshape(shape)
        running, lucky = _roll(net, running, next(dice)[running.rows % trials], sides, settings)
        luck[running.rows] += lucky if wanted else _other_view(lucky, 0.0)
        sides, wanted = Sides(*sides[::-1]), not wanted
        turn += 1


def _worth(net: Net, trials: _Running, sides: Sides, ply: int, cubeful: bool, doubling: bool) -> np.ndarray:
    """Value and outcomes, `float64[N, 7]`; `doubling`: the player on roll may still double this turn."""
    found = look_ahead(net, trials.boards, trials.outcomes, sides, ply)
    if cubeful:
        values = best_values(found.values, sides.mover) if doubling else found.values
        value = values[np.arange(len(values)), trials.slots]
    else:
        value = (found.outcomes * sides.mover.after[_level(trials.slots)]).sum(axis=1)
    return np.column_stack([value * trials.factors, found.outcomes])


def _other_view(worth: np.ndarray, total: float) -> np.ndarray:
    """`worth [..., 7]` seen by the other player; `total`: what the values of both players add up to."""
    return np.concatenate([total - worth[..., :1], swap_outcomes(worth[..., 1:])], axis=-1)


def _double(net: Net, trials: _Running, sides: Sides, ply: int) -> tuple[_Running, _Running, np.ndarray]:
    """The cube actions of one turn: the trials that go on, those that end by a pass, and the `_worth` of these."""
    stakes = sides.mover
    values = look_ahead(net, trials.boards, trials.outcomes, sides, ply).values
    each, level = np.arange(len(values)), _level(trials.slots)
    raised = np.zeros_like(level) + slot("opponent") if stakes.money else slot("opponent") + 2 * (level + 1)
    raised = np.minimum(raised, values.shape[1] - 1)  # there is no higher level where the cube is dead
    taken = values[each, raised] * (2.0 if stakes.money else 1.0)
    beavered = stakes.beavers & (taken < 0.0)  # who doubles rightly doesn't pass the beaver
    won = stakes.after[level, WIN]
    doubling = (trials.slots % 2 == 1) | (trials.slots == 0)
    doubling &= stakes.doubles[level] & (doubled(taken, won, stakes.beavers) > values[each, trials.slots])
    passing = doubling & (taken > won)
    turned = trials._replace(
        slots=np.where(doubling, raised, trials.slots),
        factors=trials.factors * np.where(doubling & stakes.money, np.where(beavered, 4.0, 2.0), 1.0),
    )
    passed = trials.only(passing)
    return turned.only(~passing), passed, np.column_stack([won[passing] * passed.factors, passed.outcomes])


def _roll(
    net: Net, trials: _Running, dice: np.ndarray, sides: Sides, settings: Settings
) -> tuple[_Running, np.ndarray]:
    """Play one roll in each trial. Returns the trials seen by the opponent, who is then on roll, and the luck of the
    rolls `float64[N, 7]`, seen by who threw them (0 if it isn't measured)."""
    after_owner = np.where(trials.slots == 0, 0, trials.slots + np.where(trials.slots % 2, 1, -1))
    worth = sides.mover.after[_level(trials.slots)]
    lucky = np.zeros((len(dice), 7))
    if settings.luck_ply is not None:
        every = _Running(*(np.repeat(part, len(ROLLS), axis=0) for part in trials._replace(slots=after_owner)))
        boards, outcomes = best_replies(net, *each_roll(trials.boards), np.repeat(worth, len(ROLLS), axis=0))
        every = every._replace(boards=boards, outcomes=outcomes)
        theirs = _worth(net, every, Sides(*sides[::-1]), settings.luck_ply, settings.cubeful, settings.cubeful)
        values = _other_view(theirs, 0.0)
        thrown = np.arange(len(dice)) * len(ROLLS) + roll_index(dice)
        lucky = values[thrown] - mean_over_rolls(values)
    if settings.ply > 0:
        boards, outcomes = _searched_plays(net, trials, dice, sides, settings)
    elif settings.luck_ply is not None:
        boards, outcomes = boards[thrown], outcomes[thrown]
    else:
        boards, outcomes = best_replies(net, trials.boards, dice, worth)
    return _Running(trials.rows, boards, outcomes, after_owner, trials.factors), lucky


def _searched_plays(
    net: Net, trials: _Running, dice: np.ndarray, sides: Sides, settings: Settings
) -> tuple[np.ndarray, np.ndarray]:
    """The best plays at the rollout's ply: boards after them and the opponent's outcomes there, without lookahead."""
    plays = legal_plays(trials.boards, dice, checkers=net.architecture.checkers)
    judged = judge_plays(
        net, trials.boards, plays, sides, trials.slots, settings.ply, FILTERS["normal"], settings.cubeful
    )
    boards = plays.boards[judged.ranking(plays.offsets)[plays.offsets[:-1]]]
    return boards, outcomes_of(net, boards)


def _level(slots: np.ndarray) -> np.ndarray:
    """The cube level of each slot."""
    return np.maximum(slots - 1, 0) // 2


def _dice(sets: range, seed: int) -> Iterator[np.ndarray]:
    """Dice `int8[trials, 2]` of one turn after the other, for the trials of some sets."""
    randoms = [np.random.default_rng([seed, number]) for number in sets]
    for turn in count(step=_TURNS):
        drawn = np.stack([rng.integers(1, 7, (_TURNS, SET, 2), dtype=np.int8) for rng in randoms], axis=1)
        if turn == 0:
            drawn[:2] = np.stack([[_shuffled_rolls(rng), _shuffled_rolls(rng)] for rng in randoms], axis=1)
        yield from drawn.reshape(_TURNS, -1, 2)


def _shuffled_rolls(rng: np.random.Generator) -> np.ndarray:
    """All 36 rolls, `int8[36, 2]`, in random order."""
    order = rng.permutation(SET)
    return np.stack([order // 6 + 1, order % 6 + 1], axis=1).astype(np.int8)
