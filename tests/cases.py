"""The checked positions of `data/cases.jsonl`, one JSON object a line."""

import json
from pathlib import Path

DATA = Path(__file__).parent / "data"


def cases(kind: str) -> list[dict]:
    """All cases of one kind: legal_moves, outcome, id_roundtrip, equity, cube or best_move."""
    lines = (DATA / "cases.jsonl").read_text().splitlines()
    return [case for case in map(json.loads, lines) if case["kind"] == kind]
