"""Plays games through as a file tells them, by the rules."""

from collections.abc import Iterable

import numpy as np

from bgai.board import UNFINISHED, VARIANTS, checkers_of, outcome
from bgai.game import TURNS, IllegalAction, State, act, end_turn, other_side, outcome_values, points, to_decide
from bgai.notation.match_file import MAX_ACTIONS, Action, BadMatchFile, Fault, Game, Moves, move_number
from bgai.notation.play_text import NO_PLAY, InvalidPlay, parse_play
from bgai.notation.position import Position


class GameRecorder:
    """One game in progress. Each action raises InvalidPlay or IllegalAction if it can't be; then nothing has changed.

    state and board are seen by player `turn`, who is on roll; None until the first action shows who began.
    """

    def __init__(self, number: int, state: State, variant: str = "backgammon"):
        self.number, self.start = number, state
        self.state, self.board = state, VARIANTS[variant]
        self.turn: int | None = None
        self.checkers = checkers_of(variant)
        self.dice: tuple[int, int] | None = None
        self.actions: list[Action] = []
        self.result: tuple[int, int] | None = None  # winner, points

    def play(self, player: int, dice: tuple[int, int], text: str) -> None:
        """`player` throws `dice` and plays `text`, in any way of writing that `parse_play` reads."""
        from bgai.plays import legal_plays_with_moves  # here, for its kernels take long to load

        self._on_roll(player)
        index = self._index(text or NO_PLAY, dice)
        plays = legal_plays_with_moves(self.board[None], np.array([dice], dtype=np.int8))
        moves = tuple(tuple(move) for move in plays.moves[index].tolist() if move[0] >= 0)
        self._add(player, "play", dice, moves)
        self.board, self.state, self.turn = plays.boards[index], end_turn(self.state), 1 - player
        ended = int(outcome(self.board, self.checkers))
        if ended != UNFINISHED:
            self.result = player, -points(self.state, ended)

    def _index(self, text: str, dice: tuple[int, int]) -> int:
        """`parse_play`, forgiving a point on the way that the dice don't lead to: 43 as 5/1 1/off for 5/2 2/off."""
        try:
            return parse_play(text, self.board, dice)
        except InvalidPlay as fault:
            joined = _joined(text)
            if joined == text:
                raise
            try:
                return parse_play(joined, self.board, dice)
            except InvalidPlay:
                raise fault from None

    def roll(self, player: int, dice: tuple[int, int]) -> None:
        """`player` throws `dice`, and what is played isn't known."""
        self._on_roll(player)
        self._add(player, "roll", dice)
        self.dice = dice

    def cube(self, player: int, action: str) -> None:
        """`player` does one of `CUBE_ACTIONS`. A double or beaver turns a pending cube again; a take accepts it."""
        pending = self.state.pending
        if pending and action in ("double", "beaver"):
            action = TURNS[min(TURNS.index(pending) + 1, len(TURNS) - 1)]
        elif pending not in (None, "double") and action == "take":
            action = "accept"
        self._begin(player)
        if self.result or self.dice:
            raise IllegalAction(f"no {action!r} now: {'the game is over' if self.result else 'the dice are thrown'}")
        if player != self._decides():
            raise IllegalAction(f"{action!r} by the player who isn't to decide")
        after = act(self.state, action)
        self._add(player, action)
        if isinstance(after, State):
            self.state = after
        else:
            self.result = (self.turn if after > 0 else 1 - self.turn), abs(after)

    def resign(self, player: int, points: int) -> None:
        """`player` resigns, and the other accepts, for a single game, gammon or backgammon, as the points tell.

        Unlike R31 has it, also out of turn: so games are broken off on servers.
        """
        self._begin(player)
        if self.result:
            raise IllegalAction("a resignation after the end of the game")
        level = min(max(-(-points // self.state.cube), 1), 3)
        self._add(player, "resign", self.dice, level=level)
        self.result = 1 - player, int(outcome_values(self.state)[level - 1]) * self.state.cube

    def finish(self, recorded: tuple[int, int] | None, text: Iterable[str] = ()) -> tuple[Game, list[Fault]]:
        """The game, which the file says that `recorded` (winner, points) has ended; `text` couldn't be read.

        A game that isn't over on the board was resigned: by the loser, for as much as the points tell.
        """
        text, faults = tuple(text), []
        if not text and recorded and not self.result and self.actions:
            winner, worth = recorded
            self.resign(1 - winner, worth)
        if text:
            self.result = recorded
        elif recorded and self.result and not self._agrees(recorded):
            said, is_so = (f"player {winner + 1} wins {worth}" for winner, worth in (recorded, self.result))
            faults.append(Fault(self.number, self.move, f"the file says that {said}, by the rules {is_so}"))
        winner, worth = self.result or recorded or (None, 0)
        return Game(self.number, self.start, tuple(self.actions), winner, worth, text), faults

    def _agrees(self, recorded: tuple[int, int]) -> bool:
        """Same winner and points, or as many as the winner needed: some servers cut the rest."""
        winner, worth = self.result
        needed = self.start.length - self.start.score[winner] if self.start.length else worth
        return recorded in (self.result, (winner, min(worth, needed)))

    def _begin(self, player: int) -> None:
        """Whoever acts first is on roll."""
        if self.turn is None:
            self.turn = player
            self.state = self.start if player == 0 else other_side(self.start)

    def _decides(self) -> int:
        """Who must act."""
        return self.turn if to_decide(self.state) == "mover" else 1 - self.turn

    def _on_roll(self, player: int) -> None:
        self._begin(player)
        if self.result:
            raise IllegalAction("a roll after the end of the game")
        if self.state.pending not in (None, "double"):  # a beaver is accepted by playing on
            self.cube(self._decides(), "accept")
        if self.state.pending:
            raise IllegalAction(f"a roll while a {self.state.pending} waits for an answer")
        if self.dice:
            raise IllegalAction("a roll after one whose play isn't recorded")
        if player != self.turn:
            raise IllegalAction("a roll out of turn")

    @property
    def move(self) -> int:
        """Number of the last move."""
        return self.actions[-1].number if self.actions else 0

    def _add(
        self, player: int, kind: str, dice: tuple[int, int] | None = None, moves: Moves = (), level: int = 0
    ) -> None:
        if len(self.actions) == MAX_ACTIONS:
            raise BadMatchFile(f"game {self.number} has more than {MAX_ACTIONS} actions: no game is so long")
        position = Position(self.board, self.state, dice, checkers=self.checkers)
        number = move_number(self.actions, player, kind)
        self.actions.append(Action(number, player, kind, position, moves, level))


def _joined(text: str) -> str:
    """A play with the moves of one checker, where nothing is hit on the way, joined: `5/1 1/0` is `5/0`."""
    ways: list[list[str]] = []
    for part in text.split():
        places = part.split("/")
        before = next((way for way in ways if way[-1] == places[0]), None)
        if before:
            before[-1:] = places[1:] or places  # a lone point is no move, and joins nothing
        else:
            ways.append(places)
    return " ".join("/".join(way) for way in ways)
