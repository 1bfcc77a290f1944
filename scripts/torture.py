"""Kills long work at random instants, or lets its disk fill up, and sees that it comes to the same end all the same.

    python scripts/torture.py                        5 interruptions of every job
    python scripts/torture.py --job rollout --kills 200 --seed 3
    python scripts/torture.py --kills 200 --kept FILE    goes on from the file: a line for every end reached

Each job is done once without a break. Then it is begun, interrupted and gone on with until it is done, and begun anew,
until it has been interrupted so many times: four times of five by SIGKILL, else by files that can't grow beyond some
length (RLIMIT_FSIZE: the errors of a full disk, without one). A fault is a result that isn't the one without a break,
a restart that fails, progress that was saved and is lost, or a traceback. Exit code 1 if there was one.
docs/robustness.md tells the rest.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from bgai.cli.main import main as bgai
from bgai.net.checkpoint import Architecture, Checkpoint, save_checkpoint
from bgai.train import watch
from bgai.train.state import load_state

MATCH = Path(__file__).parents[1] / "tests" / "data" / "match_files" / "01_galaxy_3pt.txt"
SAID, ERRORS = "said", "errors"  # what a process printed, in its folder
SHORTEST = 0.02  # seconds before the first kill; nothing has begun earlier

TRAINING = ["net.hidden=4", "parallel_games=16", "turns=8", "threads=1", "eval_every=15", "eval_games=4", "run=run"]
TRAINING += ["save_minutes=0"]
STAGES = "stages=[{name: one, games: 40, batch: 64, explore: 0.05}, {name: two, games: 30, batch: 32, widen: 6}]"
LUCK_FREE = "stages=[{name: one, games: 40, batch: 64, luck_free: true, reuse: 2, replay: 200}]"


class Job(NamedTuple):
    """words(folder): of the command line that begins, or goes on, in the folder; None when all is done.
    result(folder): what must be the same in the end. progress(folder): how much is saved; it never becomes less."""

    words: Callable[[Path], list[str] | None]
    result: Callable[[Path], dict[str, bytes]]
    progress: Callable[[Path], float]


def training(*recipe: str) -> Job:
    stages = recipe[0].count("name:")

    def words(folder: Path) -> list[str] | None:
        if not (folder / "run/config.yaml").exists():
            return ["train", *TRAINING, *recipe]
        state = load_state(folder / "run")
        return None if state and state.progress.stage == stages else ["train", "resume=run"]

    def result(folder: Path) -> dict[str, bytes]:
        names = ["last.safetensors", "best.safetensors", "state.safetensors"]
        paths = [folder / "run" / name for name in names] + sorted((folder / "run/stages").iterdir())
        return {path.name: path.read_bytes() for path in paths}

    def games(folder: Path) -> int:
        state = load_state(folder / "run")
        return state.progress.games if state else 0

    return Job(words, result, games)


def printing(*words: str, progress: Callable[[Path], float] = lambda folder: 0) -> Job:
    """A job whose result is what it prints."""
    return Job(lambda folder: list(words), lambda folder: {SAID: (folder / SAID).read_bytes()}, progress)


def sets_kept(folder: Path) -> int:
    path = folder / "kept"
    return len(json.loads(path.read_text())["results"][0]) if path.exists() else 0


def meetings_kept(folder: Path) -> int:
    path = folder / "kept"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def games_judged(folder: Path) -> int:
    return len(list((folder / "cache/analysis").glob("*.json")))


def ratings(folder: Path) -> dict[str, bytes]:
    return {"ratings": json.dumps(json.loads((folder / SAID).read_text())["ratings"]).encode()}


def label_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "labels").glob("*.safetensors"))}


def tables(folder: Path) -> dict[str, bytes]:
    return {"tables": (folder / "cache/bearoff.tables").read_bytes()}


PLAYER = ("--checkpoint", "../players/a.safetensors")
ROLLOUT = (
    "rollout",
    "start",
    "31",
    "--top",
    "2",
    "--trials",
    "900",
    "--truncate",
    "3",
    "--keep",
    "kept",
    "--json",
    *PLAYER,
)
LABELLING = ("label", "labels", "--seeds", "1-12", "--games", "8", "--kind", "one-ply", "--share", "0.2", *PLAYER)
POOL = ("eval", "--pool", "../players", "--games", "16", "--keep", "kept", "--json")
JOBS = {
    "training": training(STAGES),
    "luck-free": training(LUCK_FREE, "variant=hypergammon"),
    "labelling": Job(lambda folder: list(LABELLING), label_files, lambda folder: len(label_files(folder))),
    "rollout": printing(*ROLLOUT, progress=sets_kept),
    "analysis": printing("analyse", str(MATCH), "--ply", "0", "--json", *PLAYER, progress=games_judged),
    "pool": printing(*POOL, progress=meetings_kept)._replace(result=ratings),
    "tables": Job(lambda folder: ["bearoff", "build"], tables, lambda folder: 0),
}


def players(folder: Path) -> None:
    """Two small players with random weights."""
    architecture = Architecture((4,))
    for seed, name in enumerate("ab"):
        random = np.random.default_rng(seed)
        weights = {w: random.normal(0, 0.3, shape).astype(np.float32) for w, shape in architecture.shapes().items()}
        save_checkpoint(folder / f"{name}.safetensors", Checkpoint(architecture, weights))


def run(words: list[str], folder: Path, kill_after: float | None = None, longest: int | None = None) -> int | None:
    """The exit code of a command in a process of its own; None if it was killed.

    A fork of this process, which has loaded everything: starting another takes longer than the jobs.
    """
    folder.mkdir(exist_ok=True)
    process = os.fork()
    if process == 0:
        _become(words, folder, longest)
    end = None if kill_after is None else time.monotonic() + kill_after
    while True:
        done, status = os.waitpid(process, os.WNOHANG if end else 0)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= end:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return None
        time.sleep(0.002)


def _become(words: list[str], folder: Path, longest: int | None) -> None:
    code = 1
    try:
        os.chdir(folder)
        os.environ["BGAI_CACHE"] = str(folder / "cache")
        for number, name in ((1, SAID), (2, ERRORS)):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        if longest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (longest, longest))
        sys.argv = ["bgai", *words]
        bgai()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        with suppress(OSError):  # on a disk so full that its own last line doesn't fit either
            sys.stderr.flush()
        os._exit(code)


class Fault(Exception):
    """The job doesn't come to its end as it should."""


