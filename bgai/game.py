"""Cube, score and rule options of money games and matches: what may be done next, and what a game was worth.

A game is a `State`, and nothing here changes one: `act` gives the next state, or the points when the action ends the
game; `points` scores a game played to its end; `next_game` goes on to the next one. Points are signed, for the player
by whom the state is seen, so the other player's are the same number with the other sign.

Match files have no automatic doubles (R3), no Holland rule (R42) and no turn after a raccoon (R35), so the commands
offer none of them: they are for games played from Python.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from bgai.board import UNFINISHED
from bgai.lang import say

OWNERS = ("centred", "mover", "opponent")
RESIGNATIONS = ("resign single", "resign gammon", "resign backgammon")

# A double may be turned again and again at once (R35). The doubler's opponent answers the first, third and fifth turn,
# the doubler the others. While one waits for its answer, `cube` is the stake that a pass loses.
TURNS = ("double", "beaver", "raccoon", "re-beaver", "re-raccoon")
BEAVERS = 2  # turns after a double where they are agreed: a beaver and a raccoon, all that XGIDs and match files know

HOLLAND_ROLLS = 4  # each side has rolled twice (R42)


class IllegalAction(ValueError):
    """Something that the rules don't allow now; the message says why, and what they do allow."""


class ImpossibleState(ValueError):
    """A cube, score or option that no game can come to; the message says which, and what a possible one is like."""


@dataclass(frozen=True)
class State:
    """Everything about a game but the checkers, seen by the player on roll (while `pending`: by who doubled first).

    cube       its value; a power of two
    owner      "centred", "mover" or "opponent"
    length     points of the match; 0 is a money game
    score      points of (the player on roll, the opponent)
    crawford   this is the Crawford game (R39)
    jacoby     money: gammons count only after a taken double (R36)
    beavers    money: how many times in a row a double may be turned at once (0 none, 1 beaver, 2 raccoon, ...) (R35)
    pending    None or one of `TURNS`: a cube waits for an answer
    resigned   1, 2 or 3: a single game, gammon or backgammon is offered by who had to decide; 0: none is (R31)
    holland    rolls still to come before the trailer may double; 0 without the Holland rule (R42)
    """

    cube: int = 1
    owner: str = "centred"
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: int = 0
    pending: str | None = None
    resigned: int = 0
    holland: int = 0

    @property
    def away(self) -> tuple[int, int]:
        """Points that the player on roll and the opponent still need to win the match."""
        return self.length - self.score[0], self.length - self.score[1]

    @property
    def post_crawford(self) -> bool:
        """The Crawford game has been played, and the cube is used again (R39)."""
        return self.length > 1 and not self.crawford and 1 in self.away


def other_side(state: State) -> State:
    """The same game seen by the other player: cube owner and score change places.

    Raises IllegalAction while a double or a resignation waits for its answer.
    """
    if state.pending or state.resigned:
        raise IllegalAction(f"{_waits(state)}: it comes before the next turn")
    owner = {"centred": "centred", "mover": "opponent", "opponent": "mover"}[state.owner]
    return replace(state, owner=owner, score=state.score[::-1])


def end_turn(state: State) -> State:
    """The state after the player on roll has rolled and played, seen by the other player, who is now on roll.

    Raises IllegalAction while a double or a resignation waits for its answer.
    """
    return replace(other_side(state), holland=max(state.holland - 1, 0))


# What may be done next


def has_cube(state: State) -> bool:
    """There is a cube: not in the Crawford game, nor where this game decides the match for both (R39, R41)."""
    return not state.crawford and (state.length == 0 or state.away != (1, 1))


