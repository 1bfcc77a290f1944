"""Positions in text: IDs one a line, and the exports of eXtreme Gammon, BGBlitz and GNU Backgammon.

All these programs print IDs beside the diagram, in whatever language they speak: an XGID, or a Position ID and a
Match ID. These hold everything, so the diagram and the words around it aren't read.
"""

import re

from bgai.notation.match_file import BadMatchFile, Fault, Match
from bgai.notation.position import InvalidID, Position, parse_position

_ID = re.compile(
    r"(?P<xgid>XGID=[^\s:]{1,40}(?::[^\s:]{1,8}){9})"
    r"|Position[ -]ID *: ?(?P<board>[A-Za-z0-9+/]{14})(?![A-Za-z0-9+/])"
    r"|Match[ -]ID *: ?(?P<match>[A-Za-z0-9+/]{12})(?![A-Za-z0-9+/])"
    r"|^[ \t]{0,99}(?P<bare>[A-Za-z0-9+/]{14}(?::[A-Za-z0-9+/]{12})?|start)[ \t]{0,99}$",
    re.MULTILINE,
)
_MOST = 10_000  # positions in a file
_SIDES = ("player on roll", "opponent")


def read_positions(text: str) -> Match:
    """The positions of `text`, as a match without games. Raises BadMatchFile if there is none."""
    ids = _ids(text)
    if len(ids) > _MOST:
        raise BadMatchFile(f"more than {_MOST} positions: split the file")
    positions: list[Position] = []
    faults: list[Fault] = []
    for number, each in enumerate(ids, start=1):
        try:
            position = parse_position(each)
        except InvalidID as fault:
            faults.append(Fault(number, 0, str(fault)))
            continue
        if positions[-1:] != [position]:  # BGBlitz prints both kinds of ID
            positions.append(position)
    if not positions:
        raise BadMatchFile(
            faults[0].why
            if faults
            else "neither a match (.mat, .txt or .sgf) nor a position (an XGID, a GNU ID, or text with one in it)"
        )
    return Match(_SIDES, positions[0].state.length, (), tuple(faults), positions=tuple(positions))


def _ids(text: str) -> list[str]:
    ids, board = [], None
    for found in _ID.finditer(text):
        if found["board"]:
            board = found["board"]
        elif found["match"]:
            ids += [f"{board}:{found['match']}"] if board else []
            board = None
        else:
            ids.append(found["xgid"] or found["bare"])
    return ids
