"""A measurement in parts: each played with a seed of its own, when and on what machine one likes; then put together.

A part is a file with one JSON object: how it was played, and every single game, so that the figures of all parts are
those that one measurement of all games would have.
"""

import json
from pathlib import Path

import numpy as np

from bgai.arena.games import Games, check_pairs, joined
from bgai.files import check_target, read_whole, write_atomically

FORMAT = 1
TOLD = {  # of every part, besides what went into it
    **{"player": str, "against": str, "kind": str, "luck": bool},
    **{"seed": int, "games": int, "command": list, "seconds": float},
}
OWN = ("seed", "games", "command", "seconds")  # what parts of one measurement may differ in


class BadPart(ValueError):
    """A file that is no part, would overwrite one, or doesn't belong to the others; the message says why."""


def check_new(path: Path) -> None:
    """Raise BadPart or OSError now, rather than after hours of play, if a part can't be written there."""
    if path.exists():
        raise BadPart(f"{path} is there already: name another file, or keep that part")
    check_target(path)


def save_part(path: Path, setting: dict, played: Games) -> None:
    """Write games and how they were played: `seed`, `games`, `command`, `seconds` and all that must agree."""
    columns = {name: None if array is None else array.tolist() for name, array in played._asdict().items()}
    write_atomically(path, json.dumps({"bgai part": FORMAT, "setting": setting, **columns}).encode())


def load_parts(paths: list[Path]) -> tuple[dict, Games]:
    """The games of all parts, and what they have in common: `seeds` is a list, `command` that of the first one.

    paths  of parts, or of folders whose files ending in .json are parts
    Raises BadPart, or OSError for a file that can't be read.
    """
    files = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not files:
        raise BadPart(f"{', '.join(map(str, paths)) or 'no folder'}: there are no parts (files ending in .json)")
    parts = {file: _load(file) for file in files}
    settings = {file: setting for file, (setting, _) in parts.items()}
    first_file, first = next(iter(settings.items()))
    seeds: dict[int, Path] = {}
    for file, setting in settings.items():
        differing = [name for name in {*first, *setting} - {*OWN} if first.get(name) != setting.get(name)]
        if differing:
            raise BadPart(f"{file} and {first_file} aren't parts of one measurement: they differ in {differing[0]}")
        if setting["seed"] in seeds:
            raise BadPart(f"{file} and {seeds[setting['seed']]} hold the same games: both have seed {setting['seed']}")
        seeds[setting["seed"]] = file
    seconds = sum(setting["seconds"] for setting in settings.values())
    common = {name: value for name, value in first.items() if name != "seed"}
    return common | {"seeds": sorted(seeds), "seconds": round(seconds, 2)}, joined(
        [games for _, games in parts.values()]
    )


def _load(path: Path) -> tuple[dict, Games]:
    try:
        part = json.loads(read_whole(path).decode(errors="replace"))
        if part["bgai part"] != FORMAT:
            raise ValueError(f"format {part['bgai part']}")
        setting = part["setting"]
        luck = None if part["luck"] is None else np.array(part["luck"], dtype=np.float64)
        results, turns = np.array(part["results"], dtype=np.float64), np.array(part["turns"], dtype=np.int64)
        games = Games(results, luck, np.array(part["ends"], dtype=np.int64), turns)
        wrong = [name for name, kind in TOLD.items() if type(setting[name]) is not kind]
        if wrong or (luck is not None) != setting["luck"]:
            raise ValueError(f"it misstates {[*wrong, 'luck'][0]}")
        check_pairs(setting["games"])
        columns = [column for column in (results, turns, luck) if column is not None]
        if {column.shape for column in columns} != {(setting["games"],)} or games.ends.shape != (8,):
            raise ValueError("columns of different lengths")
        if games.ends.min() < 0 or games.ends.sum() < setting["games"]:
            raise ValueError("fewer games have ended than were played")
        if not all(np.isfinite(column).all() for column in (*columns, setting["seconds"])):
            raise ValueError("some figure is no finite number")
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadPart(f"{path} is no part that bgai eval --out has written: {error}") from None
    return setting, games
