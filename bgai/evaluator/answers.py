"""The play and the cube action of one position, as people ask for them.

A race that is small enough is solved exactly (`race_solver`); everything else is answered by lookahead (`search`).
"""

from dataclasses import replace

import numpy as np

from bgai.board import UNFINISHED, is_race, outcome, swap_outcomes
from bgai.evaluator import bearoff
from bgai.evaluator.cube import WIN, best_values, emg, nd_dt, other_view, slot
from bgai.evaluator.decision import CubeDecision, decide
from bgai.evaluator.efficiency import efficiency_of
from bgai.evaluator.evaluate import best_replies, has_tables, outcomes_of, values_of, worth_of
from bgai.evaluator.race_plays import CHANCE
from bgai.evaluator.race_solver import SolvedRace, solve
from bgai.evaluator.search import (
    Evaluation,
    Filter,
    Judged,
    Sides,
    each_roll,
    evaluate,
    judge_plays,
    mean_over_rolls,
    sides_of,
)
from bgai.game import State
from bgai.net.net import Net
from bgai.plays import Plays


def judge(
    net: Net,
    board: np.ndarray,
    plays: Plays,
    state: State,
    ply: int,
    filter: Filter,
    *,
    cubeful: bool = True,
) -> Judged:
    """Judge the `plays` (flipped) of one roll from `board int8[26]`; `ply` and so on as in `search.judge_plays`.

    Plays of a solved race are judged exactly, and said to be so at the ply that was asked for.
    Raises ImpossibleState for a state that no game can come to, InvalidTable for a match longer than tables reach.
    """
    sides = sides_of(state)
    race = solved_race(net, board, state)
    if race is None:
        return judge_plays(net, board[None], plays, sides, slot(state.owner), ply, filter, cubeful)
    theirs = _solved(net, race, plays.boards, 1, Sides(*sides[::-1]))
    outcomes = swap_outcomes(theirs.outcomes)
    if cubeful:
        values = other_view(best_values(theirs.values, sides.opponent), sides.mover)[:, slot(state.owner)]
        equity = emg(values, sides.mover)
    else:
        equity = outcomes @ worth_of(sides.mover)
    return Judged(np.full(len(outcomes), ply, dtype=np.int8), equity, outcomes)


def cube_decision(net: Net, board: np.ndarray, state: State, ply: int) -> CubeDecision:
    """What to do with the cube in `board int8[26]`, seen as `state` is, from the leaves of a search `ply` rolls deep.

    A pending cube is answered. Raises what `judge` does.
    """
    before = replace(state, pending=None, resigned=0)
    sides = sides_of(before)
    race = solved_race(net, board, before)
    found = evaluate(net, board[None], sides, ply) if race is None else _solved(net, race, board[None], 0, sides)
    nd = dt = float(found.values[0, slot(state.owner)])  # a cube that is dead for both is worth the same at any height
    if sides.mover.money or len(sides.mover.after) > 1:
        nd, dt = (float(value[0]) for value in nd_dt(found.values, sides.mover, state.owner))
    return decide(found.outcomes[0], state, values=(nd, dt), efficiency=efficiency_of(board[None])[0])


def solved_race(net: Net, board: np.ndarray, state: State) -> SolvedRace | None:
    """The exact solution of a race, if it is small enough to be solved. For money the two-sided table comes first."""
    if not has_tables(net) or not is_race(board) or (not state.length and bearoff.exact(board[None])[0]):
        return None
    return solve(board, state)


def _solved(net: Net, race: SolvedRace, boards: np.ndarray, side: int, sides: Sides) -> Evaluation:
    """`search.evaluate` of boards that a solved race can lead to, `side` on roll."""
    outcomes = outcomes_of(net, boards).astype(np.float64)
    values = values_of(net, boards, outcomes, sides.mover)
    going_on = outcome(boards) == UNFINISHED
    if going_on.any():
        outcomes[going_on] = race.outcomes(boards[going_on], side)
        values[going_on] = race.values(boards[going_on], side)
    return Evaluation(outcomes, values)


def market_losing_rolls(net: Net, board: np.ndarray, state: State) -> float:
    """How many of the 36 rolls lose the market: after them and the opponent's reply a double would be passed.

    A roll counts in part where only some replies lose it: this is 36 times the chance of such a sequence, both rolls
    played without lookahead. A game won by the roll counts too. `state` is one in which a double is of use.
    """
    sides = sides_of(replace(state, pending=None, resigned=0))
    after, _ = best_replies(net, *each_roll(board[None]), worth_of(sides.mover))
    lost = np.ones(len(after))
    going_on = outcome(after) == UNFINISHED
    if going_on.any():
        again, outcomes = best_replies(net, *each_roll(after[going_on]), worth_of(sides.opponent))
        _, taken = nd_dt(values_of(net, again, outcomes, sides.mover), sides.mover, state.owner)
        lost[going_on] = mean_over_rolls((taken > sides.mover.after[0, WIN])[:, None])[:, 0]
    return float(36 * (lost @ CHANCE))
