"""Answers as programs read them."""

import json
import math
from typing import Any


def json_line(answer: dict) -> str:
    """`answer` as JSON: numbers with six digits after the point, null for those that aren't finite."""
    return json.dumps(_rounded(answer))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value
