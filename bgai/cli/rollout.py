"""`bgai rollout`: what a position, plays or a cube action are worth over many games."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from typer import Argument, Exit, Option

from bgai import api
from bgai.board import flip
from bgai.cli.asking import BadRequest, finished_game, finished_text, json_line, read_position
from bgai.cli.drawing import HEADING, chances, draw
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Beavers, Checkpoint, Cubeless, Jacoby, Json, Ply, PositionText, Score
from bgai.evaluator.decision import CubeDecision, decide
from bgai.evaluator.efficiency import efficiency_of
from bgai.evaluator.rollout import Rollout, load, of_cube, of_plays, of_position, roll_out, save
from bgai.evaluator.trials import Settings, Start
from bgai.game import can_double, double_refused
from bgai.notation.position import Position, position_id

CLEAR = 2.33  # standard errors of a difference: with 99 % the play that looks better is better
Z95 = 1.96


class Question(NamedTuple):
    """What is rolled out: `names` says what each of the positions of `start` is."""

    kind: str  # "plays", "cube" or "position"
    names: list[str]
    start: Start


def rollout(
    position: PositionText,
    roll: Annotated[str | None, Argument(help="roll out the best plays of this roll")] = None,
    cube_action: Annotated[bool, Option("--cube", help="roll out no double, and double and take")] = False,
    trials: Annotated[int, Option(min=1, help="games for each position; they come in sets of 36")] = 1296,
    ply: Ply = 0,
    luck_ply: Annotated[int, Option(help="ply of the judge who takes luck out of results; -1 leaves it in")] = 0,
    truncate: Annotated[int | None, Option(min=1, help="stop after so many turns and evaluate")] = None,
    top: Annotated[int, Option(min=1, help="how many plays, those that look best first")] = 5,
    jsd: Annotated[float | None, Option(help=f"stop when the best is clear by so many JSD, such as {CLEAR}")] = None,
    checkpoint: Checkpoint = "default",
    cube_at: Annotated[str | None, Option(help="the cube's value and owner, such as 2:mover")] = None,
    score: Score = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    cubeless: Cubeless = False,
    seed: Annotated[int, Option(min=0, help="of the dice")] = 1,
    keep: Annotated[Path | None, Option(help="keep the rollout in this file, and go on with it if it is there")] = None,
    as_json: Json = False,
) -> None:
    """Play a position out many times, with the dice's luck taken out, and say how sure the result is.

    Ctrl-C stops and prints what is known; with --keep the same command goes on from there, also to more trials.
    """
    asked = read_position(position, cube_at, score, jacoby, beavers)
    if over := finished_game(asked):
        print(json_line(over) if as_json else finished_text(over))
        return
    tell_if_first_run()
    asked = api.fitted(asked, api.player(checkpoint))
    settings = Settings(api.checked_ply(ply), _luck_ply(luck_ply), truncate, not cubeless, seed=seed)
    if cube_action:
        question = _cube(asked, cubeless)
    elif roll is not None or asked.dice:
        asked = api.with_roll(asked, roll)
        question = _plays(asked, checkpoint, not cubeless, top)
    else:
        asked = api.before_roll(asked)
        _refuse_pending(asked)
        question = Question("position", ["position"], of_position(asked.board, asked.state))
    setting = {"position": position_id(asked), "roll": asked.dice and list(asked.dice), "of": question.names}
    setting |= {"checkpoint": checkpoint, "ply": ply, "luck_ply": settings.luck_ply, "truncate": truncate}
    setting |= {"kind": api.kind_of(asked.state, not cubeless), "seed": seed}
    so_far = load(keep, setting, question.start, settings) if keep else None
    known, interrupted = so_far, False
    try:
        for known in roll_out(api.player(checkpoint), question.start, trials, settings, jsd=jsd, so_far=so_far):
            _report(question, known, trials)
            if keep:
                save(known, setting, keep)
    except KeyboardInterrupt:
        interrupted = True
    if known is None:  # stopped before anything was known
        raise Exit(130)
    print(_json(asked, question, known, setting) if as_json else _text(asked, question, known, setting))
    if interrupted:
        raise Exit(130)


def _luck_ply(luck_ply: int) -> int | None:
    return None if luck_ply == -1 else api.checked_ply(luck_ply)


def _plays(position: Position, checkpoint: str, cubeful: bool, top: int) -> Question:
    plays = api.best_plays(position, checkpoint=checkpoint, cubeful=cubeful)[:top]
    if not plays:
        raise BadRequest("this roll can't be played, so there are no plays to roll out")
    after = flip(np.stack([play.board for play in plays]))
    return Question("plays", [play.play for play in plays], of_plays(after, position.state))


def _cube(position: Position, cubeless: bool) -> Question:
    position = api.before_roll(position)
    if cubeless:
        raise BadRequest("--cube and --cubeless: without a cube there is no cube action")
    if position.state.pending not in (None, "double"):
        _refuse_pending(position)
    if not (position.state.pending or can_double(position.state)):
        why = double_refused(position.state) or "a win at the present value of the cube wins the match already (R41)"
        raise BadRequest(f"--cube: there is no double to roll out: {why}")
    return Question("cube", ["no double", "double, take"], of_cube(position.board, position.state))


def _refuse_pending(position: Position) -> None:
    if position.state.pending:
        raise BadRequest(f"a {position.state.pending} waits for an answer: --cube rolls a double out")


def _report(question: Question, known: Rollout, trials: int) -> None:
    """One line of progress, on a terminal only."""
    if sys.stderr.isatty():
        best = int(known.equities.argmax()) if question.kind == "plays" else 0
        line = f"{known.trials} of {trials} trials: {question.names[best]} {_estimate(known, best)}"
        print(f"\r\033[K{line}", end="\n" if known.trials >= trials else "", file=sys.stderr, flush=True)


def _estimate(known: Rollout, i: int) -> str:
    return f"{known.equities[i]:+.4f} +- {known.errors[i]:.4f}"


def _order(question: Question, known: Rollout) -> np.ndarray:
    """Plays are shown best first; the two sides of a cube action in their order."""
    return np.argsort(-known.equities, kind="stable") if question.kind == "plays" else np.arange(len(question.names))


def _json(position: Position, question: Question, known: Rollout, setting: dict) -> str:
    order = _order(question, known)
    equities, errors, jsd = known.equities, known.errors, known.jsd(order[0])
    results = [
        {
            "play" if question.kind == "plays" else "of": question.names[i],
            "equity": float(equities[i]),
            "error": float(errors[i]),
            "ci95": [float(equities[i] + side * errors[i]) for side in (-Z95, Z95)],
            "jsd": float(jsd[i]),
            "cubeless": float(known.cubeless[i]),
            "outcomes": known.outcomes[i].tolist(),
            "outcome_errors": known.outcome_errors[i].tolist(),
            "variance_reduction": float(known.variance_reduction[i]),
        }
        for i in order
    ]
    answer = setting | {"board": position.board.tolist(), "trials": known.trials, "results": results}
    if question.kind == "cube":
        decision = asdict(_decision(position, known))
        answer |= {name: decision[name] for name in ("action", "optional", "nd", "dt", "dp", "mwc")}
    return json_line(answer)


def _decision(position: Position, known: Rollout) -> CubeDecision:
    efficiency = efficiency_of(position.board[None])[0]
    return decide(known.outcomes[0], position.state, values=tuple(known.values), efficiency=efficiency)


def _text(position: Position, question: Question, known: Rollout, setting: dict) -> str:
    order = _order(question, known)
    jsd = known.jsd(order[0])
    width = max(len(name) for name in question.names)
    lines = [draw(position), "", f"     {'':<{width}}    equity    error    JSD   {HEADING}"]
    for rank, i in enumerate(order, start=1):
        behind = f"{jsd[i]:6.1f}" if question.kind == "plays" and rank > 1 else " " * 6
        estimate = f"{known.equities[i]:+9.4f} {known.errors[i]:8.4f} {behind}"
        lines.append(f"{rank:3}. {question.names[i]:<{width}} {estimate}  {chances(known.outcomes[i])}")
    if question.kind == "cube":
        lines += ["", _decision(position, known).action]
    end = f"truncated after {setting['truncate']} turns" if setting["truncate"] else "to the end"
    lines += [
        "",
        f"{known.trials} trials of each, {setting['ply']}-ply, {setting['kind']}, {end}, seed {setting['seed']}",
    ]
    if setting["luck_ply"] is not None:
        lines.append(
            f"luck taken out at {setting['luck_ply']}-ply: the variance is {known.variance_reduction[0]:.1f} times less"
        )
    return "\n".join(lines)
