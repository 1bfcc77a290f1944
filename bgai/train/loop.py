"""The training loop: games are played, their positions learned, and the better network plays on.

Each round, the network of the last round plays a few turns of every game while the model learns the positions that the
round before brought in: both cores are busy, and the result depends on the seed alone, not on who was faster.
"""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from bgai.board import checkers_of
from bgai.net.checkpoint import Architecture, Checkpoint, load_checkpoint, save_checkpoint
from bgai.net.fast import FastNet
from bgai.net.inputs import encode_into, n_inputs
from bgai.net.model import Model, widened
from bgai.threads import set_threads, threads
from bgai.train.config import BadConfig, Stage, TrainConfig, as_plain, first_stage
from bgai.train.folder import BEST, LAST, STAGES, BadRun, keep_recent
from bgai.train.report import Report
from bgai.train.selfplay import SelfPlay
from bgai.train.state import Progress, Waiting, load_state, save_state
from bgai.train.watch import Watch


def train(config: TrainConfig) -> Path:
    """Run the recipe of `config`, or go on with it where the run's folder has a saved state.

    Returns the last checkpoint's path. Raises BadRun when there is nothing left to do, BadConfig for a device that
    isn't there, Collapse when training has gone wrong, KeyboardInterrupt (after saving) when it was asked to stop.
    """
    run = Path(config.run)
    saved = load_state(run)
    at = saved.progress if saved else Progress(stage=first_stage(config))
    if at.stage == len(config.stages):
        raise BadRun(f"{run} is finished; train its player further by: bgai train experiment=... from={run / LAST}")
    device = prepare(config)
    model = Model(architecture_of(config, config.stages[first_stage(config) : at.stage + 1] if saved else [])).to(
        device
    )
    if config.initial and not saved:
        start = load_checkpoint(Path(config.initial))
        model.load_state_dict({name: torch.from_numpy(w) for name, w in start.weights.items()})
        at.games, at.updates = start.games, start.updates
    play_rng, rng = np.random.default_rng(config.seed).spawn(2)  # two, as playing and learning go on side by side
    watch = Watch(config, at.games)
    plain = as_plain(config)

    def player() -> Checkpoint:
        stage = config.stages[at.stage]
        done = min(at.stage_games / stage.games, 1.0)
        weights, counts = numpy_weights(model), (at.games, at.updates)
        return Checkpoint(model.architecture, weights, stage.name, done, *counts, plain, watch.measured)

    def save() -> None:
        save_state(run, model, optimiser, selfplay, rng, watch, at)

    with ThreadPoolExecutor(1) as beside, StopSignal() as stop, Report(config, device, model, at) as report:
        for stage in config.stages[at.stage :]:
            if stage.widen and not saved:
                torch.manual_seed(config.seed + at.stage)  # whatever was drawn before, or wasn't after a resume
                model = widened(model, stage.widen)
            optimiser = torch.optim.Adam(model.parameters(), lr=stage.rate_start, fused=True)
            selfplay = SelfPlay(config.parallel_games, config.variant, vars(stage.starts), play_rng, stage.luck_free)
            if saved:
                saved.restore(model, optimiser, selfplay, rng, watch)
                saved = None
            save()
            last_save = time.monotonic()
            while at.stage_games < stage.games:
                trace = schedule(optimiser, stage, at.stage_games / stage.games)
                net = FastNet(model.architecture, numpy_weights(model))
                playing = beside.submit(timed, selfplay.play, net, config.turns, trace, stage.explore)
                if threads() == 1:
                    wait([playing])
                (loss, steps, rest), learning_seconds = timed(learn, model, optimiser, at.waiting, stage, rng)
                samples, playing_seconds = playing.result()
                at.learned(samples, steps, rest, stage.reuse)
                report.round(samples, loss, steps, playing_seconds, learning_seconds)
                watch.round(samples, loss)
                if watch.due(at.games):
                    net = FastNet(model.architecture, numpy_weights(model))
                    measured, seconds = timed(watch.measure, net, at.games)
                    report.measured(measured, seconds, net, model, samples)
                    watch.judge()
                    if watch.is_best():
                        save_checkpoint(run / BEST, player())
                report.line(at, optimiser.param_groups[0]["lr"], trace)
                if stop.asked or time.monotonic() - last_save >= 60 * config.save_minutes:
                    save()
                    keep_recent(run, player(), config.keep)
                    last_save = time.monotonic()
                if stop.asked:
                    raise KeyboardInterrupt
            save_checkpoint(run / STAGES / f"{at.stage + 1}-{stage.name}.safetensors", player())
            keep_recent(run, player(), config.keep)
            at.next_stage()
        save()
    return run / LAST


