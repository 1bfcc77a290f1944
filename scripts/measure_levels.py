"""Measures what each level of `bgai play` costs, and prints the table of docs/play.md.

    python scripts/measure_levels.py --games 20000

Every level plays cubeless and money games against the same network without errors, 0-ply, with duplicate dice.
"""

from argparse import ArgumentParser

import numpy as np

from bgai import api
from bgai.arena.games import play_games
from bgai.arena.players import NetPlayer
from bgai.arena.statistics import summarise
from bgai.game import State
from bgai.play.levels import LEVELS, Erring


def main() -> None:
    parser = ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", default="default")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    net = api.player(options.checkpoint)
    print("| level | error (EMG) | cubeless points a game | games won, cubeless | points a game with the cube |")
    print("|---|---|---|---|---|")
    for level, error in LEVELS.items():
        weakened = Erring(net, 0, error, np.random.default_rng(options.seed))
        cubeless, money = (
            summarise(play_games(weakened, NetPlayer(net), options.games, options.seed, rules), matches=False)
            for rules in (None, State())
        )
        print(
            f"| {level} | {error} | {cubeless.mean.mean:+.3f} ± {cubeless.mean.halfwidth:.3f} "
            f"| {100 * cubeless.wins.mean:.1f} % | {money.mean.mean:+.2f} ± {money.mean.halfwidth:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
