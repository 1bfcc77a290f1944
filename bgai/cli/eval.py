"""`bgai eval`: how strong a player is against another one, and how sure that is."""

import json
import sys
import time
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated

from typer import Argument, Option

from bgai.api import parse_roll
from bgai.arena.games import play_games
from bgai.arena.luck import Judge
from bgai.arena.players import NetPlayer
from bgai.arena.seats import NAMES, player
from bgai.arena.sequential import decide
from bgai.arena.statistics import Estimate, Summary, summarise
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Json
from bgai.game import State


class BadRules(ValueError):
    """Options that don't go together."""


def eval(
    checkpoint: Annotated[str, Argument(help=f"who is measured: {NAMES}")] = "default",
    against: Annotated[str, Option(help="the opponent, in the same words")] = "pubeval",
    games: Annotated[int, Option(help="how many games (or matches), an even number")] = 20_000,
    cubeful: Annotated[bool, Option("--cubeful", help="money games with the cube")] = False,
    jacoby: Annotated[bool, Option("--jacoby", help="with the Jacoby rule")] = False,
    beavers: Annotated[bool, Option("--beavers", help="with beavers")] = False,
    match: Annotated[int, Option(min=0, max=64, help="matches to so many points")] = 0,
    luck: Annotated[bool, Option("--luck", help="take luck out too: a narrower interval at 20 times the cost")] = False,
    decide_by: Annotated[
        float | None, Option("--decide", help="stop once it is decided whether the player is stronger by so much")
    ] = None,
    opening: Annotated[str | None, Option(help="every game starts with this roll, such as 31")] = None,
    gnubg: Annotated[str | None, Option(help="the program of GNU Backgammon, if it isn't on PATH")] = None,
    seed: Annotated[int, Option(min=0, help="the same seed plays the same games")] = 1,
    as_json: Json = False,
) -> None:
    """Measure a player in games with duplicate dice: every sequence of dice is played twice, with the seats exchanged.

    Cubeless money games unless an option says otherwise.
    """
    rules = _rules(cubeful, jacoby, beavers, match)
    first_roll = _opening(opening, decide_by)
    tell_if_first_run()
    a, b = player(checkpoint, rules, seed, gnubg), player(against, rules, seed + 1, gnubg)
    judge = _judge(a, b) if luck else None
    start = time.perf_counter()
    verdict = None
    if decide_by is None:
        played = play_games(a, b, games, seed, rules, judge, first_roll)
    else:
        verdict = decide(a, b, decide_by, games, seed, rules, judge)
        played = verdict.played
    summary = summarise(played, matches=match > 0)
    seconds = time.perf_counter() - start
    if as_json:
        setting = {
            "player": checkpoint,
            "against": against,
            "seed": seed,
            "kind": "match" if match else "cubeful" if cubeful else "cubeless",
            "rules": asdict(rules) if rules else None,
            "opening": opening,
            "command": ["bgai", *sys.argv[1:]],
            "bgai": version("bgai"),
            "seconds": round(seconds, 2),
        }
        record = _record(summary)
        if verdict:
            record |= {"decide": decide_by, "decided": verdict.answer, "always95": verdict.interval.ci95}
        print(json.dumps(_rounded(record) | setting))
    else:
        lines = [f"{checkpoint} against {against}, {seconds:.1f} s", *_lines(summary)]
        if verdict:
            said = {True: "stronger", False: "not stronger", None: "undecided whether stronger"}[verdict.answer]
            lines.append(f"decision         {said} by {decide_by:+}; at all times {_interval(verdict.interval)}")
        print("\n".join(lines))


def _rules(cubeful: bool, jacoby: bool, beavers: bool, match: int) -> State | None:
    if match and (cubeful or jacoby or beavers):
        raise BadRules("--match has its own cube, and no Jacoby rule nor beavers (R40): leave out the other options")
    if (jacoby or beavers) and not cubeful:
        raise BadRules("--jacoby and --beavers are rules of the cube: give --cubeful too")
    return State(length=match, jacoby=jacoby, beavers=int(beavers)) if match or cubeful else None


def _opening(opening: str | None, decide_by: float | None) -> tuple[int, int] | None:
    if opening is None:
        return None
    larger, smaller = parse_roll(opening)
    if larger == smaller:
        raise BadRules(f"--opening {opening}: no game starts with a double (R2)")
    if decide_by is not None:
        raise BadRules("--opening and --decide don't go together")
    return larger, smaller


def _judge(a, b) -> Judge:
    nets = [p.net for p in (a, b) if isinstance(p, NetPlayer)]
    return Judge(nets[0] if nets else player("default", None, 0).net)


def _record(summary: Summary) -> dict:
    """The record of a summary: `ppg` is what a game, or a match won (1 or 0), gives on average."""
    figures = asdict(summary)
    mean, adjusted, wins = (figures.pop(name) for name in ("mean", "adjusted", "wins"))
    return {
        "games": figures.pop("games"),
        "ppg" if not summary.matches else "match_wins": mean["mean"],
        "ci95": summary.mean.ci95,
        "luck_adjusted": adjusted and adjusted["mean"],
        "luck_adjusted95": adjusted and summary.adjusted.ci95,
        "wins": wins["mean"],
        "wins95": summary.wins.ci95,
        "gammons": summary.gammons_won + summary.gammons_lost,
        **figures,
    }


def _rounded(record: dict) -> dict:
    def rounded(value):
        if isinstance(value, list):
            return [rounded(x) for x in value]
        return round(value, 5) if isinstance(value, float) else value

    return {name: rounded(value) for name, value in record.items()}


def _lines(s: Summary) -> list[str]:
    what = "matches won     " if s.matches else "points a game   "
    lines = [f"games            {s.games}" + (f" in {s.matches} matches" if s.matches else "")]
    lines.append(f"{what} {_interval(s.mean)}")
    if s.adjusted:
        lines.append(f"without luck     {_interval(s.adjusted)}")
    return [
        *lines,
        f"share won        {_interval(s.wins)}",
        f"gammons          won {100 * s.gammons_won:.1f} %, lost {100 * s.gammons_lost:.1f} % of all games",
        f"backgammons      won {100 * s.backgammons_won:.1f} %, lost {100 * s.backgammons_lost:.1f} %",
        f"passes           won {100 * s.won_by_pass:.1f} %, lost {100 * s.lost_by_pass:.1f} %",
        f"Elo difference   {s.elo:+.0f}, 95 % interval {s.elo95[0]:+.0f} to {s.elo95[1]:+.0f}",
    ]


def _interval(e: Estimate) -> str:
    return f"{e.mean:+.4f} +- {e.halfwidth:.4f} (95 %)"
