"""GNU Backgammon's 0-ply cube, by the same model, gives the same figures for its own outcomes."""

import json
import os
import subprocess

import numpy as np
import pytest
from cases import cases
from gnubg import GNUBG

from bgai.evaluator.cube import cube_values, emg, nd_dt, stakes_of
from bgai.game import State

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
    for cube, owner, length, score, jacoby in {states}:
        info = gnubg.cubeinfo(cube, owner, 1, length, score, 0, 0)
        if length == 0:
            gammon = 0.0 if jacoby and owner == -1 else 1.0
            info.update(jacoby=jacoby, beavers=0, gammonprice=((gammon, gammon), (gammon, gammon)))
        context = gnubg.evalcontext(1, 0, 1, 0, 0.0)
        print("figures", json.dumps([gnubg.evaluate(board, info, context)[:5], gnubg.cfevaluate(board, info, context)]))
"""


def test_0_ply_cube_figures_for_money_and_match(tmp_path):
    asked = [
        (state.cube, {"centred": -1, "mover": 1}[state.owner], state.length, state.score[::-1], int(state.jacoby))
        for state in STATES
    ]
    script = tmp_path / "ask.py"
    script.write_text(SCRIPT.format(positions=POSITIONS, states=asked))
    command = [GNUBG, "-t", "-q", "-r", "-s", tmp_path, "-p", script]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    answers = [json.loads(line[len("figures") :]) for line in run.stdout.splitlines() if line.startswith("figures")]
    assert len(answers) == len(POSITIONS) * len(STATES)
    for i, ((win, win_gammon, win_backgammon, lose_gammon, lose_backgammon), (_, nd, dt, *_)) in enumerate(answers):
        state = STATES[i % len(STATES)]
        wins = [win - win_gammon, win_gammon - win_backgammon, win_backgammon]
        losses = [1 - win - lose_gammon, lose_gammon - lose_backgammon, lose_backgammon]
        stakes = stakes_of(state)
        values = cube_values(np.array([wins + losses]), 0.68, stakes)[0]
        ours = emg(np.array(nd_dt(values, stakes, state.owner)), stakes)
        assert ours == pytest.approx((nd, dt), abs=1e-4), state
