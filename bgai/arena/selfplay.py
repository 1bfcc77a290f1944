"""Games of a player against itself, with the cube, recorded turn by turn: thousands at a time.

For programs that want games to look at or to learn from; training has its own, faster self-play without a cube.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from bgai.arena.games import cube_may_turn
from bgai.arena.players import Player
from bgai.arena.states import States
from bgai.board import UNFINISHED, VARIANTS, checkers_of, outcome
from bgai.game import OWNERS, State, act, end_turn, opening_rolls, points

KINDS = ("play", "double", "take", "pass")


class Record(NamedTuple):
    """What happened in G games: E actions, game after game and each game's in order; player 0 and 1 take turns.

    game    int64[E]      which game
    player  int8[E]       who acts
    kind    int8[E]       index into `KINDS`
    board   int8[E, 26]   before it, seen by the player on roll (of a take or pass: by who doubled)
    dice    int8[E, 2]    of a play; 0 0 of a cube action
    after   int8[E, 26]   after it; of a play seen by the opponent, who is then on roll
    cube    int64[E]      its value before the action
    owner   int8[E]       index into `game.OWNERS`, seen as the board is
    points  int64[G]      what player 0 has won, the cube included
    """

    game: np.ndarray
    player: np.ndarray
    kind: np.ndarray
    board: np.ndarray
    dice: np.ndarray
    after: np.ndarray
    cube: np.ndarray
    owner: np.ndarray
    points: np.ndarray


def play_against_itself(
    player: Player, games: int, seed: int, *, jacoby: bool = False, variant: str = "backgammon"
) -> Record:
    """Play so many money games of a name of `VARIANTS`; the same `seed` gives the same ones."""
    table = _Games(games, State(jacoby=jacoby), variant)
    rng = np.random.default_rng(seed)
    dice, _ = opening_rolls(rng, games)
    table.on_roll = (dice[:, 0] < dice[:, 1]).astype(np.int8)  # the first die is player 0's (R2)
    table.play(player, np.arange(games), dice)
    while len(running := np.flatnonzero(~table.over)):
        table.double(player, running)
        running = running[~table.over[running]]
        if len(running):
            table.play(player, running, rng.integers(1, 7, (len(running), 2), dtype=np.int8))
    return table.record()


class _Games:
    """Where all games stand; boards and states are seen by the player on roll."""

    def __init__(self, games: int, rules: State, variant: str):
        self.boards = np.tile(VARIANTS[variant], (games, 1))
        self.checkers = checkers_of(variant)
        self.states = States.same(rules, games)
        self.on_roll = np.zeros(games, dtype=np.int8)
        self.over = np.zeros(games, dtype=bool)
        self.points = np.zeros(games, dtype=np.int64)
        self.actions: list[tuple[np.ndarray, ...]] = []

    def play(self, player: Player, games: np.ndarray, dice: np.ndarray) -> None:
        before, states = self.boards[games], self.states[games]
        after = player.play(before, dice, states)
        self._note("play", games, self.on_roll[games], dice, after)
        self.boards[games], self.states[games] = after, states.changed(end_turn)
        self.on_roll[games] = 1 - self.on_roll[games]
        ends = outcome(after, self.checkers)
        for end in np.unique(ends[ends != UNFINISHED]):
            ended = games[ends == end]
            self._end(ended, self.states[ended].map(partial(points, outcome=end), np.int64))

    def double(self, player: Player, games: np.ndarray) -> None:
        games = games[self.states[games].map(cube_may_turn, bool)]
        if len(games):
            games = games[player.doubles(self.boards[games], self.states[games])]
        if len(games) == 0:
            return
        self._note("double", games, self.on_roll[games])
        self.states[games] = self.states[games].changed(partial(act, action="double"))
        answers = player.answers(self.boards[games], self.states[games])
        for answer in ("take", "pass"):
            answering = games[answers == answer]
            self._note(answer, answering, 1 - self.on_roll[answering])
        taken, passed = games[answers == "take"], games[answers == "pass"]
        self.states[taken] = self.states[taken].changed(partial(act, action="take"))
        self._end(passed, self.states[passed].map(partial(act, action="pass"), np.int64))

    def _note(
        self,
        kind: str,
        games: np.ndarray,
        players: np.ndarray,
        dice: np.ndarray | None = None,
        after: np.ndarray | None = None,
    ) -> None:
        boards, states = self.boards[games], self.states[games]
        dice = np.zeros((len(games), 2), dtype=np.int8) if dice is None else dice
        cube = states.map(lambda state: state.cube, np.int64)
        owner = states.map(lambda state: OWNERS.index(state.owner), np.int8)
        kinds = np.full(len(games), KINDS.index(kind), dtype=np.int8)
        self.actions.append((games, players, kinds, boards, dice, boards if after is None else after, cube, owner))

    def _end(self, games: np.ndarray, won: np.ndarray) -> None:
        """Games end with so many points for who is on roll."""
        self.points[games] = np.where(self.on_roll[games] == 0, won, -won)
        self.over[games] = True

    def record(self) -> Record:
        columns = [np.concatenate(column) for column in zip(*self.actions, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        return Record(*[*(column[order] for column in columns), self.points])
