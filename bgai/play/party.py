"""A chouette of people and programs, one against all the others, a cube for each: where it stands, and how it goes on.

As in `session`, nothing is changed in place or put into words, and dice and errors come from the seed. Players are
numbered as in `bgai.chouette`; who decides what is R43 to R45.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bgai import api
from bgai import chouette as rules
from bgai.arena.states import States
from bgai.board import START, UNFINISHED, outcome
from bgai.chouette import Chouette
from bgai.game import IllegalAction, actions, can_double, to_decide
from bgai.notation.play_text import format_play
from bgai.notation.position import Position
from bgai.play import resigning
from bgai.play.levels import Erring, error_of
from bgai.plays import Plays, index_of, legal_plays_with_moves

PROGRAM = "bgai"
MOST_PLAYERS = 8
Decision = int | bool | str
_NAME = re.compile(r"[^\W\d_][\w-]{0,19}")


class BadParty(ValueError):
    """Players who can't sit down to a chouette."""


class UnknownDecision(ValueError):
    """What a program has decided in a saved game isn't known, or isn't possible."""


@dataclass(frozen=True, eq=False)
class Party:
    """Where a chouette stands.

    players   as they were given: names of people, "bgai" or "bgai:LEVEL"
    names     what they are called; `levels`: how strong those are that are programs, None for people
    chouette  cubes and points, seen by the side on roll, as is `board`
    seed      of dice and errors; `typed`: the dice are thrown on a real board and typed in
    ply, checkpoint   how programs play
    tutor     people are warned before a blunder; `warned`: what was entered and warned against
    stage     what is next: "opening", "cube" (who may double, and the answers), "roll", "play", "made" or "over"
    asked     members whose cube may still be turned before this roll
    dice      of this turn; `made`: index of the play that can still be undone
    throws    how many rolls have been thrown, in all games
    start     the chouette and `throws` as this game began
    entries   all that people have entered in this game and that was taken
    decisions what programs have decided in this game: plays by index, whether to double, answers
    known     those that are still to come while a saved game is played through once more; None: programs think
    """

    players: tuple[str, ...]
    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    chouette: Chouette
    seed: int = 0
    typed: bool = False
    ply: int = 0
    checkpoint: str = "default"
    tutor: bool = False
    warned: str | None = None
    board: np.ndarray = field(default_factory=lambda: START)
    stage: str = "opening"
    asked: tuple[int, ...] = ()
    dice: tuple[int, int] | None = None
    made: int | None = None
    throws: int = 0
    start: tuple[Chouette, int] | None = None
    entries: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    known: tuple[Decision, ...] | None = None

    @property
    def leader(self) -> int:
        """Who decides the play of the side on roll."""
        return self.chouette.box if self.chouette.box_on_roll else self.chouette.playing[0]

    @property
    def position(self) -> Position:
        """The board with the cube between the box and the member who leads."""
        return Position(self.board, self.chouette.cubes[self.chouette.playing[0]], self.dice)

    @property
    def network(self) -> dict:
        """The network and lookahead by which positions are judged, as arguments of the functions that do."""
        return {"checkpoint": self.checkpoint, "ply": self.ply}

    def game_of(self, member: int) -> Position:
        """The board with the cube between the box and `member`."""
        cube = self.chouette.cubes[member]
        return Position(self.board, cube, None if cube.pending else self.dice)

    def decider(self, member: int) -> int:
        """Who has to act on the cube between the box and `member`."""
        mover, other = (self.chouette.box, member) if self.chouette.box_on_roll else (member, self.chouette.box)
        return mover if to_decide(self.chouette.cubes[member]) == "mover" else other


def new_party(players: list[str], *, jacoby: bool = False, beavers: int = 0, **settings: Any) -> Party:
    """A chouette of people, by their names, and programs: "bgai" or "bgai:LEVEL". The first is the box.

    settings   seed, typed, ply, checkpoint, tutor
    Raises BadParty, UnknownLevel, IllegalAction for fewer than three players.
    """
    if len(players) > MOST_PLAYERS:
        raise BadParty(f"{len(players)} players: a chouette has {MOST_PLAYERS} at most here")
    names, levels = [], []
    for number, player in enumerate(players, start=1):
        word, colon, level = player.partition(":")
        program = word == PROGRAM
        if not _NAME.fullmatch(word) or (colon and not (program and level)):
            raise BadParty(f"{player[:30]!r} is no player: give a name of letters, {PROGRAM}, or {PROGRAM}:novice")
        level = level or "champion"
        error_of(level)
        names.append(f"{PROGRAM}-{number}" if program else word)
        levels.append(level if program else None)
    if len(set(names)) < len(names):
        raise BadParty(f"two players have the same name: {', '.join(names)}")
    table = rules.new_chouette(len(players), jacoby=jacoby, beavers=beavers)
    return Party(tuple(players), tuple(names), tuple(levels), table, start=(table, 0), **settings)


# Games, dice and plays


def open_game(party: Party, dice: tuple[int, int] | None = None) -> Party:
    """The opening roll: `dice` (the captain's, the box's), or thrown. Raises IllegalAction for equal ones (R2)."""
    if dice is None:
        chouette, dice = rules.open_game(party.chouette, _random(party))
    elif dice[0] == dice[1]:
        raise IllegalAction("equal dice are thrown again in the opening roll (R2)")
    else:
        chouette = replace(party.chouette, box_on_roll=dice[1] > dice[0])
    return replace(party, chouette=chouette, board=START, stage="play", dice=dice, throws=party.throws + 1)


