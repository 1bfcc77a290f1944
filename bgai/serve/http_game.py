"""A game in the browser, one of your actions at a time.

The page keeps where the game stands, as an ID, and sends it back with what you do; nothing is remembered here. What
follows by itself (your forced play, and the program's whole turn) happens at once.
"""

from itertools import pairwise

from bgai import api
from bgai.ask.shown import position_record
from bgai.board import flip
from bgai.game import State, actions, can_double
from bgai.notation.play_text import format_play, parse_play
from bgai.notation.position import parse_position, position_id
from bgai.play import opponent
from bgai.play import session as table
from bgai.play.session import IT, YOU, Session, Settings
from bgai.serve.http_questions import GameQuestion

NAMES = ("you", "it")


def play_on(question: GameQuestion, checkpoint: str) -> dict:
    """What happens after your action, and what you may do then.

    Besides what `bgai show --json` says of the position then: `yours`, whether you are on roll there; `events`, what
    was done by whom; `actions`, what may be sent next besides plays; `plays`, the legal plays of your roll with the
    boards after them; `over`, when the game is over.
    Raises NothingToDecide when it isn't for you to decide, IllegalAction or InvalidPlay for what the rules forbid.
    """
    session = _session(question, checkpoint)
    session = _do(session, question.action)
    while (after := _next(session)) is not None:
        session = after
    return position_record(session.position) | {
        "yours": session.on_roll == YOU,
        "events": _events(session),
        "actions": _allowed(session),
        "plays": _plays(session),
        "over": _over(session),
    }


def _session(question: GameQuestion, checkpoint: str) -> Session:
    position = api.fitted(parse_position(question.position), api.player(checkpoint))
    settings = Settings(level=question.level, ply=question.ply, checkpoint=checkpoint, seed=question.seed)
    state = position.state
    score = state.score if question.yours else state.score[::-1]
    start = State(length=state.length, score=score, crawford=state.crawford, jacoby=state.jacoby, beavers=state.beavers)
    stage = "play" if position.dice else "answer" if state.pending or state.resigned else "cube"
    return Session(settings, (), start, stage, YOU if question.yours else IT, position)


def _do(session: Session, action: str) -> Session:
    """Your action is done."""
    if session.position.finished or session.position.ended:
        raise api.NothingToDecide("the game is over: send the position `next` of its last answer, and begin")
    if action == "begin":
        return table.open_game(session)
    if session.decider != YOU:
        raise api.NothingToDecide("it isn't for you to decide in this position: send the last answer's `yours`")
    if action == "roll" and session.stage == "cube":
        return table.roll(session)
    if session.stage == "play" and action not in actions(session.position.state, rolled=True):
        return table.play(session, parse_play(action, session.position.board, session.position.dice))
    return table.act(session, action)


def _next(session: Session) -> Session | None:
    """The next thing that happens by itself, or None if it is for you to say what happens."""
    if session.stage == "cube" and session.on_roll == IT:
        return table.act(session, "double") if opponent.doubles(session) else table.roll(session)
    if session.stage == "play" and session.on_roll == IT:
        return table.play(session, opponent.best_play(session))
    if session.stage == "play" and len(table.plays(session).boards) == 1:
        return table.play(session, 0)
    if session.stage == "answer" and session.decider == IT:
        return table.act(session, opponent.answer(session))
    return None


def _events(session: Session) -> list[dict]:
    """What was done, by whom, and on which board, seen by who was on roll there (or who doubled).

    Of a play `after` is the board after it, seen by who made it.
    """
    events = []
    positions = [*(action.position for action in session.actions), session.position]
    for action, (before, after) in zip(session.actions, pairwise(positions), strict=True):
        event = {"player": NAMES[action.player], "did": action.kind, "board": before.board.tolist()}
        if action.kind == "play":
            event |= {"roll": list(before.dice), "play": action.play, "after": flip(after.board).tolist()}
        events.append(event)
    return events


def _allowed(session: Session) -> list[str]:
    """What you may send next, besides a play. A double that is of no use isn't among them."""
    if session.stage in ("over", "end"):
        return []
    state = session.position.state
    allowed = list(actions(state, rolled=session.stage == "play"))
    if session.stage == "cube":
        allowed = ["roll", *allowed]
        if not can_double(state):
            allowed = [action for action in allowed if action != "double"]
    return allowed


def _plays(session: Session) -> list[dict]:
    """The legal plays of your roll, and the boards after them, seen by you."""
    if session.stage != "play":
        return []
    legal = table.plays(session)
    board = session.position.board
    return [
        {"play": format_play(board, moves), "board": flip(after).tolist()}
        for moves, after in zip(legal.moves, legal.boards, strict=True)
    ]


def _over(session: Session) -> dict | None:
    """How the game ended: `points` for you, the `score` (yours, its), and the ID of the `next` game, if any."""
    if session.stage not in ("over", "end"):
        return None
    game = session.games[-1]
    following = None if session.stage == "end" else position_id(table.next_game(session).position)
    points = game.points if game.winner == YOU else -game.points
    return {"points": points, "how": game.actions[-1].kind, "score": list(session.score), "next": following}
