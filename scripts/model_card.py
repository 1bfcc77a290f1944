"""Write the model card of a checkpoint that ships, from its own metadata and from figures measured beforehand.

    python scripts/measure_strength.py default    # measures all that is lacking
    bgai runs runs/champion --json >> checkpoints/default.jsonl
    python scripts/model_card.py default

The figures are records of `bgai eval --json`, and of `bgai runs --json` for the time that training took. One that was
measured on another file than this checkpoint is refused.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from bgai import files
from bgai.net.checkpoint import Checkpoint, load_checkpoint
from bgai.net.inputs import n_inputs
from bgai.train.config import Stage


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="of a player that ships")
    path = files.checkpoint(parser.parse_args().name)
    records = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    try:
        path.with_suffix(".md").write_text(model_card(path, records))
    except StaleFigure as error:
        parser.error(str(error))


class StaleFigure(ValueError):
    """A figure that belongs to another checkpoint."""


def model_card(path: Path, records: list[dict]) -> str:
    """The card, in Markdown. Raises StaleFigure."""
    fingerprint = files.fingerprint(path)
    trainings = [record for record in records if "core_minutes" in record]
    measured = [record for record in records if record not in trainings]
    for record in measured:
        if record["sha256"].get(record["player"]) != fingerprint:
            raise StaleFigure(f"another file was measured by: {_command(record)}")
    rows = [
        f"| {what} | {figure} | `{_command(record)}`{seeds_of(record)} |"
        for record in measured
        for what, figure in _figures(record)
    ]
    lines = [
        f"# Model card: {path.stem}",
        "",
        "A backgammon player that learned from self-play alone: [how](../docs/training-log.md).",
        "",
        *_made(load_checkpoint(path), trainings),
        f"- SHA-256 of `{path.name}`: `{fingerprint}`",
        "",
        "## Measured",
        "",
        "Intervals hold 95 %. Every figure comes from the command beside it and speaks of this file.",
        "",
        "| what | figure | command |",
        "| --- | --- | --- |",
        *rows,
        "",
    ]
    return "\n".join(lines)


def _made(c: Checkpoint, trainings: list[dict]) -> list[str]:
    """What the checkpoint is and how it was made, as a list."""
    a = c.architecture
    inputs = f"{n_inputs(False)} raw" + (f" and {n_inputs(True) - n_inputs(False)} computed" if a.computed else "")
    layers = " and ".join(map(str, a.hidden))
    weights = sum(w.size for w in c.weights.values())
    minutes = sum(training["core_minutes"] for training in trainings)
    stages = _stages(c)
    again = sum(stage["games"] - stage["label_games"] for stage in stages if stage.get("label_games"))
    lines = [
        f"- Inputs: {inputs} (docs/inputs.md)",
        f"- Network: {layers} hidden units, {a.activation}, 6 outcomes; {weights:,} weights",
        f"- Learned from: {c.games - again:,} games of {c.config['variant']} in self-play"
        + (f" and {again:,} readings more of those that were labelled" if again else "")
        + f", in {c.updates:,} updates, seed {c.config['seed']}"
        + (f", {minutes / 60:.1f} hours of one core" if trainings else ""),
        f"- Last stage: {c.stage}"
        + (", after those of the run whose checkpoint it started from" if c.config["initial"] else ""),
    ]
    return lines + [f"- Settings of stage {stage['name']}: {_settings(stage)}" for stage in stages]


def _stages(c: Checkpoint) -> list[dict]:
    """Those that the checkpoint's run has played, from the one it began with."""
    names = [stage["name"] for stage in c.config["stages"]]
    return c.config["stages"][names.index(c.config.get("begin") or names[0]) : names.index(c.stage) + 1]


def _settings(stage: dict) -> str:
    """What was set: the other settings have their defaults."""
    usual = asdict(Stage("", 0))
    given = {name: value for name, value in stage.items() if name not in ("name", "starts") and value != usual[name]}
    starts = {kind: weight for kind, weight in stage.get("starts", {}).items() if weight != usual["starts"][kind]}
    shown = given | ({"starts": starts} if starts else {})
    return ", ".join(f"`{name}={json.dumps(value)}`" for name, value in shown.items())


def _figures(record: dict) -> list[tuple[str, str]]:
    """What one record of `bgai eval --json` says, as (what, figure)."""
    if "error_rates" in record:
        rates = {(rate["kind"], rate["phase"]): rate for rate in record["error_rates"]}
        kinds = [kind for kind in ("all", "play", "double", "take") if (kind, "all") in rates]
        return [(f"PR, decisions: {kind}", f"{rates[kind, 'all']['pr']:.2f}") for kind in kinds]
    if "calibration" in record:
        whole = [line for line in record["calibration"] if (line["phase"], line["low"], line["high"]) == ("all", 0, 1)]
        return [
            (f"expected and actual rate: {line['outcome']}", f"{line['expected']:.2%}, {line['actual']:.2%}")
            for line in whole
        ]
    unit = (
        f"share of {record['rules']['length']}-point matches won"
        if record["matches"]
        else f"points a game, {record['kind']},"
    )
    plies = record["player"].partition(":")[2]
    what = f"{unit} against {record['against']}" + (f" by itself at {plies}-ply" if plies else "")
    figures = [(what, interval(record["match_wins" if record["matches"] else "ppg"], record["ci95"]))]
    if record["luck_adjusted"] is not None:
        figures.append((f"{what}, without luck", interval(record["luck_adjusted"], record["luck_adjusted95"])))
    return figures


def interval(mean: float, ci95: list[float]) -> str:
    """`+0.250 [+0.240, +0.260]`."""
    return f"{mean:+.3f} [{ci95[0]:+.3f}, {ci95[1]:+.3f}]"


def command_of(record: dict) -> list[str]:
    """The words of the command that measured it (of merged parts: the first one), without where its answer went."""
    command = [word for word in record["command"] if word != "--json"]
    where = command.index("--out") if "--out" in command else len(command)
    return command[:where] + command[where + 2 :]


def seeds_of(record: dict) -> str:
    """Of merged parts: which seeds they were played with."""
    return f", seeds {record['seeds'][0]} to {record['seeds'][-1]}, merged" if "seeds" in record else ""


def _command(record: dict) -> str:
    return " ".join(command_of(record))


if __name__ == "__main__":
    main()
