"""Judges all decisions of a game at once: a few array calls for each state of cube and score that it went through."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bgai.analysis.decisions import CLOSE, Decision, JudgedGame, Option, Roll
from bgai.evaluator.cube import best_values, emg, nd_dt, other_view, slot
from bgai.evaluator.decision import answerer_values, best_answer, double_value
from bgai.evaluator.evaluate import best_replies, worth_of
from bgai.evaluator.race_plays import CHANCE, OPENING_CHANCE, ROLLS, roll_index
from bgai.evaluator.search import FILTERS, Evaluation, Sides, each_roll, evaluate, judge_plays, look_ahead, sides_of
from bgai.game import State, can_double
from bgai.net.net import Net
from bgai.notation.match_file import Action, Game
from bgai.notation.play_text import format_play
from bgai.plays import Plays, index_of, legal_plays_with_moves

KEPT = 5  # options of a decision, besides the one that was chosen


class _Before(NamedTuple):
    """What a position is worth to the player on roll, before the roll."""

    evaluation: Evaluation  # of one position: outcomes float64[6], values float64[S]
    sides: Sides
    swing: float


def judge_game(net: Net, game: Game, ply: int) -> JudgedGame:
    """Judge a game at `ply` rolls of lookahead; luck without lookahead.

    Raises ImpossibleState for a state that no game can come to, InvalidTable for a match longer than tables reach.
    """
    acts = [i for i, action in enumerate(game.actions) if action.kind != "resign"]
    before = _evaluate(net, game, acts, ply)
    decisions = [*_cube_decisions(game, before, ply), *_play_decisions(net, game, ply)]
    decisions.sort(key=lambda decision: (decision.action, decision.kind == "play"))
    return JudgedGame(tuple(decisions), tuple(_rolls(net, game, before)))


def _by_state(game: Game, acts: Iterable[int]) -> Iterable[tuple[State, list[int], np.ndarray]]:
    """The actions that share a state (nothing pending), with their boards `int8[N, 26]`."""
    groups = defaultdict(list)
    for i in acts:
        groups[replace(game.actions[i].position.state, pending=None, resigned=0)].append(i)
    for state, indices in groups.items():
        yield state, indices, np.stack([game.actions[i].position.board for i in indices])


def _evaluate(net: Net, game: Game, acts: list[int], ply: int) -> dict[int, _Before]:
    before = {}
    for state, indices, boards in _by_state(game, acts):
        sides = sides_of(state)
        found = evaluate(net, boards, sides, ply)
        swing = _swing(state, sides)
        for row, i in enumerate(indices):
            before[i] = _Before(Evaluation(found.outcomes[row], found.values[row]), sides, swing)
    return before


def _swing(state: State, sides: Sides) -> float:
    """Match winning chance for 1 EMG; in a money game points."""
    win, _, _, lose, _, _ = sides.mover.after[0]
    return float(state.cube) if sides.mover.money else float((win - lose) / 2)


# Cube


def _cube_decisions(game: Game, before: dict[int, _Before], ply: int) -> Iterable[Decision]:
    for i, action in enumerate(game.actions):
        state = action.position.state
        if action.kind in ("play", "roll"):
            doubled = i > 0 and game.actions[i - 1].kind in ("take", "accept")
            if i == 0 or doubled or not can_double(state):
                continue
        elif action.kind == "resign" or not _can_be_taken(before[i].sides):
            continue
        yield _cube_decision(i, action, before[i], ply)


def _can_be_taken(sides: Sides) -> bool:
    """There is a value of the cube above the present one; else doubling changes nothing."""
    return sides.mover.money or len(sides.mover.after) > 1


def _cube_decision(i: int, action: Action, before: _Before, ply: int) -> Decision:
    values = nd_dt(before.evaluation.values, before.sides.mover, action.position.state.owner)
    nd, dt = (float(emg(value, before.sides.mover)) for value in values)
    return cube_decision(i, action, nd, dt, ply, before.swing)


def cube_decision(i: int, action: Action, nd: float, dt: float, ply: int, swing: float) -> Decision:
    """The decision about the cube at action `i`.

    nd, dt  EMG of no double and of double, take, for the player on roll (for who doubled first, while that is pending)
    """
    state = action.position.state
    if state.pending:
        kind, done = "answer", action.kind
        worth = answerer_values(dt, state)
    else:
        kind, verb = "double", "double" if state.owner == "centred" else "redouble"
        double = f"{verb}/{best_answer(dt, replace(state, pending='double'))[0]}"
        worth = {f"no {verb}": nd, double: double_value(dt, state)}
        done = double if action.kind == "double" else f"no {verb}"
    ranked = sorted(worth.items(), key=lambda each: (-each[1], each[0] != done))
    options = tuple(Option(text, equity, ply) for text, equity in ranked)
    chosen = next(k for k, option in enumerate(options) if option.text == done)
    counts = options[chosen].equity < options[0].equity or options[0].equity - options[1].equity < CLOSE
    return Decision(i, action.player, kind, options, chosen, counts, swing)


# Plays


def _play_decisions(net: Net, game: Game, ply: int) -> Iterable[Decision]:
    plays = [i for i, action in enumerate(game.actions) if action.kind == "play" and action.moves]
    for state, indices, boards in _by_state(game, plays):
        yield from _judge_plays(net, game, state, np.array(indices), boards, ply)


def _judge_plays(
    net: Net, game: Game, state: State, acts: np.ndarray, boards: np.ndarray, ply: int
) -> Iterable[Decision]:
    """The plays of one state that leave a choice."""
    dice = np.array([game.actions[i].position.dice for i in acts], dtype=np.int8)
    plays = legal_plays_with_moves(boards, dice)
    choice = np.diff(plays.offsets) > 1
    if not choice.all():
        acts, boards, dice = acts[choice], boards[choice], dice[choice]
        if not len(acts):
            return
        plays = legal_plays_with_moves(boards, dice)
    sides, at = sides_of(state), slot(state.owner)
    judged = judge_plays(net, boards, plays, sides, at, ply, FILTERS["normal"])
    done = np.array([_made(game.actions[i], plays, k) for k, i in enumerate(acts)])
    # What was played is looked into as deep as the best, whether or not it looked good.
    each = Plays(plays.boards[done], np.arange(len(done) + 1), plays.moved)
    deep = judge_plays(net, boards, each, sides, at, ply, FILTERS["full"])
    judged.ply[done], judged.equity[done], judged.outcomes[done] = deep.ply, deep.equity, deep.outcomes
    swing = _swing(state, sides)
    ranking = judged.ranking(plays.offsets)
    for k, i in enumerate(acts):
        rows = ranking[plays.offsets[k] : plays.offsets[k + 1]]
        chosen = int(np.flatnonzero(rows == done[k])[0])
        kept = [*rows[:KEPT], *rows[[chosen]][chosen < KEPT :]]
        action = game.actions[i]
        options = tuple(
            Option(
                format_play(action.position.board, plays.moves[row]),
                float(judged.equity[row]),
                int(judged.ply[row]),
                tuple(tuple(move) for move in plays.moves[row].tolist() if move[0] >= 0),
                tuple(judged.outcomes[row].tolist()),
            )
            for row in kept
        )
        yield Decision(int(i), action.player, "play", options, min(chosen, KEPT), True, swing)


def _made(action: Action, plays: Plays, k: int) -> int:
    """Row of the play of position k that was made."""
    start, stop = plays.offsets[k : k + 2]
    return int(start) + index_of(action.move_array, plays.moves[start:stop])


# Luck


def _rolls(net: Net, game: Game, before: dict[int, _Before]) -> list[Roll]:
    rolls = []
    thrown = [i for i, action in enumerate(game.actions) if action.kind in ("play", "roll")]
    for state, indices, boards in _by_state(game, thrown):
        sides = before[indices[0]].sides
        dice = np.array([game.actions[i].position.dice for i in indices], dtype=np.int8)
        values = _values_by_roll(net, boards, state, sides)
        chance = np.where(np.array(indices)[:, None] == 0, OPENING_CHANCE, CHANCE)
        luck = values[np.arange(len(values)), roll_index(dice)] - (values * chance).sum(axis=1)
        luck = luck if sides.mover.money else luck / before[indices[0]].swing
        for i, each in zip(indices, luck.tolist(), strict=True):
            player = game.actions[i].player
            rolls.append(Roll(i, player, each, before[i].swing, _value(state, before[i], player)))
    return sorted(rolls, key=lambda roll: roll.action)


def _values_by_roll(net: Net, boards: np.ndarray, state: State, sides: Sides) -> np.ndarray:
    """Value of each position after the best play of each of the 21 rolls, without lookahead: `float64[N, 21]`."""
    after, outcomes = best_replies(net, *each_roll(boards), worth_of(sides.mover))
    theirs = look_ahead(net, after, outcomes, Sides(*sides[::-1]), 0)
    values = other_view(best_values(theirs.values, sides.opponent), sides.mover)
    return values[:, slot(state.owner)].reshape(-1, len(ROLLS))


def _value(state: State, before: _Before, player: int) -> float:
    """Value to player 0 of a position before the roll, doubling allowed."""
    values = best_values(before.evaluation.values[None].copy(), before.sides.mover)
    value = float(values[0, slot(state.owner)])
    if before.sides.mover.money:
        return state.cube * (value if player == 0 else -value)
    return value if player == 0 else 1.0 - value
