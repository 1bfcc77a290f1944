"""`bgai eval`: how strong a player is, measured in several ways, and how sure that is."""

import json
import signal
import sys
import time
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from typer import Argument, Context, Option

from bgai.api import fitted, parse_roll
from bgai.api import player as network
from bgai.arena.benchmark import error_rates, load_benchmark
from bgai.arena.calibration import calibration
from bgai.arena.games import Games, play_games
from bgai.arena.luck import Judge
from bgai.arena.meetings import keep_meeting, load_meetings
from bgai.arena.parts import check_new, load_parts, save_part
from bgai.arena.players import NetPlayer
from bgai.arena.pool import rate
from bgai.arena.seats import NAMES, checkpoint_of, checkpoints_of, player
from bgai.arena.sequential import Verdict, decide
from bgai.arena.statistics import summarise
from bgai.cli import measures, plots
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Json, finite
from bgai.files import fingerprint
from bgai.game import State
from bgai.net.checkpoint import load_checkpoint
from bgai.notation.position import start_of

_AGAINST = {"checkpoint", "against", "games", "cubeful", "jacoby", "beavers", "match", "luck", "gnubg", "seed"}
READS = {  # the options that each way to measure reads, by the name of the option that asks for it
    "benchmark": {"checkpoint", "gnubg", "seed"},
    "calibrate": {"checkpoint", "games", "seed", "plot"},
    "pool": {"against", "games", "match", "keep", "plot", "gnubg", "seed"},
    "merge": set(),
    "decide_by": _AGAINST,
    "play": _AGAINST | {"opening", "out"},  # where no other is asked for
}
_SAID = {"calibrate": "--calibration", "decide_by": "--decide", "play": "games against one opponent"}


class BadRules(ValueError):
    """Options that don't go together."""


def eval(
    context: Context,
    checkpoint: Annotated[str, Argument(help=f"who is measured: {NAMES}")] = "default",
    against: Annotated[str, Option(help="the opponent, in the same words")] = "pubeval",
    games: Annotated[int, Option(min=4, max=1_000_000, help="how many games (or matches), an even number")] = 20_000,
    cubeful: Annotated[bool, Option("--cubeful", help="money games with the cube")] = False,
    jacoby: Annotated[bool, Option("--jacoby", help="with the Jacoby rule")] = False,
    beavers: Annotated[bool, Option("--beavers", help="with beavers")] = False,
    match: Annotated[int, Option(min=0, max=64, help="matches to so many points")] = 0,
    luck: Annotated[bool, Option("--luck", help="take luck out too: a narrower interval at 20 times the cost")] = False,
    decide_by: Annotated[
        float | None,
        Option("--decide", callback=finite, help="stop once it is decided whether the player is stronger by so much"),
    ] = None,
    opening: Annotated[str | None, Option(help="every game starts with this roll, such as 31")] = None,
    benchmark: Annotated[Path | None, Option(help="measure error rates against the references of this file")] = None,
    calibrate: Annotated[bool, Option("--calibration", help="expected against actual outcomes of own games")] = False,
    pool: Annotated[
        Path | None, Option(help="rate all checkpoints of this folder against each other, pubeval and the opponent")
    ] = None,
    keep: Annotated[
        Path | None, Option(help="keep the meetings of a pool in this file, and go on with them if it is there")
    ] = None,
    out: Annotated[Path | None, Option(help="keep every game in this file, a part of a larger measurement")] = None,
    merge: Annotated[
        list[Path] | None, Option(help="put parts together: a file, or a folder of them; may be given again")
    ] = None,
    plot: Annotated[Path | None, Option(help="draw calibration or pool too, in a .png or .svg")] = None,
    gnubg: Annotated[str | None, Option(help="the program of GNU Backgammon, if it isn't on PATH")] = None,
    seed: Annotated[int, Option(min=0, help="the same seed plays the same games")] = 1,
    as_json: Json = False,
) -> None:
    """Measure a player, by default in cubeless money games. Games are played with duplicate dice: every sequence of
    dice twice, with the seats exchanged.

    bgai eval default --against pubeval --games 20000
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # in good order, so that GNU Backgammon ends too
    measured = _measured(context)
    rules = _rules(cubeful, jacoby, beavers, match)
    first_roll = _opening(opening)
    if out:
        check_new(out)
    if plot:
        plots.check(plot)
    tell_if_first_run()
    setting = {"games": games, "seed": seed} | _origin()
    if measured == "benchmark":
        _error_rates(checkpoint, benchmark, gnubg, setting, as_json)
    elif measured == "calibrate":
        _calibrate(checkpoint, setting, plot, as_json)
    elif measured == "pool":
        _rate(pool, against, rules, gnubg, keep, setting, plot, as_json)
    elif measured == "merge":
        setting, played = load_parts(merge)
        title = f"{setting['player']} against {setting['against']}, {len(setting['seeds'])} parts"
        _tell(setting, played, title, as_json)
    else:
        setting |= {"player": checkpoint, "against": against, "kind": _kind(rules), "rules": rules and asdict(rules)}
        setting |= {"opening": first_roll, "luck": luck}
        _play(setting, rules, decide_by, gnubg, out, as_json)


def _measured(context: Context) -> str:
    """The way to measure that is asked for, of `READS`. Raises BadRules for an option that it doesn't read."""
    given = {
        parameter.name: parameter.opts[0]
        for parameter in context.command.params
        if context.get_parameter_source(parameter.name).name != "DEFAULT"
    }
    measured = next((name for name in READS if name in given), "play")
    for name in given:
        if name not in READS[measured] | {measured, "as_json"}:
            takers = " or ".join(_SAID.get(taker, f"--{taker}") for taker in READS if name in READS[taker])
            goes = f"goes with {takers}, not with" if takers else "doesn't go with"
            raise BadRules(f"{given[name]} {goes} {_SAID.get(measured, f'--{measured}')}")
    return measured


