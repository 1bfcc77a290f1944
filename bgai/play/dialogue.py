"""The talk between you and the program: a session and a line of text give the next session and what is said to it.

It knows nothing of terminals and files, and draws nothing at random that the session doesn't hold.
"""

from collections.abc import Callable
from dataclasses import replace

from bgai import api
from bgai.game import IllegalAction, actions, can_double, double_refused
from bgai.lang import meant, say
from bgai.notation.layout import terms
from bgai.notation.play_text import NO_PLAY, InvalidPlay, parse_play
from bgai.play import opponent, tutor
from bgai.play import session as table
from bgai.play.session import IT, YOU, Session

LONGEST_LINE = 200
ITS_NAME = "bgai"

ROLL, DONE = ("", "roll", "r"), ("", "done", "ok", "next", "n")
ACTIONS = {
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
    "decline": "decline",
    "resign": "resign single",
    "resign single": "resign single",
    "resign gammon": "resign gammon",
    "resign backgammon": "resign backgammon",
}
_DID = {  # what is said of you and of the program
    "double": ("you double to {cube}", "{name} doubles to {cube}"),
    "take": ("you take", "{name} takes"),
    "accept": ("you accept", "{name} accepts"),
    "decline": ("you decline", "{name} declines"),
    "pass": ("you pass", "{name} passes"),
    "beaver": ("you beaver to {cube}", "{name} beavers to {cube}"),
    "raccoon": ("you raccoon to {cube}", "{name} raccoons to {cube}"),
}
_OFFERS = {
    "resign single": "{name} resigns a single game",
    "resign gammon": "{name} resigns a gammon",
    "resign backgammon": "{name} resigns a backgammon",
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
    entry = meant(" ".join(line.lower().split()))
    said: list[str] = []
    try:
        if len(entry) > LONGEST_LINE:
            raise Refused(say("an entry has at most {n} characters", n=LONGEST_LINE))
        if entry in ("help", "?"):
            return session, help_text(session)
        if entry in ("tutor on", "tutor off"):
            settings = replace(session.settings, tutor=entry == "tutor on")
            return replace(session, settings=settings), say("the tutor is on" if settings.tutor else "the tutor is off")
        if entry in ("hint", "h"):
            return session, _hint(session)
        if entry in ("undo", "u") and session.stage != "made":
            raise Refused(say("nothing to undo: a play can be undone until its dice are picked up"))
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
        return say("opening roll, your die first: ")
    if session.stage == "roll":
        return say("your dice: ") if session.on_roll == YOU else say("{name}'s dice: ", name=ITS_NAME)
    if session.stage == "cube":
        return say("Enter to roll, or double: ")
    if session.stage == "play":
        return say("{roll}, your play: ", roll=f"{dice[0]}{dice[1]}")
    if session.stage == "made":
        return say("{play}: Enter to pick up the dice, or undo: ", play=table.play_text(session, session.made))
    if session.stage == "answer":
        return f"{', '.join(say(a) for a in actions(state) if not a.startswith('resign'))}: "
    return say("Enter for the next game, or quit: ") if session.stage == "over" else ""


def help_text(session: Session) -> str:
    """What can be entered now, and always."""
    now = {
        "opening": say("your die of the opening roll, then mine, such as 31"),
        "roll": say("the dice as they lie on the board, such as 31"),
        "cube": say("Enter (or roll); double; resign, resign gammon or resign backgammon"),
        "play": say("a play such as 8/5 6/5, 24/18*/13, bar/20 6/4(2) or 6/off; resign"),
        "made": say("Enter (or done) to pick up the dice and end the turn; undo"),
        "answer": say("{answers} (drop is the same as pass)", answers=_answers(session)),
        "over": say("Enter for the next game"),
        "end": say("the match is over"),
    }[session.stage]
    return f"{say('now: {what}', what=now)}\n{say('at any time: hint, help, tutor on, tutor off, save FILE, quit')}"


# What you enter at each stage


def _opening(session: Session, entry: str, said: list[str]) -> Session:
    return table.open_game(session, parse_dice(entry))


def _roll(session: Session, entry: str, said: list[str]) -> Session:
    return table.roll(session, parse_dice(entry))


def _cube(session: Session, entry: str, said: list[str]) -> Session:
    if entry in ROLL:
        _warn(session, entry, lambda: tutor.action_warning(session.position, "roll", **session.network))
        return replace(session, stage="roll")
    return _act(session, entry, said, say("enter nothing to roll, double, or resign"))


def _play(session: Session, entry: str, said: list[str]) -> Session:
    if entry in ACTIONS:
        return _act(session, entry, said, say("enter a play, or resign"))
    index = parse_play(entry, session.position.board, session.position.dice)
    board = table.plays(session).boards[index]
    _warn(session, entry, lambda: tutor.play_warning(session.position, board, **session.network))
    return table.make(session, index)


def _made(session: Session, entry: str, said: list[str]) -> Session:
    if entry in ("undo", "u"):
        return table.undo(session)
    if entry not in DONE:
        raise Refused(say("your play is made: enter nothing to pick up the dice, or undo to play differently"))
    said.append(say("you play {play}", play=table.play_text(session, session.made)))
    return table.play(session, session.made)


def _answer(session: Session, entry: str, said: list[str]) -> Session:
    return _act(session, entry, said, say("enter {answers}", answers=_answers(session)))


def _over(session: Session, entry: str, said: list[str]) -> Session:
    if entry not in DONE:
        raise Refused(say("the game is over: enter nothing for the next one, or quit"))
    session = table.next_game(session)
    said.append(_title(session))
    return session


def _end(session: Session, entry: str, said: list[str]) -> Session:
    raise Refused(say("the match is over"))


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
    action = ACTIONS.get(entry)
    if action is None:
        raise Refused(say("{entry!r} isn't understood: {expected}", entry=entry[:40], expected=expected))
    state = session.position.state
    if action in ("take", "accept") and state.pending:
        action = "take" if state.pending == "double" else "accept"
    if action == "pass" and state.resigned:
        action = "decline"
    if action == "double" and (why := double_refused(state, rolled=session.position.dice is not None)):
        raise Refused(say("no double now: {why}", why=why))
    _warn(session, entry, lambda: tutor.action_warning(session.position, action, **session.network))
    if not action.startswith("resign"):
        said.append(_tell(session, action))
    return table.act(session, action)


def _warn(session: Session, entry: str, find: Callable[[], str | None]) -> None:
    if session.settings.tutor:
        warn(entry, session.warned, find)


def warn(entry: str, warned: str | None, find: Callable[[], str | None]) -> None:
    """Raise Warned with what `find` finds to say against the entry, unless it is the one `warned` against already."""
    if entry != warned and (warning := find()):
        raise Warned(f"{warning} {say('Enter the same once more to do it nevertheless.')}")


def parse_dice(entry: str) -> tuple[int, int]:
    """Two dice in the order in which they were typed."""
    api.parse_roll(entry)
    first, second = (int(c) for c in entry if c.isdigit())
    return first, second


def _hint(session: Session) -> str:
    if session.stage not in ("cube", "play", "answer"):
        raise Refused(say("there is nothing to decide now"))
    return tutor.hint(session.position, **session.network)


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
        who = say("you start") if session.on_roll == YOU else say("{name} starts", name=ITS_NAME)
        said.append(say("the opening roll is {roll}: {who}", roll=_roll_text(session), who=who))
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
    if offer := opponent.resigns(session):
        said.append(say(_OFFERS[offer], name=ITS_NAME))
        return table.act(session, offer)
    if not opponent.doubles(session):
        return replace(session, stage="roll")
    said.append(_tell(session, "double"))
    return table.act(session, "double")


def _its_play(session: Session, said: list[str]) -> Session:
    index = opponent.best_play(session)
    play = say(table.play_text(session, index))
    said.append(say("{name} rolls {roll}: {play}", name=ITS_NAME, roll=_roll_text(session), play=play))
    return table.play(session, index)


def _forced_play(session: Session, said: list[str]) -> Session | None:
    """Your roll, if it can be played in one way only or not at all."""
    legal = table.plays(session)
    if len(legal.boards) > 1:
        return None
    play = table.play_text(session, 0)
    forced = "" if play == NO_PLAY else say(", which is forced")
    said.append(say("you roll {roll}: {play}", roll=_roll_text(session), play=say(play)) + forced)
    return table.play(session, 0)


def _its_answer(session: Session, said: list[str]) -> Session:
    answer = opponent.answer(session)
    if session.position.state.resigned:
        accepts = answer == "accept"
        said.append(
            say("{name} accepts your resignation" if accepts else "{name} declines your resignation", name=ITS_NAME)
        )
    else:
        said.append(_tell(session, answer))
    return table.act(session, answer)


# Words


def _tell(session: Session, action: str) -> str:
    cube = session.position.state.cube
    return say(_DID[action][session.decider], name=ITS_NAME, cube=2 * cube if action == "double" else 4 * cube)


def _title(session: Session) -> str:
    score = f", {_score(session.start.score)}" if any(session.start.score) else ""
    variant = "" if session.settings.variant == "backgammon" else f"{session.settings.variant}, "
    return f"{say('game {n}', n=session.number)}, {variant}{terms(session.start)}{score}"


def _result(session: Session) -> str:
    last = session.games[-1]
    points = say("{n} points", n=last.points) if last.points > 1 else say("1 point")
    what = say("{points} and the match", points=points) if session.stage == "end" else points
    won = say("you win {what}" if last.winner == YOU else "{name} wins {what}", name=ITS_NAME, what=what)
    how = say(_ENDED[last.actions[-1].kind])
    return say("{won} ({how}); {score}", won=won, how=how, score=_score(session.score))


def _score(score: tuple[int, int]) -> str:
    return say("you {yours}, {name} {its}", yours=score[YOU], name=ITS_NAME, its=score[IT])


def _answers(session: Session) -> str:
    return ", ".join(map(say, actions(session.position.state)))


def _roll_text(session: Session) -> str:
    return "{}{}".format(*session.position.dice)
