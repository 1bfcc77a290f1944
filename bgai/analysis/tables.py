"""The decisions of judged matches as rows for a spreadsheet, and as JSON."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import TextIO

from bgai.analysis.decisions import Decision
from bgai.analysis.summary import JudgedMatch, PlayerSummary, curve, summarise
from bgai.notation.match_file import Game
from bgai.notation.position import InvalidID, Position, position_id

COLUMNS = (
    "file", "game", "move", "player", "score", "opponent_score", "length", "kind", "position", "roll",
    "done", "best", "equity_done", "equity_best", "loss", "loss_result", "mark", "error", "counts", "ply",
)  # fmt: skip


def position_of(game: Game, decision: Decision) -> Position:
    """The position in which a decision was made, seen as `Action.position` is; to double is decided before the roll."""
    position = game.actions[decision.action].position
    return replace(position, dice=None) if decision.kind == "double" else position


def write_csv(file: TextIO, matches: Iterable[tuple[str, JudgedMatch]]) -> None:
    """Write every decision of matches, given with the names of their files, one a row under `COLUMNS`."""
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    for name, judged in matches:
        for _, game, decision in judged.decisions():
            position, done, best = position_of(game, decision), decision.options[decision.chosen], decision.options[0]
            score = game.state.score[:: 1 if decision.player == 0 else -1]
            row = (
                _harmless(name),
                game.number,
                game.actions[decision.action].number,
                _harmless(judged.match.players[decision.player]),
                *score,
                judged.match.length,
                decision.kind,
                id_of(position),
                "{}{}".format(*position.dice) if position.dice else "",
                done.text,
                best.text,
                *(
                    f"{value:.6f}"
                    for value in (done.equity, best.equity, decision.loss, decision.loss * decision.swing)
                ),
                decision.mark,
                decision.error or "",
                int(decision.counts),
                best.ply,
            )
            writer.writerow(dict(zip(COLUMNS, row, strict=True)))


def _harmless(text: str) -> str:
    """Text from a file that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in tuple("=+-@\t") else text


def id_of(position: Position) -> str:
    """The GNU ID; empty for what no ID can hold."""
    try:
        return position_id(position)
    except InvalidID:
        return ""


def as_json(name: str, judged: JudgedMatch) -> dict:
    """All that is known of a match: its games, decisions, rolls, both players' sums, and how the chances moved."""
    match = judged.match
    return {
        "file": name,
        "players": list(match.players),
        "length": match.length,
        "score": list(match.score),
        "faults": [asdict(fault) for fault in match.faults],
        "summary": [summary_json(player) for player in summarise(judged)],
        "curve": [{"game": each.game + 1, "action": each.action, "value": each.value} for each in curve(judged)],
        "games": [
            {
                "number": game.number,
                "score": list(game.state.score),
                "crawford": game.state.crawford,
                "winner": game.winner,
                "points": game.points,
                "decisions": [_decision_json(game, each) for each in found.decisions],
                "rolls": [asdict(roll) for roll in found.rolls],
            }
            for game, found in zip(match.games, judged.games, strict=True)
        ],
    }


def summary_json(player: PlayerSummary) -> dict:
    """A player's sums, with the PR."""
    return {"performance_rating": player.performance_rating, **vars(player)}


def _decision_json(game: Game, decision: Decision) -> dict:
    position = position_of(game, decision)
    return {
        "move": game.actions[decision.action].number,
        "player": decision.player,
        "kind": decision.kind,
        "position": id_of(position),
        "roll": list(position.dice) if position.dice else None,
        "done": decision.options[decision.chosen].text,
        "loss": decision.loss,
        "mark": decision.mark,
        "error": decision.error,
        "counts": decision.counts,
        "options": [{k: v for k, v in asdict(each).items() if k != "moves"} for each in decision.options],
    }


def worst(judged: JudgedMatch, most: int | None = None) -> Iterator[tuple[int, Game, Decision]]:
    """The decisions that cost most, those first; index of the game, game and decision. `most`: so many; None: all."""
    wrong = [each for each in judged.decisions() if each[2].loss > 0]
    yield from sorted(wrong, key=lambda each: -each[2].loss)[:most]
