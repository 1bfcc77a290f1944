"""What the program decides in a session: doubles, plays, answers and resignations, at its level."""

import numpy as np

from bgai import api
from bgai.arena.states import States
from bgai.game import RESIGNATIONS, can_double
from bgai.play import resigning
from bgai.play.levels import Erring, error_of
from bgai.play.session import Session, plays, random
from bgai.plays import index_of

_ERRORS = 1  # what `session.random` draws here, besides dice


def best_play(session: Session) -> int:
    """Index of the play that the program chooses among the legal ones."""
    position = session.position
    dice = np.array([position.dice], dtype=np.int8)
    chosen = _player(session).play(position.board[None], dice, States.same(position.state, 1))
    return index_of(chosen[0], plays(session).boards)


def doubles(session: Session) -> bool:
    """Whether it doubles before its roll."""
    position = session.position
    return can_double(position.state) and bool(
        _player(session).doubles(position.board[None], States.same(position.state, 1))[0]
    )


def resigns(session: Session) -> str | None:
    """The resignation that it offers before its roll, one of `RESIGNATIONS`; None if it plays on, as it does after you
    have declined as much."""
    level = resigning.lost_for_certain(session.position, **session.network)
    return RESIGNATIONS[level - 1] if level > session.declined else None


def answer(session: Session) -> str:
    """Its answer to your cube or to your resignation, a word of `game.actions`. It judges a resignation without the
    errors of its level."""
    position = session.position
    if position.state.resigned:
        return resigning.answer(*resigning.worth(position, **session.network))
    return str(_player(session).answers(position.board[None], States.same(position.state, 1))[0])


def _player(session: Session) -> Erring:
    settings = session.settings
    return Erring(api.player(settings.checkpoint), settings.ply, error_of(settings.level), random(session, _ERRORS))
