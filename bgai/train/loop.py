"""The training loop: games are played, their positions learned, and the better network plays on.

Each round, the network of the last round plays a few turns of every game while the learner takes in the positions that
the round before brought: both cores are busy, and the result depends on the seed alone, not on who was faster. Several
processes may train together (`ranks.py`): everything below happens on each of them, but for what rank 0 alone does.
"""

import signal
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from bgai.board import checkers_of
from bgai.evaluator.own_net import net_of
from bgai.files import checkpoint
from bgai.named import imported
from bgai.net.checkpoint import Architecture, BadCheckpoint, Checkpoint, load_checkpoint, save_checkpoint
from bgai.net.weights import random_weights, widened
from bgai.threads import set_threads, threads
from bgai.train.config import (
    Stage,
    TrainConfig,
    as_plain,
    first_stage,
    layers_of_stages,
    number_of,
    start_weights,
)
from bgai.train.folder import BEST, CONFIG, LAST, STAGES, START, BadRun, keep_recent
from bgai.train.label_files import LabelReader
from bgai.train.learner import AnyLearner, Learner
from bgai.train.ranks import ALONE, Ranks
from bgai.train.report import Report
from bgai.train.selfplay import SelfPlay
from bgai.train.state import Progress, Waiting, digest, load_state, own_part, save_state
from bgai.train.teacher import labels_to_learn, make_labels
from bgai.train.watch import Watch


def train(config: TrainConfig, ranks: Ranks = ALONE) -> Path:
    """Run the recipe of `config`, or go on with it where the run's folder has a saved state.

    Returns the last checkpoint's path. Raises BadRun when there is nothing left to do, NoGpu for a device that
    isn't there, Collapse when training has gone wrong, KeyboardInterrupt (after saving) when it was asked to stop.
    """
    run = Path(config.run)
    state = load_state(run) if ranks.first else None
    saved = ranks.deal([state and state.of(rank, ranks.size) for rank in range(ranks.size)])
    at = saved.progress if saved else Progress(stage=first_stage(config))
    if at.stage > len(config.stages):
        raise BadRun(
            f"{run} has finished {at.stage} stages, its {CONFIG} has {len(config.stages)}: put the others back"
        )
    if at.stage == len(config.stages):
        raise BadRun(f"{run} is finished; train its player further by: bgai train experiment=... from={run / LAST}")
    set_threads(config.threads or ranks.cores)
    device = device_of(config)
    latest = at.stage if at.begun else at.stage - 1  # whose network the state holds
    architecture = architecture_of(config, layers_of_stages(config)[latest] if saved else config.net.hidden)
    if saved:
        weights = saved.weights(architecture)
    elif config.initial:
        start = starting_player(config, ranks)
        weights, at.games, at.updates = start.weights, start.games, start.updates
    else:
        weights = new_weights(architecture, weights_rng(config, at))
    play_rng, rng = ranks.generators(config.seed, 2)  # two, as playing and learning go on side by side
    watch = Watch(config, at.games)
    plain = as_plain(config)

    def player() -> Checkpoint:
        stage = config.stages[at.stage]
        done = min(at.stage_games / stage.games, 1.0)
        counts = at.games, at.updates
        return Checkpoint(architecture, learner.weights(), stage.name, done, *counts, plain, watch.measured)

    def save() -> None:
        if parts := ranks.gather(own_part(selfplay, rng, at)):
            save_state(run, learner, watch, at, parts)

    def keep() -> None:
        if ranks.first:
            keep_recent(run, player(), config.keep)

    reporting = Report(config, device, architecture, at) if ranks.first else nullcontext()
    with ThreadPoolExecutor(1) as beside, StopSignal() as stop, reporting as report:
        for stage in config.stages[at.stage :]:
            if not at.begun:
                if stage.label_games:
                    teacher = net_of(architecture, weights, device)
                    make_labels(teacher, digest({}, weights), config, at.stage, ranks, report, stop)
                if stage.after:
                    architecture, weights = player_after(stage.after, config, ranks)
                architecture, weights = begin(stage, architecture, weights, weights_rng(config, at))
                at.begun = True
            share = ranks.share(stage)
            learner = new_learner(device, architecture, weights)
            selfplay = samples_of(config, at.stage, play_rng, ranks)
            if saved:
                saved.restore(learner, selfplay, rng, watch)
                saved = None
            save()
            last_save = time.monotonic()
            while at.stage_games < stage.games:
                rate, trace = schedule(share, at.stage_games / stage.games)
                net = net_of(architecture, learner.weights(), device)
                playing = beside.submit(timed, selfplay.play, net, config.turns, trace, stage.explore)
                if threads() == 1:
                    wait([playing])
                (loss, steps, rest), learning_seconds = timed(learn, learner, at.waiting, share, rate, rng)
                samples, playing_seconds = playing.result()
                ranks.average(learner)
                samples, core_seconds = ranks.counted(samples), ranks.sum(time.process_time())
                at.learned(samples, steps, rest, stage.reuse)
                watch.round(samples, loss)
                if ranks.first:
                    report.round(samples, loss, steps, playing_seconds, learning_seconds, core_seconds)
                    if watch.due(at.games):
                        weights = learner.weights()
                        net = net_of(architecture, weights, device)
                        measured, seconds = timed(watch.measure, net, player())
                        report.measured(measured, seconds, net, weights, samples)
                        watch.judge()
                        if watch.is_best():
                            save_checkpoint(run / BEST, player())
                    report.line(at, rate, trace)
                stopping = ranks.any(stop.asked)
                if stopping or ranks.any(time.monotonic() - last_save >= 60 * config.save_minutes):
                    save()
                    keep()
                    last_save = time.monotonic()
                if stopping:
                    raise KeyboardInterrupt
            if ranks.first:
                save_checkpoint(stage_path(config, at.stage), player())
            keep()
            weights = learner.weights()
            at.next_stage()
            save()
    return run / LAST


