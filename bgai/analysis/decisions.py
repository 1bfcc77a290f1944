"""What an analysis says of a game: every decision with what it cost, every roll with its luck."""

from dataclasses import asdict, dataclass

from bgai.lang import say, say_action

# Losses in EMG from which a decision is marked, with GNU Backgammon's names.
BLUNDER = 0.08
MARKS = ((0.16, "???", "very bad"), (BLUNDER, "??", "bad"), (0.02, "?", "doubtful"))
CLOSE = 0.16  # a cube decision that is right counts only if the second best is nearer than this
PR_FACTOR = 500  # PR: the EMG lost for each decision that counts, times this


@dataclass(frozen=True)
class Option:
    """Something that could be done, and what it is worth to the player who decides.

    text      "8/5 6/5", "no double", "double/take", "take", ...
    equity    EMG, at the cube before the decision
    ply       lookahead with which it was judged; -1: rolled out
    moves     of a play, as in `match_file.Action`
    outcomes  the six exclusive outcomes after it, of a play
    """

    text: str
    equity: float
    ply: int
    moves: tuple[tuple[int, int], ...] = ()
    outcomes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Decision:
    """A choice between `options`.

    action   index into `Game.actions`: what was done, or the roll before which nobody doubled
    player   who decided
    kind     "play", "double" (to double or not) or "answer" (to a double)
    options  best first: the best few and the one that was chosen
    chosen   index into `options`
    counts   it counts for the PR
    swing    match winning chance (points in a money game) for 1 EMG
    """

    action: int
    player: int
    kind: str
    options: tuple[Option, ...]
    chosen: int
    counts: bool
    swing: float

    @property
    def loss(self) -> float:
        """EMG."""
        return self.options[0].equity - self.options[self.chosen].equity

    def said(self, option: Option) -> str:
        """One of the options in words, in the language spoken."""
        return say(option.text) if self.kind == "play" else say_action(option.text)

    @property
    def mark(self) -> str:
        """One of the signs of `MARKS`, empty for a smaller loss."""
        return mark(self.loss)[0]

    @property
    def error(self) -> str | None:
        """What kind of error it was, one of `ERRORS`; None if it was right."""
        if self.loss <= 0:
            return None
        done = self.options[self.chosen].text
        if self.kind == "play":
            return "plays"
        if self.kind == "double":
            return "missed doubles" if done.startswith("no ") else "wrong doubles"
        return "wrong passes" if done == "pass" else "wrong takes"


ERRORS = ("plays", "missed doubles", "wrong doubles", "wrong takes", "wrong passes")


def mark(loss: float) -> tuple[str, str]:
    """The mark and its name for a loss in EMG; empty where there is none.

    >>> mark(0.1), mark(0.0)
    (('??', 'bad'), ('', ''))
    """
    return next(((sign, name) for least, sign, name in MARKS if loss >= least), ("", ""))


@dataclass(frozen=True)
class Roll:
    """A roll of the dice.

    action  index into `Game.actions`
    luck    EMG: equity after its best play less the mean over all rolls
    swing   as in `Decision`
    value   of the position before the roll to player 0: match winning chance, in a money game points
    """

    action: int
    player: int
    luck: float
    swing: float
    value: float


@dataclass(frozen=True)
class JudgedGame:
    """All decisions and rolls of a game, in order."""

    decisions: tuple[Decision, ...]
    rolls: tuple[Roll, ...]

    def to_json(self) -> dict:
        """As nested lists and dictionaries."""
        return asdict(self)

    @classmethod
    def from_json(cls, read: dict) -> "JudgedGame":
        """Of what `to_json` gave. Raises KeyError or TypeError for anything else."""
        decisions = (Decision(**{**each, "options": _options(each["options"])}) for each in read["decisions"])
        return cls(tuple(decisions), tuple(Roll(**each) for each in read["rolls"]))


def _options(read: list[dict]) -> tuple[Option, ...]:
    return tuple(
        Option(**{**each, "moves": tuple(map(tuple, each["moves"])), "outcomes": tuple(each["outcomes"])})
        for each in read
    )
