"""How fast the engine, the network and the training are, beside other programs measured in the same run.

    python scripts/bench.py [--peers] [--json] [--rounds N] [--only plays,evaluations,...]

Rates are per second of CPU time of one thread, unless a row says otherwise; each is the median of several rounds, ours
and the peer's in turn, so that a noisy machine disturbs both alike. `--peers` runs bgsage (if Python can import it) and
GNU Backgammon (if it is installed, on PATH or in /usr/games); the ratio is ours to theirs, higher is better.
Where torch can use a GPU, `bench_gpu.py` has more rows.
"""

import argparse
import json
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bgai.board import START, UNFINISHED, outcome
from bgai.files import checkpoint
from bgai.net.checkpoint import Architecture, load_checkpoint
from bgai.net.fast import FastNet, load_net
from bgai.plays import legal_plays
from bgai.threads import set_threads

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")


def rate(work, count: int) -> float:
    """`count` pieces of `work` a second of this thread's CPU time."""
    begun = time.thread_time()
    work()
    return count / (time.thread_time() - begun)


def compare(rounds: int, ours, theirs=None) -> dict:
    """Medians over rounds in turn. `ours()` and `theirs()` measure one round and return a rate."""
    if rounds > 1:
        ours()  # the first one may have to compile
    pairs = [(ours(), theirs() if theirs else None) for _ in range(rounds)]
    result = {"rate": statistics.median(a for a, _ in pairs)}
    if theirs:
        result |= {"peer": statistics.median(b for _, b in pairs), "ratio": statistics.median(a / b for a, b in pairs)}
    return result


