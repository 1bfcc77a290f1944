"""Match files in the manner of Jellyfish, `.mat` or `.txt`, as every server and program writes its own kind of them.

    ; [Site "..."]                                    tags, in comments
     7 point match                                    0 for a money session
     Game 1
     White : 0                     Black : 0          names and score: player 0 is the left column
      1) 31: 8/5 6/5                52: 13/8 24/22    one row for each pair of turns
      2)  Doubles => 2               Drops
          Wins 1 point                                under the winner's column

What differs from one writer to the next: the bar is 25 or bar, off is 0 or off, stars and (2) may be missing, columns
begin where they like. So a row is divided by what stands in it, dice or a word, and only a row with one entry by
where that stands. A roll that can't be played has nothing after it, or words that say so; `????`, or nothing where
there is a legal play, is a roll before a resignation.
"""

import re
from typing import NamedTuple

from bgai.game import BEAVERS, IllegalAction, ImpossibleState, State, check_state
from bgai.notation.match_file import MAX_ACTIONS, BadMatchFile, Fault, Game, Match, variant_of
from bgai.notation.play_text import InvalidPlay
from bgai.notation.recorder import GameRecorder

_LENGTH = re.compile(r"\s{0,99}(\d{1,5}) point match\b", re.IGNORECASE)
_GAME = re.compile(r"\s{0,99}Game (\d{1,5})\s{0,99}$", re.IGNORECASE)
_TAG = re.compile(r';\s{0,9}\[([^"]{1,99}) "([^"]{0,999})"\]')
_LEFT_SCORE = re.compile(r" ?: ?(\d{1,5})(?=\s\s)")
_RIGHT_SCORE = re.compile(r" ?: ?(\d{1,5})$")
_ROW = re.compile(r"\s{0,99}(\d{1,5})\)")
_ENTRY = re.compile(
    r"(?<!\S)(?:(?P<dice>\d\d):"
    r"|(?P<cube>(?:re)?doubles|beavers|raccoons|takes|accepts|drops|passes|rejects)(?: => ?(?P<value>\d{1,9}))?"
    r"|(?P<result>wins|loses|losses) (?P<points>\d{1,9}) points?(?: and the match)?"
    r"|(?P<resigns>resigns)(?!\S))",
    re.IGNORECASE,
)
_CUBE_WORDS = {
    "doubles": "double",
    "redoubles": "double",
    "beavers": "beaver",
    "raccoons": "raccoon",
    "takes": "take",
    "accepts": "take",
    "drops": "pass",
    "passes": "pass",
    "rejects": "pass",
}
UNKNOWN_PLAY = "????"
_LONGEST_LINE = 1000
_BAD_ACTION = (InvalidPlay, IllegalAction, ImpossibleState)


class _Entry(NamedTuple):
    """What one player did in a row, or a result. `player` is the column."""

    player: int
    found: re.Match
    text: str


def is_mat(text: str) -> bool:
    """Some line of `text` says how long the match is."""
    return any(_LENGTH.match(line) for line in text.splitlines())


def read_mat(text: str) -> Match:
    """The match of a Jellyfish-style file. Raises BadMatchFile if it is none.

    Whether a money session has the Jacoby rule is in a tag, or else shows in results that nothing else explains.
    """
    lines = text.splitlines()
    match = _Reader().read(lines)
    if match.length == 0 and match.faults and "Jacoby" not in match.tags:
        other = _Reader(jacoby=True).read(lines)
        return other if len(other.faults) < len(match.faults) else match
    return match