def samples_of(config: TrainConfig, number: int, rng: np.random.Generator, ranks: Ranks) -> SelfPlay | LabelReader:
    """Where the positions of a stage come from: games, or files of labels."""
    stage = config.stages[number]
    if stage.labels or stage.label_games:
        folders = [Path(stage.labels)] if stage.labels else labels_to_learn(config, number)
        return LabelReader(folders, checkers_of(config.variant), config.seed, rng, ranks.rank, ranks.size)
    games = max(1, config.parallel_games // ranks.size)
    target = imported(stage.target) if stage.target else None
    return SelfPlay(games, config.variant, start_weights(stage.starts), rng, stage.luck_free, target)


def architecture_of(config: TrainConfig, hidden: list[int]) -> Architecture:
    """The run's network where it has these hidden layers; one of one's own knows its layers itself."""
    if config.net.own:
        return Architecture((), checkers=checkers_of(config.variant), own=config.net.own)
    return Architecture(tuple(hidden), config.net.activation, config.net.computed, checkers_of(config.variant))


def stage_path(config: TrainConfig, number: int) -> Path:
    """Where the player lies that stage `number` of the recipe leaves."""
    return Path(config.run) / STAGES / f"{number + 1}-{config.stages[number].name}.safetensors"


def player_after(name: str, config: TrainConfig, ranks: Ranks) -> tuple[Architecture, dict[str, np.ndarray]]:
    """The network that an earlier stage has left; where the run begins after that stage, what it came from.

    Raises BadCheckpoint, FileNotFoundError if its file is another or gone.
    """
    number = number_of(config, name)
    if number < first_stage(config):
        left = starting_player(config, ranks)
    else:
        left = ranks.deal([player_in(stage_path(config, number), config, number) if ranks.first else None] * ranks.size)
    return left.architecture, left.weights


def starting_player(config: TrainConfig, ranks: Ranks) -> Checkpoint:
    """The player that the run came from. The run keeps a copy: the file that was named may change later."""
    path = Path(config.run) / START
    if ranks.first and not path.exists():
        save_checkpoint(path, load_checkpoint(checkpoint(config.initial), config.net.own))
    return ranks.deal([player_in(path, config, -1) if ranks.first else None] * ranks.size)


def player_in(path: Path, config: TrainConfig, number: int) -> Checkpoint:
    """The player of stage `number`, -1 for what the run came from. Raises BadCheckpoint if it isn't like that."""
    player = load_checkpoint(path, config.net.own)
    expected = architecture_of(config, layers_of_stages(config)[number] if number >= 0 else config.net.hidden)
    if player.architecture != expected:
        raise BadCheckpoint(f"{path} holds {player.architecture}, where the run's settings lead to {expected}")
    return player


def begin(
    stage: Stage, architecture: Architecture, weights: dict[str, np.ndarray], rng: np.random.Generator
) -> tuple[Architecture, dict[str, np.ndarray]]:
    """The network that the stage begins with: the one it goes on with as it was, or widened, or a new one."""
    if stage.hidden:
        architecture = replace(architecture, hidden=tuple(stage.hidden))
        return architecture, new_weights(architecture, rng)
    if stage.widen:
        return widened(architecture, weights, stage.widen, rng)
    return architecture, weights


def new_weights(architecture: Architecture, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Those of a network that hasn't learned yet."""
    if not architecture.own:
        return random_weights(architecture, rng)
    from bgai.net.model import own_weights

    return own_weights(architecture, rng)


def weights_rng(config: TrainConfig, at: Progress) -> np.random.Generator:
    """Draws the weights that are new in the present stage, whatever was drawn before it, or wasn't after a resume."""
    return np.random.default_rng([config.seed, at.stage])


def device_of(config: TrainConfig) -> str:
    """Where to learn. torch is loaded only if a GPU may be wanted."""
    if config.device == "cpu":
        return "cpu"
    from bgai.net.model import usable_device

    return usable_device(config.device)


def new_learner(device: str, architecture: Architecture, weights: dict[str, np.ndarray]) -> AnyLearner:
    """A learner for `device`, its optimiser fresh."""
    if device == "cpu" and not architecture.own:
        return Learner(architecture, weights)
    from bgai.train.torch_learner import TorchLearner

    return TorchLearner(architecture, weights, device)


def schedule(stage: Stage, done: float) -> tuple[float, float]:
    """Learning rate and lambda for when `done` of the stage's games are played."""
    rate = stage.rate_start * (stage.rate_end / stage.rate_start) ** done
    return rate, stage.lambda_start + (stage.lambda_end - stage.lambda_start) * done


def learn(
    learner: AnyLearner, waiting: Waiting, stage: Stage, rate: float, rng: np.random.Generator
) -> tuple[float, int, Waiting]:
    """Learn positions drawn at random from those that wait, each once at most, all but the uses to be held back.

    Returns (mean cross-entropy, updates made, what then still waits).
    """
    steps = max(0, min(len(waiting.uses), int(waiting.uses.sum()) - stage.replay)) // stage.batch
    rows = rng.permutation(len(waiting.uses))[: steps * stage.batch]
    loss = learner.learn(waiting.boards[rows], waiting.targets[rows], stage.batch, rate)
    uses = waiting.uses.copy()
    uses[rows] -= 1
    rest = Waiting(*(part[uses > 0] for part in (waiting.boards, waiting.targets, uses)))
    return loss, steps, rest


def timed(work, *args):
    """(result, seconds)"""
    begun = time.perf_counter()
    return work(*args), time.perf_counter() - begun


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