def _error_rates(checkpoint: str, benchmark: Path, gnubg: str | None, setting: dict, as_json: bool) -> None:
    asked = load_benchmark(benchmark)
    setting |= {"player": checkpoint, "sha256": _fingerprints(checkpoint, benchmark)}
    rates = error_rates(player(checkpoint, State(), setting["seed"], gnubg), asked)
    record = setting | {"benchmark": str(benchmark), "error_rates": [measures.rounded(asdict(r)) for r in rates]}
    _print(record, measures.error_rate_lines(rates), as_json)


def _calibrate(checkpoint: str, setting: dict, plot: Path | None, as_json: bool) -> None:
    net = network(checkpoint)
    fitted(start_of("backgammon"), net)
    lines = calibration(net, setting["games"], setting["seed"])
    setting |= {"player": checkpoint, "sha256": _fingerprints(checkpoint)}
    record = setting | {"calibration": [measures.rounded(measures.calibration_record(line)) for line in lines]}
    _print(record, measures.calibration_lines(lines), as_json)
    if plot:
        plots.calibration_errors(lines, plot)


def _play(
    setting: dict, rules: State | None, margin: float | None, gnubg: str | None, out: Path | None, as_json: bool
) -> None:
    """Play the games of `setting` and tell what came out."""
    names: tuple[str, ...] = setting["player"], setting["against"]
    games, seed = setting["games"], setting["seed"]
    a, b = (player(name, rules, seed + i, gnubg) for i, name in enumerate(names))
    judge = None
    if setting["luck"]:
        nets = {name: p.net for name, p in zip(names, (a, b), strict=True) if isinstance(p, NetPlayer)}
        judge_name, net = next(iter(nets.items()), ("default", None))
        judge, names = Judge(net or network(judge_name)), (*names, judge_name)
    setting["sha256"] = _fingerprints(*names)
    start = time.perf_counter()
    verdict = None if margin is None else decide(a, b, margin, games, seed, rules, judge)
    played = verdict.played if verdict else play_games(a, b, games, seed, rules, judge, setting["opening"])
    setting["seconds"] = round(time.perf_counter() - start, 2)
    if out:
        save_part(out, setting, played)
    _tell(setting, played, f"{a.name} against {b.name}, {setting['seconds']:.1f} s", as_json, verdict, margin)


