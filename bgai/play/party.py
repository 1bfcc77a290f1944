"""A chouette in words: any mix of people at one keyboard and programs, one against all the others, a cube for each.

As in `dialogue`, a party and a line of text give the next party and what is said to it; dice and errors come from the
seed. Players are numbered as in `bgai.chouette`; who decides what is R43 to R45.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from bgai import api
from bgai import chouette as rules
from bgai.arena.states import States
from bgai.board import START, UNFINISHED, outcome
from bgai.chouette import Chouette
from bgai.game import IllegalAction, State, actions, can_double, to_decide
from bgai.notation.play_text import InvalidPlay, format_play, parse_play
from bgai.notation.position import Position
from bgai.play import tutor
from bgai.play.dialogue import LONGEST_LINE, Refused, parse_dice
from bgai.play.levels import Erring, error_of
from bgai.plays import PlaysWithMoves, legal_plays_with_moves

PROGRAM = "bgai"
MOST_PLAYERS = 8
_NAME = re.compile(r"[^\W\d_][\w-]{0,19}")
_WORDS = {"d": "double", "t": "take", "p": "pass", "drop": "pass", "b": "beaver", "a": "accept"}
_LEAVE = ("", "no", "roll", "r")


class BadParty(ValueError):
    """Players who can't sit down to a chouette."""


@dataclass(frozen=True, eq=False)
class Party:
    """Where a chouette stands.

    names     of the players; `levels`: how strong those are that are programs, None for people
    chouette  cubes and points, seen by the side on roll, as is `board`
    stage     what is next: "opening", "cube" (who may double, and the answers), "roll", "play", "made" or "over"
    asked     members whose cube may still be turned before this roll
    dice      of this turn; `made`: index of the play that can still be undone
    throws    how many rolls have been thrown, in all games
    """

    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    chouette: Chouette
    seed: int = 0
    typed: bool = False
    ply: int = 0
    checkpoint: str = "default"
    board: np.ndarray = field(default_factory=lambda: START)
    stage: str = "opening"
    asked: tuple[int, ...] = ()
    dice: tuple[int, int] | None = None
    made: int | None = None
    throws: int = 0

    @property
    def leader(self) -> int:
        """Who decides the play of the side on roll."""
        return self.chouette.box if self.chouette.box_on_roll else self.chouette.playing[0]

    @property
    def position(self) -> Position:
        """The board with the cube between the box and the member who leads."""
        return Position(self.board, self.chouette.cubes[self.chouette.playing[0]], self.dice)

    def decider(self, member: int) -> int:
        """Who has to act on the cube between the box and `member`."""
        mover, other = (self.chouette.box, member) if self.chouette.box_on_roll else (member, self.chouette.box)
        return mover if to_decide(self.chouette.cubes[member]) == "mover" else other


def new_party(players: list[str], *, jacoby: bool = False, beavers: int = 0, **settings) -> Party:
    """A chouette of people, by their names, and programs: "bgai" or "bgai:LEVEL". The first is the box.

    settings   seed, typed, ply, checkpoint
    Raises BadParty, UnknownLevel, IllegalAction for fewer than three players.
    """
    if len(players) > MOST_PLAYERS:
        raise BadParty(f"{len(players)} players: a chouette has {MOST_PLAYERS} at most here")
    names, levels = [], []
    for number, player in enumerate(players, start=1):
        word, _, level = player.partition(":")
        program = word == PROGRAM
        if not _NAME.fullmatch(word) or (level and not program):
            raise BadParty(f"{player[:30]!r} is no player: give a name of letters, {PROGRAM}, or {PROGRAM}:novice")
        level = level or "champion"
        error_of(level)
        names.append(f"{PROGRAM}-{number}" if program else word)
        levels.append(level if program else None)
    if len(set(names)) < len(names):
        raise BadParty(f"two players have the same name: {', '.join(names)}")
    table = rules.new_chouette(len(players), jacoby=jacoby, beavers=beavers)
    return Party(tuple(names), tuple(levels), table, **settings)


def begin(party: Party) -> tuple[Party, str]:
    """The first game, up to where somebody is asked."""
    return _go_on(party, [_title(party)])


