"""The answers: each question's JSON object, made by the same functions as that of the command of the same name."""

import time
from collections.abc import Iterator

from bgai import api
from bgai.ask.races import race_figures
from bgai.ask.reading import read_position
from bgai.ask.records import beside_cube, cube_record, move_record
from bgai.ask.rolling import question_of, rollout_record, setting_of
from bgai.ask.shown import finished_record, play_moves, position_record
from bgai.evaluator import bearoff
from bgai.evaluator.rollout import roll_out
from bgai.evaluator.trials import SET, Settings
from bgai.notation.position import Position, parse_position, start_of
from bgai.notation.svg_board import svg_board
from bgai.serve.http_questions import Asked, CubeQuestion, MoveQuestion, RolloutQuestion


def warm_up(checkpoint: str) -> None:
    """Loads all that a first question would have to wait for: kernels, and the bear-off tables, which may have to be
    built. Raises what `api.fitted` and `api.player` do."""
    api.fitted(start_of("backgammon"), api.player(checkpoint))
    bearoff.tables()
    api.best_plays("start", (3, 1), checkpoint=checkpoint, ply=1)
    api.cube_decision("start", checkpoint=checkpoint, ply=1)


def _asked(question: Asked, checkpoint: str) -> Position:
    state = question.cube, question.score, question.jacoby, question.beavers
    return api.fitted(read_position(question.position, *state), api.player(checkpoint))


def move(question: MoveQuestion, checkpoint: str) -> dict:
    """`bgai move --json`."""
    position = _asked(question, checkpoint)
    if over := finished_record(position):
        return over
    position = api.with_roll(position, question.roll)
    plays = api.best_plays(position, checkpoint=checkpoint, ply=question.ply, cubeful=question.cubeful)
    return move_record(position, question.ply, plays[: question.top])


def cube(question: CubeQuestion, checkpoint: str) -> dict:
    """`bgai cube --json`."""
    position = _asked(question, checkpoint)
    if over := finished_record(position):
        return over
    decision = api.cube_decision(position, checkpoint=checkpoint, ply=question.ply)
    return cube_record(position, question.ply, decision, beside_cube(position, checkpoint))


def show(question: Asked, checkpoint: str) -> dict:
    """`bgai show --json`."""
    return position_record(_asked(question, checkpoint))


def evaluate(text: str, ply: int, checkpoint: str) -> dict:
    """`bgai show --evaluate --json` of one position."""
    position = parse_position(text)
    outcomes = api.evaluate([position], checkpoint=checkpoint, ply=ply)[0]
    return position_record(position, (outcomes, race_figures(position.board)))


def board(position: str, play: str | None, flip: bool, clockwise: bool) -> str:
    """`bgai show --svg`: the picture."""
    shown = parse_position(position)
    return svg_board(shown, moves=play_moves(shown, play) if play else None, flip=flip, clockwise=clockwise)


def rollout(question: RolloutQuestion, checkpoint: str) -> Iterator[dict]:
    """`bgai rollout --json` as it grows, set by set, until the trials are done, the best is clear or the time is up.

    One set is always done. `finished` says that it wasn't for the time that it ended.
    """
    end = time.monotonic() + question.seconds
    position = _asked(question, checkpoint)
    if over := finished_record(position):
        yield over
        return
    settings = Settings(0, question.luck_ply, question.truncate, question.cubeful, seed=question.seed)
    asked = question_of(
        position,
        question.roll,
        cube=question.cube_action,
        checkpoint=checkpoint,
        cubeful=question.cubeful,
        top=question.top,
    )
    setting = setting_of(asked, settings, checkpoint)
    known, finished = None, False
    while known is None or not (finished or time.monotonic() >= end):
        trials = SET if known is None else known.trials + SET
        *_, known = roll_out(api.player(checkpoint), asked.start, trials, settings, so_far=known)
        finished = known.trials >= question.trials or (question.jsd is not None and known.clear(question.jsd))
        yield rollout_record(asked, known, setting) | {"finished": finished}