def _rate(
    pool: Path,
    against: str,
    rules: State | None,
    gnubg: str | None,
    keep: Path | None,
    setting: dict,
    plot: Path | None,
    as_json: bool,
) -> None:
    paths = checkpoints_of(pool)
    trained = {str(path): load_checkpoint(path).games for path in paths}
    names, games, seed = dict.fromkeys(["pubeval", against, *map(str, paths)]), setting["games"], setting["seed"]
    setting |= {"pool": str(pool), "against": against, "kind": _kind(rules), "sha256": _fingerprints(*names)}
    kept: tuple = ()
    if keep:
        played_so = {"games": games, "seed": seed, "rules": rules and asdict(rules)}
        kept = load_meetings(keep, played_so, setting["sha256"]), partial(keep_meeting, keep, setting["sha256"])
    ratings = rate({name: player(name, rules, seed, gnubg) for name in names}, games, seed, rules, *kept)
    records = [measures.rounded(measures.rating_record(r)) | {"trained": trained.get(r.name)} for r in ratings]
    _print(setting | {"ratings": records}, measures.rating_lines(ratings), as_json)
    if plot:
        plots.elo_curve([(trained[r.name], r.elo) for r in ratings if r.name in trained], plot)


def _tell(
    setting: dict,
    played: Games,
    title: str,
    as_json: bool,
    verdict: Verdict | None = None,
    margin: float | None = None,
) -> None:
    """Print what finished games say, and a decision if that was asked for."""
    summary = summarise(played, matches=setting["kind"] == "match")
    record = measures.summary_record(summary)
    lines = [title, *measures.summary_lines(summary)]
    if verdict:
        record |= {"decide": margin, "decided": verdict.answer, "always95": verdict.interval.ci95}
        said = {True: "stronger", False: "not stronger", None: "undecided whether stronger"}[verdict.answer]
        lines.append(f"decision         {said} by {margin:+}; at all times {measures.interval_text(verdict.interval)}")
    _print(setting | measures.rounded(record), lines, as_json)


def _print(record: dict, lines: list[str], as_json: bool) -> None:
    print(json.dumps(record) if as_json else "\n".join(lines))


def _origin() -> dict:
    """What it takes to repeat a measurement besides its settings."""
    return {"command": ["bgai", *sys.argv[1:]], "bgai": version("bgai")}


def _fingerprints(*names: str | Path) -> dict[str, str]:
    """What each file that took part contained; players without one are left out."""
    paths = {str(name): name if isinstance(name, Path) else checkpoint_of(name) for name in names}
    return {name: fingerprint(path) for name, path in paths.items() if path}


def _rules(cubeful: bool, jacoby: bool, beavers: bool, match: int) -> State | None:
    if match and (cubeful or jacoby or beavers):
        raise BadRules("--match has its own cube, and no Jacoby rule nor beavers (R40): leave out the other options")
    if (jacoby or beavers) and not cubeful:
        raise BadRules("--jacoby and --beavers are rules of the cube: give --cubeful too")
    turns = int(beavers)  # and no raccoon: GNU Backgammon, an opponent here, has no word for one
    return State(length=match, jacoby=jacoby, beavers=turns) if match or cubeful else None


def _kind(rules: State | None) -> str:
    return "cubeless" if rules is None else "match" if rules.length else "cubeful"


def _opening(opening: str | None) -> tuple[int, int] | None:
    if opening is None:
        return None
    larger, smaller = parse_roll(opening)
    if larger == smaller:
        raise BadRules(f"--opening {opening}: no game starts with a double (R2)")
    return larger, smaller
