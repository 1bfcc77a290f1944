"""GNU Backgammon's two IDs: the Position ID for a board and the Match ID for everything else about a game.

Both are bits, lowest first, packed into bytes and written in Base64 without padding.

- Position ID: 80 bits, 14 characters. For the opponent and then for the player on roll, each from their own ace point
  to their bar: as many ones as there are checkers, then a zero.
- Match ID: 67 bits, 12 characters; the fields are in `_MATCH_FIELDS`. It speaks of player 0 and player 1. Here the
  player on roll is written as player 1; read, they may be either. While a double waits for an answer, the player on
  roll is the one who doubled.
"""

import base64
import re

import numpy as np

from bgai.board import CHECKERS
from bgai.game import State, to_decide

LARGEST_CUBE_OF_ID = 1 << 15  # the Match ID has four bits for its power of two (R34)
LARGEST_SCORE = (1 << 15) - 1

_POSITION_ID = re.compile("[A-Za-z0-9+/]{14}")
_MATCH_ID = re.compile("[A-Za-z0-9+/]{12}")
_PLACES = 25  # of each player: 24 points and the bar

GAME_STATES = ("none", "playing", "over", "resigned", "passed")  # of a game that may have ended off the board

# Name and width in bits, in order. `owner` is a player or 3 (centred); `turn` is who must act now; the dice are 0
# before the roll; `no_jacoby` is 1 where the Jacoby rule is off.
_MATCH_FIELDS = {
    "cube": 4,
    "owner": 2,
    "on_roll": 1,
    "crawford": 1,
    "game": 3,
    "turn": 1,
    "doubled": 1,
    "resigned": 2,
    "die1": 3,
    "die2": 3,
    "length": 15,
    "score0": 15,
    "score1": 15,
    "no_jacoby": 1,
}
_CENTRED = 3


class InvalidID(ValueError):
    """Text that isn't an ID of a possible position, or a position that an ID can't hold; the message says why."""


def encode_board(board: np.ndarray) -> str:
    """The Position ID of `board` int8[26], seen by the player on roll. The board must be a possible one."""
    counts = board.tolist()
    opponent = [-count if count < 0 else 0 for count in counts[24::-1]]
    own = [count if count > 0 else 0 for count in counts[1:]]
    bits = "".join(["1" * count + "0" for count in opponent + own])
    return _to_base64(int(bits[::-1], 2), 10)


def decode_board(text: str) -> np.ndarray:
    """The board int8[26] of a Position ID, seen by the player on roll. Raises InvalidID."""
    if not _POSITION_ID.fullmatch(text):
        raise InvalidID(f"a Position ID is 14 characters of A-Z a-z 0-9 + /, like 4HPwATDgc/ABMA; this has {len(text)}")
    bits = f"{_from_base64(text, 'Position ID'):080b}"[::-1]
    counts = [len(run) for run in bits.split("0")]  # one run of ones for each place, then empty ones
    if len(counts) <= 2 * _PLACES or any(counts[2 * _PLACES :]):
        raise InvalidID(f"more than {2 * CHECKERS} checkers in the Position ID")
    board = [0] * 26
    for i in range(_PLACES):
        board[24 - i] = -counts[i]
    for point, count in enumerate(counts[_PLACES : 2 * _PLACES], start=1):
        if count and board[point] < 0:
            raise InvalidID(f"checkers of both players on point {point} in the Position ID")
        board[point] += count
    return np.array(board, dtype=np.int8)


def encode_match(state: State, dice: tuple[int, int] | None = None, game: str = "playing") -> str:
    """The Match ID of a possible state, the player on roll being player 1; `game` is one of `GAME_STATES`.

    Raises InvalidID where a number is too large for its field. A Match ID keeps whether the doubler or the other side
    must answer a cube, but neither how many beavers are agreed nor the Holland rule's count.
    """
    check_fits(state)
    values = (
        state.cube.bit_length() - 1,
        {"centred": _CENTRED, "mover": 1, "opponent": 0}[state.owner],
        1,
        state.crawford,
        GAME_STATES.index(game),
        to_decide(state) == "mover",
        state.pending is not None,
        state.resigned,
        *(dice or (0, 0)),
        state.length,
        state.score[1],
        state.score[0],
        not state.jacoby,
    )
    number = shift = 0
    for value, width in zip(values, _MATCH_FIELDS.values(), strict=True):
        number |= int(value) << shift
        shift += width
    return _to_base64(number, 9)


