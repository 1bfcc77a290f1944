"""Writes matches as `.mat` files; `mat` says what these are like."""

from collections.abc import Iterator
from itertools import groupby

from bgai.game import TURNS
from bgai.notation.mat import UNKNOWN_PLAY
from bgai.notation.match_file import CUBE_ACTIONS, Action, Game, Match

_CUBE_TEXT = {
    "double": "Doubles",
    "beaver": "Beavers",
    "raccoon": "Beavers",
    "take": "Takes",
    "pass": "Drops",
}


def write_mat(match: Match) -> str:
    """The text of a .mat file, as GNU Backgammon writes and reads it.

    What a game holds as `text` is written as comments, before its result.
    """
    tags = {**match.tags, **_rule_tags(match)}
    lines = [f'; [{name} "{value}"]' for name, value in tags.items()]
    lines += [*match.comments, "", f" {match.length} point match", ""]
    for game in match.games:
        lines += [*_game_lines(match, game), ""]
    return "\n".join(lines)


def _rule_tags(match: Match) -> dict[str, str]:
    """Rules other than those a reader takes for granted: with Crawford in a match, without Jacoby for money."""
    if any(game.state.jacoby for game in match.games):
        return {"Jacoby": "On"}
    at_match_point = [game.state for game in match.games if match.length > 1 and match.length - 1 in game.state.score]
    return {"Crawford": "Off"} if at_match_point and not at_match_point[0].crawford else {}


def _game_lines(match: Match, game: Game) -> Iterator[str]:
    left, right = (f"{name} : {score}" for name, score in zip(match.players, game.state.score, strict=True))
    yield f" Game {game.number}"
    yield f" {left:<30} {right}"
    rows = []
    written = [action for action in game.actions if action.kind not in ("accept", "resign")]  # told by what follows
    for number, actions in groupby(written, lambda action: action.number):
        entries = {action.player: _entry_text(action) for action in actions}
        rows.append(f"{number:3}) {entries.get(0, ''):<27} {entries.get(1, '')}".rstrip())
    result = _result_text(match, game)
    if game.winner == 1 and written and written[-1].player == 0 and not game.text:
        rows[-1] = f"{rows[-1]:<33} {result}"  # GNU Backgammon wants the right player's in the row that is half empty
        result = ""
    yield from rows
    yield from (line if line.startswith(";") else f"; {line}" for line in game.text)
    if result:
        yield f"{'':{(6, 34)[game.winner]}}{result}"


def _result_text(match: Match, game: Game) -> str:
    """Empty if the game was broken off."""
    if game.winner is None:
        return ""
    match_won = " and the match" if match.length and match.length in game.score_after else ""
    return f"Wins {game.points} point{'s' if game.points > 1 else ''}{match_won}"


def _entry_text(action: Action) -> str:
    if action.kind in CUBE_ACTIONS:
        times = 2 if action.kind == "double" else 4  # of the stake that a pass would lose
        value = f" => {times * action.position.state.cube}" if action.kind in TURNS else ""
        return f" {_CUBE_TEXT[action.kind]}{value}"
    dice = "{}{}:".format(*action.position.dice)
    if action.kind == "roll":
        return f"{dice} {UNKNOWN_PLAY}"
    return f"{dice} {action.play.replace('bar', '25').replace('off', '0')}" if action.moves else dice
