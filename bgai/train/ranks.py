"""Several processes that train one player together, on one machine or many, started by PyTorch's `torchrun`.

Each of them, a rank, plays games of its own and learns their positions; after every round all go on from the mean of
their networks and of Adam's moments (local SGD, docs/scaling.md). Rank 0 alone keeps the run's folder and speaks. A
process that wasn't started by `torchrun` is the only rank; torch isn't loaded for it.

A run begins inside `new_run_of_all`, and goes on inside `old_run_of_all`.
"""

import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from bgai.threads import cores
from bgai.train.config import Stage, TrainConfig
from bgai.train.folder import BadRun, dated_folder, new_run, old_run
from bgai.train.learner import AnyLearner
from bgai.train.selfplay import Samples

_joined_before = count()  # how many times this process has


class RankLost(ValueError):
    """Another process of the run has ended, so this one can't go on; the launcher may start them all again."""


def launched() -> bool:
    """Has `torchrun` started this process?"""
    return "RANK" in os.environ


@contextmanager
def new_run_of_all(config: TrainConfig) -> Iterator["Ranks"]:
    """The ranks of a new run, its folder opened by rank 0; a dated one where `config.run` is None, which it fills in.

    The same command started again goes on with its run. Raises BadRun.
    """
    if launched() and not config.run:
        raise BadRun("under torchrun name the run's folder by run=, so that a process that is started again finds it")
    config.run = config.run or str(dated_folder())
    with joined() as ranks, new_run(config, again=launched()) if ranks.first else nullcontext():
        yield ranks


@contextmanager
def old_run_of_all(run: Path) -> Iterator[tuple[TrainConfig, "Ranks"]]:
    """The settings of the run in the folder, which rank 0 opens, and the ranks that go on with it.

    Raises BadRun, BadConfig; RankLost on the other ranks.
    """
    with joined() as ranks, old_run(run) if ranks.first else nullcontext() as config:
        yield ranks.deal([config] * ranks.size), ranks


@contextmanager
def joined() -> Iterator["Ranks"]:
    """The ranks that `torchrun` has started, this process being one of them, for as long as the block lasts."""
    if not launched():
        yield ALONE
        return
    import torch
    import torch.distributed as dist

    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    here = int(os.environ["LOCAL_WORLD_SIZE"])  # ranks on this machine
    device, backend = "cpu", "gloo"
    if torch.cuda.device_count() >= here:  # else several would share a GPU, which NCCL refuses
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        device, backend = "cuda", "cpu:gloo,cuda:nccl"
    dist.init_process_group(backend, store=_new_store(rank, size), rank=rank, world_size=size)
    try:
        yield Ranks(rank, size, max(1, cores() // here), device)
    finally:
        dist.destroy_process_group()


def _new_store(rank: int, size: int) -> Any:
    """Where ranks find each other, kept by rank 0 and known by its port.

    The launcher's own store outlives the processes: it still holds the addresses of those that were killed. And a
    process may train several players, one after the other: each time all join anew.
    """
    import torch.distributed as dist

    launchers, *_ = next(dist.rendezvous("env://"))
    host, key = os.environ["MASTER_ADDR"], f"bgai port {next(_joined_before)}"
    if rank == 0:
        store = dist.TCPStore(host, 0, size, is_master=True, wait_for_workers=False)
        launchers.set(key, str(store.port))
        return store
    while True:
        port = int(launchers.get(key))
        try:
            return dist.TCPStore(host, port, size, timeout=timedelta(seconds=5), wait_for_workers=False)
        except RuntimeError:  # that of a rank 0 which has ended; the new one's is still to come
            time.sleep(0.1)


@dataclass(frozen=True)
class Ranks:
    """This process among all: its number `rank` of `size`, and its share of the machine's `cores`, 0 for all of them.

    All methods from `average` on are called by all ranks at the same point, and raise RankLost if one has ended.
    """

    rank: int = 0
    size: int = 1
    cores: int = 0
    device: str = "cpu"  # where weights are averaged

    @property
    def first(self) -> bool:
        return self.rank == 0

    def share(self, stage: Stage) -> Stage:
        """The stage as one rank learns it: all batches, and all uses held back, together are as large as was asked.

        Adam divides by the root of the mean square of gradients, which in a batch of an Nth is mostly noise and N times
        as large. So the learning rate grows with the root of N (Malladi et al. 2022, the square root scaling rule).
        """
        batch = max(1, stage.batch // self.size)
        faster = math.sqrt(stage.batch / batch)
        return replace(
            stage,
            batch=batch,
            replay=stage.replay // self.size,
            rate_start=stage.rate_start * faster,
            rate_end=stage.rate_end * faster,
        )

    def generators(self, seed: int, n: int) -> list[np.random.Generator]:
        """`n` random generators of this rank's own."""
        return np.random.default_rng(seed).spawn(n * self.size)[n * self.rank :][:n]

    def average(self, learner: AnyLearner) -> None:
        """Let the learners of all ranks go on from the mean of their states, the same bits on each rank."""
        if self.size > 1:
            sums = {name: self._sum(a, self.device) for name, a in learner.state().items()}
            learner.restore({name: (a / self.size).astype(a.dtype) for name, a in sums.items()})

    def counted(self, samples: Samples) -> Samples:
        """`samples` with what all ranks have counted; the positions are those of this rank alone."""
        if self.size == 1:
            return samples
        *ended, turns, evaluated = self._sum(np.array([*samples.ended, samples.turns, samples.evaluated]))
        return samples._replace(ended=np.array(ended), turns=int(turns), evaluated=int(evaluated))

    def sum(self, number: float) -> float:
        """What all ranks give together."""
        return number if self.size == 1 else float(self._sum(np.array([number]))[0])

    def any(self, wish: bool) -> bool:
        """Does any rank wish it?"""
        return wish if self.size == 1 else bool(self._sum(np.array([wish], dtype=np.int64))[0])

    def gather(self, own: Any) -> list:
        """On rank 0 what every rank gives, by rank; nothing elsewhere."""
        if self.size == 1:
            return [own]
        import torch.distributed as dist

        gathered = [None] * self.size if self.first else None
        with _peers():
            dist.gather_object(own, gathered)
        return gathered or []

    def deal(self, for_each: list) -> Any:
        """What rank 0's list holds for this rank; the other ranks' lists aren't looked at."""
        if self.size == 1:
            return for_each[0]
        import torch.distributed as dist

        dealt = [None]
        with _peers():
            dist.scatter_object_list(dealt, for_each if self.first else [None] * self.size)
        return dealt[0]

    def _sum(self, array: np.ndarray, device: str = "cpu") -> np.ndarray:
        import torch
        import torch.distributed as dist

        total = torch.tensor(array, device=device)  # a copy
        with _peers():
            dist.all_reduce(total)
        return total.cpu().numpy()


ALONE = Ranks()


@contextmanager
def _peers() -> Iterator[None]:
    """What torch raises when a connection breaks means that a rank has ended."""
    try:
        yield
    except RuntimeError as error:
        raise RankLost("another process of this run has ended") from error