def self_play_positions(net: FastNet | None, turns: int = 100, games: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Unfinished boards and rolls from games of the network, or of random play."""
    rng = np.random.default_rng(1)
    boards = np.tile(START, (games, 1))
    seen, rolled = [], []
    for _ in range(turns):
        dice = rng.integers(1, 7, (games, 2), dtype=np.int8)
        seen.append(boards)
        rolled.append(dice)
        if net:
            boards, _ = net.best(boards, dice)
        else:
            plays = legal_plays(boards, dice)
            boards = plays.boards[plays.offsets[:-1] + (rng.random(games) * np.diff(plays.offsets)).astype(int)]
        boards = np.where((outcome(boards) == UNFINISHED)[:, None], boards, START)
    return np.concatenate(seen), np.concatenate(rolled)


def plays(peers: bool, rounds: int) -> dict:
    """Complete legal-play sets a second, positions of random play."""
    boards, dice = self_play_positions(None)
    few = [(b.tolist(), *d.tolist()) for b, d in zip(boards[::10], dice[::10], strict=True)]
    bgsage = _bgsage() if peers else None

    def theirs():
        return rate(lambda: [bgsage.possible_moves(*row) for row in few], len(few))

    result = compare(rounds, lambda: rate(lambda: legal_plays(boards, dice), len(boards)), theirs if bgsage else None)
    return result | {"peer_name": "bgsage"}


def evaluations(peers: bool, rounds: int) -> dict:
    """Evaluations of self-play candidates a second, raw inputs and 256 ReLU units."""
    rng = np.random.default_rng(2)
    wide = Architecture((256,))
    weights = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in wide.shapes().items()}
    return _judging(FastNet(wide, weights), peers, rounds)


def shipped(peers: bool, rounds: int) -> dict:
    """Evaluations of self-play candidates a second, the default player."""
    return _judging(load_net(checkpoint()), peers, rounds)


def _judging(net: FastNet, peers: bool, rounds: int) -> dict:
    boards, dice = self_play_positions(load_net(checkpoint()))
    found = legal_plays(boards, dice)

    def ours():
        return rate(lambda: net.plays_outcomes(boards, found), len(found.boards))

    return compare(rounds, ours, _calibrate if peers and GNUBG else None) | {"peer_name": "GNU Backgammon calibrate"}


def learning(peers: bool, rounds: int) -> dict:
    """Positions learned a second, the default player's network in batches of 256, beside plain torch."""
    import torch

    from bgai.train.learner import Learner
    from bgai.train.torch_learner import TorchLearner

    torch.set_num_threads(1)
    player = load_checkpoint(checkpoint())
    boards = np.random.default_rng(3).permutation(self_play_positions(load_net(checkpoint()))[0])[: 256 * 20]
    targets = load_net(checkpoint()).outcomes(boards)

    def positions_with(learner):
        return lambda: rate(lambda: learner.learn(boards, targets, 256, 1e-5), len(boards))

    ours = Learner(player.architecture, player.weights)
    theirs = TorchLearner(player.architecture, player.weights, "cpu")
    return compare(rounds, positions_with(ours), positions_with(theirs)) | {"peer_name": "plain torch"}


def td_one_core(peers: bool, rounds: int) -> dict:
    """Games of self-play and learning a second, 80 sigmoid units, one core, from a player that has learned to play."""
    return compare(rounds, lambda: _train("tdgammon", 1), _bgsage_training if peers and _bgsage() else None) | {
        "peer_name": "bgsage td_train, 80 units"
    }


def td_two_cores(peers: bool, rounds: int) -> dict:
    """The same, 256 ReLU units, two cores, a second of wall time."""
    return compare(rounds, lambda: _train("wide", 2))


def start_up(peers: bool, rounds: int) -> dict:
    """Warm `bgai move start 31` a CPU second; at least 0.4 times as many as bare imports of Numba are asked for."""

    def question():
        return 1 / _seconds([sys.executable, "-m", "bgai", "move", "start", "31"], ".")[0]

    def import_numba():
        return 1 / _seconds([sys.executable, "-c", "import numba"], ".")[0]

    return compare(rounds, question, import_numba) | {"peer_name": "python -c 'import numba'"}


BENCHES = {f.__name__: f for f in (plays, evaluations, shipped, start_up, learning, td_one_core, td_two_cores)}


def _bgsage():
    try:
        import bgbot_cpp
    except ImportError:
        return None
    return bgbot_cpp


def _calibrate() -> float:
    """GNU Backgammon's own measure of static evaluations a second, on one thread."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as commands:
        commands.write("set threads 1\ncalibrate 5\n")
        commands.flush()
        call = [GNUBG, "-t", "-q", "-r", "-c", commands.name]
        said = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120).stdout
    found = re.search(r"([\d.]+) static evaluations/second", said)
    if not found:
        raise RuntimeError(f"GNU Backgammon's calibrate said: {said[-300:]}")
    return float(found[1])


def _bgsage_training(games: int = 4000) -> float:
    """Games of bgsage's trainer a second, from a player that has learned to play."""
    code = "import sys, bgbot_cpp as b; b.td_train(int(sys.argv[1]), 0.1, 80, 0.1, 1, 10**9, 'x', '.', sys.argv[2])"
    with tempfile.TemporaryDirectory() as folder:

        def run(n, resume):
            return _seconds([sys.executable, "-c", code, str(n), resume], folder)[0]

        run(games, "")
        return games / (run(games, "x.weights") - run(1, "x.weights"))


def _train(net: str, threads: int, games: int = 8000) -> float:
    """Games of our trainer a second, from a player that has learned to play; the set-up is taken off.

    A second of CPU time on one core, of wall time on several.
    """
    with tempfile.TemporaryDirectory() as folder:

        def run(name, n, player):
            call = [sys.executable, "-m", "bgai", "train", "experiment=td", player, f"threads={threads}"]
            call += [f"stages=[{{name: bench, games: {n}}}]", f"run={folder}/{name}{n}", "eval_every=1000000"]
            return _seconds(call, folder)[threads > 1]

        run("learned", games, f"net={net}")
        learned = f"from={folder}/learned{games}/last.safetensors"
        return games / (run("more", games, learned) - run("start", 1, learned))


def _seconds(call: list[str], folder: str) -> tuple[float, float]:
    """CPU and wall seconds of a finished command."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(call, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - begun


def main() -> None:
    from bench_gpu import BENCHES as ON_A_GPU  # they build on this file; none where there is no GPU
    from bench_search import BENCHES as SEARCHES

    benches = BENCHES | SEARCHES | ON_A_GPU
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="measure other programs in the same run")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--only", default=",".join(benches), help=f"some of {','.join(benches)}")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each figure")
    asked = parser.parse_args()
    set_threads(1)
    machine = {"processor": _processor(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}
    results = {name: benches[name](asked.peers, asked.rounds) for name in asked.only.split(",")}
    if asked.json:
        print(json.dumps({"machine": machine, "results": results}))
        return
    gpu = "with a GPU" if ON_A_GPU else "no GPU that torch can use"
    print(f"{machine['processor']}, {machine['cores']} cores, load {machine['load']:.1f}, {gpu}")
    for name, r in results.items():
        line = f"{name:<14}{_figure(r['rate']):>12}/s"
        if "ratio" in r:
            line += f"   {r['ratio']:6.2f} x {r['peer_name']} ({_figure(r['peer'])}/s)"
        print(f"{line}   {benches[name].__doc__.splitlines()[0]}")


def _figure(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.2f}"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", cpuinfo.read_text()) if cpuinfo.exists() else []
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    main()