def decode_match(text: str) -> tuple[State, tuple[int, int] | None, str]:
    """State, dice (the larger first) and which of `GAME_STATES`, of a Match ID. Raises InvalidID.

    Beavers are agreed as far as a waiting cube shows. Whether score and cube are possible, `check_state` says.
    """
    if not _MATCH_ID.fullmatch(text):
        raise InvalidID(f"a Match ID is 12 characters of A-Z a-z 0-9 + /, like cAkAAAAAAAAE; this has {len(text)}")
    number = _from_base64(text, "Match ID")
    field = {}
    for name, width in _MATCH_FIELDS.items():
        field[name] = number & ((1 << width) - 1)
        number >>= width
    if number:
        raise InvalidID("bits set after the last field of the Match ID")
    if field["owner"] == 2:
        raise InvalidID("the cube of the Match ID belongs to player 2; it can be 0, 1 or 3 (centred)")
    if field["game"] >= len(GAME_STATES):
        raise InvalidID(f"game state {field['game']} in the Match ID; 0 to 4 are possible")
    mover = field["on_roll"]
    owner = {_CENTRED: "centred", mover: "mover"}.get(field["owner"], "opponent")
    pending = _pending(field, owner)
    state = State(
        cube=1 << field["cube"],
        owner=owner,
        length=field["length"],
        score=(field[f"score{mover}"], field[f"score{1 - mover}"]),
        crawford=bool(field["crawford"]),
        jacoby=field["length"] == 0 and not field["no_jacoby"],
        beavers={"beaver": 1, "raccoon": 2}.get(pending, 0),
        pending=pending,
        resigned=field["resigned"],
    )
    return state, _dice(field["die1"], field["die2"]), GAME_STATES[field["game"]]


def check_fits(state: State) -> None:
    """InvalidID if the cube or a score is too large for an ID (an XGID is held to the same limits)."""
    if state.cube > LARGEST_CUBE_OF_ID:
        raise InvalidID(f"a cube of {state.cube} doesn't fit an ID, the largest is {LARGEST_CUBE_OF_ID}")
    if max(state.length, *state.score) > LARGEST_SCORE:
        raise InvalidID(f"a length or score above {LARGEST_SCORE} doesn't fit an ID: {state.length}, {state.score}")


def _pending(field: dict[str, int], owner: str) -> str | None:
    """Which cube waits for an answer. Once a double was turned at once (a beaver), the opponent owns the cube."""
    to_answer = field["turn"] != field["on_roll"]
    if field["resigned"]:  # whoever offers to resign had the turn before
        to_answer = not to_answer
    if not field["doubled"]:
        if to_answer:
            raise InvalidID("the Match ID has the player not on roll to act, but no double or resignation to answer")
        return None
    if owner == "opponent":
        return "raccoon" if to_answer else "beaver"
    if not to_answer:
        raise InvalidID("the Match ID has the player who doubled to answer that double")
    return "double"


def _dice(die1: int, die2: int) -> tuple[int, int] | None:
    if die1 == die2 == 0:
        return None
    if not (1 <= die1 <= 6 and 1 <= die2 <= 6):
        raise InvalidID(f"the dice are {die1} and {die2} in the Match ID; both are 1 to 6, or 0 before the roll")
    return max(die1, die2), min(die1, die2)


def _to_base64(number: int, size: int) -> str:
    return base64.b64encode(number.to_bytes(size, "little")).decode().rstrip("=")


def _from_base64(text: str, what: str) -> int:
    data = base64.b64decode(text + "=" * (-len(text) % 4))
    if base64.b64encode(data).decode().rstrip("=") != text:
        raise InvalidID(f"bits set after the end of the {what}")
    return int.from_bytes(data, "little")
