"""What a run tells while it goes on: a live line on a terminal, plain lines elsewhere, `metrics.jsonl` and TensorBoard.

docs/metrics.md explains every figure.
"""

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.live import Live

from bgai.files import write_atomically
from bgai.net.checkpoint import Architecture
from bgai.net.net import Net
from bgai.threads import threads
from bgai.train.config import Stage, TrainConfig
from bgai.train.curves import Curves
from bgai.train.history import METRICS
from bgai.train.openings import opening_plays
from bgai.train.selfplay import Samples
from bgai.train.state import Progress

RECORD_SECONDS, LIVE_SECONDS = 10.0, 1.0

_listener: ContextVar[Callable[[dict], None] | None] = ContextVar("listener", default=None)


@contextmanager
def telling(listener: Callable[[dict], None]) -> Iterator[None]:
    """Within the block `listener` is called with every record that a run writes."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


class Window:
    """Sums over the rounds since it was opened. `others`: processor time of all other ranks until then, in seconds."""

    def __init__(self, others: float = 0.0) -> None:
        self.begun, self.cores_begun = time.monotonic(), time.process_time() + others
        self.others = others
        self.games = self.turns = self.evaluated = self.updates = 0
        self.loss = self.playing = self.learning = self.measuring = 0.0
        self.ended = np.zeros(6)
        self.surprise = np.zeros((2, 6))  # by how the game ended: positions, and their -log(chance given to that end)
        self.bins = np.zeros((3, 10))  # by the chance of winning given: positions, sum of the chances, games won

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def add(self, samples: Samples, loss: float, updates: int, playing: float, learning: float) -> None:
        self.games += samples.games
        self.turns += samples.turns
        self.evaluated += samples.evaluated
        self.ended += samples.ended
        self.loss += loss * updates
        self.updates += updates
        self.playing += playing
        self.learning += learning
        given = samples.thought[np.arange(len(samples.results)), samples.results]
        wins = samples.thought[:, :3].sum(axis=1)
        tenth = np.clip(wins * 10, 0, 9).astype(int)
        for row, weights in ((0, None), (1, -np.log(np.maximum(given, 1e-6)))):
            self.surprise[row] += np.bincount(samples.results, weights, 6)
        for row, weights in ((0, None), (1, wins), (2, samples.results < 3)):
            self.bins[row] += np.bincount(tenth, weights, 10)

    def figures(self) -> dict:
        """Rates and means by the names of docs/metrics.md; what can't be said yet is None."""
        seconds = max(self.seconds, 1e-9)
        positions = np.maximum(self.bins[0], 1)
        predicted, won = self.bins[1] / positions, self.bins[2] / positions
        single, gammon, backgammon = (_share(self.ended[k] + self.ended[k + 3], self.games) for k in range(3))
        return {
            "core_seconds": time.process_time() + self.others - self.cores_begun,
            "games_per_s": self.games / seconds,
            "evals_per_s": self.evaluated / seconds,
            "play_share": self.playing / seconds,
            "evaluate_share": self.measuring / seconds,
            "learn_share": self.learning / seconds,
            "loss": _share(self.loss, self.updates),
            "loss_by_outcome": [_share(total, n) for n, total in self.surprise.T],
            "single": single,
            "gammon": gammon,
            "backgammon": backgammon,
            "game_length": _share(self.turns, self.games),
            "calibration_error": _share(np.abs(self.bins[1] - self.bins[2]).sum(), self.bins[0].sum()),
            "calibration": [[float(p), float(w), int(n)] for p, w, n in zip(predicted, won, self.bins[0], strict=True)],
        }


def _share(total: float, n: float) -> float | None:
    return float(total / n) if n else None


