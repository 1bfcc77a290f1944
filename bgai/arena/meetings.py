"""The meetings of a pool kept in a file as they are played, so that a pool that was killed, or has grown, goes on.

The first line tells how they are played, every other one is a meeting: both players, the SHA-256 of their checkpoints,
and of every pair of games with the same dice how many the first of them won.
"""

import json
import os
import re
from pathlib import Path

import numpy as np

from bgai.files import Unreadable, read_whole, write_atomically

FORMAT = 1


class BadMeetings(ValueError):
    """A file that holds no meetings of a pool, or those of another one; the message says why."""


def load_meetings(path: Path, setting: dict, sha256: dict[str, str]) -> dict[tuple[str, str], np.ndarray]:
    """What the file holds of the meetings of these players, as `pool.rate` takes it; a new file if there is none.

    setting  how they are played, `games` among it: plain data
    sha256   of the checkpoints, by the players' names; a player without one isn't in it
    A line that was cut off when the process was killed is removed. Raises BadMeetings, OSError.
    """
    head = json.loads(_line({"bgai pool": FORMAT, **setting}))  # as it is read again: with lists, not tuples
    if not path.exists():
        write_atomically(path, _line(head))
        return {}
    try:
        data = read_whole(path)
    except Unreadable as error:
        raise BadMeetings(f"{path} holds no meetings that bgai eval --pool has kept: {error}") from None
    whole = data[: data.rfind(b"\n") + 1]
    first, *lines = whole.splitlines() or [b""]
    _check_head(path, first, head)
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    meetings = {}
    for number, line in enumerate(lines, start=2):
        try:
            names, kept, won = _meeting(line, setting["games"])
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise BadMeetings(f"{path}, line {number}, is no meeting that bgai eval --pool has kept: {error}") from None
        if kept == [sha256.get(name) for name in names]:
            meetings[names] = won
    return meetings


def keep_meeting(path: Path, sha256: dict[str, str], names: tuple[str, str], won: np.ndarray) -> None:
    """Add a meeting to the file that `load_meetings` has read or made."""
    line = {"players": names, "sha256": [sha256.get(name) for name in names], "won": "".join(map(str, won))}
    with path.open("ab") as file:
        file.write(_line(line))
        file.flush()
        os.fsync(file.fileno())


def _line(record: dict) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _check_head(path: Path, line: bytes, expected: dict) -> None:
    try:
        head = json.loads(line)
        if head["bgai pool"] != FORMAT:
            raise ValueError(f"format {head['bgai pool']}")
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadMeetings(f"{path} holds no meetings that bgai eval --pool has kept: {error}") from None
    differing = [name for name in {*head, *expected} if head.get(name) != expected.get(name)]
    if differing:
        name = min(differing)
        told = f"{name} is {head.get(name)} there and {expected.get(name)} here"
        raise BadMeetings(f"{path} holds meetings of another pool: {told}; give a new file")


def _meeting(line: bytes, games: int) -> tuple[tuple[str, str], list, np.ndarray]:
    """Names, SHA-256 and what was won, of a line."""
    meeting = json.loads(line)
    (a, b), kept, won = (meeting[name] for name in ("players", "sha256", "won"))
    if not (type(a) is type(b) is type(won) is str and re.fullmatch(f"[012]{{{games // 2}}}", won)):
        raise ValueError("no two names, or not what was won of each pair of games")
    return (a, b), kept, np.frombuffer(won.encode(), dtype=np.int8) - np.int8(ord("0"))
