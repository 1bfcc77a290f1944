"""The same network as `model.py` in Numba, several times faster, without torch.

The first layer's result is a sum of one row for each input that isn't 0. What a place adds to it depends only on the
checkers there, so that is laid out beforehand, a row for each place and count. A play changes a few places: a candidate
starts from the sum of the position it comes from, takes away the rows of what was there and adds those of what is.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from bgai.board import CHECKERS, OUTCOME_POINTS, swap_outcomes
from bgai.net.arithmetic import activate, add_rows, dense, softmax
from bgai.net.checkpoint import Architecture, load_checkpoint
from bgai.net.features import N_FEATURES, features
from bgai.net.inputs import N_RAW, OPPONENT_OFF, OWN_OFF, borne_off, place_inputs
from bgai.one_roll import MAX_PLAYS, generate
from bgai.plays import Plays
from bgai.threads import in_chunks

_COUNTS = 2 * CHECKERS + 1  # a place holds from 15 of the opponent's checkers, -15, to 15 of one's own
_BY_PLACE = 28 * _COUNTS  # rows for 26 places of the board and two for what is borne off
_EMPTY = np.zeros(26, dtype=np.int8)  # a board without checkers: what a position is reckoned from that has no parent


class Weights(NamedTuple):
    """A network laid out for the kernels, all float32.

    first      [*, H]       first layer: at `_row(place, count)` what so many checkers add there, then a row for each
                            computed feature
    first_bias [H]
    inner      [*]          weights and biases of further hidden layers in turn, [units, inputs] then [units] each
    widths     int64[L]     units of each hidden layer
    out, bias  [6, H'], [6]
    sigmoid    the hidden units are sigmoid ones, else ReLU
    checkers   of the variant
    """

    first: np.ndarray
    first_bias: np.ndarray
    inner: np.ndarray
    widths: np.ndarray
    out: np.ndarray
    bias: np.ndarray
    sigmoid: bool
    checkers: int


def layout(architecture: Architecture, weights: dict[str, np.ndarray]) -> Weights:
    """Lay a checkpoint's or model's weights out for the kernels."""
    inner = [
        part.ravel()
        for i in range(1, len(architecture.hidden))
        for part in (weights[f"hidden.{i}.weight"], weights[f"hidden.{i}.bias"])
    ]
    return Weights(
        _by_place(np.ascontiguousarray(weights["hidden.0.weight"].T)),
        np.array(weights["hidden.0.bias"]),
        np.concatenate(inner) if inner else np.empty(0, np.float32),
        np.array(architecture.hidden, dtype=np.int64),
        np.array(weights["out.weight"]),
        np.array(weights["out.bias"]),
        architecture.activation == "sigmoid",
        architecture.checkers,
    )


class FastNet:
    """A network ready to be asked. Every method takes whole batches and uses all cores."""

    def __init__(self, architecture: Architecture, weights: dict[str, np.ndarray]):
        self.architecture = architecture
        self.weights = layout(architecture, weights)

    def outcomes(self, boards: np.ndarray) -> np.ndarray:
        """Outcomes `float32[N, 6]` of `boards int8[N, 26]` for the player on roll, who hasn't rolled; finished games'
        are exact."""
        boards = np.ascontiguousarray(boards, dtype=np.int8)
        out = np.empty((len(boards), 6), dtype=np.float32)
        in_chunks(lambda a, b: _outcomes(self.weights, boards[a:b], out[a:b]), len(boards), 256)
        return out

    def plays_outcomes(self, boards: np.ndarray, plays: Plays) -> np.ndarray:
        """Outcomes `float32[M, 6]` of every play of `boards int8[N, 26]`, for the opponent, who is on roll after it.

        `plays` are those of `legal_plays(boards, ...)`, flipped. Faster than `outcomes(plays.boards)`.
        """
        out = np.empty((len(plays.boards), 6), dtype=np.float32)

        def work(a, b):
            _plays_outcomes(self.weights, boards[a:b], plays.boards, plays.offsets[a : b + 1], out)

        in_chunks(work, len(boards), 64)
        return out

    def best(
        self, boards: np.ndarray, dice: np.ndarray, worth: np.ndarray = OUTCOME_POINTS
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play each roll to the highest mean `worth` of its outcomes.

        boards  int8[N, 26] of unfinished games
        dice    int8[N, 2]
        worth   float32[6] or [N, 6]: what each outcome is worth to the player on roll; by default cubeless money points
        Returns the boards after the plays, `int8[N, 26]`, the opponent on roll, and the opponent's outcomes there,
        `float32[N, 6]`.
        """
        after, outcomes, _ = self.play(boards, dice, np.full(len(boards), -1, dtype=np.float32), worth)
        return after, outcomes

    def play(
        self, boards: np.ndarray, dice: np.ndarray, explore: np.ndarray, worth: np.ndarray = OUTCOME_POINTS
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """`best`, except that some rows take another play; also returns how many positions were evaluated.

        explore  float32[N]: a row's number in [0, 1) takes the play that far down its list, a negative one the best
        """
        after = np.empty_like(boards)
        outcomes = np.empty((len(boards), 6), dtype=np.float32)
        worth = np.broadcast_to(swap_outcomes(worth), outcomes.shape).astype(np.float32, order="C")

        def work(a, b):
            return _play(self.weights, boards[a:b], dice[a:b], explore[a:b], worth[a:b], after[a:b], outcomes[a:b])

        return after, outcomes, sum(in_chunks(work, len(boards), 64))


def load_net(path: str | Path) -> FastNet:
    """The network of a checkpoint file. Raises BadCheckpoint, FileNotFoundError."""
    checkpoint = load_checkpoint(Path(path))
    return FastNet(checkpoint.architecture, checkpoint.weights)


# --- kernels -----------------------------------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def _play(w, boards, dice, explore, worth, after, outcomes):
    """`FastNet.play`; `worth float32[N, 6]` is in the order of the opponent's outcomes."""
    found = np.empty((MAX_PLAYS, 26), dtype=np.int8)
    keys = np.empty(MAX_PLAYS, dtype=np.uint64)
    no_moves = np.empty((0, 4, 2), dtype=np.int8)
    values = np.empty((MAX_PLAYS, 6), dtype=np.float32)
    desk = _desk(w)
    evaluated = 0
    for i in range(len(boards)):
        count, _ = generate(boards[i], dice[i, 0], dice[i, 1], True, found, no_moves, keys)
        if i == 0 or (boards[i] != boards[i - 1]).any():  # a position often comes with all its rolls in a row
            _start_from(w, -boards[i][::-1], desk)
        _successors(w, desk, found[:count], values[:count])
        evaluated += count
        best = 0
        if explore[i] >= 0:
            best = int(explore[i] * count)
        else:
            highest = np.float32(-np.inf)
            for k in range(count):
                value = _mean(values[k], worth[i])
                if value > highest:
                    best, highest = k, value
        after[i] = found[best]
        outcomes[i] = values[best]
    return evaluated


@njit(cache=True, nogil=True)
def _plays_outcomes(w, boards, candidates, offsets, out):
    desk = _desk(w)
    for i in range(len(boards)):
        a, b = offsets[i], offsets[i + 1]
        _start_from(w, -boards[i][::-1], desk)
        _successors(w, desk, candidates[a:b], out[a:b])


@njit(cache=True, nogil=True)
def _outcomes(w, boards, out):
    """Each board is reckoned from an empty one."""
    desk = _desk(w)
    _start_from(w, _EMPTY, desk)
    _successors(w, desk, boards, out)


@njit(cache=True, nogil=True)
def _mean(outcomes, worth):
    mean = np.float32(0)
    for k in range(6):
        mean += outcomes[k] * worth[k]
    return mean


class Desk(NamedTuple):
    """Working memory: the position that others are reckoned from, and room for one of them.

    parent, off    int8[26] with the checkers borne off by the player on roll and by the opponent, int64[2]
    sums, seen     float32[H], float32[F]: its first layer's sums and its computed features
    rows, factors  which rows of the first layer to add, and how many times each
    child_sums, child_seen, units   the same of a position beside it, and units of further layers float32[2, *]
    """

    parent: np.ndarray
    off: np.ndarray
    sums: np.ndarray
    seen: np.ndarray
    rows: np.ndarray
    factors: np.ndarray
    child_sums: np.ndarray
    child_seen: np.ndarray
    units: np.ndarray


@njit(cache=True, nogil=True)
def _desk(w):
    most = 2 * 28 + N_FEATURES + 4  # two rows a place, and room for what is written ahead
    return Desk(
        np.empty(26, dtype=np.int8),
        np.empty(2, dtype=np.int64),
        np.empty_like(w.first_bias),
        np.empty(N_FEATURES, dtype=np.float32),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.float32),
        np.empty_like(w.first_bias),
        np.empty(N_FEATURES, dtype=np.float32),
        np.empty((2, w.widths.max()), dtype=np.float32),
    )


@njit(cache=True, nogil=True)
def _start_from(w, parent, desk):
    """Let other positions be reckoned from `parent`."""
    desk.parent[:] = parent
    desk.off[0], desk.off[1] = borne_off(parent, w.checkers)
    n = 0
    for p in range(26):
        n = _place_change(p, 0, parent[p], desk.rows, desk.factors, n)
    n = _place_change(OWN_OFF, 0, desk.off[0], desk.rows, desk.factors, n)
    n = _place_change(OPPONENT_OFF, 0, desk.off[1], desk.rows, desk.factors, n)
    if len(w.first) > _BY_PLACE:
        features(parent, desk.seen)
        desk.child_seen[:] = 0.0
        n = _features_change(desk.child_seen, desk.seen, desk.rows, desk.factors, n)
    desk.sums[:] = w.first_bias
    add_rows(desk.sums, w.first, desk.rows, desk.factors, n)


@njit(cache=True, nogil=True)
def _successors(w, desk, boards, out):
    """Outcomes of `boards`, each reckoned from its differences to the parent, all seen by the same player."""
    parent, rows, factors = desk.parent, desk.rows, desk.factors
    own_before, opponent_before = desk.off[0], desk.off[1]
    for i in range(len(boards)):
        board = boards[i]
        own_off, opponent_off = own_before, opponent_before
        n = 0
        for p in range(26):
            if board[p] != parent[p]:
                n = _place_change(p, parent[p], board[p], rows, factors, n)
                own_off += max(parent[p], 0) - max(board[p], 0)
                opponent_off += min(board[p], 0) - min(parent[p], 0)
        if own_off == w.checkers or opponent_off == w.checkers:
            _finished(board, own_off, opponent_off, w.checkers, out[i])
            continue
        if own_off != own_before:
            n = _place_change(OWN_OFF, own_before, own_off, rows, factors, n)
        if opponent_off != opponent_before:
            n = _place_change(OPPONENT_OFF, opponent_before, opponent_off, rows, factors, n)
        if len(w.first) > _BY_PLACE:
            features(board, desk.child_seen)
            n = _features_change(desk.seen, desk.child_seen, rows, factors, n)
        desk.child_sums[:] = desk.sums
        add_rows(desk.child_sums, w.first, rows, factors, n)
        _upper_layers(w, desk.child_sums, desk.units, out[i])
        softmax(out[i])


@njit(cache=True, nogil=True)
def _row(place, checkers):
    """Where `Weights.first` has what so many checkers on a place add."""
    return _COUNTS * place + CHECKERS + checkers


@njit(cache=True, nogil=True)
def _place_change(place, before, after, rows, factors, n):
    """Write behind the first n `rows` and `factors` what changes when `before` checkers on `place` become `after`;
    returns how many there are now. An empty place adds nothing.
    """
    rows[n], factors[n] = _row(place, after), 1
    n += after != 0
    rows[n], factors[n] = _row(place, before), -1
    return n + (before != 0)


@njit(cache=True, nogil=True)
def _by_place(weights):
    """Lay out a first layer `float32[inputs, H]`, a row for each input, as `Weights.first` has it."""
    first = np.zeros((_BY_PLACE + len(weights) - N_RAW, weights.shape[1]), dtype=np.float32)
    first[_BY_PLACE:] = weights[N_RAW:]
    inputs = np.empty(CHECKERS + 3, dtype=np.int64)
    values = np.empty(CHECKERS + 3, dtype=np.float32)
    for place in range(28):
        for checkers in range(0 if place >= 25 else -CHECKERS, 1 if place == 0 else CHECKERS + 1):
            n = place_inputs(place, checkers, inputs, values, 0)
            add_rows(first[_row(place, checkers)], weights, inputs, values, n)
    return first


@njit(cache=True, nogil=True)
def _features_change(before, after, rows, factors, n):
    """As `_place_change`, for the computed features."""
    for k in range(N_FEATURES):
        rows[n], factors[n] = _BY_PLACE + k, after[k] - before[k]
        n += factors[n] != 0
    return n


@njit(cache=True, nogil=True)
def _upper_layers(w, sums, space, logits):
    """From the first layer's sums to the six logits."""
    units = sums
    at = 0
    for layer in range(1, len(w.widths)):
        n_in, n_out = w.widths[layer - 1], w.widths[layer]
        weights = w.inner[at : at + n_in * n_out].reshape(n_out, n_in)
        at += n_in * n_out
        following = space[layer % 2, :n_out]
        activate(units, w.sigmoid)
        dense(units, weights, w.inner[at : at + n_out], following)
        at += n_out
        units = following
    activate(units, w.sigmoid)
    dense(units, w.out, w.bias, logits)


@njit(cache=True, nogil=True)
def _finished(board, own_off, opponent_off, checkers, out):
    """Outcome of a finished game (R26 to R29), as `board.outcome` has it."""
    out[:] = 0.0
    if own_off == checkers:
        behind = False
        for p in range(7):
            behind |= board[p] < 0
        out[0 if opponent_off > 0 else 2 if behind else 1] = 1.0
    else:
        behind = False
        for p in range(19, 26):
            behind |= board[p] > 0
        out[3 if own_off > 0 else 5 if behind else 4] = 1.0
