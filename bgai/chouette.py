"""The chouette: one player, the box, against a team in which everybody has a cube of their own (R43 to R45).

Players are numbered from 0. Every cube between a team member and the box is a money `State` of its own, seen by the
side on roll; the checkers are common to all. As in `game`, nothing is changed in place.
"""

from dataclasses import dataclass, replace

import numpy as np

from bgai import game
from bgai.game import IllegalAction, State


@dataclass(frozen=True)
class Chouette:
    """One game of a chouette, and the points so far.

    rules        how each cube starts a game: Jacoby, beavers
    box          the player who is alone
    team         the others, in the order in which they will lead
    captain      the member whose game with the box decides who is box next
    cubes        for each player the game with the box; None for the box and for members whose game is over
    totals       points of each player over all games so far
    box_on_roll  the box is on roll, not the team
    box_lost     the box has lost the captain's game
    """

    rules: State
    box: int
    team: tuple[int, ...]
    captain: int
    cubes: tuple[State | None, ...]
    totals: tuple[int, ...]
    box_on_roll: bool = False
    box_lost: bool = False

    @property
    def playing(self) -> tuple[int, ...]:
        """Members who are still in. The first of them decides the plays; who is out advises no more (R43, R44)."""
        return tuple(member for member in self.team if self.cubes[member])

    @property
    def waiting(self) -> tuple[int, ...]:
        """Members between whom and the box a double or a resignation waits for its answer."""
        return tuple(member for member in self.playing if self.cubes[member].pending or self.cubes[member].resigned)


def new_chouette(players: int, *, jacoby: bool = False, beavers: int = 0) -> Chouette:
    """The first game: player 0 is the box, player 1 the captain, the others follow."""
    if players < 3:
        raise IllegalAction(f"a chouette of {players}: it takes 3 players or more; two play an ordinary money game")
    rules = game.check_state(State(jacoby=jacoby, beavers=beavers))
    return _new_game(rules, box=0, team=tuple(range(1, players)), totals=(0,) * players)


def open_game(
    chouette: Chouette, rng: np.random.Generator, *, automatic_doubles: int = 0
) -> tuple[Chouette, tuple[int, int]]:
    """Throw the opening roll, the captain one die and the box the other: the game and the dice, the larger first.

    Automatic doubles turn every cube alike (R3).
    """
    state, dice, team_starts = game.open_game(chouette.rules, rng, automatic_doubles=automatic_doubles)
    cubes = tuple(cube and state for cube in chouette.cubes)
    return replace(chouette, cubes=cubes, box_on_roll=not team_starts), dice


def act(chouette: Chouette, member: int, action: str, *, rolled: bool = False) -> Chouette:
    """`action` (`game.act`) on the cube between `member` and the box: each cube is turned and answered alone (R43).

    Which of the two acts follows from `game.to_decide` for that cube: its mover is the side on roll.
    Raises IllegalAction for a member who isn't playing, and for what `game.actions` doesn't allow.
    """
    if member not in chouette.playing:
        raise IllegalAction(f"player {member} has no game with the box now; these have: {chouette.playing}")
    result = game.act(chouette.cubes[member], action, rolled=rolled)
    if isinstance(result, State):
        return _replace_captain(_set_cube(chouette, member, result))
    return _replace_captain(_settle(chouette, member, result))


def end_turn(chouette: Chouette) -> Chouette:
    """The side on roll has rolled and played; now the other one is on roll.

    Raises IllegalAction while a cube waits for its answer.
    """
    cubes = tuple(cube and game.end_turn(cube) for cube in _answered(chouette).cubes)
    return replace(chouette, cubes=cubes, box_on_roll=not chouette.box_on_roll)


def finish(chouette: Chouette, outcome: int) -> Chouette:
    """Settle every cube after the last checker: `outcome` (index into `board.OUTCOMES`) is for the side on roll.

    Raises IllegalAction while a cube waits for its answer, and for `board.UNFINISHED`.
    """
    for member in _answered(chouette).playing:
        chouette = _settle(chouette, member, game.points(chouette.cubes[member], outcome))
    return chouette


def next_game(chouette: Chouette) -> Chouette:
    """The next game, once every cube is settled (R44): a beaten box makes way for the captain and goes to the end of
    the team; a box that won stays, and the captain goes there.

    Raises IllegalAction while somebody still plays the box.
    """
    if chouette.playing:
        raise IllegalAction(f"this game isn't over: {chouette.playing} still play the box")
    rest = tuple(member for member in chouette.team if member != chouette.captain)
    box, last = (chouette.captain, chouette.box) if chouette.box_lost else (chouette.box, chouette.captain)
    return _new_game(chouette.rules, box, (*rest, last), chouette.totals)


def _new_game(rules: State, box: int, team: tuple[int, ...], totals: tuple[int, ...]) -> Chouette:
    cubes = tuple(None if player == box else rules for player in range(len(totals)))
    return Chouette(rules, box, team, captain=team[0], cubes=cubes, totals=totals)


def _answered(chouette: Chouette) -> Chouette:
    """`chouette`, or IllegalAction while a cube waits for its answer."""
    if chouette.waiting:
        raise IllegalAction(f"the cubes of {chouette.waiting} wait for an answer: that comes before the next roll")
    return chouette


def _set_cube(chouette: Chouette, member: int, cube: State | None) -> Chouette:
    return replace(chouette, cubes=(*chouette.cubes[:member], cube, *chouette.cubes[member + 1 :]))


def _settle(chouette: Chouette, member: int, points: int) -> Chouette:
    """End the game between `member` and the box, worth `points` to the side on roll: one pays the other (R45)."""
    won = -points if chouette.box_on_roll else points
    totals = list(chouette.totals)
    totals[member] += won
    totals[chouette.box] -= won
    box_lost = chouette.box_lost or (member == chouette.captain and won > 0)
    return _set_cube(replace(chouette, totals=tuple(totals), box_lost=box_lost), member, None)


def _replace_captain(chouette: Chouette) -> Chouette:
    """A captain who has lost while others play on goes to the end of the team; the first still in leads (R44).

    That is seen only when every cube is answered: if all pass the same double, the box has won the captain's game.
    """
    captain, playing = chouette.captain, chouette.playing
    if captain in playing or chouette.box_lost or chouette.waiting or not playing:
        return chouette
    team = (*(member for member in chouette.team if member != captain), captain)
    return replace(chouette, team=team, captain=playing[0])
