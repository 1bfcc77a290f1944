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
    """out = weights @ units + bias, four rows at a time to read `units` less often; the last row fills up the four."""
    last = len(bias) - 1
    for a in range(0, len(bias), 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        s = t = u = v = np.float32(0)
        for k in range(len(units)):
            s += weights[a, k] * units[k]
            t += weights[b, k] * units[k]
            u += weights[c, k] * units[k]
            v += weights[d, k] * units[k]
        out[a], out[b], out[c], out[d] = s + bias[a], t + bias[b], u + bias[c], v + bias[d]


@njit(cache=True, nogil=True, error_model="numpy")
def activate(units, sigmoid):
    if sigmoid:
        for h in range(len(units)):
            u = units[h]
            e = _exp_minus(abs(u))
            units[h] = (np.float32(1) if u >= 0 else e) / (np.float32(1) + e)
    else:
        for h in range(len(units)):
            units[h] = max(units[h], np.float32(0))


@njit(cache=True, nogil=True, error_model="numpy")
def softmax(x):
    highest = x[0]
    for k in range(1, 6):
        highest = max(highest, x[k])
    total = np.float32(0)
    for k in range(6):
        x[k] = _exp_minus(highest - x[k])
        total += x[k]
    for k in range(6):
        x[k] /= total


@njit(cache=True, nogil=True, error_model="numpy")
def _exp_minus(x):
    """exp(-x) for x >= 0 to float32 accuracy, in operations that the compiler can do eight at a time.

    x = k ln 2 + r: a Taylor polynomial of exp(-r), |r| < 0.7, divided by 2^k. Below exp(-30) it is 0. Python's check
    for division by zero would keep the compiler from it, hence the error model here and in the callers.
    """
    y = min(x, np.float32(30))
    k = np.int32(y * np.float32(1.44269504))
    r = np.float32(k) * np.float32(0.693147181) - y
    p = np.float32(1 / 5040)
    for c in (1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0):
        p = p * r + np.float32(c)
    return p / np.float32(np.int32(1) << k)
