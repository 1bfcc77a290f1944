"""Rollouts that are asked for: what is rolled out, and the result as a JSON object."""

from dataclasses import asdict
from typing import NamedTuple

import numpy as np

from bgai import api, files
from bgai.arena.statistics import NORMAL_95
from bgai.ask.reading import BadRequest
from bgai.board import flip
from bgai.evaluator.decision import CubeDecision, decide
from bgai.evaluator.efficiency import efficiency_of
from bgai.evaluator.rollout import Rollout, of_cube, of_plays, of_position
from bgai.evaluator.trials import Settings, Start
from bgai.game import can_double, double_refused
from bgai.notation.position import Position, position_id


class Question(NamedTuple):
    """What is rolled out: `names` says what each of the positions of `start` is."""

    position: Position
    kind: str  # "plays", "cube" or "position"
    names: list[str]
    start: Start


def question_of(
    position: Position, roll: str | None, *, cube: bool, checkpoint: str, cubeful: bool, top: int
) -> Question:
    """The cube action if `cube`; the `top` best plays of the roll if there is one; else the position.

    Raises BadRequest, NothingToDecide or InvalidRoll for what can't be rolled out.
    """
    if cube and roll is not None:
        raise BadRequest(f"a double comes before the roll (R32): leave out the roll {roll[:10]!r}, or the cube action")
    if cube:
        return _cube(api.before_roll(position), cubeful)
    if roll is not None or position.dice:
        return _plays(api.with_roll(position, roll), checkpoint, cubeful, top)
    position = api.before_roll(position)
    _refuse_pending(position)
    return Question(position, "position", ["position"], of_position(position.board, position.state))


def _plays(position: Position, checkpoint: str, cubeful: bool, top: int) -> Question:
    plays = api.best_plays(position, checkpoint=checkpoint, cubeful=cubeful)[:top]
    if not plays:
        raise BadRequest("this roll can't be played, so there are no plays to roll out")
    after = flip(np.stack([play.board for play in plays]))
    return Question(position, "plays", [play.play for play in plays], of_plays(after, position.state))


def _cube(position: Position, cubeful: bool) -> Question:
    if not cubeful:
        raise BadRequest("a rollout of the cube action that is cubeless: without a cube there is no cube action")
    if position.state.pending not in (None, "double"):
        _refuse_pending(position)
    if not (position.state.pending or can_double(position.state)):
        why = double_refused(position.state) or "a win at the present value of the cube wins the match already (R41)"
        raise BadRequest(f"there is no double to roll out: {why}")
    return Question(position, "cube", ["no double", "double, take"], of_cube(position.board, position.state))


def _refuse_pending(position: Position) -> None:
    if position.state.pending:
        raise BadRequest(f"a {position.state.pending} waits for an answer: --cube rolls a double out")


def setting_of(question: Question, settings: Settings, checkpoint: str) -> dict:
    """What a rollout was made of, by which it is known again."""
    position = question.position
    return {
        "position": position_id(position),
        "roll": position.dice and list(position.dice),
        "of": question.names,
        "checkpoint": checkpoint,
        "sha256": files.fingerprint(files.checkpoint(checkpoint)),
        "ply": settings.ply,
        "luck_ply": settings.luck_ply,
        "truncate": settings.truncate,
        "kind": api.kind_of(position.state, settings.cubeful),
        "beavers": position.state.beavers,  # no part of the ID
        "seed": settings.seed,
    }


def order(question: Question, known: Rollout) -> np.ndarray:
    """Plays are shown best first; the two sides of a cube action in their order."""
    return np.argsort(-known.equities, kind="stable") if question.kind == "plays" else np.arange(len(question.names))


def decision(question: Question, known: Rollout) -> CubeDecision:
    """The cube decision that follows from the rollout of a cube action."""
    position = question.position
    efficiency = efficiency_of(position.board[None])[0]
    return decide(known.outcomes[0], position.state, values=tuple(known.values), efficiency=efficiency)


def rollout_record(question: Question, known: Rollout, setting: dict) -> dict:
    """What is known so far; `setting` as from `setting_of`."""
    ranking = order(question, known)
    equities, errors, jsd = known.equities, known.errors, known.jsd(ranking[0])
    results = [
        {
            "play" if question.kind == "plays" else "of": question.names[i],
            "equity": float(equities[i]),
            "error": float(errors[i]),
            "ci95": [float(equities[i] + side * errors[i]) for side in (-NORMAL_95, NORMAL_95)],
            "jsd": float(jsd[i]),
            "cubeless": float(known.cubeless[i]),
            "outcomes": known.outcomes[i].tolist(),
            "outcome_errors": known.outcome_errors[i].tolist(),
            "variance_reduction": float(known.variance_reduction[i]),
        }
        for i in ranking
    ]
    answer = setting | {"board": question.position.board.tolist(), "trials": known.trials, "results": results}
    if question.kind == "cube":
        decided = asdict(decision(question, known))
        answer |= {name: decided[name] for name in ("action", "optional", "nd", "dt", "dp", "mwc")}
    return answer
