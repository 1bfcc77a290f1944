"""Labels in files: positions of a player's own games, and what a slower judge, made of the same player, thinks of them.

Every kind of label is an opinion about the six outcomes that costs more than the network's own:

luck-free  the return of the game that the position comes from, luck taken out (`returns.luck_free`)
one-ply    the mean over all 21 rolls after the best play of each; two-ply looks one roll further
rollout    games from the position on, luck taken out, cut off after some turns (`evaluator.trials`)

Where a bear-off table knows better, all of them say what the table says. Labels depend on the player, on how they are
made and on a seed: `label_files.py` keeps those of each seed in a file of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bgai.arena.games import MOST_TURNS, EndlessGames
from bgai.board import OUTCOME_POINTS
from bgai.evaluator.search import evaluate, sides_of
from bgai.evaluator.trials import SET, Settings, Start, play_trials
from bgai.game import State
from bgai.net.net import Net
from bgai.train.selfplay import Samples, SelfPlay

PARALLEL = 512  # games in progress at the same time
_TOGETHER = 64 * SET  # games that are rolled out as one batch, from several positions with the same dice
_MONEY = sides_of(State())  # a game without cube


@dataclass(frozen=True)
class Labelling:
    """How labels are made.

    kind      one of `KINDS`
    games     games played for one file, all of them to their ends
    share     part of their positions that is labelled, drawn at random
    trace     lambda of luck-free returns
    trials    of a rollout, a multiple of 36
    truncate  turns of a rollout
    variant   a name of `VARIANTS`
    starts    weights of the kinds of starting position, as `starts.draw` takes them
    """

    kind: str = "luck-free"
    games: int = 500
    share: float = 1.0
    trace: float = 0.7
    trials: int = SET
    truncate: int = 7
    variant: str = "backgammon"
    starts: dict[str, float] = field(default_factory=lambda: {"opening": 1.0})


def one_ply(net: Net, boards: np.ndarray, how: Labelling, rng: np.random.Generator) -> np.ndarray:
    """The judge who looks one roll ahead."""
    return evaluate(net, boards, _MONEY, 1).outcomes


def two_ply(net: Net, boards: np.ndarray, how: Labelling, rng: np.random.Generator) -> np.ndarray:
    """The judge who looks two rolls ahead."""
    return evaluate(net, boards, _MONEY, 2).outcomes


def rollout(net: Net, boards: np.ndarray, how: Labelling, rng: np.random.Generator) -> np.ndarray:
    """The judge who plays `trials` games from each position, at 0-ply, their luck taken out."""
    labels = np.empty((len(boards), 6))
    step = max(1, _TOGETHER // how.trials)
    for first in range(0, len(boards), step):
        some = boards[first : first + step]
        start = Start(some, np.zeros(len(some), dtype=np.int64), np.ones(len(some)), _MONEY)
        dice = int(rng.integers(2**63))
        settings = Settings(luck_ply=0, truncate=how.truncate, cubeful=False, seed=dice)
        results, luck = play_trials(net, start, range(how.trials // SET), settings)
        labels[first : first + step] = (results - luck)[..., 1:].mean(axis=(1, 2))
    return labels


# `judge(net, boards int8[N, 26], how, rng)` returns labels [N, 6]; luck-free returns come with the games.
JUDGES: dict[str, Callable[..., np.ndarray]] = {"one-ply": one_ply, "two-ply": two_ply, "rollout": rollout}
KINDS = ("luck-free", *JUDGES)


def label(net: Net, how: Labelling, seed: int | list[int]) -> Samples:
    """Play the games of one file and label their positions. Raises EndlessGames."""
    rng = np.random.default_rng(seed)
    parallel = min(PARALLEL, how.games)
    selfplay = SelfPlay(parallel, how.variant, how.starts, rng, luck_free=how.kind == "luck-free", games=how.games)
    samples = selfplay.play(net, MOST_TURNS * -(-how.games // parallel), how.trace, explore=0.0)
    if len(selfplay.turn):
        raise EndlessGames(f"{len(selfplay.turn)} of {how.games} games don't end; who plays so can't label anything")
    rows = np.sort(rng.permutation(len(samples.boards))[: max(1, round(how.share * len(samples.boards)))])
    samples = samples._replace(
        **{name: getattr(samples, name)[rows] for name in ("boards", "targets", "thought", "results")}
    )
    if judge := JUDGES.get(how.kind):
        samples = samples._replace(targets=judge(net, samples.boards, how, rng).astype(np.float32))
    return samples


def distance(samples: Samples) -> float:
    """How far labels lie from what the player itself thought: root of the mean square, in points a game."""
    return float(np.sqrt((((samples.targets - samples.thought) @ OUTCOME_POINTS) ** 2).mean()))
