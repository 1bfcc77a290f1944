"""A position with all that goes with it, read from and written as the IDs that players exchange."""

from dataclasses import dataclass, field

import numpy as np

from bgai.board import CHECKERS, UNFINISHED, VARIANTS, InvalidBoard, check, checkers_of, outcome
from bgai.game import ImpossibleState, State, check_state
from bgai.notation import gnubg_id
from bgai.notation import xgid as xg
from bgai.notation.gnubg_id import InvalidID

_FORMS = "an XGID, a GNU Position ID with or without :MatchID, or start, nackgammon or hypergammon"
_STARTS = {"start": "backgammon"} | {variant: variant for variant in VARIANTS}


@dataclass(frozen=True, eq=False)
class Position:
    """A board, the state of the game and the roll, seen by the player on roll (while pending: by who doubled first).

    board     int8[26], made read-only
    dice      the roll to be played, the larger die first; None before the roll
    ended     None, or how a game ended that the board doesn't show as finished: "resigned" or "passed"
    checkers  how many a side has in the variant; an ID doesn't tell, and is read as if they were 15
    Raises InvalidBoard or ImpossibleState for what no game can show, InvalidID for the dice.
    """

    board: np.ndarray
    state: State = field(default_factory=State)
    dice: tuple[int, int] | None = None
    ended: str | None = None
    checkers: int = CHECKERS

    def __post_init__(self) -> None:
        board = check(self.board, self.checkers).copy()
        board.flags.writeable = False
        object.__setattr__(self, "board", board)
        check_state(self.state)
        if self.dice is not None:
            if len(self.dice) != 2 or not all(1 <= die <= 6 for die in self.dice):
                raise InvalidID(f"dice {self.dice}: a roll is two numbers from 1 to 6")
            if self.state.pending:
                raise InvalidID(f"a {self.state.pending} waits for an answer, so no dice can have been thrown")
            object.__setattr__(self, "dice", (max(self.dice), min(self.dice)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        return self.board.tobytes(), self.state, self.dice, self.ended, self.checkers

    @property
    def finished(self) -> bool:
        """One side has borne off all its checkers."""
        return int(outcome(self.board)) != UNFINISHED


def start_of(variant: str, state: State | None = None, dice: tuple[int, int] | None = None) -> Position:
    """The starting position of a name of `VARIANTS`."""
    return Position(VARIANTS[variant], state or State(), dice, checkers=checkers_of(variant))


def parse_position(text: str) -> Position:
    """The position that `text` names: an XGID, `PositionID:MatchID`, a Position ID alone, or `start`, `nackgammon` or
    `hypergammon`.

    A Position ID alone and a start are before the roll in a money game without options. Raises InvalidID, which says
    what is wrong with the text or impossible about the position.
    """
    text = text.strip()
    try:
        return _parse(text)
    except (InvalidID, InvalidBoard, ImpossibleState) as fault:
        shown = text if len(text) <= 80 else f"{text[:77]}..."
        raise InvalidID(f"{shown!r} is not a position: {fault}") from None


def _parse(text: str) -> Position:
    if variant := _STARTS.get(text.lower()):
        return start_of(variant)
    if text.startswith(xg.PREFIX) or text.count(":") > 1:
        return Position(*xg.decode(text))
    position_id, colon, match_id = text.partition(":")
    if not colon and len(position_id) != 14:
        raise InvalidID(f"expected {_FORMS}")
    board = gnubg_id.decode_board(position_id)
    if not colon:
        return Position(board)
    state, dice, game = gnubg_id.decode_match(match_id)
    position = Position(board, state, dice, ended=game if game in ("resigned", "passed") else None)
    if game == "over" and not position.finished:
        raise InvalidID("the Match ID says that the game is over, but both players still have checkers on the board")
    return position


def position_id(position: Position) -> str:
    """`PositionID:MatchID` of GNU Backgammon. Raises InvalidID where `gnubg_id.encode_match` does."""
    game = position.ended or ("over" if position.finished else "playing")
    return f"{gnubg_id.encode_board(position.board)}:{gnubg_id.encode_match(position.state, position.dice, game)}"


def xgid(position: Position) -> str:
    """The XGID, with its prefix. Raises InvalidID where `xgid.encode` does and for a game that has `ended`."""
    if position.ended:
        raise InvalidID(f"an XGID can't hold a game that was {position.ended}; a Match ID can")
    return xg.encode(position.board, position.state, position.dice)
