"""`bgai analyse`: what every decision of a match cost, who was lucky, and a report to look at."""

import contextlib
import io
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer import Argument, Option

from bgai import api, files
from bgai.analysis import store
from bgai.analysis.decisions import JudgedGame, mark
from bgai.analysis.html_report import html_report
from bgai.analysis.judging import judge_game
from bgai.analysis.rolling import roll_out_close
from bgai.analysis.summary import JudgedMatch, summarise, summary_lines, totals
from bgai.analysis.tables import as_json, summary_json, worst, write_csv
from bgai.ask.json_text import json_line
from bgai.ask.reading import BadRequest
from bgai.cli.first_run import tell_if_first_run
from bgai.cli.options import Checkpoint, Json, Lang, Ply
from bgai.files import check_target, write_atomically
from bgai.lang import say, speak
from bgai.notation.match_file import Game, Match
from bgai.notation.reading import read_match

WORST = 10


def analyse(
    paths: Annotated[list[Path], Argument(metavar="FILE...", help="matches: .mat, .txt or .sgf")],
    ply: Ply = 1,
    rollout_close: Annotated[bool, Option("--rollout-close", help="roll out close decisions: takes minutes")] = False,
    checkpoint: Checkpoint = "default",
    html: Annotated[Path | None, Option(help="write a report with boards; of several files into a folder")] = None,
    csv: Annotated[Path | None, Option(help="write every decision, one a row, for a spreadsheet")] = None,
    lang: Lang = "en",
    as_json_: Json = False,
) -> None:
    """Mark every play and cube action of matches with what it cost, and sum up each player's errors and luck.

    Games that were analysed before, with the same player and settings, aren't analysed again: an analysis that was
    stopped by Ctrl-C goes on where it was.

    bgai analyse match.mat --html report.html
    """
    speak(lang)
    matches = {path: _read(path) for path in paths}
    _check_targets(paths, csv, html)
    tell_if_first_run()
    judged = dict(_judge(matches, checkpoint, api.checked_ply(ply), rollout_close))
    if csv:
        table = io.StringIO(newline="")
        write_csv(table, ((str(path), each) for path, each in judged.items()))
        write_atomically(csv, table.getvalue().encode(errors="replace"))
    if html:
        _write_reports(html, judged)
    for path, each in judged.items():
        print(json_line(as_json(str(path), each)) if as_json_ else _text(path, each))
    if len(judged) > 1:
        for line in _totals(judged.values(), as_json_):
            print(line)


def _read(path: Path) -> Match:
    match = read_match(path)
    if not match.games:
        raise BadRequest(f"{path} holds positions, not games: ask bgai move or bgai cube about them")
    return match


def _check_targets(matches: list[Path], csv: Path | None, html: Path | None) -> None:
    """Refuse now, rather than after hours, what can't be written, or would replace a match."""
    for option, target in (("--csv", csv), ("--html", html)):
        if target and any(target.exists() and target.samefile(match) for match in matches):
            raise BadRequest(f"{option} {target} is one of the matches: give a new file")
    if html and len(set(matches)) > 1:
        html.mkdir(parents=True, exist_ok=True)
        html /= "report.html"
    for file in filter(None, (csv, html)):
        check_target(file)


def _judge(matches: dict[Path, Match], checkpoint: str, ply: int, rollout: bool) -> Iterator[tuple[Path, JudgedMatch]]:
    """Each match with its judged games, a progress bar on a terminal meanwhile."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task("games", total=sum(len(match.games) for match in matches.values()))
        for path, match in matches.items():
            judged = []
            for game in match.games:
                judged.append(_judge_game(game, checkpoint, ply, rollout))
                progress.advance(task)
            yield path, JudgedMatch(match, tuple(judged))


def _judge_game(game: Game, checkpoint: str, ply: int, rollout: bool) -> JudgedGame:
    key = store.key(game, files.checkpoint(checkpoint), {"ply": ply, "rollout": rollout})
    judged = store.load(key)
    if judged is None:
        net = api.player(checkpoint)
        if game.actions:
            api.fitted(game.actions[0].position, net)
        judged = judge_game(net, game, ply)
        if rollout:
            judged = roll_out_close(net, game, judged)
        with contextlib.suppress(OSError):  # a full or read-only disk: then the game is judged again next time
            store.save(key, judged)
    return judged


def _write_reports(html: Path, judged: dict[Path, JudgedMatch]) -> None:
    """The report of one match as a file, those of several in a folder, named after theirs."""
    if len(judged) == 1:
        targets = [html]
    else:
        names = Counter(path.name for path in judged)
        numbered = (
            f"{number}_{path.name}" if names[path.name] > 1 else path.name for number, path in enumerate(judged)
        )
        targets = [html / f"{name}.html" for name in numbered]
    for target, (path, each) in zip(targets, judged.items(), strict=True):
        write_atomically(target, html_report(each, path.name).encode(errors="replace"))


def _text(path: Path, judged: JudgedMatch) -> str:
    match = judged.match
    kind = say("match to {length}", length=match.length) if match.length else say("money session")
    score = f"{match.score[0]}-{match.score[1]}"
    games = say("{n} games", n=len(match.games))
    lines = [f"{path}: {kind}, {match.players[0]} - {match.players[1]} {score}, {games}"]
    lines += [f"  {say('not understood: {fault}', fault=fault)}" for fault in match.faults]
    summaries = dict(zip(_distinct(match.players), summarise(judged), strict=True))
    lines += ["", *_table(summary_lines(summaries)), "", say("what cost most")]
    for _, game, decision in worst(judged, WORST):
        action = game.actions[decision.action]
        done, best = (decision.said(decision.options[k]) for k in (decision.chosen, 0))
        roll = "{}{} ".format(*action.position.dice) if decision.kind == "play" else ""
        where = say("game {n}, move {move}", n=game.number, move=action.number)
        name = say(mark(decision.loss)[1])
        lines.append(
            f"  {-decision.loss:+.3f} {decision.mark:3} {where}, {match.players[decision.player]}: "
            f"{roll}{done}, {say('best {play}', play=best)}{f' ({name})' if name else ''}"
        )
    return "\n".join([*lines, ""])


def _totals(judged: Collection[JudgedMatch], as_json: bool) -> Iterator[str]:
    """All players' sums, of matches and of money sessions apart: chances to win and points don't add up."""
    for kind, money in (("matches", False), ("money sessions", True)):
        players = totals(each for each in judged if (each.match.length == 0) == money)
        if players and as_json:
            yield json_line({"totals": kind, "players": {name: summary_json(each) for name, each in players.items()}})
        elif players:
            yield "\n".join([say(f"all {kind}"), *_table(summary_lines(players)), ""])


def _distinct(players: tuple[str, str]) -> tuple[str, str]:
    first, second = players
    return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