def torture(name: str, kills: int, seed: int, folder: Path, kept: Path | None = None) -> Counter:
    """Interrupt a job so many times. Returns counts, those of the ends that are `kept` included; raises Fault."""
    ends, done = _ends(name, seed, kept), Counter()
    for end in ends:
        done += Counter(end)
    if done["killed"] + done["disk full"] >= kills:
        return done
    job = JOBS[name]
    uncut = folder / f"{name}-uncut"
    _load(job.words(uncut), uncut)
    begun = time.monotonic()
    _must(run(job.words(uncut), uncut) == 0, uncut, "the run without a break fails")
    seconds = time.monotonic() - begun
    while (left := kills - done["killed"] - done["disk full"]) > 0:
        end = _to_the_end(job, uncut, seconds, left, Random(f"{name} {seed} {done['ends']}"), folder / name)
        done += end
        if kept:
            with kept.open("a") as file:
                file.write(json.dumps({"job": name, "seed": seed, **end}) + "\n")
    return done


def _ends(name: str, seed: int, kept: Path | None) -> list[dict]:
    """Counts of every end of this job that was reached before."""
    records = [json.loads(line) for line in kept.read_text().splitlines()] if kept and kept.exists() else []
    return [record for record in records if (record.pop("job"), record.pop("seed")) == (name, seed)]


def _to_the_end(job: Job, uncut: Path, seconds: float, most: int, random: Random, here: Path) -> Counter:
    """Begin a job, interrupt it at most so many times and go on until it is done, which takes `seconds` without a break
    and ends as in `uncut`. Returns counts; raises Fault."""
    largest = max(path.stat().st_size for path in uncut.rglob("*") if path.is_file())
    done, saved = Counter(ends=1), 0.0
    while (words := job.words(here)) is not None:
        kind = random.choice(("killed",) * 4 + ("disk full",)) if done["killed"] + done["disk full"] < most else None
        delay = random.uniform(SHORTEST, seconds) if kind == "killed" else None
        longest = int(largest * random.random() ** 2) if kind == "disk full" else None
        code = run(words, here, delay, longest)
        _must("Traceback" not in (here / ERRORS).read_text(), here, "a traceback")
        _must(code in {"killed": (0, None), "disk full": (0, 2), None: (0,)}[kind], here, f"exit code {code}")
        if code == 0:
            break
        done[kind] += 1
        now = job.progress(here)
        _must(now >= saved, here, f"progress fell from {saved} to {now}")
        saved = now
    expected, result = job.result(uncut), job.result(here)
    wrong = [part for part in expected if result.get(part) != expected[part]]
    _must(not wrong, here, f"another result: {', '.join(wrong)}")
    shutil.rmtree(here)
    return done


def _load(words: list[str], folder: Path) -> None:
    """Run the command in this process, so that forks of it find everything loaded; leaves nothing."""
    here, sys.argv = Path.cwd(), ["bgai", *words]
    folder.mkdir()
    os.chdir(folder)
    os.environ["BGAI_CACHE"] = str(folder / "cache")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), suppress(SystemExit):
        bgai()
    os.chdir(here)
    shutil.rmtree(folder)


def _must(so: bool, folder: Path, fault: str) -> None:
    if not so:
        said = (folder / ERRORS).read_text() if (folder / ERRORS).exists() else ""
        raise Fault(f"{fault}\n{said[-3000:]}")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--job", action="append", choices=JOBS, help="one of them; may be given more than once")
    options.add_argument("--kills", type=int, default=5, help="interruptions of each job")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kept", type=Path, help="file of what is done, to go on from")
    given = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core, so that no threads are lost in a fork
    watch.RANDOM_GAMES = watch.PAST_GAMES = 4
    warnings.simplefilter("ignore")
    failed = False
    print(f"{'job':10} {'killed':>7} {'disk full':>10} {'ends':>6} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "players").mkdir()
        players(Path(folder) / "players")
        for name in given.job or JOBS:
            begun = time.monotonic()
            try:
                done = torture(name, given.kills, given.seed, Path(folder), given.kept)
            except Fault as fault:
                failed = True
                print(f"{name:10} {fault}", flush=True)
                continue
            figures = f"{done['killed']:7} {done['disk full']:10} {done['ends']:6} {time.monotonic() - begun:8.1f}"
            print(f"{name:10} {figures}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
