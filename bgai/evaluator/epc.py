"""Effective pip count (EPC): what a side's position is worth in a race, in the pips of a perfectly efficient one.

EPC = 49/6 x mean number of rolls to bear off (Trice, Backgammon Boot Camp). With all checkers home the bear-off table
knows it. Else the bear-in is rolled out for this side alone. The pips thrown in a random number of turns are in the
mean 49/6 times the turns (Wald's identity), so EPC is also the mean of the pips thrown until all are home plus the EPC
of the position that they make there. Luck cancels out of that sum, as large rolls leave less to bear off: only wastage
varies, and a few hundred trials give a tenth of a pip.
"""

from functools import lru_cache

import numpy as np
from numba import njit

from bgai.board import HOME, pips
from bgai.evaluator import bearoff
from bgai.evaluator import bearoff_onesided as onesided
from bgai.evaluator.race_plays import POINTS, index, plays, set_position
from bgai.one_roll import MAX_PLAYS

PIPS_A_ROLL = 49 / 6  # mean of a roll, doubles counted four times
TRIALS = 576
_TURNS = 128  # at 3 pips or more a turn, enough for 15 checkers on the 24 point to come home


def effective_pips(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Effective pip count and wastage (EPC - pip count), each `float64[N, 2]`: the player on roll, the opponent.

    boards  int8[N, 26] of unfinished races
    Exact with all checkers of the side in its home board, else an estimate, the same each time, with a standard error
    of about 0.05 (0.2 for the last few checkers).
    Checkers outside come home so as to waste least in the bear-off, each being counted as if it came to the 6 point.
    """
    sides = np.stack([boards[:, 1 : POINTS + 1], -boards[:, POINTS:0:-1]], axis=1)
    rolls = np.random.default_rng(1).integers(1, 7, (TRIALS, _TURNS, 2), dtype=np.int8)
    epc = np.array([[_bear_in(np.maximum(side, 0), rolls, _home_epc()).mean() for side in both] for both in sides])
    return epc, epc - np.column_stack(pips(boards))


@lru_cache
def _home_epc() -> np.ndarray:
    """EPC of every position of the one-sided table, `float64[54264]`."""
    return bearoff.tables().all_off @ np.arange(onesided.MAX_ROLLS + 1) * PIPS_A_ROLL


@njit(cache=True, nogil=True)
def _bear_in(counts, dice, home_epc):
    """Pips thrown until all are home plus EPC there, `float64[trials]`, for one side's `counts int8[24]`.

    dice  int8[trials, turns, 2]
    """
    results = np.zeros(len(dice))
    found = np.empty(MAX_PLAYS, dtype=np.int64)
    side = np.empty_like(counts)
    for trial in range(len(dice)):
        side[:] = counts
        turn = 0
        while side[HOME:].any():
            high, low = max(dice[trial, turn]), min(dice[trial, turn])
            results[trial] += (high + low) * (2 if high == low else 1)
            number = plays(side, high * (high - 1) // 2 + low - 1, found)
            best, least = found[0], np.inf
            for k in range(number):
                set_position(found[k], side)
                left = _as_if_home(side, home_epc)
                if left < least:
                    best, least = found[k], left
            set_position(best, side)
            turn += 1
        results[trial] += _as_if_home(side, home_epc)
    return results


@njit(cache=True, nogil=True)
def _as_if_home(counts, home_epc):
    """EPC with every checker outside moved to the 6 point, at the cost of the pips to there. `counts` is used up."""
    pips = 0
    for point in range(HOME + 1, counts.size + 1):
        pips += counts[point - 1] * (point - HOME)
        counts[HOME - 1] += counts[point - 1]
    return pips + home_epc[index(counts[:HOME])]