def question(party: Party) -> str:
    """Who is asked what now."""
    names, chouette = party.names, party.chouette
    if party.stage == "opening":
        return f"opening roll, the die of {names[chouette.captain]} first: "
    if party.stage == "cube":
        member, waits = _cube_question(party)
        who = names[party.decider(member)]
        whose = f" {names[member]}" if chouette.box == party.decider(member) else ""
        if waits:
            return f"{who}, {' or '.join(_answers(chouette.cubes[member]))}{whose and f' to{whose}'}: "
        return f"{who}, double{whose}, or Enter: "
    if party.stage == "roll":
        return f"the dice of {names[party.leader]}: "
    if party.stage == "play":
        return f"{names[party.leader]}, {party.dice[0]}{party.dice[1]}: "
    if party.stage == "made":
        return f"{_text(party, party.made)}: Enter to pick up the dice, or undo: "
    return "Enter for the next game, or quit: "


def reply(party: Party, line: str) -> tuple[Party, str]:
    """What follows from a line that is entered, and what is said to it. A wrong entry changes nothing."""
    entry = " ".join(line.lower().split())
    said: list[str] = []
    try:
        if len(entry) > LONGEST_LINE:
            raise Refused(f"an entry has at most {LONGEST_LINE} characters")
        if entry in ("hint", "h"):
            return party, _hint(party)
        return _go_on(_STAGES[party.stage](party, entry, said), said)
    except (Refused, InvalidPlay, IllegalAction, api.InvalidRoll) as why:
        return party, str(why)


# What is entered at each stage


def _opening(party: Party, entry: str, said: list[str]) -> Party:
    captains, boxs = parse_dice(entry)
    if captains == boxs:
        raise Refused("equal dice are thrown again in the opening roll (R2)")
    return _opened(party, replace(party.chouette, box_on_roll=boxs > captains), (captains, boxs))


def _cube(party: Party, entry: str, said: list[str]) -> Party:
    member, waits = _cube_question(party)
    action = _WORDS.get(entry, entry)
    if not waits and action in _LEAVE:
        return replace(party, asked=tuple(m for m in party.asked if m != member))
    allowed = _answers(party.chouette.cubes[member]) if waits else ("double",)
    if action not in allowed:
        raise Refused(f"{entry[:40]!r} is no answer: {', '.join(allowed)}{'' if waits else ', or nothing to leave it'}")
    return _act(party, member, action, said)


def _roll(party: Party, entry: str, said: list[str]) -> Party:
    return replace(party, stage="play", dice=parse_dice(entry), throws=party.throws + 1)


def _play(party: Party, entry: str, said: list[str]) -> Party:
    return replace(party, stage="made", made=parse_play(entry, party.board, party.dice))


def _made(party: Party, entry: str, said: list[str]) -> Party:
    if entry in ("undo", "u"):
        return replace(party, stage="play", made=None)
    if entry not in ("", "done", "ok"):
        raise Refused("the play is made: enter nothing to pick up the dice, or undo")
    return _played(party, party.made, said)


def _over(party: Party, entry: str, said: list[str]) -> Party:
    if entry:
        raise Refused("the game is over: enter nothing for the next one, or quit")
    party = replace(party, chouette=rules.next_game(party.chouette), board=START, stage="opening", dice=None)
    said.append(_title(party))
    return party


_STAGES: dict[str, Callable[[Party, str, list[str]], Party]] = {
    "opening": _opening,
    "cube": _cube,
    "roll": _roll,
    "play": _play,
    "made": _made,
    "over": _over,
}


def _hint(party: Party) -> str:
    ask = {"checkpoint": party.checkpoint, "ply": party.ply}
    if party.stage == "play":
        return tutor.plays_text(api.best_plays(party.position, **ask))
    if party.stage == "cube":
        member, _ = _cube_question(party)
        return tutor.cube_text(api.cube_decision(Position(party.board, party.chouette.cubes[member]), **ask))
    raise Refused("there is nothing to decide now")


# What goes on by itself


def _go_on(party: Party, said: list[str]) -> tuple[Party, str]:
    """Rolls, forced plays and all that programs do, until a person is asked."""
    while (after := _next(party, said)) is not None:
        party = after
    return party, "\n".join(said)


def _next(party: Party, said: list[str]) -> Party | None:
    if party.stage == "opening" and not party.typed:
        chouette, dice = rules.open_game(party.chouette, _random(party))
        return _opened(party, chouette, dice)
    if party.stage == "cube":
        return _next_cube(party, said)
    if party.stage == "roll" and not party.typed:
        dice = tuple(_random(party).integers(1, 7, 2).tolist())
        return replace(party, stage="play", dice=dice, throws=party.throws + 1)
    if party.stage == "play":
        plays = _plays(party)
        if party.levels[party.leader] is not None:
            return _played(party, _best(party, plays), said)
        if len(plays.boards) == 1:
            return _played(party, 0, said)
    return None


