"""The training loop: games are played, their positions learned, and the better network plays on.

Each round, the network of the last round plays a few turns of every game while the model learns the positions that the
round before brought in: both cores are busy, and the result depends on the seed alone, not on who was faster.
"""

import signal
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from bgai.net.checkpoint import Architecture, Checkpoint, load_checkpoint, save_checkpoint
from bgai.net.fast import FastNet
from bgai.net.inputs import encode_into, n_inputs
from bgai.net.model import Model
from bgai.threads import set_threads, threads
from bgai.train.config import TrainConfig
from bgai.train.report import Report
from bgai.train.selfplay import SelfPlay
from bgai.train.starts import checkers_of
from bgai.train.state import Progress, load_state, save_state
from bgai.train.watch import Watch


def train(config: TrainConfig, plain: dict) -> Path:
    """Run the recipe of `config`, or go on with it where the run's folder has a saved state.

    `plain` is the configuration as plain data, to be kept in checkpoints. Returns the last checkpoint's path.
    Raises Collapse when training has gone wrong, KeyboardInterrupt (after saving) when it was asked to stop.
    """
    set_threads(config.threads)
    device = _device(config.device)
    torch.set_num_threads(max(1, threads() // 2))
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(config.seed)
    run = Path(config.run)

    start = load_checkpoint(Path(config.initial)) if config.initial else None
    if start:
        architecture = start.architecture
    else:
        net = config.net
        architecture = Architecture(tuple(net.hidden), net.activation, net.computed, checkers_of(config.variant))
    model = Model(architecture).to(device)
    if start:
        model.load_state_dict({name: torch.from_numpy(w) for name, w in start.weights.items()})
    at = Progress(games=start.games, updates=start.updates) if start else Progress()

    report = Report(run, config, device)
    watch = Watch(config)
    rng = np.random.default_rng(config.seed)
    saved = load_state(run)
    if saved:
        at = saved.progress

    def keep(name: str) -> Path:
        """Save the player as it stands."""
        weights, stage = _numpy_weights(model), config.stages[at.stage].name
        player = Checkpoint(architecture, weights, stage, at.games, at.updates, plain, watch.measured)
        save_checkpoint(run / name, player)
        return run / name

    with ThreadPoolExecutor(1) as beside, StopSignal() as stop:
        for number, stage in enumerate(config.stages):
            if number < at.stage:
                continue
            optimiser = torch.optim.Adam(model.parameters(), lr=stage.rate_start, fused=True)
            selfplay = SelfPlay(config.parallel_games, config.variant, stage.starts, rng)
            if saved:
                saved.restore(model, optimiser, selfplay, rng, watch)
                saved = None
            last_save = time.monotonic()
            while at.stage_games < stage.games:
                done = at.stage_games / stage.games
                trace = stage.lambda_start + (stage.lambda_end - stage.lambda_start) * done
                for group in optimiser.param_groups:
                    group["lr"] = stage.rate_start * (stage.rate_end / stage.rate_start) ** done
                net = FastNet(architecture, _numpy_weights(model))
                playing = beside.submit(_timed, selfplay.play, net, config.turns, trace, stage.explore)
                if threads() == 1:
                    wait([playing])
                (loss, steps, rest), learning_seconds = _timed(learn, model, optimiser, at.waiting, stage.batch, rng)
                samples, playing_seconds = playing.result()
                at.learned(samples, steps, rest)

                report.round(samples, loss, steps, playing_seconds, learning_seconds)
                watch.round(samples, loss, at.games)
                if watch.due(at.games):
                    watch.measure(net, at.games)
                    report.measured(watch.measured)
                    if watch.is_best():
                        keep("best.safetensors")
                report.line(stage, at)
                if stop.asked or time.monotonic() - last_save > 60 * config.save_minutes:
                    save_state(run, model, optimiser, selfplay, rng, watch, at)
                    keep("last.safetensors")
                    last_save = time.monotonic()
                if stop.asked:
                    raise KeyboardInterrupt
            keep(f"stages/{number + 1}-{stage.name}.safetensors")
            last = keep("last.safetensors")
            at.next_stage()
    report.close()
    return last


def learn(model: Model, optimiser, waiting, batch: int, rng: np.random.Generator):
    """One pass over the positions in `waiting`, in random order, `batch` at a time.

    Returns (mean cross-entropy, updates made, positions left over that didn't fill a batch).
    """
    boards, targets = waiting
    order = rng.permutation(len(boards))
    steps = len(boards) // batch
    device = next(model.parameters()).device
    a = model.architecture
    inputs = torch.empty((batch, n_inputs(a.computed)))  # torch's own memory: aligned alike in every run
    total = 0.0
    for step in range(steps):
        rows = order[step * batch : (step + 1) * batch]
        encode_into(boards[rows], a.checkers, a.computed, inputs.numpy())
        loss = cross_entropy(model(inputs.to(device)), torch.tensor(targets[rows], device=device))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
    rest = order[steps * batch :]
    return total / max(steps, 1), steps, (boards[rest], targets[rest])


def _timed(work, *args):
    begun = time.perf_counter()
    return work(*args), time.perf_counter() - begun


def _numpy_weights(model: Model) -> dict[str, np.ndarray]:
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in model.state_dict().items()}


def _device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


class StopSignal:
    """Turns Ctrl-C into a wish that the loop grants at the end of a round; a second Ctrl-C is obeyed at once."""

    def __enter__(self):
        self.asked = False
        self.before = signal.signal(signal.SIGINT, self._ask)
        return self

    def _ask(self, number, frame):
        self.asked = True
        signal.signal(signal.SIGINT, self.before)

    def __exit__(self, *_):
        signal.signal(signal.SIGINT, self.before)
