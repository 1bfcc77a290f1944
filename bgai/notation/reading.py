"""Reading whatever file of games or positions there is: what it contains decides, not its name."""

from pathlib import Path

from bgai.notation.mat import is_mat, read_mat
from bgai.notation.match_file import MAX_BYTES, MAX_LINES, BadMatchFile, Match
from bgai.notation.sgf import is_sgf, read_sgf
from bgai.notation.text_position import read_positions

_BINARY = {
    b"RGMH": "a binary file of eXtreme Gammon: export the match from there as text (.mat or .txt)",
    b"\x7e\x00\x00\x00": "a binary position of Jellyfish: export it as an ID or as text",
}


def read_match(source: str | Path) -> Match:
    """The match in a file, given by its path, or in text that has a line break or is an XGID.

    Jellyfish-style .mat and .txt, GNU Backgammon's .sgf, and positions: IDs one a line, or the text exports of
    eXtreme Gammon, BGBlitz and GNU Backgammon. Breaches of the rules are the `faults` of what is returned.
    Raises BadMatchFile for what is none of these, OSError for a file that can't be read.
    """
    if isinstance(source, str) and ("\n" in source or source.startswith("XGID=")):
        return _from_text(source)
    path = Path(source)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        return _from_text(_decoded(data))
    except BadMatchFile as fault:
        raise BadMatchFile(f"{path}: {fault}") from None


def _decoded(data: bytes) -> str:
    """UTF-8, with or without a byte order mark, or what Windows programs of the West write."""
    if len(data) > MAX_BYTES:
        raise BadMatchFile(f"larger than {MAX_BYTES >> 20} MB: no match is so long")
    for magic, what in _BINARY.items():
        if data.startswith(magic):
            raise BadMatchFile(what)
    if b"\0" in data:
        raise BadMatchFile("a binary file: a match is read from text, .mat or .sgf")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _from_text(text: str) -> Match:
    if len(text) > MAX_BYTES or len(text.splitlines()) > MAX_LINES:
        raise BadMatchFile(f"more than {MAX_BYTES} characters or {MAX_LINES} lines: no match is so long")
    if is_sgf(text):
        return read_sgf(text)
    if is_mat(text):
        return read_mat(text)
    return read_positions(text)
