"""Small tables and references for the fuzzer, what commands keep to go on with, and who reads that."""

import os
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bgai import api
from bgai.analysis import store as judged_games
from bgai.analysis.decisions import JudgedGame
from bgai.arena.games import play_games
from bgai.arena.meetings import keep_meeting, load_meetings
from bgai.arena.parts import load_parts, save_part
from bgai.arena.players import RandomPlayer
from bgai.arena.statistics import summarise
from bgai.cli.measures import summary_lines
from bgai.evaluator import bearoff_store
from bgai.evaluator.rollout import load as load_rollout
from bgai.evaluator.rollout import of_plays, roll_out
from bgai.evaluator.rollout import save as save_rollout
from bgai.evaluator.trials import Settings as Trials
from bgai.game import State
from bgai.net.fast import load_net
from bgai.notation.position import parse_position

DATA = Path(__file__).parents[1] / "tests" / "data"

SMALL_MET = b"# three points\n0.5,0.68,0.75\n0.32,0.5,0.6\n0.25,0.4,0.5\npost-crawford,0.5,0.48,0.32\n"
LAYOUT = {"some": (20, 30), "more": (7,)}


def table_file(folder: Path) -> bytes:
    arrays = {name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for name, shape in LAYOUT.items()}
    bearoff_store.save(folder / "small.tables", arrays)
    return (folder / "small.tables").read_bytes()


def read_table(path: Path) -> None:
    bearoff_store.load(path, LAYOUT)


def benchmark_files() -> list[bytes]:
    first, *lines = (DATA / "benchmark.jsonl").read_bytes().splitlines()
    cubes = [line for line in lines if b'"cube"' in line]
    return [b"\n".join([first, *lines[at : at + 3], cubes[at]]) for at in range(0, 40, 4)]


def part_file(folder: Path) -> bytes:
    setting = {"player": "random", "against": "random", "kind": "cubeless", "luck": False}
    setting |= {"seed": 1, "games": 4, "command": ["bgai", "eval"], "seconds": 0.1}
    save_part(folder / "part.json", setting, play_games(RandomPlayer(1), RandomPlayer(2), 4, 3))
    return (folder / "part.json").read_bytes()


def read_part(path: Path) -> None:
    setting, played = load_parts([path])
    summary_lines(summarise(played, matches=setting["kind"] == "match"))


_POOL = {"games": 8, "seed": 1, "rules": None}


def meetings_file(folder: Path) -> bytes:
    load_meetings(folder / "meetings", _POOL, {})
    for other in ("random", "runs/a/last.safetensors"):
        keep_meeting(folder / "meetings", {}, ("pubeval", other), np.array([0, 1, 2, 1]))
    return (folder / "meetings").read_bytes()


def read_meetings(path: Path) -> None:
    for won in load_meetings(path, _POOL, {}).values():
        assert won.shape == (4,) and won.min() >= 0 and won.max() <= 2


def _rolled_out():
    position = parse_position("start")
    boards = np.stack([play.board for play in api.best_plays(position, "31")[:2]])
    return of_plays(-boards[:, ::-1].copy(), State()), Trials()


def rollout_file(folder: Path) -> bytes:
    start, settings = _rolled_out()
    *_, rollout = roll_out(load_net(folder / "small.safetensors"), start, 72, settings)
    save_rollout(rollout, {"of": "31"}, folder / "kept.json")
    return (folder / "kept.json").read_bytes()


_ASKED = []  # the question of `rollout_file`, made once


def read_rollout(path: Path) -> None:
    _ASKED or _ASKED.append(_rolled_out())
    start, settings = _ASKED[0]
    kept = load_rollout(path, {"of": "31"}, start, settings)
    assert np.isfinite(kept.equities).all()


def judged_game_files(folder: Path) -> list[bytes]:
    """As `store.save` writes it."""
    option = {"text": "8/5 6/5", "equity": 0.1, "ply": 1, "moves": [[8, 5], [6, 5]], "outcomes": [0.5, 0, 0, 0.5, 0, 0]}
    decision = {"action": 0, "player": 0, "kind": "play", "options": [option], "chosen": 0, "counts": True, "swing": 1}
    roll = {"action": 0, "player": 0, "luck": 0.1, "swing": 1.0, "value": 0.5}
    judged = JudgedGame.from_json({"decisions": [decision], "rolls": [roll]})
    with _cache(folder):
        judged_games.save("0" * 64, judged)
        return [judged_games.path_of("0" * 64).read_bytes()]


@contextmanager
def _cache(folder: Path):
    """The folder is the user's cache."""
    before = os.environ.get("BGAI_CACHE")
    os.environ["BGAI_CACHE"] = str(folder)
    try:
        yield
    finally:
        os.environ.pop("BGAI_CACHE")
        if before:
            os.environ["BGAI_CACHE"] = before


def read_judged_game(data: bytes, folder: Path) -> None:
    with _cache(folder):
        path = judged_games.path_of("0" * 64)
        path.write_bytes(data)
        judged = judged_games.load("0" * 64)
    for decision in judged.decisions if judged else ():
        assert decision.loss == 0
