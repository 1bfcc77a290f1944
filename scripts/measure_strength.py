"""Measure all that docs/strength.md and the model card say of a player that ships, and write both.

    python scripts/measure_strength.py default           # what is lacking, then the pages
    python scripts/measure_strength.py default --list    # only print the commands of what is lacking

Every figure is a record of `bgai eval --json`, kept in checkpoints/NAME.jsonl. What is there already for this very file
isn't measured again, so the script may be cut and started anew at any time; records of an older file are dropped, those
of `bgai runs --json` kept. Long measurements are played in parts, each with a seed of its own, which are merged: parts
made elsewhere may be put into the same folder. Against GNU Backgammon at 2-ply a game takes some 3 seconds of one core.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from model_card import command_of, interval, model_card, seeds_of

from bgai import files
from bgai.files import write_atomically

STRENGTH = Path(__file__).parents[1] / "docs" / "strength.md"
BEGIN, END = "<!-- the table of scripts/measure_strength.py -->\n", "<!-- its end -->\n"


class Measurement(NamedTuple):
    """Arguments of `bgai eval`, NAME being the player's; games and first seed of each of its parts (0: neither)."""

    arguments: str
    games: int = 0
    seed: int = 0
    parts: int = 1

    def command(self, name: str, part: int = 0) -> list[str]:
        played = f" --games {self.games} --seed {self.seed + part}" if self.games else ""
        return ["bgai", "eval", *(self.arguments.replace("NAME", name) + played).split()]


MEASUREMENTS = [
    Measurement("NAME --against pubeval --luck", 20_000, 111),
    Measurement("NAME --against gnubg --luck", 1000, 301, parts=2),
    Measurement("NAME --against gnubg --cubeful --jacoby --luck", 1000, 401, parts=6),
    Measurement("NAME --against gnubg --match 7 --luck", 100, 501, parts=3),
    Measurement("NAME --benchmark tests/data/benchmark.jsonl"),
    Measurement("NAME --calibration", 4000, 1),
    Measurement("NAME:2 --against gnubg:2 --luck", 100, 601, parts=15),
    Measurement("NAME:2 --against gnubg:2 --cubeful --jacoby --luck", 100, 701, parts=2),
    Measurement("NAME:2 --against gnubg:2 --match 7 --luck", 20, 801, parts=2),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="of a player that ships")
    parser.add_argument("--parts", type=Path, default=Path("parts"), help="folder for parts")
    parser.add_argument("--list", action="store_true", help="print the commands instead of running them")
    options = parser.parse_args()
    path = files.checkpoint(options.name)
    fingerprint = files.fingerprint(path)
    records = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    trainings = [record for record in records if "core_minutes" in record]
    measured = [record for record in records if record not in trainings and fingerprint in record["sha256"].values()]
    of_all = []
    for number, measurement in enumerate(MEASUREMENTS):
        wanted = measurement.command(options.name)
        record = next((r for r in measured if command_of(r) == wanted and _parts(r) >= measurement.parts), None)
        folder = options.parts / f"{fingerprint[:12]}-{number}"
        if record is None and options.list:
            print("\n".join(" ".join(command) for command in _commands(measurement, options.name, folder)))
        elif record is None:
            record = measure(measurement, options.name, folder)
            measured.append(record)
            _write(path.with_suffix(".jsonl"), [*trainings, *measured])
        of_all.append(record)
    if not options.list:
        _write(path.with_suffix(".jsonl"), [*trainings, *of_all])
        write_atomically(path.with_suffix(".md"), model_card(path, [*trainings, *of_all]).encode())
        write_atomically(STRENGTH, with_table(STRENGTH.read_text(), of_all).encode())


def measure(measurement: Measurement, name: str, folder: Path) -> dict:
    """The record of one measurement, all its parts merged; those that are in the folder are not played again."""
    for command in _commands(measurement, name, folder):
        print(" ".join(command), flush=True)
        run = subprocess.run([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)


def _commands(measurement: Measurement, name: str, folder: Path) -> list[list[str]]:
    """What is to be run, for whose parts there is a folder then; the last one prints the record."""
    if measurement.parts == 1:
        return [[*measurement.command(name), "--json"]]
    folder.mkdir(parents=True, exist_ok=True)
    parts = {folder / f"{measurement.seed + i}.json": measurement.command(name, i) for i in range(measurement.parts)}
    lacking = [[*command, "--out", str(path)] for path, command in parts.items() if not path.exists()]
    return [*lacking, ["bgai", "eval", "--merge", str(folder), "--json"]]


def _parts(record: dict) -> int:
    return len(record.get("seeds", [0]))


def _write(path: Path, records: list[dict]) -> None:
    write_atomically(path, "".join(json.dumps(record) + "\n" for record in records).encode())


def with_table(page: str, records: list[dict]) -> str:
    """The page with the table of games in `records` in place of the one it has."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = [_row(record) for record in records if "against" in record]
    head = "| against | game | plain | luck taken out | games | command |\n| --- | --- | --- | --- | --- | --- |\n"
    return before + BEGIN + "\n" + head + "".join(rows) + "\n" + END + after


def _row(record: dict) -> str:
    opponent, _, plies = record["against"].partition(":")
    own_plies = record["player"].partition(":")[2]
    against = "pubeval" if opponent == "pubeval" else f"GNU Backgammon {plies or 0}-ply"
    rules = record["rules"] or {}
    game = f"{rules.get('length')}-point matches won" if record["matches"] else f"{record['kind']} points a game"
    game += ", Jacoby" * bool(rules.get("jacoby")) + f", ours at {own_plies}-ply" * bool(own_plies)
    plain = interval(record["match_wins" if record["matches"] else "ppg"], record["ci95"])
    adjusted = "" if record["luck_adjusted"] is None else interval(record["luck_adjusted"], record["luck_adjusted95"])
    command, units = " ".join(command_of(record)), record["matches"] or record["games"]
    return f"| {against} | {game} | {plain} | {adjusted} | {units:,} | `{command}`{seeds_of(record)} |\n"


if __name__ == "__main__":
    main()
