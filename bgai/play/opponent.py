"""What the program decides in a session: doubles, plays and answers, at its level."""

from dataclasses import replace

import numpy as np

from bgai import api
from bgai.arena.states import States
from bgai.evaluator.cube import LOSE, WIN, emg
from bgai.evaluator.search import sides_of
from bgai.game import can_double
from bgai.notation.position import Position
from bgai.play.levels import Erring, error_of
from bgai.play.session import IT, Session, plays, random

_ERRORS = 1  # what `session.random` draws here, besides dice
_ROUNDING = 1e-6


def best_play(session: Session) -> int:
    """Index of the play that the program chooses among the legal ones."""
    position = session.position
    dice = np.array([position.dice], dtype=np.int8)
    chosen = _player(session).play(position.board[None], dice, States.same(position.state, 1))
    return int((plays(session).boards == chosen).all(axis=1).argmax())


def doubles(session: Session) -> bool:
    """Whether it doubles before its roll."""
    position = session.position
    return can_double(position.state) and bool(
        _player(session).doubles(position.board[None], States.same(position.state, 1))[0]
    )


def answer(session: Session) -> str:
    """Its answer to your cube or to your resignation, a word of `game.actions`."""
    position = session.position
    if position.state.resigned:
        return "accept" if accepts(session) else "decline"
    return str(_player(session).answers(position.board[None], States.same(position.state, 1))[0])


def accepts(session: Session) -> bool:
    """What you offer by resigning is at least its cubeful equity, judged without errors (R31)."""
    position = session.position
    state = replace(position.state, resigned=0)
    stakes = sides_of(replace(state, pending=None)).mover
    counted = 1 if state.jacoby and state.owner == "centred" else position.state.resigned  # R36
    its_roll = session.on_roll == IT
    offered = emg(stakes.after[0, (WIN if its_roll else LOSE) + counted - 1], stakes)
    expected = _equity(replace(position, state=state), session)
    return bool(offered >= expected - _ROUNDING if its_roll else offered <= expected + _ROUNDING)


def _equity(position: Position, session: Session) -> float:
    """Cubeful EMG of a position for the player on roll (pending: who doubled first)."""
    settings = session.settings
    if position.dice:
        found = api.best_plays(position, checkpoint=settings.checkpoint, ply=settings.ply)
        return found[0].equity if found else -1.0
    decision = api.cube_decision(position, checkpoint=settings.checkpoint, ply=settings.ply)
    if decision.dt is None:
        return decision.nd
    doubled = decision.dt if decision.dp is None else min(decision.dt, decision.dp)
    return doubled if decision.nd is None or position.state.pending else max(decision.nd, doubled)


def _player(session: Session) -> Erring:
    settings = session.settings
    return Erring(api.player(settings.checkpoint), settings.ply, error_of(settings.level), random(session, _ERRORS))
