"""Sessions as match files: saved as `.mat`, with what was agreed in its tags, and gone on with later.

A match file of another program can be gone on with too: you are its first player then.
"""

from dataclasses import replace
from pathlib import Path

from bgai.game import BEAVERS, State, check_state, other_side
from bgai.notation.mat_writing import write_mat
from bgai.notation.match_file import CUBE_ACTIONS, Game, Match, variant_of
from bgai.notation.play_text import parse_play
from bgai.notation.position import start_of
from bgai.notation.reading import read_match
from bgai.play import session as table
from bgai.play.levels import error_of
from bgai.play.session import MAX_PLY, YOU, Session, Settings

PLAYERS = ("you", "bgai")


class CannotResume(ValueError):
    """A match file that can't be gone on with; the message says why."""


def to_mat(session: Session) -> str:
    """The session as the text of a .mat file; a game that isn't over is left without a result."""
    settings, games = session.settings, session.games
    if session.stage not in ("over", "end"):
        thrown = table.record(session, session.on_roll, "roll") if session.position.dice else session
        games = (*games, Game(session.number, session.start, thrown.actions, None, 0))
    tags = {
        "Variation": settings.variant.capitalize(),
        "Jacoby": "On" if settings.jacoby else "Off",
        "Beavers": str(settings.beavers),
        "Level": settings.level,
        "Ply": str(settings.ply),
        "Player": settings.checkpoint,
        "Seed": str(settings.seed),
        "Dice": "typed" if settings.typed else "thrown",
        "Tutor": "On" if settings.tutor else "Off",
    }
    return write_mat(Match(PLAYERS, settings.length, games, tags=tags))


def from_mat(path: Path) -> Session:
    """The session in a match file, where it was left; only a play whose dice weren't picked up is forgotten.

    Raises CannotResume, BadMatchFile or OSError.
    """
    match = read_match(path)
    if match.faults:
        raise CannotResume(f"{path} breaks the rules of the game: {match.faults[0]}")
    if match.positions:
        raise CannotResume(f"{path} holds positions, not a match")
    settings = _settings(match, path)
    finished = tuple(game for game in match.games if game.winner is not None)
    if empty := [game.number for game in finished if not game.actions]:
        raise CannotResume(f"{path}: game {empty[0]} has a result, but nothing was played")
    unfinished = [game for game in match.games if game.winner is None]
    if len(unfinished) > 1 or (unfinished and match.games[-1] is not unfinished[0]):
        raise CannotResume(f"{path} has games without a result before its last one")
    if unfinished:
        return _replayed(settings, finished, unfinished[0])
    if not finished:
        return table.new_session(settings)
    last = finished[-1]
    stage = "end" if match.length in match.score and match.length else "over"
    position = start_of(settings.variant)
    return Session(settings, finished, _with_beavers(last, settings), stage, YOU, position, last.actions)


def _replayed(settings: Settings, finished: tuple[Game, ...], unfinished: Game) -> Session:
    """Every action of the unfinished game done once more."""
    session = table.new_game(settings, finished, _with_beavers(unfinished, settings))
    for action in unfinished.actions:
        if action is unfinished.actions[0]:
            state = session.start if action.player == YOU else other_side(session.start)
            session = replace(session, on_roll=action.player, position=start_of(settings.variant, state))
        if action.kind in CUBE_ACTIONS:
            session = table.act(session, action.kind)
            continue
        session = table.roll(session, action.position.dice)
        if action.kind == "play":
            session = table.play(session, parse_play(action.play, session.position.board, action.position.dice))
    return session


def _with_beavers(game: Game, settings: Settings) -> State:
    return check_state(replace(game.state, beavers=settings.beavers))


def _settings(match: Match, path: Path) -> Settings:
    """What was agreed, by the tags; for tags that aren't there the usual things."""
    tags, usual = match.tags, Settings()

    def number(name: str, default: int, most: int) -> int:
        text = tags.get(name, str(default))
        if not (text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= most):
            raise CannotResume(f"{path}: {name} {text[:20]!r} is no number from 0 to {most}")
        return int(text)

    level = tags.get("Level", usual.level)
    error_of(level)
    return Settings(
        variant=variant_of(tags),
        length=match.length,
        jacoby=match.length == 0 and tags.get("Jacoby", "").lower() == "on",
        beavers=number("Beavers", 0, BEAVERS),
        level=level,
        ply=number("Ply", usual.ply, MAX_PLY),
        checkpoint=tags.get("Player", usual.checkpoint),
        seed=number("Seed", usual.seed, 2**63 - 1),
        typed=tags.get("Dice") == "typed",
        tutor=tags.get("Tutor") == "On",
    )
