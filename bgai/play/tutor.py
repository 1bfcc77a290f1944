"""Advice: the best plays and cube actions, and what is wrong with what you are about to do.

Judged by the network and at the ply that the program plays with, without the errors of its level. Losses are in EMG.
"""

from dataclasses import replace

import numpy as np

from bgai import api
from bgai.analysis.decisions import BLUNDER
from bgai.board import flip
from bgai.evaluator.decision import CubeDecision, answerer_values, double_value
from bgai.evaluator.race_plays import ROLLS
from bgai.game import RESIGNATIONS, act, actions, can_double
from bgai.lang import say, say_action
from bgai.notation.position import Position
from bgai.play import resigning
from bgai.plays import legal_plays

_SHOWN = 5
_WORTH_TELLING = 0.01  # of a chance
_LOSES = {
    "take": "To take loses {loss}.",
    "pass": "To pass loses {loss}.",
    "beaver": "To beaver loses {loss}.",
    "raccoon": "To raccoon loses {loss}.",
    "double": "To double loses {loss}.",
    "roll": "To roll loses {loss}.",
    "accept": "To accept loses {loss}.",
    "decline": "To decline loses {loss}.",
    "resign": "To resign this much loses {loss}.",
}


def hint(position: Position, checkpoint: str, ply: int) -> str:
    """The best plays of the roll, the cube action, or the answer to a resignation."""
    if position.state.resigned:
        offered, expected = resigning.worth(position, checkpoint, ply)
        answer = say(resigning.answer(offered, expected))
        values = {"offered": f"{offered:+.3f}", "expected": f"{expected:+.3f}"}
        return say("{answer} (the offer {offered}, playing on {expected})", answer=answer, **values)
    if position.dice is None:
        return cube_text(api.cube_decision(position, checkpoint=checkpoint, ply=ply))
    return plays_text(api.best_plays(position, checkpoint=checkpoint, ply=ply))


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


def play_warning(position: Position, board: np.ndarray, checkpoint: str, ply: int) -> str | None:
    """Why the play that leads to `board int8[26]`, seen by the opponent, is a blunder, or None if it is none."""
    ranked = api.best_plays(position, checkpoint=checkpoint, ply=ply)
    chosen = next(play for play in ranked if (flip(play.board) == board).all())
    best = ranked[0]
    loss = best.equity - chosen.equity
    if loss < BLUNDER:
        return None
    reasons = [*_chances(best, chosen), *_shots(best, chosen), *_points(best, chosen)]
    loses = say("{play} loses {loss} against {best}.", play=chosen.play, loss=f"{loss:.3f}", best=best.play)
    return f"{loses} {say('The better play {reasons}.', reasons=', '.join(reasons))}" if reasons else loses


def action_warning(position: Position, action: str, checkpoint: str, ply: int) -> str | None:
    """Why "roll" or a word of `game.actions` is a blunder now, or None if it is none.

    Raises IllegalAction for a resignation that isn't allowed.
    """
    state = position.state
    if action in RESIGNATIONS:
        offer = replace(position, state=act(state, action, rolled=position.dice is not None))
        offered, expected = resigning.worth(offer, checkpoint, ply)
        return _warning("resign", offered - expected)
    if state.resigned:
        offered, expected = resigning.worth(position, checkpoint, ply)
        return _warning(action, expected - offered if action == "accept" else offered - expected)
    return _cube_warning(position, action, checkpoint, ply)


def _cube_warning(position: Position, action: str, checkpoint: str, ply: int) -> str | None:
    state = position.state
    if action not in (actions(state) if state.pending else ("double", "roll") if can_double(state) else ()):
        return None
    decision = api.cube_decision(position, checkpoint=checkpoint, ply=ply)
    if state.pending:
        worth = answerer_values(decision.dt, state)
    else:
        worth = {"double": double_value(decision.dt, state), "roll": decision.nd}
    warning = _warning(action, max(worth.values()) - worth[action])
    return warning and f"{warning} {cube_text(decision)}"


def _warning(action: str, loss: float) -> str | None:
    return say(_LOSES[action], loss=f"{loss:.3f}") if loss >= BLUNDER else None


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
    board = np.tile(flip(play.board), (len(ROLLS), 1))
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
