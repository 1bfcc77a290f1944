"""What a network reckons with, in Numba: sums of rows, dense layers, activations and softmax, all float32.

`fast.py` judges positions with these, `train/learner.py` learns with the same.
"""

import numpy as np
from numba import njit

FAST = {"reassoc", "contract", "nsz", "arcp"}  # no nnan, no ninf: a NaN must come out as one


@njit(cache=True, nogil=True, fastmath=FAST)
def add_rows(sums, matrix, rows, factors, n):
    """sums += factors[k] * matrix[rows[k]] over the first n, four rows at a time to read and write `sums` less often.

    `rows` and `factors` have room for three more.
    """
    rows[n : n + 3], factors[n : n + 3] = 0, 0
    for k in range(0, n, 4):
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        u, v, x, y = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        for h in range(len(sums)):
            sums[h] += u * matrix[a, h] + v * matrix[b, h] + x * matrix[c, h] + y * matrix[d, h]


@njit(cache=True, nogil=True, fastmath=FAST)
def dense(units, weights, bias, out):
    """out = weights @ units + bias, six rows at a time to read `units` less often; the last row fills up the six."""
    last = len(bias) - 1
    for a in range(0, len(bias), 6):
        b, c, d, e, f = min(a + 1, last), min(a + 2, last), min(a + 3, last), min(a + 4, last), min(a + 5, last)
        w_a, w_b, w_c, w_d, w_e, w_f = weights[a], weights[b], weights[c], weights[d], weights[e], weights[f]
        s = t = u = v = x = y = np.float32(0)
        for k in range(len(units)):
            s += w_a[k] * units[k]
            t += w_b[k] * units[k]
            u += w_c[k] * units[k]
            v += w_d[k] * units[k]
            x += w_e[k] * units[k]
            y += w_f[k] * units[k]
        out[a], out[b], out[c] = s + bias[a], t + bias[b], u + bias[c]
        out[d], out[e], out[f] = v + bias[d], x + bias[e], y + bias[f]


# Python's check for division by zero would keep the compiler from doing eight at a time, hence the error model.


@njit(cache=True, nogil=True, error_model="numpy")
def activate(units, sigmoid):
    """Sigmoid or ReLU of each unit, in forms without a choice, which the compiler can do eight at a time."""
    if sigmoid:
        for h in range(len(units)):
            units[h] = np.float32(1) / (np.float32(1) + _exp(-min(max(units[h], np.float32(-16)), np.float32(16))))
    else:
        for h in range(len(units)):
            units[h] *= np.float32(units[h] > np.float32(0))


@njit(cache=True, nogil=True, error_model="numpy")
def softmax(x):
    """In place, of six logits."""
    highest = x[0]
    for k in range(1, 6):
        highest = max(highest, x[k])
    total = np.float32(0)
    for k in range(6):
        x[k] = _exp(max(x[k] - highest, np.float32(-30)))
        total += x[k]
    for k in range(6):
        x[k] /= total


@njit(cache=True, nogil=True)
def _exp(x):
    """exp(x), -30 <= x <= 16, as the 32nd power of a Taylor polynomial of exp(x / 32). Down to -10 it is right to
    1e-6 of itself, and below that it is next to nothing."""
    y = x * np.float32(1 / 32)
    p = np.float32(1 / 720)
    for c in (1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0):
        p = p * y + np.float32(c)
    for _ in range(5):
        p *= p
    return p
