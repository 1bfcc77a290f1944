"""Our player as an engine of the Universal Backgammon Interface, UBGI 0.2: a line of text in, lines of text out.

The protocol is specified at https://github.com/bungogood/bgci (docs/ubgi-v0.2-spec.md). A controller gives a position,
perhaps dice, and says `go`; commands that ask for nothing are answered by nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from bgai import api
from bgai.board import VARIANTS, InvalidBoard, checkers_of
from bgai.evaluator.met import InvalidTable
from bgai.evaluator.search import MAX_PLY
from bgai.notation.gnubg_id import InvalidID
from bgai.notation.position import Position, parse_position, start_of
from bgai.plays import index_of, legal_plays_with_moves
from bgai.serve.gnubg import answer

LONGEST_LINE = 1000
_PLACES = {25: "bar", 0: "off"}
_FORMS = ("gnubgid", "xgid")


class Refused(ValueError):
    """A command that isn't obeyed, with what follows `error`: one of the four codes, and the reason."""


class Engine:
    """What a controller has said so far."""

    def __init__(self, checkpoint: str = "default", ply: int = 0):
        self.checkpoint, self.ply = checkpoint, ply
        checkers = api.player(checkpoint).architecture.checkers
        self.variants = [variant for variant in VARIANTS if checkers_of(variant) == checkers]
        self.variant = self.variants[0]
        self.position: Position | None = None

    def reply(self, line: str) -> str:
        """The lines that answer `line`, joined; empty where it asks for nothing."""
        word, *arguments = line.split() or [""]
        try:
            if len(line) > LONGEST_LINE:
                raise Refused(f"bad_command a line has at most {LONGEST_LINE} characters")
            if word not in _COMMANDS:
                raise Refused(f"bad_command expected one of: {' '.join(_COMMANDS)} quit")
            form, obey = _COMMANDS[word]
            if not form.count("<") <= len(arguments) <= len(form.split()):
                raise Refused(f"bad_command expected: {word} {form}".rstrip())
            return obey(self, *arguments) or ""
        except (InvalidID, InvalidBoard, InvalidTable, api.InvalidRoll, api.WrongVariant) as fault:
            return f"error bad_value {fault}"
        except api.NothingToDecide as fault:
            return f"error bad_state {fault}"
        except Refused as fault:
            return f"error {fault}"

    # Commands

    def ubgi(self) -> str:
        return f"id name bgai {version('bgai')}\nid author the authors of bgai\nproto 0.2\nubgiok"

    def isready(self) -> str:
        return "readyok"

    def newgame(self) -> None:
        self.position = start_of(self.variant)

    def place(self, form: str, text: str) -> None:
        if form not in _FORMS:
            raise Refused(f"unsupported position {form[:20]}: give {' or '.join(_FORMS)}")
        position = parse_position(f"XGID={text.removeprefix('XGID=')}" if form == "xgid" else text)
        self.position = api.fitted(position, api.player(self.checkpoint))

    def dice(self, first: str, second: str) -> None:
        try:
            self.position = replace(self._placed(), dice=api.parse_roll((first, second)))
        except api.InvalidRoll:
            typed = f"{first} {second}"[:20]
            raise Refused(f"bad_value {typed!r} is no roll: give two dice from 1 to 6, such as 3 1") from None

    def go(self, what: str = "chequer") -> str:
        if what == "chequer":
            return f"bestmove {self._move()}"
        if what == "cube":
            return f"bestcube {self._cube()}"
        if what == "turn":
            return f"bestturn cube={self._cube()} move={self._move()}"
        raise Refused(f"unsupported go {what[:20]}: give chequer, cube or turn")

    def set(self, key: str, value: str) -> None:
        if key == "engine.ply":
            if value not in map(str, range(MAX_PLY + 1)):
                raise Refused(f"bad_value engine.ply is 0 to {MAX_PLY}")
            self.ply = int(value)
        elif key == "game.variant":
            if value not in self.variants:
                raise Refused(
                    f"bad_value game.variant is {' or '.join(self.variants)}: this player has learned no other"
                )
            self.variant = value
        else:
            raise Refused(_no_key(key))

    def get(self, key: str) -> str:
        values = {"engine.ply": self.ply, "game.variant": self.variant}
        if key not in values:
            raise Refused(_no_key(key))
        return f"value {key} {values[key]}"

    def keys(self) -> str:
        return (
            f"key engine.ply int 0..{MAX_PLY} {self.ply} rolls of lookahead\n"
            f"key game.variant enum {'|'.join(self.variants)} {self.variant} where a new game begins"
        )

    # Answers

    def _placed(self) -> Position:
        if self.position is None:
            raise Refused("bad_state no position: give one, or newgame")
        return self.position

    def _cube(self) -> str:
        position = replace(self._placed(), dice=None)
        if position.state.pending:
            raise Refused("unsupported a double waits for an answer, and UBGI 0.2 has no words for one")
        return "double" if answer(position, self.checkpoint, self.ply) == "double" else "nodouble"

    def _move(self) -> str:
        """The best play, checker by checker and die by die."""
        position = self._placed()
        if position.dice is None:
            raise Refused("bad_state no dice: give them by dice <d1> <d2>")
        best = api.best_plays(position, checkpoint=self.checkpoint, ply=self.ply)
        if not best:
            return "pass"
        dice = np.array([position.dice], dtype=np.int8)
        plays = legal_plays_with_moves(position.board[None], dice, flipped=False, checkers=position.checkers)
        moves = plays.moves[index_of(best[0].board, plays.boards)].tolist()
        return " ".join(f"{_place(source)}/{_place(target)}" for source, target in moves if source >= 0)


_COMMANDS: dict[str, tuple[str, Callable[..., str | None]]] = {  # what follows them, <needed> or not, and what they do
    "ubgi": ("", Engine.ubgi),
    "isready": ("", Engine.isready),
    "newgame": ("", Engine.newgame),
    "position": ("<gnubgid|xgid> <id>", Engine.place),
    "dice": ("<d1> <d2>", Engine.dice),
    "go": ("chequer|cube|turn", Engine.go),
    "set": ("<key> <value>", Engine.set),
    "get": ("<key>", Engine.get),
    "keys": ("", Engine.keys),
}


def _place(place: int) -> str:
    return _PLACES.get(place, str(place))


def _no_key(key: str) -> str:
    return f"unsupported key {key[:40]}: keys lists those there are"
