"""How fast decisions and rollouts are, beside GNU Backgammon measured in the same run, and what move filters lose.

    python scripts/bench_search.py [--peers] [--json] [--rounds 5] [--net CHECKPOINT] [--only play_2ply,...]
    python scripts/bench_search.py --losses [--decisions 500]

Decisions and trials a second of CPU time on one core, from middle-game positions of the player's own games; the ratio
is ours to theirs, higher is better. Without `--net` they are those of a network with raw inputs and 256 ReLU units in
one layer, trained for a few thousand games so that its games are games of backgammon.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from itertools import cycle
from pathlib import Path

import numpy as np
from bench import GNUBG, compare, rate

from bgai.board import START, is_race
from bgai.evaluator.rollout import of_position, roll_out
from bgai.evaluator.search import FILTERS, Judged, evaluate, judge_plays, sides_of, within
from bgai.evaluator.trials import Settings
from bgai.files import checkpoint
from bgai.game import State
from bgai.net.fast import FastNet, load_net
from bgai.notation.gnubg_id import encode_board
from bgai.plays import Plays, legal_plays
from bgai.threads import set_threads

MONEY = State()
SIDES = sides_of(MONEY)
DECISIONS = 500  # shared out between the rounds
TRAINED = 8000  # games of the network that is measured where none is given

# Run inside GNU Backgammon, which then says its rate a second of its CPU time. Its scripting calls also wait, which
# costs no CPU time.
PEER = """
import json, time
def command(*lines):
    for line in lines:
        gnubg.command(line)
def timed(work, count):
    begun = time.process_time()
    work()
    print("RATE", count / (time.process_time() - begun))
def sides(p):
    return (tuple(max(-p[25 - i], 0) for i in range(1, 26)), tuple(max(p[i], 0) for i in range(1, 26)))
command("set threads 1")
cube, ply = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0), gnubg.evalcontext(1, 2, 1, 1, 0.0)
"""
PLAYS = """
decisions = {decisions}
timed(lambda: [gnubg.findbestmove(sides(b), cube, ply, tuple(r)) for b, r in decisions], len(decisions))
"""
CUBES = """
decisions = {decisions}
timed(lambda: [gnubg.cfevaluate(sides(b), cube, ply) for b, _ in decisions], len(decisions))
"""
ROLLOUT = """
command("set player 0 human", "set player 1 human", "set automatic game off", "set automatic roll off")
command("set automatic move off", "new session", "set turn 1", "set board {start}")
command("set rollout trials {trials}", "set rollout varredn {luck}", "set rollout cubeful off")
command("set rollout initial off")
command("set rollout truncation enable off", "set rollout bearofftruncation exact off")
command("set rollout bearofftruncation onesided off", "set rollout chequerplay plies 0")
timed(lambda: gnubg.command("rollout"), {trials})
"""


def play_2ply(peers: bool, rounds: int, net: FastNet | None = None) -> dict:
    """2-ply plays with the normal filter a second, middle game."""
    net = net or player_256()

    def decide(board, roll):
        judge(net, board, legal_plays(board, roll), 2, "normal")

    return _decisions(net, peers, rounds, decide, PLAYS)


def cube_2ply(peers: bool, rounds: int, net: FastNet | None = None) -> dict:
    """2-ply cube decisions a second, middle game."""
    net = net or player_256()
    return _decisions(net, peers, rounds, lambda board, _: evaluate(net, board, SIDES, 2), CUBES)


def rollout(peers: bool, rounds: int, net: FastNet | None = None) -> dict:
    """Trials a second from the start to the end, 0-ply, cubeless."""
    return _rollout(net or player_256(), peers, rounds, None, trials=1296, their_trials=1296)


def rollout_luck(peers: bool, rounds: int, net: FastNet | None = None) -> dict:
    """The same with luck taken out at 0-ply."""
    return _rollout(net or player_256(), peers, rounds, 0, trials=360, their_trials=72)


BENCHES = {f.__name__: f for f in (play_2ply, cube_2ply, rollout, rollout_luck)}


@lru_cache
def player_256() -> FastNet:
    """A network with raw inputs and 256 units in one layer that has learned to move."""
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "bgai", "train", "experiment=td", "net=wide", "threads=1", "eval_every=1000000"]
        call += [f"stages=[{{name: short, games: {TRAINED}}}]", f"run={folder}/wide"]
        subprocess.run(call, cwd=folder, check=True, capture_output=True)
        return load_net(f"{folder}/wide/last.safetensors")


def middle_game(net: FastNet, decisions: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions with contact after 14 turns of the player's own games, and rolls."""
    rng = np.random.default_rng(5)
    boards = np.tile(START, (2 * decisions, 1))
    for _ in range(14):
        boards, _ = net.best(boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8))
    boards = boards[~is_race(boards)][:decisions]
    return boards, rng.integers(1, 7, (len(boards), 2), dtype=np.int8)