class _Reader:
    """Goes through a file line by line."""

    def __init__(self, jacoby: bool = False):
        self.jacoby = jacoby
        self.length: int | None = None
        self.players: tuple[str, str] | None = None
        self.tags: dict[str, str] = {}
        self.comments: list[str] = []
        self.faults: list[Fault] = []
        self.games: list[Game] = []
        self.number = 0
        self.game: GameRecorder | None = None
        self.half = 0  # the column from which on an entry is the right player's
        self.move = 0
        self.text: list[str] = []
        self.recorded: tuple[int, int] | None = None

    def read(self, lines: list[str]) -> Match:
        self.beavers = any(_ROW.match(line) and "beavers" in line.lower() for line in lines)
        for line in lines:
            self._line(line.rstrip())
        self._end_game()
        if self.length is None or self.players is None:
            raise BadMatchFile("no match: expected a line '7 point match', 'Game 1', and the names with their scores")
        return Match(self.players, self.length, tuple(self.games), tuple(self.faults), self.tags, tuple(self.comments))

    def _line(self, line: str) -> None:
        if len(line) > _LONGEST_LINE:
            raise BadMatchFile(f"a line of {len(line)} characters: match files have short ones")
        if not line:
            return
        if line.startswith(";"):
            tag = _TAG.match(line)
            if tag:
                self.tags[tag[1]] = tag[2]
            else:
                self.comments.append(line)
        elif length := _LENGTH.match(line):
            if self.length is not None:
                raise BadMatchFile("a second match begins in the file: split it")
            self.length = int(length[1])
        elif game := _GAME.match(line):
            self._end_game()
            self.number = int(game[1])
        elif self.game is None and self.number and self.length is not None and self._names(line):
            pass
        elif self.game is not None and (row := _ROW.match(line)):
            self.move = int(row[1])
            self._entries(line, row.end())
        elif (
            self.game is not None and (found := _ENTRY.match(line, len(line) - len(line.lstrip()))) and found["result"]
        ):
            self._result(_Entry(int(found.start() >= self.half), found, ""))
        elif self.game is not None:
            self._fault(line, "not understood")
        else:
            self.comments.append(line)

    def _names(self, line: str) -> bool:
        """The line with both names and scores, which begins a game."""
        right, left = _RIGHT_SCORE.search(line), _LEFT_SCORE.search(line)
        if not right or not left or left.end() >= right.start():
            return False
        names = line[: left.start()].strip(), line[left.end() : right.start()].strip()
        at = left.end() + len(line[left.end() :]) - len(line[left.end() :].lstrip())
        self.half = at // 2
        self.players = self.players or names
        if names != self.players:
            self.faults.append(
                Fault(self.number, 0, f"played by {' and '.join(names)}, not {' and '.join(self.players)}")
            )
        self._begin_game(line, (int(left[1]), int(right[1])))
        return True

    def _begin_game(self, line: str, score: tuple[int, int]) -> None:
        self.move, self.text, self.recorded = 0, [], None
        match_point = self.length - 1
        on = self.tags.get("Crawford", "On").lower() != "off" and self.length > 1
        crawford = on and match_point in score and not any(match_point in game.state.score for game in self.games)
        money = self.length == 0
        jacoby = money and (self.jacoby or self.tags.get("Jacoby", "").lower() in ("on", "true", "yes"))
        state = State(
            length=self.length,
            score=score,
            crawford=crawford,
            jacoby=jacoby,
            beavers=BEAVERS if money and self.beavers else 0,
        )
        if self.games and score != self.games[-1].score_after and not (money and score == (0, 0)):
            before = self.games[-1].score_after
            self.faults.append(Fault(self.number, 0, f"begins at {score[0]}-{score[1]}, after {before[0]}-{before[1]}"))
        try:
            check_state(state)
        except ImpossibleState as fault:
            self._fault(line, str(fault))
            state = State(length=self.length)
        self.game = GameRecorder(self.number, state, variant_of(self.tags))

    def _entries(self, line: str, start: int) -> None:
        """One row of a game."""
        entries = self._divided(line, start)
        if self.text or entries is None:
            self._fault(line, "neither rolls nor cube actions nor a result")
        for entry in entries or ():
            if entry.found["result"]:
                self._result(entry)
            elif not self.text:
                try:
                    self._action(entry)
                except _BAD_ACTION as fault:
                    self._fault(line, str(fault))

    def _divided(self, line: str, start: int) -> list[_Entry] | None:
        """The entries of a row: one for each player, and perhaps a result. None if there is something else."""
        found = list(_ENTRY.finditer(line, start))
        if line[start : found[0].start() if found else len(line)].strip():
            return None
        columns = [False] + [True] * (len(found) - 1) if len(found) > 1 else [e.start() >= self.half for e in found]
        ends = [each.start() for each in found[1:]] + [len(line)]
        entries = zip(columns, found, ends, strict=False)
        return [_Entry(int(column), each, line[each.end() : end].strip()) for column, each, end in entries]

    def _action(self, entry: _Entry) -> None:
        game, found = self.game, entry.found
        if found["cube"]:
            action = _CUBE_WORDS[found["cube"].lower()]
            if action == "double" and found["value"] and int(found["value"]) != 2 * game.state.cube:
                raise IllegalAction(f"a double to {found['value']} of a cube that stands at {game.state.cube}")
            game.cube(entry.player, action)
        elif found["resigns"]:
            game.resign(entry.player, 1)
        else:
            first, second = map(int, found["dice"])
            if not (1 <= first <= 6 and 1 <= second <= 6):
                raise InvalidPlay(f"{found['dice']} is no roll")
            self._roll(entry.player, (first, second), entry.text)

    def _roll(self, player: int, dice: tuple[int, int], text: str) -> None:
        if self.game.dice and text in ("", UNKNOWN_PLAY):  # some programs fill up the last row with dice of their own
            self.comments.append(f"; game {self.number}, move {self.move}: {dice[0]}{dice[1]} without a play")
            return
        if text != UNKNOWN_PLAY:
            try:
                self.game.play(player, dice, text)
                return
            except InvalidPlay:
                if text:
                    raise
        self.game.roll(player, dice)  # only a resignation may follow

    def _result(self, entry: _Entry) -> None:
        won = entry.found["result"].lower() == "wins"
        if won or self.recorded is None:
            self.recorded = (entry.player if won else 1 - entry.player), int(entry.found["points"])

    def _fault(self, line: str, why: str) -> None:
        """From the first fault on a game is kept as text."""
        if not self.text:
            self.faults.append(Fault(self.number, self.move, why))
        self.text.append(line)

    def _end_game(self) -> None:
        if self.game is None:
            return
        game, faults = self.game.finish(self.recorded, self.text)
        self.games.append(game)
        self.faults += faults
        self.game = None
        if sum(len(game.actions) for game in self.games) > MAX_ACTIONS:
            raise BadMatchFile(f"more than {MAX_ACTIONS} actions: split the file")
