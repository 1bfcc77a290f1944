"""Measures what each level of `bgai play` costs, and prints the table of docs/play.md.

    python scripts/measure_levels.py --games 4000

Every level plays cubeless and money games against the same network without errors, 0-ply, with duplicate dice. PR is
500 times its mean loss of a play, in EMG by the network's own equities, over the positions of 500 games of the network
against itself, where there are two plays or more.
"""

from argparse import ArgumentParser

import numpy as np

from bgai import api
from bgai.arena.benchmark import PR_FACTOR
from bgai.arena.games import play_games
from bgai.arena.players import NetPlayer
from bgai.arena.selfplay import KINDS, play_against_itself
from bgai.arena.states import States
from bgai.arena.statistics import summarise
from bgai.evaluator.search import judge_plays, sides_of
from bgai.game import State
from bgai.net.fast import FastNet
from bgai.play.levels import LEVELS, Erring
from bgai.plays import legal_plays

_PR_GAMES = 500


def main() -> None:
    parser = ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", default="default")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    net = api.player(options.checkpoint)
    print("| level | error (EMG) | PR | cubeless points a game | games won, cubeless | points a game with the cube |")
    print("|---|---|---|---|---|---|")
    for level, error in LEVELS.items():
        weakened = Erring(net, 0, error, np.random.default_rng(options.seed))
        rate = error_rate(net, weakened, options.seed)
        cubeless, money = (
            summarise(play_games(weakened, NetPlayer(net), options.games, options.seed, rules), matches=False)
            for rules in (None, State())
        )
        print(
            f"| {level} | {error} | {rate:.1f} | {cubeless.mean.mean:+.3f} ± {cubeless.mean.halfwidth:.3f} "
            f"| {100 * cubeless.wins:.1f} % | {money.mean.mean:+.2f} ± {money.mean.halfwidth:.2f} |",
            flush=True,
        )


def error_rate(net: FastNet, weakened: Erring, seed: int) -> float:
    """PR of plays with a centred cube, by the network's own equities."""
    games = play_against_itself(NetPlayer(net), _PR_GAMES, seed)
    rows = games.kind == KINDS.index("play")
    boards, dice, states = games.board[rows], games.dice[rows], States.same(State(), int(rows.sum()))
    plays = legal_plays(boards, dice)
    judged = judge_plays(net, boards, plays, sides_of(State()), 0)
    starts, counts = plays.offsets[:-1], np.diff(plays.offsets)
    chosen = (plays.boards == np.repeat(weakened.play(boards, dice, states), counts, axis=0)).all(axis=1)
    losses = np.maximum.reduceat(judged.equity, starts) - judged.equity[chosen]
    return PR_FACTOR * float(losses[counts > 1].mean())


if __name__ == "__main__":
    main()