def judge(net: FastNet, board: np.ndarray, plays: Plays, ply: int, name: str) -> Judged:
    """The plays of one position at some ply, by the filter of this name."""
    return judge_plays(net, board, plays, SIDES, 0, ply, FILTERS[name])


def _decisions(net: FastNet, peers: bool, rounds: int, decide, script: str) -> dict:
    boards, dice = middle_game(net, DECISIONS)
    parts = cycle(np.array_split(np.arange(len(boards)), rounds))
    rows = None

    def ours():
        nonlocal rows
        rows = next(parts)
        return rate(lambda: [decide(boards[i : i + 1], dice[i : i + 1]) for i in rows], len(rows))

    def theirs():  # of the same decisions
        return _ask_gnubg(script.format(decisions=[[boards[i].tolist(), dice[i].tolist()] for i in rows]))

    return _beside_gnubg(ours, theirs if peers else None, rounds)


def _rollout(net: FastNet, peers: bool, rounds: int, luck_ply: int | None, trials: int, their_trials: int) -> dict:
    start, settings = of_position(START, MONEY), Settings(luck_ply=luck_ply, cubeful=False)
    script = ROLLOUT.format(start=encode_board(START), trials=their_trials, luck="off" if luck_ply is None else "on")

    def ours():
        return rate(lambda: list(roll_out(net, start, trials, settings)), trials)

    return _beside_gnubg(ours, (lambda: _ask_gnubg(script)) if peers else None, rounds)


def _beside_gnubg(ours, theirs, rounds: int) -> dict:
    return compare(rounds, ours, theirs if GNUBG else None) | {"peer_name": "GNU Backgammon"}


def _ask_gnubg(script: str) -> float:
    """The rate that a script of GNU Backgammon's says."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "peer.py"
        file.write_text(PEER + script)
        call = [GNUBG, "-t", "-q", "-r", "-s", folder, "-p", str(file)]
        run = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800)
    rates = [line.split()[1] for line in run.stdout.splitlines() if line.startswith("RATE")]
    if not rates:
        raise RuntimeError(f"GNU Backgammon said: {(run.stdout + run.stderr)[-500:]}")
    return float(rates[0])


def losses(net: FastNet, decisions: int) -> dict[str, tuple[float, float]]:
    """Mean loss of each filter's choice at 2-ply by the equities without a filter, and its standard error.

    What a play is worth at a ply doesn't depend on the filter, so each play is looked into once for all filters.
    """
    lost = {name: [] for name in FILTERS if name != "full"}
    for board, roll in zip(*(part[:, None] for part in middle_game(net, decisions)), strict=True):
        plays = legal_plays(board, roll)
        at_0, at_1, at_2 = (judge(net, board, plays, ply, "full").equity for ply in range(3))
        for name in lost:
            rows = np.arange(len(at_0))
            for equity, kept in zip((at_0, at_1), FILTERS[name], strict=True):
                rows = within(equity, np.zeros(len(equity), dtype=int), rows, *kept)
            lost[name].append(at_2.max() - at_2[rows].max())
    return {name: (float(np.mean(lost)), float(np.std(lost) / np.sqrt(len(lost)))) for name, lost in lost.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="measure GNU Backgammon in the same run")
    parser.add_argument("--losses", action="store_true", help="measure what the move filters lose instead (minutes)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--net", help="a player that ships, or the path of a checkpoint")
    parser.add_argument("--only", default=",".join(BENCHES), help=f"some of {','.join(BENCHES)}")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each figure")
    parser.add_argument("--decisions", type=int, default=DECISIONS, help="of --losses")
    asked = parser.parse_args()
    set_threads(1)
    net = load_net(checkpoint(asked.net)) if asked.net else None
    if asked.losses:
        results = losses(net or load_net(checkpoint()), asked.decisions)
    else:
        results = {name: BENCHES[name](asked.peers, asked.rounds, net) for name in asked.only.split(",")}
    if asked.json:
        print(json.dumps({"load": os.getloadavg()[0], "results": results}))
        return
    print(f"load {os.getloadavg()[0]:.1f}")
    for name, result in results.items():
        print(f"{name:<14}{_words(result)}")


def _words(result: dict | tuple[float, float]) -> str:
    if isinstance(result, tuple):
        return "{:.5f} +- {:.5f} EMG lost a play".format(*result)
    beside = f"   {result['ratio']:6.2f} x {result['peer_name']} ({result['peer']:.3g}/s)" if "ratio" in result else ""
    return f"{result['rate']:10.3g}/s{beside}"


if __name__ == "__main__":
    main()
