"""Report how a player answers the cube cases of tests/data/cases.jsonl, and why where it misses.

    python scripts/cube_cases.py [--net CHECKPOINT] [--ply 2] [--write]

A miss lists the outcomes that our tree and GNU Backgammon's 2-ply tree find, and what our cube formula makes of theirs:
if that is right the network is at fault, else the method. `--write` puts the list into docs/evaluator.md.
"""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np

from bgai.evaluator.answers import cube_decision
from bgai.evaluator.decision import CubeDecision, decide
from bgai.evaluator.efficiency import efficiency_of
from bgai.files import checkpoint
from bgai.game import State
from bgai.net.fast import FastNet, load_net

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "data" / "cases.jsonl"
DOCS = ROOT / "docs" / "evaluator.md"
WRITTEN = re.compile(r"(?<=<!-- scripts/cube_cases.py --write -->\n).*?(?=<!-- end -->)", re.DOTALL)
HEADING = """| case | listed | player | nd, dt: listed | player | win, gammon, lose gammon: GNU Backgammon | player | \
formula on theirs |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def right(decision: CubeDecision, expected: dict) -> bool:
    if "action" in expected:
        return decision.action in expected.get("accept", [expected["action"]])
    return (decision.action != "not available") == expected["can_double"]


def report(net: FastNet, ply: int) -> str:
    """How many cases of each certainty are right, and a table of the others, in Markdown."""
    found, asked, rows = Counter(), Counter(), []
    for case in map(json.loads, CASES.read_text().splitlines()):
        if case["kind"] != "cube":
            continue
        certainty, expected, given = case["certainty"].split()[0], case["expected"], case["state"]
        state = State(**(given | {"score": tuple(given["score"]), "beavers": int(given["beavers"])}))
        board = np.array(case["position"], dtype=np.int8)
        decision = cube_decision(net, board, state, ply)
        asked[certainty] += 1
        found[certainty] += right(decision, expected)
        if not right(decision, expected):
            theirs = case["gnubg_2ply_outcomes"]
            formula = decide(theirs, state, efficiency=efficiency_of(board[None])[0])
            cells = [f"{case['id']} ({certainty})", expected["action"], decision.action]
            cells += [_equities(expected.get("nd"), expected.get("dt")), _equities(decision.nd, decision.dt)]
            cells += [_chances(theirs), _chances(decision.outcomes), formula.action]
            rows.append("| " + " | ".join(cells) + " |\n")
    counts = ", ".join(f"{found[name]} of {number} {name}" for name, number in asked.items())
    return f"\nRight at {ply}-ply: {counts}.\n\n{HEADING}{''.join(rows)}\n"


def _equities(nd: float | None, dt: float | None) -> str:
    return "" if nd is None or dt is None else f"{nd:+.3f}, {dt:+.3f}"


def _chances(outcomes) -> str:
    """Chance to win, to win a gammon or more, and to lose one, in per cent."""
    return f"{100 * sum(outcomes[:3]):.1f}, {100 * sum(outcomes[1:3]):.1f}, {100 * sum(outcomes[4:]):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="default", help="a player that ships, or the path of a checkpoint")
    parser.add_argument("--ply", type=int, default=2, help="rolls of lookahead")
    parser.add_argument("--write", action="store_true", help="put the list into docs/evaluator.md")
    asked = parser.parse_args()
    found = report(load_net(checkpoint(asked.net)), asked.ply)
    print(found.strip())
    if asked.write:
        DOCS.write_text(WRITTEN.sub(lambda _: found, DOCS.read_text()))


if __name__ == "__main__":
    main()
