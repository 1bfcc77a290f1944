"""GNU Backgammon's opinion on legal plays: a separate program, driven by its own commands on standard input."""

import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from brute_force import Board, after_moves

GNUBG = shutil.which("gnubg", path=os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/games")

_SET_UP = """
set display off
set automatic roll off
set automatic game off
set automatic move off
set automatic bearoff off
set confirm new off
set player 0 human
set player 1 human
set evaluation chequerplay evaluation plies 0
set evaluation chequerplay evaluation cubeful off
new session
"""
SET_UP_DONE = "is now on roll."
BOARD_ACCEPTED = "Position ID:"
DICE_ACCEPTED = "The dice have been set to"
NAMED_PLACES = {"bar": 25, "off": 0}
HINT = re.compile(r"^ *\d+\. Cubeless 0-ply +(.+?) +Eq\.:", re.MULTILINE)


def legal_results(boards: np.ndarray, dice: np.ndarray, processes: int = 4) -> list[set[Board]]:
    """For each position and roll the boards after every legal play, seen by who moved; the board itself if none.

    Each hint costs GNU Backgammon a sleep of 10 ms, so several processes are faster than one even on one core.
    """
    shares = np.array_split(np.arange(len(boards)), processes)
    with ThreadPoolExecutor(processes) as pool:
        answers = pool.map(lambda share: _ask(boards[share].tolist(), dice[share].tolist()), shares)
        return [results for answer in answers for results in answer]


def answers_to(commands: str) -> str:
    """All that it says to `commands` in a new session of money games between two people."""
    with tempfile.TemporaryDirectory() as settings:
        program = [GNUBG, "-t", "-q", "-r", "-s", settings]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        run = subprocess.run(
            program, input=_SET_UP + commands, env=environment, capture_output=True, text=True, check=True
        )
    return run.stdout


def _ask(boards: list[list[int]], dice: list[list[int]]) -> list[set[Board]]:
    commands = "set turn 1\n"
    for board, (first, second) in zip(boards, dice, strict=True):
        simple = " ".join(map(str, [board[25], *board[1:25], board[0]]))
        commands += f"set board simple {simple}\nset dice {first} {second}\nhint 9999\n"
    output = answers_to(commands)
    *accepted, last = output.partition(SET_UP_DONE)[2].split(DICE_ACCEPTED)
    if len(accepted) != len(boards) or not all(BOARD_ACCEPTED in text for text in accepted):
        raise RuntimeError(f"GNU Backgammon refused a position: {output[-1000:]}")
    hints = [HINT.findall(text) for text in [*accepted[1:], last]]
    return [
        {after_moves(tuple(board), *_moves(play)) for play in plays} or {tuple(board)}
        for board, plays in zip(boards, hints, strict=True)
    ]


def _moves(play: str) -> list[tuple[int, int]]:
    """`bar/20*/14 13/8(2)` as moves (25, 20), (20, 14), (13, 8), (13, 8); every place of a hit is listed."""
    moves = []
    for text, times in re.findall(r"([\w/*]+)(?:\((\d)\))?", play):
        places = [int(NAMED_PLACES.get(place, place)) for place in text.replace("*", "").split("/")]
        moves += list(pairwise(places)) * int(times or 1)
    return sorted(moves, reverse=True)