class Report:
    """Use it in a `with` block; it writes what is left at the end of it."""

    def __init__(self, config: TrainConfig, device: str, architecture: Architecture, at: Progress):
        self.config = config
        self.stages = config.stages
        self.measured_last: dict = {}
        self.record, self.live, self.pace = Window(), Window(), Window()  # the last one tells the time left
        self.console = Console(highlight=False, soft_wrap=True)
        self.screen = Live(console=self.console, auto_refresh=False) if self.console.is_terminal else None
        run = Path(config.run)
        _forget_after(run / METRICS, at.games)
        self.file = (run / METRICS).open("a")
        self.curves = Curves(run, at.games)
        self._say(_introduction(config, device, architecture, at))

    def __enter__(self) -> "Report":
        if self.screen:
            self.screen.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.screen:
            self.screen.stop()
        self.file.close()
        self.curves.close()

    def round(
        self, samples: Samples, loss: float, updates: int, playing: float, learning: float, core_seconds: float
    ) -> None:
        """Take note of one round of the loop and the seconds it played and learned.

        `core_seconds` is the processor time of all ranks since they began.
        """
        for window in (self.record, self.live, self.pace):
            window.others = core_seconds - time.process_time()
            window.add(samples, loss, updates, playing, learning)

    def labelled(self, stage: str, file: int, files: int, pace: float, left: float) -> None:
        """A teacher has made a file of so many, at so many labels a second; so many seconds are left."""
        for window in (self.record, self.live, self.pace):
            window.begun = time.monotonic()  # what follows is to be told at the pace of learning, not of labelling
        line = f"labels for {stage}: {file} of {files} files | {pace:,.0f} labels/s | {_duration(max(left, 0))} left"
        if self.screen:
            self.screen.update(line, refresh=True)
        else:
            self._say(line)

    def line(self, at: Progress, rate: float, trace: float) -> None:
        """Tell how things stand, if it is time to; always at the end of a stage."""
        stage_over = at.stage_games >= self.stages[at.stage].games
        if self.screen and self.live.seconds >= LIVE_SECONDS:
            self.screen.update(self._line(at, self.live.figures()), refresh=True)
            self.live = Window(self.live.others)
        if self.record.seconds >= RECORD_SECONDS or stage_over:
            figures = self.record.figures()
            times = [t if t is None else t / 60 for t in self._seconds_left(at)]
            figures |= {"rate": rate, "lambda": trace, "minutes_left_in_stage": times[0], "minutes_left": times[1]}
            where = {"stage": self.stages[at.stage].name, "games": at.games, "updates": at.updates}
            self._write({"kind": "progress", **where, **figures})
            self.curves.progress(at.games, figures)
            if not self.screen:
                self._say(self._line(at, figures))
            self.record = Window(self.record.others)
        if stage_over:
            self.pace = Window(self.pace.others)

    def measured(
        self, figures: dict, seconds: float, net: Net, weights: dict[str, np.ndarray], samples: Samples
    ) -> None:
        """A measurement of strength has been made, which took so many seconds."""
        self.record.measuring += seconds
        self.live.measuring += seconds
        self.measured_last = figures
        openings = opening_plays(net, self.config.variant)
        self._write({"kind": "measured", **figures, "openings": {o.roll: o.play for o in openings}})
        self.curves.measured(figures, openings, net.architecture, weights, samples.boards)
        self._say(f"strength after {figures['games']:,} games: {_strength(figures, interval=True)}")

    def _seconds_left(self, at: Progress) -> list[float | None]:
        """Of the stage and of the recipe, at the speed of the stage so far, its measurements of strength included.

        Labels that later stages make come on top. None while no game has ended yet.
        """
        in_stage = max(self.stages[at.stage].games - at.stage_games, 0)
        in_all = in_stage + sum(stage.games for stage in self.stages[at.stage + 1 :])
        played, seconds = self.pace.games, self.pace.seconds
        return [games * seconds / played if played else None for games in (in_stage, in_all)]

    def _line(self, at: Progress, f: dict) -> str:
        stage = self.stages[at.stage]
        in_stage, in_all = map(_duration, self._seconds_left(at))
        in_all += " and labels" * any(later.label_games for later in self.stages[at.stage + 1 :])
        parts = [
            f"{stage.name} ({at.stage + 1} of {len(self.stages)}): {at.stage_games:,} of {stage.games:,} games",
            f"{f['games_per_s']:,.0f} games/s, {f['evals_per_s'] / 1e6:.2f} M evaluations/s",
            f"play {f['play_share']:.0%} evaluate {f['evaluate_share']:.0%} learn {f['learn_share']:.0%}",
            f"loss {_number(f['loss'], '.4f')}",
            f"gammons {_number(f['gammon'], '.1%')} backgammons {_number(f['backgammon'], '.1%')}",
            *([_strength(self.measured_last)] if self.measured_last else []),
            f"{in_stage} left" if in_stage == in_all else f"{in_stage} left of the stage, {in_all} in all",
        ]
        return " | ".join(parts)

    def _say(self, words: str) -> None:
        self.console.print(words, markup=False)
        self.console.file.flush()

    def _write(self, record: dict) -> None:
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()
        if listener := _listener.get():
            listener(record)


def _introduction(config: TrainConfig, device: str, architecture: Architecture, at: Progress) -> str:
    size = "" if architecture.own else f", {sum(map(math.prod, architecture.shapes().values())):,} parameters"
    ahead = config.stages[at.stage :]
    games = f"{sum(stage.games for stage in ahead) - at.stage_games:,} games of {config.variant}"
    stages = ", ".join(map(_stage, ahead))
    return "\n".join(
        [
            f"run {config.run}: {games} (stages: {stages})" + (f", from game {at.games:,} on" if at.games else ""),
            f"{threads()} threads, learning on {device}; network {architecture}{size}",
        ]
    )


def _stage(stage: Stage) -> str:
    """Its name, what it goes on with if not the one before, and how wide the network is if that changes."""
    units = stage.widen or (stage.hidden and " and ".join(map(str, stage.hidden)))
    return stage.name + (f" after {stage.after}" if stage.after else "") + (f" with {units} units" if units else "")


def _forget_after(path: Path, games: int) -> None:
    """Drop what a killed process recorded after its last save: those games are played again."""
    if path.exists():
        lines = [line for line in path.read_text().splitlines(keepends=True) if _is_until(line, games)]
        write_atomically(path, "".join(lines).encode())


def _is_until(line: str, games: int) -> bool:
    try:
        return json.loads(line)["games"] <= games
    except (ValueError, LookupError, TypeError, RecursionError):  # cut off in the middle, or not of ours
        return False


def _strength(figures: dict, interval: bool = False) -> str:
    """Points a game against the yardsticks."""
    parts = []
    for opponent in ("pubeval", "past", "random"):
        if opponent in figures:
            low, high = figures[f"{opponent}_ci95"]
            parts.append(f"{figures[opponent]:+.3f}{f' +- {(high - low) / 2:.3f}' if interval else ''} v {opponent}")
    return ", ".join(parts)


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes = int(seconds / 60 + 0.5)
    return f"{seconds:.0f} s" if seconds < 90 else f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