def double_refused(state: State, *, rolled: bool = False) -> str | None:
    """Why the player on roll may not double, or None if that is legal (R32, R34, R39, R41, R42)."""
    if state.pending or state.resigned:
        return _waits(state)
    if rolled:
        return say("the dice are thrown, and a double comes before the roll (R32)")
    if state.owner == "opponent":
        return say("the opponent owns the cube, and only the owner of a turned cube may redouble (R34)")
    if state.length == 1:
        return say("a 1-point match has no cube (R39)")
    if state.crawford:
        return say("the Crawford game is played without the cube (R39)")
    if state.length and state.away == (1, 1):
        return say("there is no doubling at double match point (R41)")
    if state.holland and state.score[0] < state.score[1]:
        return say(
            "the trailer may double when each side has rolled twice, after {n} more rolls (R42)", n=state.holland
        )
    return None


def may_double(state: State, *, rolled: bool = False) -> bool:
    """Doubling is legal, be it of use or not (R41)."""
    return double_refused(state, rolled=rolled) is None


def can_double(state: State) -> bool:
    """Doubling is legal and of use: a win at the present value of the cube doesn't win the match already (R41)."""
    return may_double(state) and (state.length == 0 or state.cube < state.away[0])


def to_decide(state: State) -> str:
    """Who must act, "mover" or "opponent": the player on roll, who was doubled, or who was offered a resignation."""
    doubled_opponent = state.pending is not None and TURNS.index(state.pending) % 2 == 0
    return "opponent" if doubled_opponent != (state.resigned > 0) else "mover"


def actions(state: State, *, rolled: bool = False) -> tuple[str, ...]:
    """All that `act` allows now. With nothing pending, the player on roll may of course also just roll and play.

    The words: "double"; "take", "pass" and "beaver" to answer a double; "accept", "pass" and "raccoon", "re-beaver",
    ... to answer a beaver, raccoon, ...; the three `RESIGNATIONS`; "accept" and "decline" to answer one of these.
    """
    if state.resigned:
        return ("accept", "decline")
    if state.pending is None:
        return (("double",) if may_double(state, rolled=rolled) else ()) + RESIGNATIONS
    level = TURNS.index(state.pending)
    turn_again = TURNS[level + 1 : level + 2] if level < state.beavers else ()
    return ("take" if level == 0 else "accept", "pass", *turn_again, *RESIGNATIONS)


def act(state: State, action: str, *, rolled: bool = False) -> State | int:
    """The next state, or the points for the player on roll when `action` ends the game (R31 to R37).

    rolled     the dice of this turn are thrown (those of the opening roll always are)
    Raises IllegalAction if `action` isn't one of `actions`.
    """
    allowed = actions(state, rolled=rolled)
    if action not in allowed:
        why = _action_refused(state, action, rolled)
        words = {"action": say(action), "side": to_decide(state), "allowed": ", ".join(map(say, allowed))}
        raise IllegalAction(say("no {action!r} now: {why}; the {side} may {allowed}", why=why, **words))
    if action == "double":
        return replace(state, pending="double")
    if action in RESIGNATIONS:
        return replace(state, resigned=1 + RESIGNATIONS.index(action))
    if action == "decline":
        return replace(state, resigned=0)
    if action == "accept" and state.resigned:
        won = state.resigned - 1  # index into OUTCOMES: winning comes first, losing three later
        return points(state, won if to_decide(state) == "mover" else 3 + won)
    if action == "pass":
        return state.cube if to_decide(state) == "opponent" else -state.cube
    # Whoever takes a double owns the cube from then on, also while it is turned again.
    return replace(state, cube=2 * state.cube, owner="opponent", pending=action if action in TURNS else None)


def _action_refused(state: State, action: str, rolled: bool) -> str:
    if state.resigned:
        return _waits(state)
    if action == "double":
        return double_refused(state, rolled=rolled)
    if action in TURNS and state.pending:
        return say("{waits}, and {n} beavers in a row are agreed (R35)", waits=_waits(state), n=state.beavers)
    if action == "accept" and state.pending == "double":
        return say("a double is answered by take or pass")
    return _waits(state) if state.pending else say("nothing waits for an answer")


