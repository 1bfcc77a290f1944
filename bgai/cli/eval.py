"""`bgai eval`: how strong a player is against another one, and how sure that is."""

import json
import time
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated

from typer import Argument, Option

from bgai.arena.games import play_games
from bgai.arena.players import player
from bgai.arena.statistics import Estimate, Summary, summarise
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Json

PLAYER = "pubeval, random, a player that ships, or the path of a checkpoint"


def eval(
    checkpoint: Annotated[str, Argument(help=f"who is measured: {PLAYER}")] = "default",
    against: Annotated[str, Option(help=f"the opponent: {PLAYER}")] = "pubeval",
    games: Annotated[int, Option(help="how many games, an even number")] = 20_000,
    seed: Annotated[int, Option(min=0, help="the same seed plays the same games")] = 1,
    as_json: Json = False,
) -> None:
    """Measure a player in cubeless money games with duplicate dice: every sequence of dice is played twice, with the
    seats exchanged."""
    tell_if_first_run()
    a, b = player(checkpoint, seed), player(against, seed + 1)
    start = time.perf_counter()
    summary = summarise(play_games(a, b, games, seed))
    seconds = time.perf_counter() - start
    if as_json:
        setting = {"player": checkpoint, "against": against, "seed": seed, "kind": "cubeless", "bgai": version("bgai")}
        print(json.dumps(_record(summary) | setting | {"seconds": round(seconds, 2)}))
    else:
        print(_text(summary, checkpoint, against, seconds))


def _record(summary: Summary) -> dict:
    figures = asdict(summary) | {
        "ppg": summary.ppg.mean,
        "ci95": summary.ppg.ci95,
        "wins": summary.wins.mean,
        "wins95": summary.wins.ci95,
        "gammons": summary.gammons_won + summary.gammons_lost,
    }
    return {name: [round(x, 5) for x in v] if isinstance(v, list) else round(v, 5) for name, v in figures.items()}


def _text(s: Summary, name: str, opponent: str, seconds: float) -> str:
    lines = [
        f"{name} against {opponent}: {s.games} cubeless games in {seconds:.1f} s",
        f"points a game    {_interval(s.ppg, '+.4f', 1)}",
        f"games won        {_interval(s.wins, '.2f', 100)} %",
        f"gammons          won {100 * s.gammons_won:.1f} %, lost {100 * s.gammons_lost:.1f} % of all games",
        f"backgammons      won {100 * s.backgammons_won:.1f} %, lost {100 * s.backgammons_lost:.1f} %",
        f"Elo difference   {s.elo:+.0f}, 95 % interval {s.elo95[0]:+.0f} to {s.elo95[1]:+.0f}",
    ]
    return "\n".join(lines)


def _interval(e: Estimate, form: str, scale: float) -> str:
    return f"{scale * e.mean:{form}} +- {scale * e.halfwidth:{form.lstrip('+')}} (95 %)"
