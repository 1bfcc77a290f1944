"""Chouettes saved and gone on with: a JSON file of what was agreed, the points and the players' places as the game
began, and all that people have entered and programs have decided in it.

Everything else follows from these, so a saved game is played through once more when it is resumed, without thinking.
"""

import json
from dataclasses import replace
from pathlib import Path

from bgai.chouette import Chouette
from bgai.game import BEAVERS
from bgai.play import party_dialogue
from bgai.play.dialogue import LONGEST_LINE
from bgai.play.party import Party, UnknownDecision, new_party
from bgai.play.session import MAX_PLY

FORMAT = 2
MAX_BYTES = 1 << 20
_MOST_ENTRIES = 4_000  # and decisions, of one game: more than any has, few enough to be played through in seconds
_MOST_POINTS = 10**9
_TYPES = {
    "players": list,
    "jacoby": bool,
    "beavers": int,
    "seed": int,
    "typed": bool,
    "ply": int,
    "checkpoint": str,
    "tutor": bool,
    "box": int,
    "team": list,
    "totals": list,
    "throws": int,
    "entries": list,
    "decisions": list,
}
_MOST = {"seed": 2**63 - 1, "beavers": BEAVERS, "ply": MAX_PLY, "throws": 2**63 - 1}


class CannotResume(ValueError):
    """A file that holds no chouette, or one that can't be gone on with; the message says why."""


def to_json(party: Party) -> str:
    """The chouette as the text of a file. A play whose dice weren't picked up is kept too."""
    chouette, throws = party.start
    saved = {
        "bgai chouette": FORMAT,
        "players": party.players,
        "jacoby": chouette.rules.jacoby,
        "beavers": chouette.rules.beavers,
        "seed": party.seed,
        "typed": party.typed,
        "ply": party.ply,
        "checkpoint": party.checkpoint,
        "tutor": party.tutor,
        "box": chouette.box,
        "team": chouette.team,
        "totals": chouette.totals,
        "throws": throws,
        "entries": party.entries,
        "decisions": party.decisions,
    }
    return json.dumps(saved, ensure_ascii=False) + "\n"


def from_json(path: Path) -> Party:
    """The chouette in a file, where it was left.

    Raises CannotResume, OSError, and what `new_party` raises for players who can't sit down.
    """
    saved = _read(path)
    entries, decisions, tutor = (saved.pop(name) for name in ("entries", "decisions", "tutor"))
    box, team, totals, throws = (saved.pop(name) for name in ("box", "team", "totals", "throws"))
    party = new_party(saved.pop("players"), **saved)
    chouette = _seated(party.chouette, box, tuple(team), tuple(totals), path)
    party = replace(party, chouette=chouette, throws=throws, start=(chouette, throws), known=tuple(decisions))
    try:
        party, _ = party_dialogue.begin(party)
        for number, entry in enumerate(entries, start=1):
            after, said = party_dialogue.reply(party, entry)
            if len(after.entries) == len(party.entries):
                raise CannotResume(f"{path}: entry {number}, {entry[:40]!r}, isn't possible there: {said}")
            party = after
    except UnknownDecision as error:
        raise CannotResume(f"{path}: {error}") from None
    if party.known:
        raise CannotResume(f"{path}: programs can't have decided more than {len(party.decisions)} times by then")
    return replace(party, tutor=tutor, known=None)


def _seated(chouette: Chouette, box: int, team: tuple[int, ...], totals: tuple[int, ...], path: Path) -> Chouette:
    """A game that is about to begin, with everybody in their places and with their points."""
    players = len(chouette.cubes)
    whole = all(type(number) is int and abs(number) <= _MOST_POINTS for number in (*team, *totals))
    if not whole or sorted((box, *team)) != list(range(players)):
        raise CannotResume(f"{path}: box and team aren't {players} players, each of them once")
    if len(totals) != players or sum(totals):
        raise CannotResume(f"{path}: totals aren't the points of {players} players, which add up to 0 (R45)")
    cubes = tuple(None if player == box else chouette.rules for player in range(players))
    return replace(chouette, box=box, team=team, captain=team[0], cubes=cubes, totals=totals)


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
    wrong += sorted(saved.keys() - _TYPES.keys())
    for name in ("players", "entries"):
        if name not in wrong and not all(type(word) is str and len(word) <= LONGEST_LINE for word in saved[name]):
            wrong.append(name)
    wrong += [name for name in ("entries", "decisions") if name not in wrong and len(saved[name]) > _MOST_ENTRIES]
    wrong += [name for name, most in _MOST.items() if name not in wrong and not 0 <= saved[name] <= most]
    if wrong:
        raise CannotResume(f"{path}: {wrong[0]} isn't what bgai writes there")
    return saved
