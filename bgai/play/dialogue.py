"""The talk between you and the program: a session and a line of text give the next session and what is said to it.

It knows nothing of terminals and files, and draws nothing at random that the session doesn't hold.
"""

from collections.abc import Callable
from dataclasses import replace

from bgai import api
from bgai.game import IllegalAction, actions, can_double, double_refused
from bgai.notation.layout import terms
from bgai.notation.play_text import NO_PLAY, InvalidPlay, parse_play
from bgai.play import opponent, tutor
from bgai.play import session as table
from bgai.play.session import IT, YOU, Session

LONGEST_LINE = 200
ITS_NAME = "bgai"

_ROLL, _DONE = ("", "roll", "r"), ("", "done", "ok", "next", "n")
_ACTIONS = {
    "double": "double",
    "redouble": "double",
    "d": "double",
    "take": "take",
    "t": "take",
    "accept": "accept",
    "a": "accept",
    "drop": "pass",
    "pass": "pass",
    "p": "pass",
    "beaver": "beaver",
    "b": "beaver",
    "raccoon": "raccoon",
    "resign": "resign single",
    "resign single": "resign single",
    "resign gammon": "resign gammon",
    "resign backgammon": "resign backgammon",
}
_DID = {  # what is said of you and of the program
    "double": ("double to {}", "doubles to {}"),
    "take": ("take", "takes"),
    "accept": ("accept", "accepts"),
    "pass": ("pass", "passes"),
    "beaver": ("beaver to {}", "beavers to {}"),
    "raccoon": ("raccoon to {}", "raccoons to {}"),
}
_ENDED = {"resign": "resigned", "pass": "passed", "play": "played to the end"}


class Refused(ValueError):
    """An entry that can't be taken now; the message says why and what can."""


class Warned(Refused):
    """The tutor's warning: the same entry once more is taken."""


def begin(session: Session) -> tuple[Session, str]:
    """A session that was just made or resumed, brought to where you have something to say."""
    return _go_on(session, [_title(session)])


def reply(session: Session, line: str) -> tuple[Session, str]:
    """What follows from a line that you enter, and what is said to it. A wrong entry changes nothing."""
    entry = " ".join(line.lower().split())
    said: list[str] = []
    try:
        if len(entry) > LONGEST_LINE:
            raise Refused(f"an entry has at most {LONGEST_LINE} characters")
        if entry in ("help", "?"):
            return session, help_text(session)
        if entry in ("tutor on", "tutor off"):
            settings = replace(session.settings, tutor=entry == "tutor on")
            return replace(session, settings=settings), f"the tutor is {entry[6:]}"
        if entry in ("hint", "h"):
            return session, _hint(session)
        if entry in ("undo", "u") and session.stage != "made":
            raise Refused("nothing to undo: a play can be undone until its dice are picked up")
        after = _STAGES[session.stage](session, entry, said)
        return _go_on(replace(after, warned=None), said)
    except Warned as why:
        return replace(session, warned=entry), str(why)
    except (Refused, InvalidPlay, IllegalAction, api.InvalidRoll) as why:
        return session, str(why)


def question(session: Session) -> str:
    """What you are asked now."""
    state, dice = session.position.state, session.position.dice
    if session.stage == "opening":
        return "opening roll, your die first: "
    if session.stage == "roll":
        return "your dice: " if session.on_roll == YOU else f"{ITS_NAME}'s dice: "
    if session.stage == "cube":
        return "Enter to roll, or double: "
    if session.stage == "play":
        return f"{dice[0]}{dice[1]}, your play: "
    if session.stage == "made":
        return f"{table.play_text(session, session.made)}: Enter to pick up the dice, or undo: "
    if session.stage == "answer":
        return f"{', '.join(a for a in actions(state) if not a.startswith('resign'))}: "
    return "Enter for the next game, or quit: " if session.stage == "over" else ""


def help_text(session: Session) -> str:
    """What can be entered now, and always."""
    now = {
        "opening": "your die of the opening roll, then mine, such as 31",
        "roll": "the dice as they lie on the board, such as 31",
        "cube": "Enter (or roll); double; resign, resign gammon or resign backgammon",
        "play": "a play such as 8/5 6/5, 24/18*/13, bar/20 6/4(2) or 6/off; resign",
        "made": "Enter (or done) to pick up the dice and end the turn; undo",
        "answer": f"{', '.join(actions(session.position.state))} (drop is the same as pass)",
        "over": "Enter for the next game",
        "end": "the match is over",
    }[session.stage]
    return f"now: {now}\nat any time: hint, help, tutor on, tutor off, save FILE, quit"


# What you enter at each stage


def _opening(session: Session, entry: str, said: list[str]) -> Session:
    return table.open_game(session, parse_dice(entry))


def _roll(session: Session, entry: str, said: list[str]) -> Session:
    return table.roll(session, parse_dice(entry))


def _cube(session: Session, entry: str, said: list[str]) -> Session:
    if entry in _ROLL:
        _warn(session, entry, lambda: tutor.cube_warning(session, "roll"))
        return replace(session, stage="roll")
    return _act(session, entry, said, "enter nothing to roll, double, or resign")


def _play(session: Session, entry: str, said: list[str]) -> Session:
    if entry in _ACTIONS:
        return _act(session, entry, said, "enter a play, or resign")
    index = parse_play(entry, session.position.board, session.position.dice)
    _warn(session, entry, lambda: tutor.play_warning(session, index))
    return table.make(session, index)


def _made(session: Session, entry: str, said: list[str]) -> Session:
    if entry in ("undo", "u"):
        return table.undo(session)
    if entry not in _DONE:
        raise Refused("your play is made: enter nothing to pick up the dice, or undo to play differently")
    said.append(f"you play {table.play_text(session, session.made)}")
    return table.play(session, session.made)


