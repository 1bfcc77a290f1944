"""People at the keyboard, for `fuzz_parsers.py`: what they enter into a session or a chouette, and kept chouettes."""

import zlib
from pathlib import Path

from bgai.play import party, party_dialogue, party_saving

ENTRIES = [b"31", b"13/10 6/5", b"8/5 6/5", b"", b"roll", b"double", b"take", b"pass", b"undo", b"hint", b"help"]
ENTRIES += [b"resign gammon", b"tutor on", b"66", b"beaver", b"done", b"bar/20", b"24/18 13/11", b"no play", b"no"]


def people() -> party.Party:
    return party.new_party(["ann", "bob", "cid"], seed=1, typed=True)


def with_programs() -> bytes:
    """The file of a chouette in which programs have decided."""
    table, _ = party_dialogue.begin(party.new_party(["ann", "bgai", "bgai:novice"], seed=1))
    for _ in range(12):
        entry = party.play_text(table, 0) if table.stage == "play" else "take" if table.chouette.waiting else ""
        table, _ = party_dialogue.reply(table, entry)
    return party_saving.to_json(table).encode()


class Talk:
    """Entries at the stages that a talk comes to: the input is said where its checksum says, and then the next."""

    def __init__(self, talk, start):
        self.talk, self.reached = talk, [start]
        lines = ("31", "8/5 6/5", "", "", "double", "take", "roll", "42", "8/4 6/4", "", "52", "13/8 24/22", "")
        for line in lines:
            self.reached.append(talk.reply(self.reached[-1], line)[0])

    def __call__(self, data: bytes, folder: Path) -> None:
        where = self.reached[zlib.crc32(data) % len(self.reached)]
        for line in data.decode(errors="surrogateescape").split("\n")[:3]:
            where, said = self.talk.reply(where, line)
            assert isinstance(said, str) and self.talk.question(where) is not None

    def saved(self) -> bytes:
        """The last stage of a chouette, as its file."""
        return party_saving.to_json(self.reached[-1]).encode()
