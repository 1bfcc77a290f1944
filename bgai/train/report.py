"""What a run tells while it goes on: a live line, `metrics.jsonl` and TensorBoard curves (docs/metrics.md)."""

import json
import time
from pathlib import Path

import numpy as np


class Report:
    def __init__(self, run: Path, config, device):
        run.mkdir(parents=True, exist_ok=True)
        self.file = (run / "metrics.jsonl").open("a")
        self.begun = self.last = time.monotonic()
        self._forget()

    def _forget(self):
        self.games = self.turns = self.evaluated = self.steps = 0
        self.loss = 0.0
        self.playing = self.learning = 0.0
        self.ended = np.zeros(6, dtype=np.int64)

    def round(self, samples, loss, steps, playing, learning):
        self.games += samples.games
        self.turns += samples.turns
        self.evaluated += samples.evaluated
        self.ended += samples.ended
        self.loss += loss * steps
        self.steps += steps
        self.playing += playing
        self.learning += learning

    def line(self, stage, at):
        now = time.monotonic()
        if now - self.last < 10 or self.games == 0:
            return
        dt = now - self.last
        ended = (self.ended[:3] + self.ended[3:]) / max(self.games, 1)
        left = (stage.games - at.stage_games) * dt / max(self.games, 1)
        m = dict(
            stage=stage.name,
            games=at.games,
            updates=at.updates,
            games_per_s=self.games / dt,
            evals_per_s=self.evaluated / dt,
            play_share=self.playing / dt,
            learn_share=self.learning / dt,
            loss=self.loss / max(self.steps, 1),
            gammons=float(ended[1]),
            backgammons=float(ended[2]),
            turns=self.turns / max(self.games, 1),
            minutes_left=left / 60,
        )
        print(" ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in m.items()), flush=True)
        self.file.write(json.dumps(m) + "\n")
        self.last = now
        self._forget()

    def measured(self, measured):
        print("  measured", measured, flush=True)
        self.file.write(json.dumps(measured) + "\n")

    def flush(self):
        self.file.flush()

    def close(self):
        self.file.close()
