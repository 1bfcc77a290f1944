"""Resignations (R31): when the program offers one, and what an offer is worth to whoever answers it."""

from dataclasses import replace

import numpy as np

from bgai import api
from bgai.evaluator.cube import LOSE, WIN, emg
from bgai.evaluator.decision import double_value, pending_value
from bgai.evaluator.search import sides_of
from bgai.game import gammons_count, points, score_after, to_decide
from bgai.notation.position import Position

CERTAIN = 0.999
NOT_WORTH_PLAYING = 0.005  # EMG


def lost_for_certain(position: Position, checkpoint: str, ply: int) -> int:
    """1, 2 or 3 if the player on roll will lose a single game, a gammon or a backgammon all but certainly; else 0.

    Kinds that cost the same, as all do under the Jacoby rule with the cube centred or where each loses the match,
    count as one: the least of them.
    """
    chances = api.evaluate(position.board[None], checkpoint=checkpoint, ply=ply)[0, LOSE : LOSE + 3]
    state = position.state
    costs = np.array([score_after(state, points(state, LOSE + kind))[1] for kind in range(3)])
    likely = [chances[costs == cost].sum() >= CERTAIN for cost in costs]
    return 1 + likely.index(True) if any(likely) else 0


def worth(position: Position, checkpoint: str, ply: int) -> tuple[float, float]:
    """What the resignation that waits gives to whoever answers it, and what playing on is worth: cubeful EMG."""
    offer = position.state
    state = replace(offer, resigned=0)
    stakes = sides_of(replace(state, pending=None)).mover
    counted = offer.resigned if gammons_count(state) else 1
    sign = 1 if to_decide(offer) == "mover" else -1
    offered = emg(stakes.after[0, (WIN if sign > 0 else LOSE) + counted - 1], stakes)
    return float(sign * offered), sign * _equity(replace(position, state=state), checkpoint, ply)


def answer(offered: float, expected: float) -> str:
    """The right answer to a resignation that is worth so much (`worth`): "accept" unless playing on is worth more."""
    return "accept" if offered >= expected - NOT_WORTH_PLAYING else "decline"


def _equity(position: Position, checkpoint: str, ply: int) -> float:
    """Cubeful EMG of a position for the player on roll (pending: who doubled first)."""
    if position.dice:
        found = api.best_plays(position, checkpoint=checkpoint, ply=ply)
        return found[0].equity if found else -1.0
    decision = api.cube_decision(position, checkpoint=checkpoint, ply=ply)
    if position.state.pending:
        return pending_value(decision.dt, position.state)
    return decision.nd if decision.dt is None else max(decision.nd, double_value(decision.dt, position.state))
