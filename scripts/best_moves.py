"""Report how a player answers the best_move cases of tests/data/cases.jsonl: a report, not a gate.

    python scripts/best_moves.py [--checkpoint default] [--ply 0]

A play is right if it leads to one of the boards that the case calls best. `loss` is the play's equity below the best
play that GNU Backgammon 2-ply lists for the case, where it lists the play at all.
"""

import argparse
import json
from pathlib import Path

import bgai

CASES = Path(__file__).parents[1] / "tests" / "data" / "cases.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", default="default", help="a player that ships, or a file")
    parser.add_argument("--ply", type=int, default=0, help="rolls of lookahead")
    asked = parser.parse_args()
    cases = [case for case in map(json.loads, CASES.read_text().splitlines()) if case["kind"] == "best_move"]
    right = 0
    for case in cases:
        play = bgai.best_plays(case["xgid"], checkpoint=asked.checkpoint, ply=asked.ply)[0]
        expected = case["expected"]
        board = [int(count) for count in play.board]
        correct = board in expected["boards"]
        right += correct
        listed = {tuple(other["board"]): other["gnubg2ply"] for other in expected["acceptable_within_0_03"]}
        loss = "" if tuple(board) not in listed else f"{max(listed.values()) - listed[tuple(board)]:.3f}"
        mark = "=" if correct else "x"
        print(f"{case['id']}  {mark}  {play.play:<22}{loss:>6}   best: {' or '.join(expected['best'])}")
    print(f"{right} of {len(cases)} are best plays, {asked.ply}-ply")


if __name__ == "__main__":
    main()
