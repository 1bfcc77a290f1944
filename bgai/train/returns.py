"""What the network should have thought of the positions of a finished game.

Both kinds of return are computed backwards from the end, six outcomes at a time. `swap` exchanges winning and losing:
the next position is seen by the other player. A turn that played at random says nothing of what its position is worth,
so it gives no sample and earlier returns stop there; the position before an opening roll gives none either, since no
double was possible. All functions take games by rows and turns by columns, and agree on the order of the samples: game
by game, the last position first.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def collect(boards, values, explored, turn, opening, games):
    """The positions of finished `games` that give samples.

    boards    int8[G, T, 26]  before each turn, player on roll; turn `turn[g]` is the finished position
    values    float32[G, T, 6]  what the network thought of them; the last is the exact outcome
    explored  bool[G, T], opening bool[G]
    Returns (boards int8[n, 26], thoughts float32[n, 6], final outcome for the player on roll int8[n]).
    """
    most = turn[games].sum()
    positions = np.empty((most, 26), dtype=np.int8)
    thought = np.empty((most, 6), dtype=np.float32)
    results = np.empty(most, dtype=np.int8)
    n = 0
    for game in games:
        result = values[game, turn[game]].argmax()
        for t in range(turn[game] - 1, -1, -1):
            result = (result + 3) % 6
            if not explored[game, t] and not (t == 0 and opening[game]):
                positions[n] = boards[game, t]
                thought[n] = values[game, t]
                results[n] = result
                n += 1
    return positions[:n], thought[:n], results[:n]


@njit(cache=True, nogil=True)
def td_lambda(values, explored, turn, opening, games, trace):
    """Lambda-returns float32[n, 6] (Sutton 1988), `trace` being lambda.

    G_t = swap((1 - lambda) V_{t+1} + lambda G_{t+1}), with G = V = the outcome at the end.
    """
    targets = np.empty((turn[games].sum(), 6), dtype=np.float32)
    g = np.empty(6, dtype=np.float32)
    mixed = np.empty(6, dtype=np.float32)
    n = 0
    for game in games:
        g[:] = values[game, turn[game]]
        for t in range(turn[game] - 1, -1, -1):
            for k in range(6):
                mixed[k] = (1 - trace) * values[game, t + 1, k] + trace * g[k]
            if explored[game, t]:
                g[:] = values[game, t]
                continue
            for k in range(6):
                g[k] = mixed[(k + 3) % 6]
            if not (t == 0 and opening[game]):
                targets[n] = g
                n += 1
    return targets[:n]


@njit(cache=True, nogil=True)
def luck_free(expected, values, explored, turn, opening, games, trace):
    """Lambda-returns float32[n, 6] with the luck of the dice taken out of every step.

    expected  float32[G, T, 6]  E_t: the mean over all 21 rolls of what the network thinks after the play it would make

    D_t = E_t - V_t is how much the network disagrees with its own lookahead; it is 0 at the end. The return is
    G_t = E_t + A_t with A_t = lambda swap(D_{t+1} + A_{t+1}). At lambda 1 it is the outcome minus the luck of all rolls
    from t on, so its mean is right whatever V is; below 1 it trusts far-off disagreements less. Its components sum to 1
    but may leave [0, 1] a little, which cross-entropy doesn't mind; clipping them would bias the mean.
    """
    targets = np.empty((turn[games].sum(), 6), dtype=np.float32)
    added = np.empty(6, dtype=np.float32)  # A_t
    later = np.empty(6, dtype=np.float32)
    n = 0
    for game in games:
        added[:] = 0.0
        for t in range(turn[game] - 1, -1, -1):
            if t < turn[game] - 1:
                for k in range(6):
                    later[k] = trace * (expected[game, t + 1, k] - values[game, t + 1, k] + added[k])
                for k in range(6):
                    added[k] = later[(k + 3) % 6]
            if explored[game, t]:
                added[:] = 0.0
                continue
            if not (t == 0 and opening[game]):
                for k in range(6):
                    targets[n, k] = expected[game, t, k] + added[k]
                n += 1
    return targets[:n]
