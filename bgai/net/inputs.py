"""What the network sees of a board: a fixed code of each place's checker count, and optionally computed features.

The raw code looks at each of 28 places alone: 24 points, two bars, two counts of checkers borne off. A play changes few
of them, and a place has few inputs that aren't 0, which is what `fast.py` and `train/learner.py` owe their speed to.
`docs/inputs.md` lists every input.
"""

import numpy as np
from numba import njit

from bgai.board import CHECKERS
from bgai.net.features import N_FEATURES, features
from bgai.threads import in_chunks

CODE = 6  # inputs of one side at one place: exactly 1, at least 2, 3, 4, 5 checkers, and a quarter of those over 5
OFF_CODE = 15  # borne off: at least 1, 2, ..., 15 checkers
N_RAW = 2 * 25 * CODE + 2 * OFF_CODE

# First input of each place: own points 1..24 and bar, the opponent's bar and points 0..24, own off, the opponent's off.
_OWN, _OPPONENT = 0, 25 * CODE
_OWN_OFF = 50 * CODE
_OPPONENT_OFF = _OWN_OFF + OFF_CODE

OWN_OFF, OPPONENT_OFF = 26, 27  # the two places beside the 26 of the board


def n_inputs(computed: bool) -> int:
    """Number of inputs, without or with the computed features."""
    return N_RAW + (N_FEATURES if computed else 0)


@njit(cache=True, nogil=True)
def place_inputs(place, checkers, inputs, values, n):
    """Write which inputs so many checkers on `place` switch on (negative: the opponent's), and their values, behind the
    first n of `inputs int[*]` and `values float32[*]`; returns how many there are now. A checker adds one at most.
    """
    many = abs(checkers)
    if place >= OWN_OFF:
        first = _OWN_OFF if place == OWN_OFF else _OPPONENT_OFF
        for k in range(many):
            inputs[n], values[n] = first + k, 1
            n += 1
        return n
    first = _OWN + (place - 1) * CODE if checkers > 0 else _OPPONENT + place * CODE
    if many == 1:
        inputs[n], values[n] = first, 1
        n += 1
    for k in range(2, min(many, 5) + 1):
        inputs[n], values[n] = first + k - 1, 1
        n += 1
    if many > 5:
        inputs[n], values[n] = first + 5, (many - 5) / 4
        n += 1
    return n


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
def switched_on(board, checkers, inputs, values):
    """The raw inputs of one board that aren't 0, in `inputs int[*]` and `values float32[*]`; returns how many: two a
    checker at most."""
    n = 0
    for p in range(26):
        if board[p] != 0:
            n = place_inputs(p, board[p], inputs, values, n)
    own, opponent = borne_off(board, checkers)
    n = place_inputs(OWN_OFF, own, inputs, values, n)
    return place_inputs(OPPONENT_OFF, opponent, inputs, values, n)


@njit(cache=True, nogil=True)
def encode_into(boards, checkers, computed, out):
    """Fill `out float32[N, n_inputs(computed)]` with the inputs of `boards int8[N, 26]`."""
    inputs = np.empty(2 * checkers, dtype=np.int64)
    values = np.empty(2 * checkers, dtype=np.float32)
    out[:] = 0.0
    for i in range(len(boards)):
        for k in range(switched_on(boards[i], checkers, inputs, values)):
            out[i, inputs[k]] = values[k]
        if computed:
            features(boards[i], out[i, N_RAW:])


def encode(boards: np.ndarray, computed: bool, checkers: int = CHECKERS) -> np.ndarray:
    """Inputs `float32[N, n_inputs(computed)]` of `boards int8[N, 26]`, for the torch model; uses all cores."""
    out = np.empty((len(boards), n_inputs(computed)), dtype=np.float32)
    in_chunks(lambda a, b: encode_into(boards[a:b], checkers, computed, out[a:b]), len(boards), 256)
    return out
