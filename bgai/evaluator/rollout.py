"""Rollouts: what a position, a cube action or each of several plays is worth over many games played to the end.

The trials (`trials`) come in independent sets of 36, so every standard error is that of a mean of set means. Positions
that are compared meet the same dice, and their difference has an error of its own, smaller than the errors of both
suggest: JSD here is the difference over that error.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from bgai.board import OUTCOME_POINTS
from bgai.evaluator.cube import emg, slot
from bgai.evaluator.search import Sides, sides_of
from bgai.evaluator.trials import SET, Settings, Start, play_trials
from bgai.files import read_whole, write_atomically
from bgai.game import State, end_turn
from bgai.net.net import Net

_AT_ONCE = 8192  # positions of all trials, times 21 where luck is measured: bounds memory, and the time between reports


class OtherRollout(ValueError):
    """A file that holds no rollout, or that of another question."""


def of_position(board: np.ndarray, state: State) -> Start:
    """Roll out `board int8[26]` from before the cube action of the player on roll."""
    return Start(board[None].copy(), np.array([slot(state.owner)]), np.ones(1), sides_of(state))


def of_plays(boards: np.ndarray, state: State) -> Start:
    """Roll out the boards `int8[P, 26]` after plays made in `state`, seen by the opponent, who is on roll there."""
    theirs = end_turn(state)
    slots = np.full(len(boards), slot(theirs.owner))
    return Start(boards, slots, np.ones(len(boards)), sides_of(theirs), moved=True)


def of_cube(board: np.ndarray, state: State) -> Start:
    """Roll out no double, and double and take, of the player on roll (or of who doubled, where that is pending)."""
    sides = sides_of(replace(state, pending=None, resigned=0))
    taken, factor = (slot("opponent"), 2.0) if sides.mover.money else (slot("opponent", 1), 1.0)
    return Start(
        np.stack([board, board]), np.array([slot(state.owner), taken]), np.array([1.0, factor]), sides, decided=True
    )


@dataclass(frozen=True, eq=False)
class Rollout:
    """A rollout so far: means of sets of 36 trials, seen by the player whose values are wanted.

    results  float64[P, sets, 7]: value (points per cube, or match winning chance) and the six outcomes
    raw      the same with the luck of the dice left in
    """

    start: Start
    settings: Settings
    results: np.ndarray = field(repr=False)
    raw: np.ndarray = field(repr=False)

    @property
    def trials(self) -> int:
        """How many games of each position have been played."""
        return SET * self.results.shape[1]

    @property
    def values(self) -> np.ndarray:
        """Mean values `float64[P]`."""
        return self.results[:, :, 0].mean(axis=1)

    @property
    def outcomes(self) -> np.ndarray:
        """Mean outcomes `float64[P, 6]`."""
        return self.results[:, :, 1:].mean(axis=1)

    @property
    def cubeless(self) -> np.ndarray:
        """Points of a game without cube, `float64[P]`."""
        return self.outcomes @ OUTCOME_POINTS

    @property
    def wanted(self) -> Sides:
        """Stakes of the player whose values these are, and of the other."""
        return Sides(*self.start.sides[::-1]) if self.start.moved else self.start.sides

    @property
    def equities(self) -> np.ndarray:
        """Mean values in EMG, `float64[P]`."""
        return emg(self.values, self.wanted.mover)

    @property
    def errors(self) -> np.ndarray:
        """Standard errors of `equities`, `float64[P]`; NaN from one set, which doesn't tell."""
        return self._error(self._set_equities())

    @property
    def outcome_errors(self) -> np.ndarray:
        """Standard errors of `outcomes`, `float64[P, 6]`."""
        return self._error(self.results[:, :, 1:])

    @property
    def variance_reduction(self) -> np.ndarray:
        """By how much less the results vary than with luck left in, as a ratio of variances, `float64[P]`.

        NaN from one set or where neither varies, infinite where nothing varies once luck is taken out.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.raw[:, :, 0].var(axis=1) / self.results[:, :, 0].var(axis=1)

    def jsd(self, best: int) -> np.ndarray:
        """How far each position lies behind position `best`, in standard errors of the difference: `float64[P]`.

        NaN from one set; 0 where all sets agree that there is no difference, infinite where they agree on one.
        """
        behind = self._set_equities()[best] - self._set_equities()
        mean = behind.mean(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(behind.any(axis=1), mean / self._error(behind), 0.0)

    def clear(self, jsd: float) -> bool:
        """The best position is ahead of every other by more than `jsd`; one set, or one position, can't tell."""
        if min(self.results.shape[:2]) < 2:
            return False
        best = int(self.equities.argmax())
        return bool((np.delete(self.jsd(best), best) > jsd).all())

    def _set_equities(self) -> np.ndarray:
        return emg(self.results[:, :, 0], self.wanted.mover)

    def _error(self, means: np.ndarray) -> np.ndarray:
        sets = means.shape[1]
        return means.std(axis=1, ddof=1) / np.sqrt(sets) if sets > 1 else np.full_like(means[:, 0], np.nan)


def roll_out(
    net: Net,
    start: Start,
    trials: int,
    settings: Settings,
    *,
    jsd: float | None = None,
    so_far: Rollout | None = None,
) -> Iterator[Rollout]:
    """Roll out to at least `trials` trials of each position (a multiple of 36), yielding the rollout as it grows.

    jsd     stop early when the best position is clear by so many standard errors
    so_far  go on with this rollout, of the same start and settings
    The results don't depend on where a rollout was interrupted, except by an early stop.
    """
    if so_far is None:
        so_far = Rollout(start, settings, *np.empty((2, len(start.boards), 0, 7)))
    else:
        yield so_far
    sets = -(-trials // SET)
    weight = len(start.boards) * SET * (1 if settings.luck_ply is None else 21)
    step = max(1, _AT_ONCE // weight)
    while (done := so_far.results.shape[1]) < sets and not (jsd is not None and so_far.clear(jsd)):
        results, luck = play_trials(net, start, range(done, min(done + step, sets)), settings)
        so_far = replace(
            so_far,
            results=np.concatenate([so_far.results, (results - luck).mean(axis=2)], axis=1),
            raw=np.concatenate([so_far.raw, results.mean(axis=2)], axis=1),
        )
        yield so_far


def save(rollout: Rollout, question: dict, path: Path) -> None:
    """Keep a rollout, with the `question` that it answers, in a file of JSON, whole or not at all."""
    kept = {"question": question, "results": rollout.results.tolist(), "raw": rollout.raw.tolist()}
    write_atomically(path, json.dumps(kept).encode())


def load(path: Path, question: dict, start: Start, settings: Settings) -> Rollout | None:
    """The rollout that `save` kept, None if there is no file yet. Raises OtherRollout if it
    answers another question."""
    if not path.exists():
        return None
    try:
        kept = json.loads(read_whole(path))
        results, raw = (np.array(kept[name], dtype=np.float64) for name in ("results", "raw"))
        shapes = {results.shape, raw.shape, (len(start.boards), results.shape[1], 7)}
        asked = kept["question"]
        finite = np.isfinite(results).all() and np.isfinite(raw).all()
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise OtherRollout(f"{path} holds no rollout ({error}); give the file of another, or a new one") from None
    if not finite:
        raise OtherRollout(f"{path} holds numbers that aren't finite; give the file of another rollout, or a new one")
    if asked != question or len(shapes) > 1:
        raise OtherRollout(f"{path} holds the rollout of another question, {json.dumps(asked)}; give a new file")
    return Rollout(start, settings, results, raw)
