"""What a position is worth without looking ahead, and the best reply to a roll by that.

This is the one place that knows where a value comes from: a finished game has its exact one, a bear-off table comes
before the network, and for money the two-sided table knows the cubeful equity too. A variant with other than 15
checkers has no tables.
"""

from collections.abc import Callable

import numpy as np
from numba import njit

from bgai.board import CHECKERS, is_race, outcome, swap_outcomes
from bgai.evaluator import bearoff
from bgai.evaluator.cube import Stakes, cube_values, emg
from bgai.evaluator.efficiency import efficiency_of
from bgai.net.net import Net
from bgai.plays import Plays, legal_plays


def outcomes_of(net: Net, boards: np.ndarray) -> np.ndarray:
    """Outcomes `float32[N, 6]` of `boards int8[N, 26]` for the player on roll, before the roll; finished games too."""
    outcomes = net.outcomes(boards)
    _prefer_tables(net, boards, outcomes)
    return outcomes


def plays_outcomes(net: Net, boards: np.ndarray, plays: Plays) -> np.ndarray:
    """Outcomes `float32[M, 6]` for the opponent, who is on roll after each of the flipped `plays` of `boards`."""
    outcomes = net.plays_outcomes(boards, plays)
    _prefer_tables(net, plays.boards, outcomes)
    return outcomes


def best_replies(net: Net, boards: np.ndarray, dice: np.ndarray, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play each roll to the highest mean `worth` of the outcomes, without looking ahead.

    boards  int8[N, 26] of unfinished games, dice int8[N, 2]
    worth   float[6] or [N, 6]: what each outcome is worth to the player who plays
    Returns the boards after the plays, int8[N, 26], and the opponent's outcomes there, float32[N, 6].
    """
    race = is_race(boards)
    if not (race.any() and has_tables(net)):
        after, outcomes = net.best(boards, dice, worth)
    else:
        after, outcomes = np.empty_like(boards), np.empty((len(boards), 6), dtype=np.float32)
        worth = np.broadcast_to(worth, outcomes.shape)
        home = bearoff.applies(boards)
        ways = (
            (~race, net.best),
            (race & ~home, lambda *roll: _best_play(lambda *plays: plays_outcomes(net, *plays), *roll)),
            (home, lambda *roll: _best_play(lambda _, plays: _table_outcomes(plays.boards), *roll)),
        )
        for rows, best in ways:
            after[rows], outcomes[rows] = best(boards[rows], dice[rows], worth[rows])
    _prefer_tables(net, after, outcomes)
    return after, outcomes


def _best_play(
    outcomes_of_plays: Callable, boards: np.ndarray, dice: np.ndarray, worth: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`FastNet.best`, by what `outcomes_of_plays(boards, plays)` says."""
    plays = legal_plays(boards, dice)
    outcomes = outcomes_of_plays(boards, plays)
    values = (swap_outcomes(outcomes) * np.repeat(worth, np.diff(plays.offsets), axis=0)).sum(axis=1)
    best = first_best(values, plays.offsets)
    return plays.boards[best], outcomes[best]


def _table_outcomes(boards: np.ndarray) -> np.ndarray:
    """Outcomes `float32[N, 6]` of bear-offs and of what is left when they are over: the network isn't asked."""
    outcomes = np.zeros((len(boards), 6), dtype=np.float32)
    over = ~bearoff.fill_outcomes(boards, outcomes)
    outcomes[over, outcome(boards[over])] = 1
    return outcomes


def values_of(net: Net, boards: np.ndarray, outcomes: np.ndarray, stakes: Stakes) -> np.ndarray:
    """Cubeful values `float64[N, S]`, columns as in `cube`, if the player on roll doesn't double this turn.

    outcomes  float32[N, 6] of the same boards; `stakes` are seen by the player on roll
    """
    values = cube_values(outcomes, efficiency_of(boards), stakes)
    if stakes.money and has_tables(net):
        exact = bearoff.exact(boards)
        if exact.any():
            values[exact] = bearoff.equities(boards[exact])[:, 1:]
    return values


def known(net: Net, boards: np.ndarray, stakes: Stakes) -> np.ndarray:
    """`bool[N]`: lookahead can't improve `values_of`: the game is over, or the two-sided table holds all there is."""
    over = np.asarray((boards >= 0).all(axis=1) | (boards <= 0).all(axis=1))
    if stakes.money and has_tables(net):
        over |= bearoff.exact(boards)
    return over


def has_tables(net: Net) -> bool:
    """The bear-off tables hold for the network's variant."""
    return net.architecture.checkers == CHECKERS


def worth_of(stakes: Stakes) -> np.ndarray:
    """`float64[6]`: what each outcome is worth, at the present cube, in EMG to the player by whom `stakes` are seen."""
    return emg(stakes.after[0], stakes)


@njit(cache=True)
def first_best(values, offsets):
    """Index of the highest of each segment `values[offsets[i]:offsets[i + 1]]`, of equals the first: `int64[N]`."""
    best = offsets[:-1].copy()
    for i in range(len(best)):
        for k in range(offsets[i] + 1, offsets[i + 1]):
            if values[k] > values[best[i]]:
                best[i] = k
    return best


def _prefer_tables(net: Net, boards: np.ndarray, outcomes: np.ndarray) -> None:
    """Overwrite `outcomes` where a bear-off table applies; only then are the tables loaded."""
    if has_tables(net) and bearoff.applies(boards).any():
        bearoff.fill_outcomes(boards, outcomes)