def architecture_of(config: TrainConfig, begun: list[Stage]) -> Architecture:
    """The network as it is once these stages have begun."""
    hidden = max([config.net.hidden[0], *(stage.widen for stage in begun)]), *config.net.hidden[1:]
    return Architecture(hidden, config.net.activation, config.net.computed, checkers_of(config.variant))


def prepare(config: TrainConfig) -> torch.device:
    """Set cores, device and the libraries so that the same seed gives the same run."""
    set_threads(config.threads)
    device = config.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    elif device == "cuda" and not torch.cuda.is_available():
        raise BadConfig("device=cuda: there is no GPU that torch can use; leave it at auto, or say cpu")
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # or cuBLAS adds up in any order
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(max(1, threads() // 2))
    torch.manual_seed(config.seed)
    return torch.device(device)


def schedule(optimiser: torch.optim.Optimizer, stage: Stage, done: float) -> float:
    """Set the learning rate for when `done` of the stage's games are played, and return lambda."""
    for group in optimiser.param_groups:
        group["lr"] = stage.rate_start * (stage.rate_end / stage.rate_start) ** done
    return stage.lambda_start + (stage.lambda_end - stage.lambda_start) * done


def learn(model: Model, optimiser, waiting: Waiting, stage: Stage, rng: np.random.Generator):
    """Learn positions drawn at random from those that wait, each once at most, all but the uses to be held back.

    Returns (mean cross-entropy, updates made, what then still waits).
    """
    steps = max(0, min(len(waiting.uses), int(waiting.uses.sum()) - stage.replay)) // stage.batch
    rows = rng.permutation(len(waiting.uses))[: steps * stage.batch]
    device = next(model.parameters()).device
    a = model.architecture
    inputs = torch.empty((len(rows), n_inputs(a.computed)))  # torch's own memory: aligned alike in every run
    encode_into(waiting.boards[rows], a.checkers, a.computed, inputs.numpy())
    inputs, goals = inputs.to(device), torch.tensor(waiting.targets[rows], device=device)
    total = torch.zeros((), device=device)
    for first in range(0, len(rows), stage.batch):
        batch = slice(first, first + stage.batch)
        loss = cross_entropy(model(inputs[batch]), goals[batch])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.detach()
    uses = waiting.uses.copy()
    uses[rows] -= 1
    rest = Waiting(*(part[uses > 0] for part in (waiting.boards, waiting.targets, uses)))
    return total.item() / max(steps, 1), steps, rest


def timed(work, *args):
    """(result, seconds)"""
    begun = time.perf_counter()
    return work(*args), time.perf_counter() - begun


def numpy_weights(model: Model) -> dict[str, np.ndarray]:
    """A copy of the weights as they stand."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in model.state_dict().items()}


class StopSignal:
    """Turns Ctrl-C, or a scheduler's SIGTERM, into a wish that the loop grants at the end of a round.

    A second one is obeyed at once.
    """

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __enter__(self):
        self.asked = False
        self.before = [signal.signal(number, self._ask) for number in self.SIGNALS]
        return self

    def _ask(self, number, frame):
        self.asked = True
        self._give_back()

    def _give_back(self):
        for number, handler in zip(self.SIGNALS, self.before, strict=True):
            signal.signal(number, handler)

    def __exit__(self, *_):
        self._give_back()