def next_game(party: Party) -> Party:
    """The game after one that is over, before its opening roll."""
    chouette = rules.next_game(party.chouette)
    party = replace(party, chouette=chouette, start=(chouette, party.throws), entries=(), decisions=())
    return replace(party, board=START, stage="opening", dice=None)


def roll(party: Party, dice: tuple[int, int] | None = None) -> Party:
    """The dice of the side on roll: given, or thrown."""
    dice = dice or tuple(_random(party).integers(1, 7, 2).tolist())
    return replace(party, stage="play", dice=dice, throws=party.throws + 1)


def plays(party: Party) -> Plays:
    """The legal plays of the roll, flipped."""
    return legal_plays_with_moves(party.board[None], np.array([party.dice], dtype=np.int8))


def play_text(party: Party, index: int) -> str:
    """The play of that index among the legal ones."""
    return format_play(party.board, plays(party).moves[index])


def play(party: Party, index: int) -> Party:
    """The play of that index is made for good, and the turn ends."""
    board, chouette = plays(party).boards[index], rules.end_turn(party.chouette)
    party = replace(party, board=board, dice=None, made=None)
    ended = int(outcome(board))
    if ended != UNFINISHED:
        return replace(party, chouette=rules.finish(chouette, ended), stage="over")
    able = tuple(member for member in chouette.playing if can_double(chouette.cubes[member]))
    return replace(party, chouette=chouette, stage="cube", asked=able)


# Cubes and resignations


def cube_question(party: Party) -> tuple[int, bool] | None:
    """The member whose cube is in question, and whether it waits for an answer; None if no cube is."""
    waiting = party.chouette.waiting
    if waiting:
        return waiting[0], True
    asked = [m for m in party.asked if m in party.chouette.playing]
    return (asked[0], False) if asked else None


def act(party: Party, member: int, action: str) -> Party:
    """`action` (`game.act`) on the cube between the box and `member`. Raises IllegalAction."""
    return leave(
        replace(party, chouette=rules.act(party.chouette, member, action, rolled=party.dice is not None)), member
    )


def leave(party: Party, member: int) -> Party:
    """The cube of `member` isn't turned before this roll."""
    return replace(party, asked=tuple(m for m in party.asked if m != member))


def resign(party: Party, action: str) -> Party:
    """Who leads the side on roll offers to lose instead of playing: a member the own game, the box those with all."""
    members = party.chouette.playing if party.chouette.box_on_roll else party.chouette.playing[:1]
    for member in members:
        party = act(party, member, action)
    return replace(party, stage="cube")


def cubes_settled(party: Party) -> Party:
    """Nothing is to be said about cubes any more: the dice are thrown, or played if they lie there already."""
    if not party.chouette.playing:
        return replace(party, stage="over")
    return replace(party, stage="play" if party.dice else "roll")


# What programs decide


def best_play(party: Party) -> tuple[Party, int]:
    """Index of the play that the program chooses who leads, now among the `decisions`."""

    def think() -> int:
        states = States.same(party.position.state, 1)
        dice = np.array([party.dice], dtype=np.int8)
        chosen = _program(party, party.leader).play(party.board[None], dice, states)
        return index_of(chosen[0], plays(party).boards)

    return _decided(party, think, range(len(plays(party).boards)))


def doubles(party: Party, member: int) -> tuple[Party, bool]:
    """Whether the program that may turn the cube of `member` does."""

    def think() -> bool:
        states = States.same(party.chouette.cubes[member], 1)
        return bool(_program(party, party.decider(member)).doubles(party.board[None], states)[0])

    return _decided(party, think, (False, True))


def answer(party: Party, member: int) -> tuple[Party, str]:
    """What the program answers to the double or resignation that waits on the cube of `member`."""
    cube = party.chouette.cubes[member]

    def think() -> str:
        if cube.resigned:
            return resigning.answer(*resigning.worth(party.game_of(member), **party.network))
        return str(_program(party, party.decider(member)).answers(party.board[None], States.same(cube, 1))[0])

    return _decided(party, think, actions(cube))


def _decided(party: Party, think: Callable[[], Decision], possible: Sequence[Decision]) -> tuple[Party, Any]:
    """What the program thinks, or is known to have thought; `decisions` tell it. Raises UnknownDecision."""
    if party.known is None:
        decision = think()
    else:
        decision, *known = party.known or (None,)
        if type(decision) is not type(possible[0]) or decision not in possible:
            raise UnknownDecision(f"a program's decision is lacking, or isn't possible: {decision!r}")
        party = replace(party, known=tuple(known))
    return replace(party, decisions=(*party.decisions, decision)), decision


def _program(party: Party, player: int) -> Erring:
    error = error_of(party.levels[player])
    return Erring(api.player(party.checkpoint), party.ply, error, _random(party, 1 + player))


def _random(party: Party, purpose: int = 0) -> np.random.Generator:
    """For the next roll (0), or for the errors that player `purpose - 1` makes before it."""
    return np.random.default_rng([party.seed, party.throws, purpose])
