"""How long decisions and rollouts take, beside GNU Backgammon measured in the same run.

    python scripts/bench_search.py [--peers] [--json] [--net CHECKPOINT] [--decisions 500]

Milliseconds or seconds of CPU time on one core, of middle-game decisions from the player's own games; the ratio is ours
to theirs, lower is better. `--losses` also says how much each move filter loses against looking into every play.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from bgai.board import START, is_race
from bgai.evaluator.rollout import of_position, roll_out
from bgai.evaluator.search import FILTERS, evaluate, judge_plays, sides_of
from bgai.evaluator.trials import Settings
from bgai.files import checkpoint
from bgai.game import State
from bgai.net.fast import FastNet, load_net
from bgai.plays import legal_plays
from bgai.threads import set_threads

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
MONEY = State()

# Runs inside GNU Backgammon: the same decisions at 2-ply with its default filter, timed by the CPU clock.
PEER = """
import json, time
gnubg.command("set threads 1")
cube, ply = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0), gnubg.evalcontext(1, 2, 1, 1, 0.0)
def sides(p):
    return (tuple(max(-p[25 - i], 0) for i in range(1, 26)), tuple(max(p[i], 0) for i in range(1, 26)))
decisions = json.load(open({file!r}))
def clocked(work):
    begun = time.process_time()
    for board, roll in decisions:
        work(sides(board), tuple(roll))
    return 1000 * (time.process_time() - begun) / len(decisions)
plays = clocked(lambda b, r: gnubg.findbestmove(b, cube, ply, r))
print("TIMES", plays, clocked(lambda b, r: gnubg.cfevaluate(b, cube, ply)))
"""


def middle_game(net: FastNet, decisions: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions with contact after 14 turns of the player's own games, and rolls."""
    rng = np.random.default_rng(5)
    boards = np.tile(START, (2 * decisions, 1))
    for _ in range(14):
        boards, _ = net.best(boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8))
    boards = boards[~is_race(boards)][:decisions]
    return boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8)


def clocked(work, items) -> float:
    """Mean milliseconds of CPU time of `work(item)`."""
    begun = time.process_time()
    for item in items:
        work(item)
    return 1000 * (time.process_time() - begun) / len(items)


def judge(net: FastNet, board: np.ndarray, roll: np.ndarray, name: str):
    plays = legal_plays(board, roll)
    return plays, judge_plays(net, board, plays, sides_of(MONEY), 0, 2, FILTERS[name])


def decisions(net: FastNet, boards: np.ndarray, dice: np.ndarray) -> dict[str, float]:
    """Milliseconds of a 2-ply play with the normal filter and of a 2-ply cube decision."""
    each = range(len(boards))
    return {
        "play_2ply_ms": clocked(lambda i: judge(net, boards[i : i + 1], dice[i : i + 1], "normal"), each),
        "cube_2ply_ms": clocked(lambda i: evaluate(net, boards[i : i + 1], sides_of(MONEY), 2), each),
    }


def rollouts(net: FastNet) -> dict[str, float]:
    """Seconds of 1,296 trials of the starting position to the end, 0-ply."""
    start = of_position(START, MONEY)
    names = {
        "rollout_s": Settings(cubeful=False),
        "rollout_cubeful_s": Settings(),
        "rollout_luck_s": Settings(luck_ply=0),
    }
    return {
        name: clocked(lambda s: list(roll_out(net, start, 1296, s)), [settings]) / 1000
        for name, settings in names.items()
    }


def losses(net: FastNet, boards: np.ndarray, dice: np.ndarray) -> dict[str, float]:
    """Mean loss of each filter's choice at 2-ply, by the equities without filter."""
    lost = {name: [] for name in FILTERS if name != "full"}
    for board, roll in zip(boards[:, None], dice[:, None], strict=True):
        _, full = judge(net, board, roll, "full")
        for name in lost:
            plays, judged = judge(net, board, roll, name)
            lost[name].append(full.equity.max() - full.equity[judged.ranking(plays.offsets)[0]])
    return {f"loss_{name}": float(np.mean(values)) for name, values in lost.items()}


def peer(boards: np.ndarray, dice: np.ndarray) -> dict[str, float]:
    """GNU Backgammon's figures for the same decisions, without the time that its scripting waits."""
    with tempfile.TemporaryDirectory() as folder:
        file, script = Path(folder) / "decisions.json", Path(folder) / "peer.py"
        file.write_text(json.dumps([[b.tolist(), d.tolist()] for b, d in zip(boards, dice, strict=True)]))
        script.write_text(PEER.format(file=str(file)))
        call = [GNUBG, "-t", "-q", "-r", "-p", str(script)]
        said = subprocess.run(call, input="exit\n", capture_output=True, text=True, timeout=1800).stdout
    times = next(line.split()[1:] for line in said.splitlines() if line.startswith("TIMES"))
    return dict(zip(("play_2ply_ms", "cube_2ply_ms"), map(float, times), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="measure GNU Backgammon in the same run")
    parser.add_argument("--losses", action="store_true", help="measure what the move filters lose (slow)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--net", default="default", help="a player that ships, or the path of a checkpoint")
    parser.add_argument("--decisions", type=int, default=500)
    asked = parser.parse_args()
    set_threads(1)
    net = load_net(checkpoint(asked.net))
    boards, dice = middle_game(net, asked.decisions)
    decisions(net, boards[:1], dice[:1])  # compiles
    ours = decisions(net, boards, dice) | rollouts(net)
    if asked.losses:
        ours |= losses(net, boards, dice)
    theirs = peer(boards, dice) if asked.peers and GNUBG else {}
    if asked.json:
        print(json.dumps({"load": os.getloadavg()[0], "decisions": len(boards), "ours": ours, "gnubg": theirs}))
        return
    print(f"{len(boards)} decisions, load {os.getloadavg()[0]:.1f}")
    for name, value in ours.items():
        beside = f"   {value / theirs[name]:.2f} of GNU Backgammon's {theirs[name]:.1f}" if name in theirs else ""
        print(f"{name:<20}{value:10.5g}{beside}")


if __name__ == "__main__":
    main()
