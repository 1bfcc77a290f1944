"""What the network sees of a board: a fixed code of each place's checker count, and optionally computed features.

The raw code is a sum over 28 places (24 points, two bars, two counts of checkers borne off), each looked at alone. That
is what lets `fast.py` replace the first layer by table rows. `docs/inputs.md` lists every input.
"""

import numpy as np
from numba import njit

from bgai.board import CHECKERS
from bgai.net.features import N_FEATURES, features

CODE = 6  # inputs of one side at one place: exactly 1, at least 2, 3, 4, 5 checkers, and a quarter of those over 5
OFF_CODE = 15  # borne off: at least 1, 2, ..., 15 checkers
N_RAW = 2 * 25 * CODE + 2 * OFF_CODE

# First input of each place: own points 1..24 and bar, the opponent's bar and points 0..24, own off, the opponent's off.
_OWN, _OPPONENT = 0, 25 * CODE
_OWN_OFF = 50 * CODE
_OPPONENT_OFF = _OWN_OFF + OFF_CODE

OWN_OFF, OPPONENT_OFF = 26, 27  # the two places beside the 26 of the board
PLACES = 28
MOST = 15  # a place holds -15..15 checkers


def n_inputs(computed: bool) -> int:
    """Number of inputs, without or with the computed features."""
    return N_RAW + (N_FEATURES if computed else 0)


@njit(cache=True, nogil=True)
def place_code(place, count, out):
    """Add to `out float32[N_RAW]` the inputs that `count` checkers (negative: the opponent's) on `place` switch on."""
    if place >= OWN_OFF:
        first = _OWN_OFF if place == OWN_OFF else _OPPONENT_OFF
        for k in range(count):
            out[first + k] = 1.0
        return
    first = _OWN + (place - 1) * CODE if count > 0 else _OPPONENT + place * CODE
    n = abs(count)
    if n == 1:
        out[first] = 1.0
    for k in range(2, min(n, 5) + 1):
        out[first + k - 1] = 1.0
    if n > 5:
        out[first + 5] = (n - 5) / 4


@njit(cache=True, nogil=True)
def borne_off(board, checkers):
    """Checkers borne off by the player on roll and by the opponent."""
    own = checkers
    opponent = checkers
    for p in range(26):
        if board[p] > 0:
            own -= board[p]
        else:
            opponent += board[p]
    return own, opponent


@njit(cache=True, nogil=True)
def encode_into(boards, checkers, computed, out):
    """Fill `out float32[N, n_inputs(computed)]` with the inputs of `boards int8[N, 26]`."""
    for i in range(len(boards)):
        row = out[i]
        row[:N_RAW] = 0.0
        for p in range(26):
            if boards[i, p] != 0:
                place_code(p, boards[i, p], row)
        own, opponent = borne_off(boards[i], checkers)
        place_code(OWN_OFF, own, row)
        place_code(OPPONENT_OFF, opponent, row)
        if computed:
            features(boards[i], row[N_RAW:])


def encode(boards: np.ndarray, computed: bool, checkers: int = CHECKERS) -> np.ndarray:
    """Inputs `float32[N, n_inputs(computed)]` of `boards int8[N, 26]`, for the torch model."""
    out = np.empty((len(boards), n_inputs(computed)), dtype=np.float32)
    encode_into(boards, checkers, computed, out)
    return out
