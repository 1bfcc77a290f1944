"""A match or money session between you and the program: where it stands, and how it goes on by the rules.

Nothing here is changed in place, thrown at random or put into words. Dice come from the seed, the number of the game
and that of the roll alone, so that undoing or resuming never changes them.
"""

from dataclasses import dataclass, replace

import numpy as np

from bgai import game
from bgai.board import UNFINISHED, outcome
from bgai.game import IllegalAction, State
from bgai.lang import say
from bgai.notation.match_file import Action, Game, Moves, move_number
from bgai.notation.play_text import format_play
from bgai.notation.position import Position, start_of
from bgai.plays import Plays, legal_plays_with_moves

MAX_PLY = 2  # the deepest lookahead with which the program answers in seconds
YOU, IT = 0, 1  # the players; the first is the left column of a match file


@dataclass(frozen=True)
class Settings:
    """What is agreed before the first game.

    variant      a name of `VARIANTS`
    length       points of the match; 0 for money, with or without `jacoby`, and with so many `beavers` in a row
    level        one of `levels.LEVELS`, and `ply`: how strong the program plays
    checkpoint   its network
    seed         of the dice and of its mistakes; `typed`: the dice are thrown on a real board and typed in
    tutor        you are warned before a blunder
    """

    variant: str = "backgammon"
    length: int = 0
    jacoby: bool = False
    beavers: int = 0
    level: str = "champion"
    ply: int = 0
    checkpoint: str = "default"
    seed: int = 0
    typed: bool = False
    tutor: bool = False


@dataclass(frozen=True)
class Session:
    """Where a session stands.

    games     that are finished
    start     of this game, seen by you
    stage     what is next: "opening" (its roll), "cube" (double or roll), "roll" (dice are to be thrown), "play",
              "made" (your play is made, and your dice still lie there), "answer" (a cube or an offered resignation),
              "over" (the game), "end" (the match)
    on_roll   YOU or IT
    position  seen by who is on roll
    actions   of this game so far
    made      index of your play among the legal ones, while it can be undone
    warned    what you entered and the tutor warned you against
    declined  the most that it has offered to lose in this game and you have declined: 1, 2 or 3; 0: nothing
    """

    settings: Settings
    games: tuple[Game, ...]
    start: State
    stage: str
    on_roll: int
    position: Position
    actions: tuple[Action, ...] = ()
    made: int | None = None
    warned: str | None = None
    declined: int = 0

    @property
    def network(self) -> dict:
        """The network and lookahead by which positions are judged, as arguments of the functions that do."""
        return {"checkpoint": self.settings.checkpoint, "ply": self.settings.ply}

    @property
    def number(self) -> int:
        """Of this game, from 1; when it is over, still."""
        return len(self.games) + (self.stage not in ("over", "end"))

    @property
    def decider(self) -> int:
        """Who has to act: YOU or IT."""
        return self.on_roll if game.to_decide(self.position.state) == "mover" else 1 - self.on_roll

    @property
    def score(self) -> tuple[int, int]:
        """Yours and its."""
        return self.games[-1].score_after if self.games else (0, 0)

    @property
    def rolls(self) -> int:
        """How many rolls of this game have been played."""
        return sum(action.kind == "play" for action in self.actions)


def new_session(settings: Settings) -> Session:
    """The first game before its opening roll. Raises ImpossibleState for options that don't go together."""
    state = State(length=settings.length, jacoby=settings.jacoby, beavers=settings.beavers)
    return new_game(settings, (), game.check_state(state))


def new_game(settings: Settings, games: tuple[Game, ...], start: State) -> Session:
    """The game after the finished `games`, before its opening roll."""
    return Session(settings, games, start, "opening", YOU, start_of(settings.variant, start))


def next_game(session: Session) -> Session:
    """The game after one that is over."""
    last = session.games[-1]
    start = game.next_game(session.start, last.points if last.winner == YOU else -last.points)
    return new_game(session.settings, session.games, start)


