"""Keeps judged games in the user's cache folder: no game is judged twice, and an interrupted analysis goes on.

A file is the SHA-256 of the rest and a line of JSON.
"""

import hashlib
import json
from pathlib import Path

from bgai.analysis.decisions import JudgedGame
from bgai.files import cache_dir, fingerprint, write_atomically
from bgai.notation.match_file import Game

VERSION = 3  # to be raised whenever the same game would be judged otherwise


def key(game: Game, checkpoint: Path, settings: dict) -> str:
    """Of a game as one player judges it: SHA-256 of its record, the player's file and the settings."""
    told = [VERSION, fingerprint(checkpoint), settings, repr(game.state)]
    for first in game.actions[:1]:  # variants differ in it
        told.append([first.position.board.tolist(), first.position.checkers])
    for action in game.actions:
        told.append([action.player, action.kind, action.position.dice, action.moves, action.level])
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def path_of(key: str) -> Path:
    """The file of a judged game."""
    return cache_dir() / "analysis" / f"{key}.json"


def load(key: str) -> JudgedGame | None:
    """The judged game; None if it isn't there or isn't whole."""
    try:
        digest, _, text = path_of(key).read_text().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return JudgedGame.from_json(json.loads(text)) if digest == _digest(text) else None


def save(key: str, judged: JudgedGame) -> None:
    """Keep a judged game, whole or not at all. Raises OSError."""
    text = json.dumps(judged.to_json())
    write_atomically(path_of(key), f"{_digest(text)}\n{text}".encode())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
