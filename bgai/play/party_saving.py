"""Chouettes saved and gone on with: a JSON file of what was agreed and all that people have entered.

Everything else follows from these, so a saved chouette is played through once more when it is resumed. That takes the
same network: the file tells its SHA-256.
"""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from bgai import files
from bgai.play import party_dialogue
from bgai.play.dialogue import LONGEST_LINE
from bgai.play.party import Party, new_party
from bgai.play.session import BEAVERS

FORMAT = 1
MAX_BYTES = 4 << 20
_TYPES = {
    "players": list,
    "jacoby": bool,
    "beavers": int,
    "seed": int,
    "typed": bool,
    "ply": int,
    "checkpoint": str,
    "tutor": bool,
    "entries": list,
}
_MOST = {"seed": 2**63 - 1, "beavers": BEAVERS, "ply": 2}


class CannotResume(ValueError):
    """A file that holds no chouette, or one that can't be gone on with; the message says why."""


def to_json(party: Party) -> str:
    """The chouette as the text of a file. A play whose dice weren't picked up is kept too."""
    rules = party.chouette.rules
    saved = {
        "bgai chouette": FORMAT,
        "players": party.players,
        "jacoby": rules.jacoby,
        "beavers": rules.beavers,
        "seed": party.seed,
        "typed": party.typed,
        "ply": party.ply,
        "checkpoint": party.checkpoint,
        "network": _network(party.checkpoint),
        "tutor": party.tutor,
        "entries": party.entries,
    }
    return json.dumps(saved, ensure_ascii=False) + "\n"


def from_json(path: Path) -> Party:
    """The chouette in a file, where it was left.

    Raises CannotResume, OSError, and what `new_party` raises for players who can't sit down.
    """
    saved = _read(path)
    if saved.pop("network", None) != _network(saved["checkpoint"]):
        raise CannotResume(f"{path} was played with another network than {saved['checkpoint']} is now")
    entries, tutor = saved.pop("entries"), saved.pop("tutor")
    party, _ = party_dialogue.begin(new_party(saved.pop("players"), **saved))
    for number, entry in enumerate(entries, start=1):
        after, said = party_dialogue.reply(party, entry)
        if len(after.entries) == len(party.entries):
            raise CannotResume(f"{path}: entry {number}, {entry[:40]!r}, isn't possible there: {said}")
        party = after
    return replace(party, tutor=tutor)


def _read(path: Path) -> dict:
    """What the file says, every value of its own type."""
    with path.open("rb") as file:
        text = file.read(MAX_BYTES + 1)
    try:
        saved = json.loads(text) if len(text) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        saved = None
    if not isinstance(saved, dict) or saved.pop("bgai chouette", None) != FORMAT:
        raise CannotResume(f"{path} is no chouette that bgai has saved")
    wrong = [name for name, kind in _TYPES.items() if type(saved.get(name)) is not kind]
    wrong += sorted(saved.keys() - _TYPES.keys() - {"network"})
    for name in ("players", "entries"):
        if name not in wrong and not all(type(word) is str and len(word) <= LONGEST_LINE for word in saved[name]):
            wrong.append(name)
    wrong += [name for name, most in _MOST.items() if name not in wrong and not 0 <= saved[name] <= most]
    if wrong:
        raise CannotResume(f"{path}: {wrong[0]} isn't what bgai writes there")
    return saved


def _network(checkpoint: str) -> str:
    return sha256(files.checkpoint(checkpoint).read_bytes()).hexdigest()
