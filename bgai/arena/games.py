"""Games between two players, thousands at a time, with duplicate dice: cubeless, for money with the cube, or matches.

Each sequence of dice is played twice with the seats exchanged: what luck gives to one player in one game of such a pair
it gives to the other in the second. A pair is the unit of the statistics, since its two games hang together.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from bgai.arena.luck import Judge
from bgai.arena.players import Player
from bgai.arena.states import States
from bgai.board import OUTCOME_POINTS, START, on_board, outcome, swap_outcomes
from bgai.game import State, act, can_double, end_turn, match_over, next_game, opening_rolls, other_side, points

WON_BY_PASS, LOST_BY_PASS = 6, 7  # how a game ends, besides `board.OUTCOMES`
MOST_TURNS = 2_000  # of a game, and so many times that of a match of so many points; random play ends a game in 400
LARGEST_CUBE = 1024  # not doubled further: of two players who misjudge one position neither would ever stop
_SEEN_BY_OTHER = np.array([*swap_outcomes(np.arange(6)), LOST_BY_PASS, WON_BY_PASS])


class OddGames(ValueError):
    """A number of games that isn't made of pairs, or of too few for an interval."""


class EndlessGames(ValueError):
    """Games that go on and on, as neither player brings its checkers home."""


class Games(NamedTuple):
    """G finished games or matches between players A and B, seen by A. Those in rows i and i + G/2 are a pair.

    results  float64[G]  points; of a match 1 if won, 0 if lost
    luck     float64[G]  A's luck less B's in the same unit, by the judge; None without one
    ends     int64[8]    how many games ended with each of `board.OUTCOMES`, and by a pass of B and of A; in matches
                         all their games are counted
    turns    int64[G]    rolls thrown, by both
    """

    results: np.ndarray
    luck: np.ndarray | None
    ends: np.ndarray
    turns: np.ndarray