def _next_cube(party: Party, said: list[str]) -> Party | None:
    """A program's double or answer, or the end of it all; None where a person is asked."""
    if not party.chouette.playing:
        return _ended(party, said)
    found = _cube_question(party)
    if found is None:
        return replace(party, stage="roll")
    member, waits = found
    if party.levels[party.decider(member)] is None:
        return None
    program, board = _program(party, party.decider(member)), party.board[None]
    states = States.same(party.chouette.cubes[member], 1)
    if waits:
        return _act(party, member, str(program.answers(board, states)[0]), said)
    if program.doubles(board, states)[0]:
        return _act(party, member, "double", said)
    return replace(party, asked=tuple(m for m in party.asked if m != member))


def _cube_question(party: Party) -> tuple[int, bool] | None:
    """The member whose cube is in question, and whether it waits for an answer; None if no cube is."""
    waiting = party.chouette.waiting
    if waiting:
        return waiting[0], True
    asked = [m for m in party.asked if m in party.chouette.playing]
    return (asked[0], False) if asked else None


def _act(party: Party, member: int, action: str, said: list[str]) -> Party:
    who, box = party.names[party.decider(member)], party.decider(member) == party.chouette.box
    about = f" ({party.names[member]}'s cube)" if box else ""
    said.append(f"{who}: {action}{about}")
    chouette = rules.act(party.chouette, member, action)
    return replace(party, chouette=chouette, asked=tuple(m for m in party.asked if m != member))


def _opened(party: Party, chouette: Chouette, dice: tuple[int, int]) -> Party:
    return replace(party, chouette=chouette, board=START, stage="play", dice=dice, throws=party.throws + 1)


def _played(party: Party, index: int, said: list[str]) -> Party:
    said.append(f"{party.names[party.leader]} plays {party.dice[0]}{party.dice[1]}: {_text(party, index)}")
    board, chouette = _plays(party).boards[index], rules.end_turn(party.chouette)
    party = replace(party, board=board, dice=None, made=None)
    ended = int(outcome(board))
    if ended != UNFINISHED:
        return _ended(replace(party, chouette=rules.finish(chouette, ended)), said)
    able = tuple(member for member in chouette.playing if can_double(chouette.cubes[member]))
    return replace(party, chouette=chouette, stage="cube", asked=able)


def _ended(party: Party, said: list[str]) -> Party:
    totals = zip(party.names, party.chouette.totals, strict=True)
    said.append(f"the game is over: {', '.join(f'{name} {total:+d}' for name, total in totals)}")
    return replace(party, stage="over")


def cubes_text(party: Party) -> str:
    """All cubes, and whose they are."""
    box, on_roll = party.chouette.box, party.chouette.box_on_roll

    def owner(member: int, state: State) -> str:
        if state.owner == "centred":
            return "centred"
        return party.names[box if (state.owner == "mover") == on_roll else member]

    cubes = ((member, party.chouette.cubes[member]) for member in party.chouette.playing)
    return "cubes: " + ", ".join(f"{party.names[m]} {state.cube} ({owner(m, state)})" for m, state in cubes)


def _answers(state: State) -> tuple[str, ...]:
    return tuple(action for action in actions(state) if not action.startswith("resign"))


def _plays(party: Party) -> PlaysWithMoves:
    return legal_plays_with_moves(party.board[None], np.array([party.dice], dtype=np.int8))


def _text(party: Party, index: int) -> str:
    return format_play(party.board, _plays(party).moves[index])


def _best(party: Party, plays: PlaysWithMoves) -> int:
    program = _program(party, party.leader)
    states = States.same(party.position.state, 1)
    chosen = program.play(party.board[None], np.array([party.dice], dtype=np.int8), states)
    return int((plays.boards == chosen).all(axis=1).argmax())


def _program(party: Party, player: int) -> Erring:
    error = error_of(party.levels[player])
    return Erring(api.player(party.checkpoint), party.ply, error, _random(party, 1 + player))


def _random(party: Party, purpose: int = 0) -> np.random.Generator:
    """For the next roll (0), or for the errors that player `purpose - 1` makes before it."""
    return np.random.default_rng([party.seed, party.throws, purpose])


def _title(party: Party) -> str:
    names, chouette = party.names, party.chouette
    team = ", ".join(names[member] for member in chouette.team)
    return f"{names[chouette.box]} is the box, against {team}; {names[chouette.captain]} is captain"
