"""The script that measures what docs/strength.md says: which commands it runs, and the table it writes."""

import runpy
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
PART = ["bgai", "eval", "default:2", "--against", "gnubg:2", "--games", "100", "--seed", "601"]


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(CHECKOUT / "scripts"))
    return runpy.run_path(str(CHECKOUT / "scripts" / "measure_strength.py"))


def test_only_parts_that_are_lacking_are_played(script, tmp_path):
    measurement = script["Measurement"]("NAME:2 --against gnubg:2", 100, 601, parts=2)
    (tmp_path / "602.json").touch()
    assert script["_commands"](measurement, "default", tmp_path) == [
        [*PART, "--out", str(tmp_path / "601.json")],
        ["bgai", "eval", "--merge", str(tmp_path), "--json"],
    ]


def test_a_command_for_a_part_finds_the_folder_that_it_writes_to(script, tmp_path):
    first, *_ = script["_commands"](
        script["Measurement"]("NAME --against pubeval", 4, 1, parts=2), "x", tmp_path / "new"
    )
    assert Path(first[first.index("--out") + 1]).parent.is_dir()


def test_what_is_measured_once_is_one_command(script, tmp_path):
    [command] = script["_commands"](script["Measurement"]("NAME --calibration", 4000, 1), "default", tmp_path)
    assert command == ["bgai", "eval", "default", "--calibration", "--games", "4000", "--seed", "1", "--json"]


def test_the_table_takes_the_place_of_the_one_before(script):
    record = {"player": "default:2", "against": "gnubg:2", "kind": "cubeless", "rules": None, "matches": 0}
    record |= {"ppg": -0.02, "ci95": [-0.1, 0.06], "luck_adjusted": -0.01, "luck_adjusted95": [-0.02, 0.0]}
    record |= {"games": 200, "seeds": [601, 602], "command": [*PART, "--out", "parts/601.json", "--json"]}
    page = f"before\n\n{script['BEGIN']}old\n{script['END']}\nafter\n"
    once = script["with_table"](page, [record, {"calibration": []}])
    assert once.startswith("before") and once.endswith("after\n") and "old" not in once
    assert once == script["with_table"](once, [record])
    assert (
        "| GNU Backgammon 2-ply | cubeless points a game, ours at 2-ply | -0.020 [-0.100, +0.060] | "
        f"-0.010 [-0.020, +0.000] | 200 | `{' '.join(PART)}`, seeds 601 to 602, merged |" in once
    )


def test_the_page_has_a_place_for_the_table(script):
    page = (CHECKOUT / "docs" / "strength.md").read_text()
    assert page.count(script["BEGIN"]) == page.count(script["END"]) == 1
