"""Learning on a CPU: the steps of Adam on the cross-entropy of the six outcomes, several times faster than torch.

Of some 330 raw inputs a position switches on 30 at most, so the first layer, where nearly all weights are, works with
lists of them: forward, a position adds up the rows of its inputs; backward, an input adds up the errors of its
positions, and its weights take their step at once, without a gradient ever being stored. `torch_learner.py` does the
same on a GPU.
"""

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numba import njit

from bgai.net.arithmetic import FAST, activate, add_rows, dense, softmax
from bgai.net.checkpoint import Architecture
from bgai.net.features import N_FEATURES, features
from bgai.net.inputs import N_RAW, n_inputs, switched_on

if TYPE_CHECKING:  # torch is loaded only where it learns
    from bgai.train.torch_learner import TorchLearner

AnyLearner: TypeAlias = "Learner | TorchLearner"

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # of Adam (Kingma and Ba 2015)
# Moments below it are set to 0. They move no weight, but where a unit is seldom on with an input they fade through
# numbers that only a few bits are left of (under 1e-38), and processors need ten times as long for these.
NEGLIGIBLE = 1e-30
FIRST = "hidden.0.weight"  # kept as [inputs, units] in here: a row for each input


class Learner:
    """A network that learns. Weights and Adam's moments are float32 arrays by the names a checkpoint uses."""

    def __init__(self, architecture: Architecture, weights: dict[str, np.ndarray]):
        self.architecture = architecture
        self.steps = 0
        self._weights = _input_major({name: w.copy() for name, w in weights.items()})
        self._mean, self._square = ({name: np.zeros_like(w) for name, w in self._weights.items()} for _ in range(2))

    def weights(self) -> dict[str, np.ndarray]:
        """A copy of the weights as they stand, laid out as in a checkpoint."""
        return {name: w.copy() for name, w in _input_major(self._weights).items()}

    def learn(self, boards: np.ndarray, targets: np.ndarray, batch: int, rate: float) -> float:
        """Take one step for every `batch` of `boards int8[N, 26]`, in their order, towards `targets float32[N, 6]`.

        N is a multiple of `batch`. Returns the mean cross-entropy before the steps, 0 if there are none.
        """
        total = 0.0
        for first in range(0, len(boards), batch):
            total += self._step(boards[first : first + batch], targets[first : first + batch], np.float32(rate))
        return total / max(len(boards), 1)

    def _step(self, boards: np.ndarray, targets: np.ndarray, rate: np.float32) -> float:
        """One step on one batch; returns the sum of its cross-entropies."""
        a = self.architecture
        seen = _seen(boards, a.checkers, a.computed, n_inputs(a.computed))
        sigmoid = a.activation == "sigmoid"
        layers = [f"hidden.{i}" for i in range(1, len(a.hidden))] + ["out"]
        units = [_first_layer(self._weights[FIRST], self._weights["hidden.0.bias"], *seen[:3], sigmoid)]
        for layer in layers:
            weights, bias = self._weights[f"{layer}.weight"], self._weights[f"{layer}.bias"]
            units.append(_next_layer(units[-1], weights, bias, layer != "out", sigmoid))
        loss, error = _cross_entropy(units.pop(), targets)

        self.steps += 1
        corrections = 1 - BETA1**self.steps, 1 - BETA2**self.steps
        pace = np.float32(rate / corrections[0]), np.float32(1 / corrections[1])
        for layer, seen_by_it in zip(reversed(layers), reversed(units), strict=True):
            below = _error_below(error, self._weights[f"{layer}.weight"], seen_by_it, sigmoid)
            _step_dense(error, seen_by_it, *self._of(f"{layer}.weight"), *pace)
            _step_bias(error, *self._of(f"{layer}.bias"), *pace)
            error = below
        _step_first(error, *seen[3:], *self._of(FIRST), *pace)
        _step_bias(error, *self._of("hidden.0.bias"), *pace)
        return loss

    def _of(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._weights[name], self._mean[name], self._square[name]

    def state(self) -> dict[str, np.ndarray]:
        """Everything that the next step depends on, as arrays by name."""
        parts = {"weights": self._weights, "mean": self._mean, "square": self._square}
        arrays = {f"{part}.{name}": a.copy() for part, of in parts.items() for name, a in _input_major(of).items()}
        return arrays | {"steps": np.array([self.steps])}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from `state()`."""
        self.steps = int(state["steps"][0])
        for part, of in (("weights", self._weights), ("mean", self._mean), ("square", self._square)):
            of.update(_input_major({name: state[f"{part}.{name}"].copy() for name in of}))


def _input_major(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same arrays, the first layer's turned from [units, inputs] to [inputs, units] or back."""
    return weights | {FIRST: np.ascontiguousarray(weights[FIRST].T)}


# --- kernels -----------------------------------------------------------------------------------------------------
# B positions of a batch. Lists have room for three more, as `add_rows` asks. `pace` is two numbers: the learning rate
# and the factor on the squares, both corrected for how short Adam's averages still are.


@njit(cache=True, nogil=True)
def _seen(boards, checkers, computed, n_inputs):
    """What the positions switch on.

    Returns for each position its inputs [B, *], their values and their number; and turned round, the positions of all
    inputs in one list, the values there, and where each input's stretch of it begins and ends.
    """
    most = 2 * checkers + N_FEATURES + 3
    inputs = np.empty((len(boards), most), dtype=np.int32)
    values = np.empty((len(boards), most), dtype=np.float32)
    counts = np.zeros(len(boards), dtype=np.int64)
    seen = np.empty(N_FEATURES, dtype=np.float32)
    begins = np.zeros(n_inputs + 1, dtype=np.int64)
    for i in range(len(boards)):
        n = switched_on(boards[i], checkers, inputs[i], values[i])
        if computed:
            features(boards[i], seen)
            for k in range(N_FEATURES):
                inputs[i, n], values[i, n] = N_RAW + k, seen[k]
                n += seen[k] != 0
        counts[i] = n
        for k in range(counts[i]):
            begins[inputs[i, k] + 1] += 1
    for k in range(n_inputs):
        begins[k + 1] += begins[k] + 3
    ends = begins[:-1].copy()
    positions = np.empty(begins[-1], dtype=np.int32)
    values_there = np.empty(begins[-1], dtype=np.float32)
    for i in range(len(boards)):
        for k in range(counts[i]):
            there = inputs[i, k]
            positions[ends[there]], values_there[ends[there]] = i, values[i, k]
            ends[there] += 1
    return inputs, values, counts, positions, values_there, begins, ends


@njit(cache=True, nogil=True)
def _first_layer(weights, bias, inputs, values, counts, sigmoid):
    """Its units [B, H], active."""
    units = np.empty((len(inputs), len(bias)), dtype=np.float32)
    for i in range(len(inputs)):
        units[i] = bias
        add_rows(units[i], weights, inputs[i], values[i], counts[i])
        activate(units[i], sigmoid)
    return units


@njit(cache=True, nogil=True)
def _next_layer(below, weights, bias, active, sigmoid):
    """The units [B, n] of a further layer, or the logits."""
    units = np.empty((len(below), len(bias)), dtype=np.float32)
    for i in range(len(below)):
        dense(below[i], weights, bias, units[i])
        if active:
            activate(units[i], sigmoid)
    return units


@njit(cache=True, nogil=True)
def _cross_entropy(logits, targets):
    """Its sum over the batch, and the derivative of its mean by the logits [B, 6]."""
    loss = 0.0
    error = np.empty_like(logits)
    for i in range(len(logits)):
        highest = logits[i].max()
        total = np.float32(0)
        for k in range(6):
            total += np.exp(logits[i, k] - highest)
        log_total = np.log(total) + highest
        for k in range(6):
            loss += targets[i, k] * (log_total - logits[i, k])
        softmax(logits[i])
        for k in range(6):
            error[i, k] = (logits[i, k] - targets[i, k]) / np.float32(len(logits))
    return loss, error


@njit(cache=True, nogil=True)
def _error_below(error, weights, units, sigmoid):
    """The derivative by the sums of the layer below, whose `units` [B, n] fed this one."""
    n = error.shape[1]
    below = np.zeros_like(units)
    every = np.arange(n + 3)
    factors = np.empty(n + 3, dtype=np.float32)
    for i in range(len(units)):
        factors[:n] = error[i]
        add_rows(below[i], weights, every, factors, n)
        for h in range(units.shape[1]):
            u = units[i, h]
            below[i, h] *= u * (np.float32(1) - u) if sigmoid else np.float32(u > 0)
    return below


@njit(cache=True, nogil=True)
def _step_first(error, positions, values, begins, ends, weights, mean, square, rate, correction):
    for k in range(len(weights)):
        gradient = np.zeros(weights.shape[1], dtype=np.float32)
        add_rows(gradient, error, positions[begins[k] :], values[begins[k] :], ends[k] - begins[k])
        _adam(gradient, weights[k], mean[k], square[k], rate, correction)


@njit(cache=True, nogil=True)
def _step_dense(error, units, weights, mean, square, rate, correction):
    every = np.arange(len(units) + 3)
    factors = np.empty(len(units) + 3, dtype=np.float32)
    for k in range(len(weights)):
        gradient = np.zeros(weights.shape[1], dtype=np.float32)
        factors[: len(units)] = error[:, k]
        add_rows(gradient, units, every, factors, len(units))
        _adam(gradient, weights[k], mean[k], square[k], rate, correction)


@njit(cache=True, nogil=True)
def _step_bias(error, bias, mean, square, rate, correction):
    gradient = np.zeros_like(bias)
    for i in range(len(error)):
        gradient += error[i]
    _adam(gradient, bias, mean, square, rate, correction)


@njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _adam(gradient, weights, mean, square, rate, correction):
    for h in range(len(weights)):
        g = gradient[h]
        m = np.float32(BETA1) * mean[h] + np.float32(1 - BETA1) * g
        s = np.float32(BETA2) * square[h] + np.float32(1 - BETA2) * g * g
        mean[h] = m * np.float32(abs(m) > np.float32(NEGLIGIBLE))
        square[h] = s * np.float32(s > np.float32(NEGLIGIBLE))
        weights[h] -= rate * mean[h] / (np.sqrt(square[h] * correction) + np.float32(EPSILON))
