"""Rolls out the close decisions of a judged game, the options of each side by side with the same dice."""

from dataclasses import replace

import numpy as np

from bgai.analysis.decisions import Decision, JudgedGame, Option
from bgai.analysis.judging import cube_decision
from bgai.evaluator.rollout import Rollout, of_cube, of_plays, roll_out
from bgai.evaluator.trials import Settings, Start
from bgai.net.net import Net
from bgai.notation.match_file import Action, Game, move_array
from bgai.plays import index_of, legal_plays_with_moves

NEAR = 0.03  # EMG behind the best: options nearer than this are rolled out
TRIALS = 216
ROLLED_OUT = -1  # `Option.ply` of a rollout
_SETTINGS = Settings(ply=0, luck_ply=0, truncate=8)


def roll_out_close(net: Net, game: Game, judged: JudgedGame) -> JudgedGame:
    """`judged` with rollouts wherever what was done is the best or nearly so, and something else nearly as good.

    216 trials of eight turns for each option, with the luck of the dice taken out.
    """
    rolled = [_roll_out(net, game.actions[each.action], each) if _close(each) else each for each in judged.decisions]
    return replace(judged, decisions=tuple(rolled))


def _close(decision: Decision) -> bool:
    return decision.loss < NEAR and decision.options[0].equity - decision.options[1].equity < NEAR


def _roll_out(net: Net, action: Action, decision: Decision) -> Decision:
    state = replace(action.position.state, pending=None, resigned=0)
    if decision.kind != "play":
        rollout = _run(net, of_cube(action.position.board, state))
        nd, dt = rollout.equities.tolist()
        return cube_decision(decision.action, action, nd, dt, ROLLED_OUT, decision.swing)
    near = [option for option in decision.options if decision.options[0].equity - option.equity < NEAR]
    boards = np.stack([_after(action, option) for option in near])
    rollout = _run(net, of_plays(boards, state))
    better = [
        replace(option, equity=equity, ply=ROLLED_OUT, outcomes=tuple(outcomes))
        for option, equity, outcomes in zip(near, rollout.equities.tolist(), rollout.outcomes.tolist(), strict=True)
    ]
    done = decision.options[decision.chosen].text
    options = (
        *sorted(better, key=lambda option: (-option.equity, option.text != done)),
        *(option for option in decision.options if option not in near),
    )
    chosen = next(k for k, option in enumerate(options) if option.text == done)
    return replace(decision, options=options, chosen=chosen)


def _after(action: Action, option: Option) -> np.ndarray:
    """The board after a play, seen by the opponent."""
    position = action.position
    plays = legal_plays_with_moves(position.board[None], np.array([position.dice], dtype=np.int8))
    return plays.boards[index_of(move_array(option.moves), plays.moves)]


def _run(net: Net, start: Start) -> Rollout:
    *_, rollout = roll_out(net, start, TRIALS, _SETTINGS)
    return rollout