def _answer(session: Session, entry: str, said: list[str]) -> Session:
    return _act(session, entry, said, f"enter {', '.join(actions(session.position.state))}")


def _over(session: Session, entry: str, said: list[str]) -> Session:
    if entry not in _DONE:
        raise Refused("the game is over: enter nothing for the next one, or quit")
    session = table.next_game(session)
    said.append(_title(session))
    return session


def _end(session: Session, entry: str, said: list[str]) -> Session:
    raise Refused("the match is over")


_STAGES: dict[str, Callable[[Session, str, list[str]], Session]] = {
    "opening": _opening,
    "roll": _roll,
    "cube": _cube,
    "play": _play,
    "made": _made,
    "answer": _answer,
    "over": _over,
    "end": _end,
}


def _act(session: Session, entry: str, said: list[str], expected: str) -> Session:
    action = _ACTIONS.get(entry)
    if action is None:
        raise Refused(f"{entry[:40]!r} isn't understood: {expected}")
    state = session.position.state
    if action in ("take", "accept") and state.pending:
        action = "take" if state.pending == "double" else "accept"
    if action == "double" and (why := double_refused(state, rolled=session.position.dice is not None)):
        raise Refused(f"no double now: {why}")
    _warn(session, entry, lambda: tutor.cube_warning(session, action))
    if not action.startswith("resign"):
        said.append(_tell(session, action))
    return table.act(session, action)


def _warn(session: Session, entry: str, find: Callable[[], str | None]) -> None:
    """Raise Warned with what `find` finds to say against the entry, unless that was said already."""
    if session.settings.tutor and entry != session.warned and (warning := find()):
        raise Warned(f"{warning} Enter the same once more to do it nevertheless.")


def parse_dice(entry: str) -> tuple[int, int]:
    """Two dice in the order in which they were typed."""
    api.parse_roll(entry)
    first, second = (int(c) for c in entry if c.isdigit())
    return first, second


def _hint(session: Session) -> str:
    if session.stage not in ("cube", "play", "answer"):
        raise Refused("there is nothing to decide now")
    return tutor.hint(session)


# What goes on without you


def _go_on(session: Session, said: list[str]) -> tuple[Session, str]:
    """Rolls, forced plays and all that the program does, until you are asked or the game is over."""
    while (after := _next(session, said)) is not None:
        session = after
    if session.stage in ("over", "end"):
        said.append(_result(session))
    return session, "\n".join(said)


def _next(session: Session, said: list[str]) -> Session | None:
    """The next thing that happens by itself, or None if it is for you to say what happens."""
    typed = session.settings.typed
    if session.stage == "opening" and not typed:
        session = table.open_game(session)
        said.append(f"the opening roll is {_roll_text(session)}: {_name(session.on_roll)} to start")
        return session
    if session.stage == "roll" and not typed:
        return table.roll(session)
    if session.stage == "cube":
        return _before_roll(session, said)
    if session.stage == "play":
        return _its_play(session, said) if session.on_roll == IT else _forced_play(session, said)
    if session.stage == "answer" and session.decider == IT:
        return _its_answer(session, said)
    return None


def _before_roll(session: Session, said: list[str]) -> Session | None:
    if session.on_roll == YOU:
        return None if can_double(session.position.state) else replace(session, stage="roll")
    if not opponent.doubles(session):
        return replace(session, stage="roll")
    said.append(_tell(session, "double"))
    return table.act(session, "double")


def _its_play(session: Session, said: list[str]) -> Session:
    index = opponent.best_play(session)
    said.append(f"{ITS_NAME} rolls {_roll_text(session)}: {table.play_text(session, index)}")
    return table.play(session, index)


def _forced_play(session: Session, said: list[str]) -> Session | None:
    """Your roll, if it can be played in one way only or not at all."""
    legal = table.plays(session)
    if len(legal.boards) > 1:
        return None
    play = table.play_text(session, 0)
    said.append(f"you roll {_roll_text(session)}: {play}{'' if play == NO_PLAY else ', which is forced'}")
    return table.play(session, 0)


def _its_answer(session: Session, said: list[str]) -> Session:
    answer = opponent.answer(session)
    if session.position.state.resigned:
        said.append(f"{ITS_NAME} {answer}s your resignation")
    else:
        said.append(_tell(session, answer))
    return table.act(session, answer)


# Words


def _tell(session: Session, action: str) -> str:
    cube = session.position.state.cube
    words = _DID[action][session.decider].format(2 * cube if action == "double" else 4 * cube)
    return f"{_name(session.decider)} {words}"


def _title(session: Session) -> str:
    score = f", you {session.start.score[YOU]}, {ITS_NAME} {session.start.score[IT]}"
    variant = "" if session.settings.variant == "backgammon" else f"{session.settings.variant}, "
    return f"game {session.number}, {variant}{terms(session.start)}{score if any(session.start.score) else ''}"


def _result(session: Session) -> str:
    last = session.games[-1]
    winner = "you win" if last.winner == YOU else f"{ITS_NAME} wins"
    points = f"{last.points} point{'s' if last.points > 1 else ''}{' and the match' if session.stage == 'end' else ''}"
    score = f"you {session.score[YOU]}, {ITS_NAME} {session.score[IT]}"
    return f"{winner} {points} ({_ENDED[last.actions[-1].kind]}); {score}"


def _name(player: int) -> str:
    return "you" if player == YOU else ITS_NAME


def _roll_text(session: Session) -> str:
    return "{}{}".format(*session.position.dice)
