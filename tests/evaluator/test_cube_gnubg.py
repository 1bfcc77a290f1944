"""GNU Backgammon's 0-ply cube, by the same model, gives the same figures for its own outcomes; and races of which it
sees the end are worth the same to it as to the solver."""

import json
import os
import subprocess

import numpy as np
import pytest
from cases import cases
from gnubg import GNUBG
from positions import place

from bgai.evaluator import race_solver
from bgai.evaluator.cube import cube_values, emg, nd_dt, slot, stakes_of
from bgai.game import State
from bgai.notation.gnubg_id import encode_board

pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")

# Contact positions, where GNU Backgammon's cube efficiency is 0.68; in races it goes with the pip count.
CONTACT = ("CU-28", "CU-34", "CU-35", "CU-41")
POSITIONS = [case["gnuid"].split(":")[0] for case in cases("cube") if case["id"] in CONTACT]

# Not among them: scores at which a taken double is redoubled at once. There its 0-ply figures, unlike those it gets
# from a deeper tree and ours, let the owner of the cube wait. Nor 2-away 2-away, where it takes the cube as dead.
STATES = [
    State(),
    State(jacoby=True),
    State(2, "mover"),
    State(length=3),
    State(length=7),
    State(2, "mover", 7),
    State(4, "mover", 9, (2, 3)),
    State(length=9, score=(2, 7)),
    State(2, "mover", 15, (4, 1)),
    State(length=25, score=(11, 3)),
    State(length=5, score=(3, 4)),
]
SCRIPT = """
import json
for position in {positions}:
    board = gnubg.positionfromid(position)
    for cube, owner, length, score, crawford, jacoby in {states}:
        info = gnubg.cubeinfo(cube, owner, 1, length, score, crawford, 0)
        if length == 0:
            gammon = 0.0 if jacoby and owner == -1 else 1.0
            info.update(jacoby=jacoby, beavers=0, gammonprice=((gammon, gammon), (gammon, gammon)))
        context = gnubg.evalcontext(1, {ply}, 1, 0, 0.0)
        print("figures", json.dumps([gnubg.evaluate(board, info, context)[:5], gnubg.cfevaluate(board, info, context)]))
"""


# Races that are over after a few rolls, with gammons in some, and states in which the cube counts in every way.
RACES = [
    place({1: 3}, {24: 3}),
    place({5: 1, 2: 1}, {20: 1, 23: 1}),
    place({5: 1, 4: 1}, {22: 2, 24: 1}),
    place({1: 3}, {18: 1, 24: 14}),
    place({1: 4}, {24: 15}),
]
MATCHES = [
    State(length=1),
    State(length=2),
    State(length=5, score=(3, 2)),
    State(length=7, score=(3, 1)),
    State(2, "mover", 7, (3, 1)),
    State(4, "mover", 9, (2, 3)),
    State(length=3, score=(1, 2)),
    State(length=3, score=(0, 2)),
    State(length=3, score=(2, 0)),
    State(length=5, score=(2, 4), crawford=True),
    State(length=25, score=(11, 3)),
]


def ask(folder, positions, states, ply):
    """GNU Backgammon's figures for each position in each state: what `evaluate` and `cfevaluate` say."""
    asked = [
        (s.cube, {"centred": -1, "mover": 1}[s.owner], s.length, s.score[::-1], int(s.crawford), int(s.jacoby))
        for s in states
    ]
    script = folder / "ask.py"
    script.write_text(SCRIPT.format(positions=positions, states=asked, ply=ply))
    command = [GNUBG, "-t", "-q", "-r", "-s", folder, "-p", script]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    answers = [json.loads(line[len("figures") :]) for line in run.stdout.splitlines() if line.startswith("figures")]
    assert len(answers) == len(positions) * len(states)
    return answers


def test_3_ply_races_at_match_scores(tmp_path):
    """Its tree plays every roll by its own opinion, which in these races is right."""
    answers = iter(ask(tmp_path, [encode_board(board) for board in RACES], MATCHES, 3))
    for board in RACES:
        for state in MATCHES:
            _, (_, nd, dt, *_) = next(answers)
            stakes = stakes_of(state)
            values = emg(race_solver.solve(board, state).values(board[None], 0)[0], stakes)
            assert values[slot(state.owner)] == pytest.approx(nd, abs=2e-4), (board, state)
            if stakes.doubles[0]:
                assert values[slot("opponent", 1)] == pytest.approx(dt, abs=2e-4), (board, state)


def test_0_ply_cube_figures_for_money_and_match(tmp_path):
    answers = ask(tmp_path, POSITIONS, STATES, 0)
    for i, ((win, win_gammon, win_backgammon, lose_gammon, lose_backgammon), (_, nd, dt, *_)) in enumerate(answers):
        state = STATES[i % len(STATES)]
        wins = [win - win_gammon, win_gammon - win_backgammon, win_backgammon]
        losses = [1 - win - lose_gammon, lose_gammon - lose_backgammon, lose_backgammon]
        stakes = stakes_of(state)
        values = cube_values(np.array([wins + losses]), 0.68, stakes)[0]
        ours = emg(np.array(nd_dt(values, stakes, state.owner)), stakes)
        assert ours == pytest.approx((nd, dt), abs=1e-4), state