def _waits(state: State) -> str:
    return say("a {what} waits for an answer", what=say("resignation" if state.resigned else state.pending))


# What a game was worth


def gammons_count(state: State) -> bool:
    """A gammon counts more than a single game: under the Jacoby rule only when a double has been taken (R36).

    That is when the cube has an owner: automatic doubles leave it in the centre.
    """
    return not (state.jacoby and state.owner == "centred")


def outcome_values(state: State) -> np.ndarray:
    """What each of the six `board.OUTCOMES` is worth to the player on roll, in cubes: `int64[6]`."""
    return np.array([1, 2, 3, -1, -2, -3] if gammons_count(state) else [1, 1, 1, -1, -1, -1])


def points(state: State, outcome: int) -> int:
    """Points for the player on roll when the game ends as `outcome`, an index into `board.OUTCOMES` (R30, R36).

    Raises IllegalAction for `board.UNFINISHED`.
    """
    if outcome == UNFINISHED:
        raise IllegalAction("the game isn't finished, so it has no result: play on, pass a double or resign")
    return int(outcome_values(state)[outcome]) * state.cube


def score_after(state: State, points: int) -> tuple[int, int]:
    """Score of (player on roll, opponent) after a game worth `points` to the player on roll; surplus is cut (R38)."""
    own, other = state.score[0] + max(points, 0), state.score[1] + max(-points, 0)
    return (min(own, state.length), min(other, state.length)) if state.length else (own, other)


def match_over(state: State, points: int) -> bool:
    """A game worth `points` to the player on roll ends the match (R38). Money play has no end."""
    return state.length > 0 and state.length in score_after(state, points)


# From one game to the next


def next_game(state: State, points: int, *, holland: bool = False) -> State:
    """The next game after one worth `points` to the player on roll, still seen by that player (R32, R39).

    holland    the Holland rule is agreed (R42)
    Raises IllegalAction when the match is over.
    """
    score = score_after(state, points)
    if match_over(state, points):
        raise IllegalAction(f"the match to {state.length} is over at {score[0]}-{score[1]}: there is no next game")
    match_point = state.length - 1
    crawford = match_point in score and match_point not in state.score
    game = State(length=state.length, score=score, crawford=crawford, jacoby=state.jacoby, beavers=state.beavers)
    return replace(game, holland=HOLLAND_ROLLS) if holland and game.post_crawford else game


