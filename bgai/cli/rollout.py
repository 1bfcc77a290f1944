"""`bgai rollout`: what a position, plays or a cube action are worth over many games."""

import math
import sys
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Exit, Option

from bgai import api, files
from bgai.ask.json_text import json_line
from bgai.ask.reading import read_position
from bgai.ask.rolling import Question, decision, order, question_of, rollout_record, setting_of
from bgai.ask.shown import finished_record
from bgai.cli.drawing import HEADING, chances, draw, finished_text
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Beavers, Checkpoint, Cubeless, Jacoby, Json, Ply, PositionText, Score, finite
from bgai.evaluator.own_net import load_torch_net
from bgai.evaluator.rollout import Rollout, load, roll_out, save
from bgai.evaluator.trials import Settings

CLEAR = 2.33  # standard errors of a difference: with 99 % the play that looks better is better


def rollout(
    position: PositionText,
    roll: Annotated[str | None, Argument(help="roll out the best plays of this roll")] = None,
    cube_action: Annotated[bool, Option("--cube", help="roll out no double, and double and take")] = False,
    trials: Annotated[int, Option(min=1, help="games for each position; they come in sets of 36")] = 1296,
    ply: Ply = 0,
    luck_ply: Annotated[int, Option(help="ply of the judge who takes luck out of results; -1 leaves it in")] = 0,
    truncate: Annotated[int | None, Option(min=1, help="stop after so many turns and evaluate")] = None,
    top: Annotated[int, Option(min=1, help="how many plays, those that look best first")] = 5,
    jsd: Annotated[
        float | None,
        Option(min=0, callback=finite, help=f"stop when the best is clear by so many JSD, such as {CLEAR}"),
    ] = None,
    checkpoint: Checkpoint = "default",
    cube_at: Annotated[str | None, Option(help="the cube's value and owner, such as 2:mover")] = None,
    score: Score = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    cubeless: Cubeless = False,
    seed: Annotated[int, Option(min=0, help="of the dice")] = 1,
    device: Annotated[
        Literal["cpu", "cuda"], Option(help="where the network reckons; cuda is a GPU, for many trials at a time")
    ] = "cpu",
    keep: Annotated[Path | None, Option(help="keep the rollout in this file, and go on with it if it is there")] = None,
    as_json: Json = False,
) -> None:
    """Play a position out many times, with the dice's luck taken out, and say how sure the result is.

    Ctrl-C stops and prints what is known; with --keep the same command goes on from there, also to more trials.

    bgai rollout start 31 --trials 1296
    """
    tell_if_first_run()
    asked = api.fitted(read_position(position, cube_at, score, jacoby, beavers), api.player(checkpoint))
    if over := finished_record(asked):
        print(json_line(over) if as_json else finished_text(over))
        return
    settings = Settings(api.checked_ply(ply), _luck_ply(luck_ply), truncate, not cubeless, seed=seed)
    question = question_of(asked, roll, cube=cube_action, checkpoint=checkpoint, cubeful=not cubeless, top=top)
    setting = setting_of(question, settings, checkpoint)
    so_far = load(keep, setting, question.start, settings) if keep else None
    known, interrupted = so_far, False
    net = api.player(checkpoint) if device == "cpu" else load_torch_net(files.checkpoint(checkpoint), device)
    try:
        for known in roll_out(net, question.start, trials, settings, jsd=jsd, so_far=so_far):
            _report(question, known, trials)
            if keep:
                save(known, setting, keep)
    except KeyboardInterrupt:
        interrupted = True
    if known is None:  # stopped before anything was known
        raise Exit(130)
    print(json_line(rollout_record(question, known, setting)) if as_json else _text(question, known, setting))
    if interrupted:
        raise Exit(130)


def _luck_ply(luck_ply: int) -> int | None:
    return None if luck_ply == -1 else api.checked_ply(luck_ply)


def _report(question: Question, known: Rollout, trials: int) -> None:
    """One line of progress, on a terminal only."""
    if sys.stderr.isatty():
        best = int(known.equities.argmax()) if question.kind == "plays" else 0
        line = f"{known.trials} of {trials} trials: {question.names[best]} {_estimate(known, best)}"
        print(f"\r\033[K{line}", end="\n" if known.trials >= trials else "", file=sys.stderr, flush=True)


def _estimate(known: Rollout, i: int) -> str:
    return f"{known.equities[i]:+.4f} +- {_figure(known.errors[i], '.4f')}"


def _figure(value: float, form: str) -> str:
    """`value` in this form; a dash for what one set of trials can't tell, or what no spread is left for."""
    return f"{value:{form}}" if math.isfinite(value) else f"{'-':>{form.split('.')[0]}}"


def _text(question: Question, known: Rollout, setting: dict) -> str:
    ranking = order(question, known)
    jsd = known.jsd(ranking[0])
    width = max(len(name) for name in question.names)
    lines = [draw(question.position), "", f"     {'':<{width}}    equity    error    JSD   {HEADING}"]
    for rank, i in enumerate(ranking, start=1):
        behind = _figure(jsd[i], "6.1f") if question.kind == "plays" and rank > 1 else " " * 6
        estimate = f"{known.equities[i]:+9.4f} {_figure(known.errors[i], '8.4f')} {behind}"
        lines.append(f"{rank:3}. {question.names[i]:<{width}} {estimate}  {chances(known.outcomes[i])}")
    if question.kind == "cube":
        lines += ["", decision(question, known).action]
    end = f"truncated after {setting['truncate']} turns" if setting["truncate"] else "to the end"
    lines += [
        "",
        f"{known.trials} trials of each, {setting['ply']}-ply, {setting['kind']}, {end}, seed {setting['seed']}",
    ]
    if setting["luck_ply"] is not None:
        less = _figure(known.variance_reduction[0], ".1f")
        lines.append(f"luck taken out at {setting['luck_ply']}-ply: the variance is {less} times less")
    return "\n".join(lines)
