"""Computed features: what a player sees at a glance and a sum over single points can't express."""

from numba import njit

N_FEATURES = 2


@njit(cache=True, nogil=True)
def features(board, out):
    """Fill `out float32[N_FEATURES]` with the features of one board `int8[26]`."""
    own = 0
    opponent = 0
    for p in range(26):
        if board[p] > 0:
            own += p * board[p]
        else:
            opponent -= (25 - p) * board[p]
    out[0] = own / 100
    out[1] = opponent / 100