def opening_rolls(rng: np.random.Generator, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Opening rolls of many games: dice `int8[games, 2]`, never equal, and how many equal throws came before them (R2).

    The first die is that of the player by whom the game is seen, who starts if it is the larger. Throwing again until
    the dice differ is the same as drawing two that differ, after a geometric number of equal throws.
    """
    own = rng.integers(0, 6, games)
    other = (own + rng.integers(1, 6, games)) % 6
    equal_throws = rng.geometric(5 / 6, games) - 1
    return (1 + np.stack([own, other], axis=1)).astype(np.int8), equal_throws


class Opening(NamedTuple):
    """A game about to begin: its `state` seen by who starts, their `dice`, the larger first, and whether that is
    the player by whom the game was seen before the roll (`kept`) or the other one."""

    state: State
    dice: tuple[int, int]
    kept: bool


def open_game(state: State, rng: np.random.Generator, *, automatic_doubles: int = 0) -> Opening:
    """Throw the opening roll of a new game (R2), with at most so many `automatic_doubles` (R3).

    Raises IllegalAction for automatic doubles in a match (R40).
    """
    if automatic_doubles and state.length:
        raise IllegalAction("a match has no automatic doubles (R40): leave them at 0")
    dice, equal_throws = opening_rolls(rng, 1)
    own, other = map(int, dice[0])
    state = replace(state, cube=state.cube << min(int(equal_throws[0]), automatic_doubles))
    return Opening(state if own > other else other_side(state), (max(own, other), min(own, other)), own > other)


# Which states are possible


def check_state(state: State) -> State:
    """`state` itself, or `ImpossibleState` with the reason why no game can come to it (R3, R32 to R42).

    Post-Crawford with the trailer still at 0 is let through: a match may be played without the Crawford rule.
    """
    for faults in (_value_faults, _match_faults, _cube_faults):
        for wrong, why in faults(state):
            if wrong:
                raise ImpossibleState(why)
    return state


Faults = Iterator[tuple[bool, str]]  # (is it so, what is wrong and how it should be)


def _value_faults(state: State) -> Faults:
    """Values that no field can have."""
    cube = state.cube
    yield cube < 1 or cube & (cube - 1) != 0, f"a cube of {cube}: its value is a power of two (1, 2, 4, 8, ...)"
    yield state.owner not in OWNERS, f"cube owner {state.owner!r}: it is one of {', '.join(OWNERS)}"
    yield state.length < 0, f"a match to {state.length} points: it is 1 or more, or 0 for money play"
    yield len(state.score) != 2 or min(state.score) < 0, f"score {state.score}: it is two numbers of 0 or more"
    yield state.pending not in (None, *TURNS), f"pending {state.pending!r}: it is None or one of {', '.join(TURNS)}"
    yield not 0 <= state.resigned <= 3, f"resigned {state.resigned}: it is 0 (no offer), 1, 2 or 3"
    yield not 0 <= state.beavers < len(TURNS), f"beavers {state.beavers}: it is 0 (none) to {len(TURNS) - 1}"
    yield not 0 <= state.holland <= HOLLAND_ROLLS, f"holland {state.holland}: it is 0 to {HOLLAND_ROLLS} rolls"


def _match_faults(state: State) -> Faults:
    """Scores and options that don't go together."""
    match, score = state.length > 0, _score_text(state)
    yield match and max(state.score) >= state.length, f"{score}: both sides must still need a point or more (R38)"
    yield match and state.jacoby, "the Jacoby rule in a match: it is for money play only (R40)"
    yield match and state.beavers > 0, "beavers in a match: they are for money play only (R40)"
    crawford_score = state.length > 1 and state.away.count(1) == 1
    wanted = "exactly one side is 1 point away, in a match of 2 points or more (R39)"
    yield state.crawford and not crawford_score, f"a Crawford game at {score}: {wanted}"
    wanted = "it is for post-Crawford games only (R42)"
    yield state.holland > 0 and not state.post_crawford, f"the Holland rule at {score}: {wanted}"


def _cube_faults(state: State) -> Faults:
    """Cubes that nobody can have turned."""
    cube, owner, pending, score = state.cube, state.owner, state.pending, _score_text(state)
    yield cube == 1 and owner != "centred", f"a cube of 1 with the {owner}: it is centred until a double is taken (R33)"
    wanted = "once turned it has an owner; only automatic doubles, in money play, leave it centred (R3)"
    yield state.length > 0 and cube > 1 and owner == "centred", f"a centred cube of {cube} at {score}: {wanted}"
    yield cube > 1 and not has_cube(state), f"a cube of {cube} at {score}: there is no doubling in this game (R39, R41)"
    if pending == "double":
        refused = double_refused(replace(state, pending=None, resigned=0))
        yield refused is not None, f"a double waits for an answer, but it was not legal: {refused}"
    elif pending:
        level = TURNS.index(pending)
        yield level > state.beavers, f"a {pending} where {state.beavers} beavers are agreed: it takes {level} (R35)"
        wanted = f"the opponent has taken the double and owns the cube, at {2**level} or more (R35)"
        yield owner != "opponent" or cube < 2**level, f"a {pending} on a cube of {cube}, owner {owner}: {wanted}"


def _score_text(state: State) -> str:
    return f"{state.score[0]}-{state.score[1]} in a match to {state.length}" if state.length else "money play"