def random(session: Session, purpose: int = 0) -> np.random.Generator:
    """The generator of the next roll (purpose 0), or for something else to be drawn at this moment."""
    number = len(session.actions) if purpose else session.rolls
    return np.random.default_rng([session.settings.seed, session.number, number, purpose])


# Dice


def open_game(session: Session, dice: tuple[int, int] | None = None) -> Session:
    """The opening roll: `dice` (yours, its), or thrown. Raises IllegalAction for equal ones (R2)."""
    if dice is None:
        thrown = game.open_game(session.start, random(session))
        state, dice, you_start = thrown.state, thrown.dice, thrown.kept
    else:
        if dice[0] == dice[1]:
            raise IllegalAction(say("equal dice are thrown again in the opening roll (R2)"))
        you_start = dice[0] > dice[1]
        state = session.start if you_start else game.other_side(session.start)
    position = start_of(session.settings.variant, state, dice)
    return replace(session, stage="play", on_roll=YOU if you_start else IT, position=position)


def roll(session: Session, dice: tuple[int, int] | None = None) -> Session:
    """The dice of who is on roll: given, or thrown."""
    thrown = dice or tuple(random(session).integers(1, 7, 2).tolist())
    return replace(session, stage="play", position=replace(session.position, dice=thrown))


# Plays


def plays(session: Session) -> Plays:
    """The legal plays of the roll, flipped."""
    position = session.position
    dice = np.array([position.dice], dtype=np.int8)
    return legal_plays_with_moves(position.board[None], dice, checkers=position.checkers)


def play_text(session: Session, index: int) -> str:
    """The play of that index among the legal ones."""
    return format_play(session.position.board, plays(session).moves[index])


def make(session: Session, index: int) -> Session:
    """You have made a play, and may still undo it."""
    return replace(session, stage="made", made=index)


def undo(session: Session) -> Session:
    """The checkers are back where they were before your play."""
    return replace(session, stage="play", made=None)


def play(session: Session, index: int) -> Session:
    """The play of that index is made for good, and the turn ends."""
    legal = plays(session)
    moves = tuple((int(source), int(to)) for source, to in legal.moves[index] if source >= 0)
    session = record(session, session.on_roll, "play", moves=moves)
    before = session.position
    position = replace(before, board=legal.boards[index], state=game.end_turn(before.state), dice=None)
    session = replace(session, on_roll=1 - session.on_roll, position=position, stage="cube", made=None)
    ended = int(outcome(position.board, position.checkers))
    return session if ended == UNFINISHED else _finish(session, game.points(position.state, ended))


# Cube and resignations


def act(session: Session, action: str) -> Session:
    """Who has to decide does `action`, one of `game.actions`. Raises IllegalAction if that isn't allowed now."""
    state, decider = session.position.state, session.decider
    after = game.act(state, action, rolled=session.position.dice is not None)
    if action == "accept" and state.resigned:
        session = record(session, 1 - decider, "resign", level=state.resigned)
    elif action == "decline" and decider == YOU:
        session = replace(session, declined=state.resigned)
    elif action not in (*game.RESIGNATIONS, "decline"):
        session = record(session, decider, action)
    if not isinstance(after, State):
        return _finish(session, after)
    position = replace(session.position, state=after)
    waits = after.pending or after.resigned
    return replace(session, position=position, stage="answer" if waits else "play" if position.dice else "cube")


def record(session: Session, player: int, kind: str, moves: Moves = (), level: int = 0) -> Session:
    """`session` with one more action, which happens in its position."""
    number = move_number(session.actions, player, kind)
    state = replace(session.position.state, resigned=0)
    action = Action(number, player, kind, replace(session.position, state=state), moves, level)
    return replace(session, actions=(*session.actions, action))


def _finish(session: Session, points: int) -> Session:
    """The game ends with so many points for who is on roll."""
    winner = session.on_roll if points > 0 else 1 - session.on_roll
    ended = Game(session.number, session.start, session.actions, winner, abs(points))
    over = game.match_over(session.start, abs(points) if winner == YOU else -abs(points))
    return replace(session, games=(*session.games, ended), stage="end" if over else "over", made=None)
