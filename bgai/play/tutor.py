"""Advice: the best plays and cube actions, and what is wrong with what you are about to do.

Judged at the ply of the session, without the errors of its level. Losses are in EMG.
"""

from dataclasses import replace

import numpy as np

from bgai import api
from bgai.evaluator.decision import CubeDecision
from bgai.evaluator.race_plays import ROLLS
from bgai.game import can_double
from bgai.lang import say, say_action
from bgai.play.session import Session, plays
from bgai.plays import legal_plays

BLUNDER = 0.08
_SHOWN = 5
_WORTH_TELLING = 0.01  # of a chance
_CUBE_WORDS = {"take": "dt", "pass": "dp", "double": "dt", "roll": "nd"}
_LOSES = {
    "take": "To take loses {loss}.",
    "pass": "To pass loses {loss}.",
    "double": "To double loses {loss}.",
    "roll": "To roll loses {loss}.",
}


def hint(session: Session) -> str:
    """The best plays of your roll, or the cube action."""
    return cube_text(_cube(session)) if session.position.dice is None else plays_text(_ranked(session))


def plays_text(ranked: list[api.Play]) -> str:
    """The best few of plays that are in order, and what each loses against the first."""
    width = max(len(play.play) for play in ranked[:_SHOWN])
    best = ranked[0].equity
    return "\n".join(
        f"{i}. {play.play:<{width}}  {play.equity:+.3f}" + (f"  ({play.equity - best:+.3f})" if i > 1 else "")
        for i, play in enumerate(ranked[:_SHOWN], start=1)
    )


def cube_text(decision: CubeDecision) -> str:
    """A cube decision in one line."""
    values = ((say("no double"), decision.nd), (say("double, take"), decision.dt), (say("double, pass"), decision.dp))
    told = ", ".join(f"{what} {value:+.3f}" for what, value in values if value is not None)
    chance = f"{100 * sum(decision.outcomes[:3]):.0f}"
    return f"{say_action(decision.action)} ({say('{told}, for the doubler; {n} % to win', told=told, n=chance)})"


def play_warning(session: Session, index: int) -> str | None:
    """Why the play of that index is a blunder, or None if it is none."""
    ranked = _ranked(session)
    after = plays(session).boards
    chosen = next(play for play in ranked if (_flipped(play) == after[index]).all())
    best = ranked[0]
    loss = best.equity - chosen.equity
    if loss < BLUNDER:
        return None
    reasons = [*_chances(best, chosen), *_shots(best, chosen), *_points(best, chosen)]
    loses = say("{play} loses {loss} against {best}.", play=chosen.play, loss=f"{loss:.3f}", best=best.play)
    return f"{loses} {say('The better play {reasons}.', reasons=', '.join(reasons))}" if reasons else loses


def cube_warning(session: Session, action: str) -> str | None:
    """Why "double", "roll", "take" or "pass" is a blunder now, or None if it is none."""
    state = session.position.state
    if action not in _CUBE_WORDS or not (state.pending == "double" or (not state.pending and can_double(state))):
        return None
    decision = _cube(session)
    doubled = min(decision.dt, decision.dp)
    if state.pending:
        loss = getattr(decision, _CUBE_WORDS[action]) - doubled
    else:
        loss = max(decision.nd, doubled) - (doubled if action == "double" else decision.nd)
    return f"{say(_LOSES[action], loss=f'{loss:.3f}')} {cube_text(decision)}" if loss >= BLUNDER else None


def _ranked(session: Session) -> list[api.Play]:
    settings = session.settings
    return api.best_plays(session.position, checkpoint=settings.checkpoint, ply=settings.ply)


def _cube(session: Session) -> CubeDecision:
    settings = session.settings
    position = replace(session.position, state=replace(session.position.state, resigned=0))
    return api.cube_decision(position, checkpoint=settings.checkpoint, ply=settings.ply)


def _flipped(play: api.Play) -> np.ndarray:
    return -play.board[::-1]


def _chances(best: api.Play, chosen: api.Play) -> list[str]:
    """How much more often the best play wins and wins gammons, and how much less often it loses them."""
    gain = best.outcomes - chosen.outcomes
    changes = (
        (gain[:3].sum(), "wins {n} % more often"),
        (gain[1:3].sum(), "wins {n} % more gammons"),
        (-gain[4:].sum(), "loses {n} % fewer gammons"),
    )
    return [say(words, n=f"{100 * change:.0f}") for change, words in changes if change >= _WORTH_TELLING]


def _shots(best: api.Play, chosen: api.Play) -> list[str]:
    """How many of the opponent's 36 rolls hit, after each of the two plays, where the best leaves fewer."""
    fewer, more = _hitting_rolls(best), _hitting_rolls(chosen)
    return [say("is hit by {fewer} rolls of 36, not by {more}", fewer=fewer, more=more)] if fewer < more else []


def _hitting_rolls(play: api.Play) -> int:
    if not (play.board > 0).any():  # it has won
        return 0
    board = np.tile(_flipped(play), (len(ROLLS), 1))
    replies = legal_plays(board, ROLLS, flipped=False)
    hits = np.logical_or.reduceat(replies.boards[:, 0] < board[0, 0], replies.offsets[:-1])
    return int(np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2)[hits].sum())


def _points(best: api.Play, chosen: api.Play) -> list[str]:
    """Points in and before the own home board that only the best play holds."""
    held = [point for point in range(1, 12) if best.board[point] >= 2 > chosen.board[point]]
    if not held:
        return []
    points = say(" and ").join(map(str, held))
    return [say("holds the {points} points" if len(held) > 1 else "holds the {points} point", points=points)]