def play_games(
    a: Player,
    b: Player,
    games: int,
    seed: int | tuple[int, ...],
    rules: State | None = None,
    judge: Judge | None = None,
    opening: tuple[int, int] | None = None,
    start: np.ndarray = START,
) -> Games:
    """Play so many games, or matches, in pairs with the same dice; the same `seed` gives the same ones.

    rules    what a money game or a match starts from; None: cubeless
    judge    measures the luck of every roll
    opening  every game starts with this roll; None: with the one that is thrown
    start    the board that every game begins from, of the variant
    Raises OddGames for an odd number of games, or fewer than two pairs, EndlessGames where one takes more than
    `MOST_TURNS`, and what the players raise.
    """
    check_pairs(games)
    hall = _Hall((a, b), games, rules, judge, opening, start)
    rng = np.random.default_rng(seed)
    most = MOST_TURNS * max(1, rules.length if rules else 0)
    while len(hall.running):
        if hall.turns[hall.running].max() > most:
            raise EndlessGames(
                f"{len(hall.running)} of {games} games of {a.name} against {b.name} haven't ended after {most} turns; "
                "who has learned so little is better measured against pubeval or random"
            )
        opening_dice, _ = opening_rolls(rng, games // 2)
        if opening:
            opening_dice[:] = opening
        hall.turn(opening_dice, rng.integers(1, 7, (games // 2, 2), dtype=np.int8))
    return Games(hall.results, hall.luck if judge else None, hall.ends, hall.turns)


def check_pairs(games: int) -> None:
    """Raise OddGames unless so many games are two pairs or more."""
    if games < 4 or games % 2:
        raise OddGames(f"{games} games: duplicate dice need an even number, of 4 or more for an interval")


def joined(batches: list[Games]) -> Games:
    """The games of several batches as those of one, pairs kept together."""

    def pairs(arrays):
        return np.concatenate([array.reshape(2, -1) for array in arrays], axis=1).ravel()

    results, luck, ends, turns = zip(*batches, strict=True)
    return Games(pairs(results), None if luck[0] is None else pairs(luck), np.sum(ends, axis=0), pairs(turns))


class _Hall:
    """All games and where they stand. Boards and states are seen by the player on roll."""

    def __init__(self, players, games, rules, judge, fixed_opening, start):
        self.players = players
        self.judge = judge
        self.fixed_opening = fixed_opening is not None
        self.pairs = games // 2
        self.running = np.arange(games)
        self.start = start
        self.checkers = int(on_board(start)[0])
        self.boards = np.tile(start, (games, 1))
        self.states = States.same(rules, games)
        self.on_roll = np.zeros(games, dtype=np.int8)  # 0 is player A, 1 player B
        self.opening = np.ones(games, dtype=bool)  # a game is about to begin
        self.results = np.full(games, np.nan)
        self.shared = 1.0 if rules and rules.length else 0.0  # what both players' results add up to
        self.luck = np.zeros(games)
        self.ends = np.zeros(8, dtype=np.int64)
        self.turns = np.zeros(games, dtype=np.int64)

    def turn(self, opening_dice: np.ndarray, later_dice: np.ndarray) -> None:
        """One turn of every running game, with the dice `int8[G/2, 2]` of each pair."""
        opens = self.opening.copy()
        own_die, other_die = opening_dice.T
        self._seat(self.running[opens[self.running]], np.tile(own_die > other_die, 2))
        for side, games in self._by_side(self.running[~opens[self.running]]):
            self._double(side, games)
        going_on = self.running[self.opening[self.running] == opens[self.running]]  # those that no pass has ended
        dice = np.tile(np.stack([later_dice, opening_dice]), (1, 2, 1))
        for side, games in self._by_side(going_on):
            self._roll_and_play(side, games, dice[opens[games].astype(int), games])
        self.running = self.running[np.isnan(self.results[self.running])]

    def _by_side(self, games: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """The games in which each player is on roll, where there are any."""
        split = [(side, games[self.on_roll[games] == side]) for side in (0, 1)]
        return [(side, of_side) for side, of_side in split if len(of_side)]

    def _seat(self, games: np.ndarray, first_is_larger: np.ndarray) -> None:
        """Put on roll who starts each new game (R2). The first die is A's in the first half of the games, B's in the
        second."""
        second_half = games >= self.pairs
        starter = (first_is_larger[games] == second_half).astype(np.int8)
        other = games[self.on_roll[games] != starter]
        self.states[other] = self.states[other].changed(other_side)
        self.on_roll[games] = starter

    def _double(self, side: int, games: np.ndarray) -> None:
        """Player `side` may double, the opponent answers, and so on while the cube is turned (R32 to R37)."""
        games = games[self.states[games].map(cube_may_turn, bool)]
        if len(games):
            games = games[self.players[side].doubles(self.boards[games], self.states[games])]
            self.states[games] = self.states[games].changed(lambda state: act(state, "double"))
        answering = 1 - side
        while len(games):
            answers = self.players[answering].answers(self.boards[games], self.states[games])
            passed = games[answers == "pass"]
            won = self.states[passed].map(lambda state: act(state, "pass"), np.int64)
            self._end(passed, won, LOST_BY_PASS if answering == side else WON_BY_PASS)
            for answer in sorted(set(answers) - {"pass"}):
                answered = games[answers == answer]
                self.states[answered] = self.states[answered].changed(partial(act, action=answer))
            games = games[answers != "pass"]
            games = games[self.states[games].map(lambda state: state.pending is not None, bool)]
            answering = 1 - answering

    def _roll_and_play(self, side: int, games: np.ndarray, dice: np.ndarray) -> None:
        boards, states = self.boards[games], self.states[games]
        if self.judge:
            luck = self.judge.luck(boards, dice, states, self.opening[games])
            luck[self.opening[games] & self.fixed_opening] = 0
            self.luck[games] += luck if side == 0 else -luck
        self.boards[games] = self.players[side].play(boards, dice, states)
        self.states[games] = states.changed(end_turn)
        self.on_roll[games] = 1 - side
        self.opening[games] = False
        self.turns[games] += 1
        over = games[(self.boards[games] >= 0).all(axis=1)]  # who has just moved has no checker left (R26)
        outcomes = outcome(self.boards[over], self.checkers)
        for end in np.unique(outcomes):
            ended = over[outcomes == end]
            self._end(ended, self.states[ended].map(partial(_points, outcome=end), np.int64), end)

    def _end(self, games: np.ndarray, points: np.ndarray, end: int) -> None:
        """Games end with so many `points` for who is on roll; a match that isn't over goes on with a new game."""
        a_on_roll = self.on_roll[games] == 0
        self.ends[end] += a_on_roll.sum()
        self.ends[_SEEN_BY_OTHER[end]] += (~a_on_roll).sum()
        self.boards[games] = self.start
        self.opening[games] = True
        for won in np.unique(points):
            of_these = games[points == won]
            results = self.states[of_these].map(partial(_result, points=won), np.float64)
            over = ~np.isnan(results)
            ended, going_on = of_these[over], of_these[~over]
            self.states[going_on] = self.states[going_on].changed(partial(next_game, points=won))
            own = results[over]
            self.results[ended] = np.where(self.on_roll[ended] == 0, own, self.shared - own)


def cube_may_turn(state: State | None) -> bool:
    """The player on roll may double, gains by it, and the cube stands below `LARGEST_CUBE`; None: a cubeless game."""
    return state is not None and can_double(state) and state.cube < LARGEST_CUBE


def _points(state: State | None, outcome: int) -> int:
    return int(OUTCOME_POINTS[outcome]) if state is None else points(state, outcome)


def _result(state: State | None, points: int) -> float:
    """Result, for the player on roll, of a game worth `points`, or of the match if that ends it; else NaN."""
    if state is None or state.length == 0:
        return points
    return float(points > 0) if match_over(state, points) else np.nan
