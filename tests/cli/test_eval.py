"""`bgai eval`: a player's strength, on the command line."""

import hashlib
import json

import pytest

from bgai.board import OUTCOMES, START


def test_the_record_tells_the_result_and_how_to_repeat_it(bgai, checkpoint):
    command = ("eval", checkpoint, "--against", "random", "--games", 40, "--seed", 3, "--json")
    [record], [again] = bgai(*command).records, bgai(*command).records
    assert record | {"seconds": 0} == again | {"seconds": 0}
    assert (record["player"], record["against"], record["games"], record["seed"]) == (str(checkpoint), "random", 40, 3)
    assert record["sha256"] == {str(checkpoint): hashlib.sha256(checkpoint.read_bytes()).hexdigest()}
    low, high = record["ci95"]
    assert low < record["ppg"] < high
    assert record["gammons"] == pytest.approx(record["gammons_won"] + record["gammons_lost"])


def test_the_text_says_the_same(bgai):
    command = ("eval", "pubeval", "--against", "random", "--games", 100)
    [record], text = bgai(*command, "--json").records, bgai(*command).out
    assert f"points a game    {record['ppg']:+.4f}" in text and "games            100" in text


def test_cubeful_money_and_matches(bgai, checkpoint):
    command = ("eval", checkpoint, "--against", "random", "--games", 20, "--json")
    [money] = bgai(*command, "--cubeful", "--jacoby", "--beavers").records
    [match] = bgai(*command, "--match", 3, "--luck").records
    assert money["kind"] == "cubeful" and money["rules"]["jacoby"] and money["rules"]["beavers"] == 1
    assert match["kind"] == "match" and match["matches"] == 20 and 20 <= match["games"] <= 100
    assert 0 <= match["match_wins"] <= 1 and len(match["luck_adjusted95"]) == 2


def test_it_stops_when_the_matter_is_decided(bgai):
    [record] = bgai("eval", "pubeval", "--against", "random", "--decide", 1.0, "--games", 9000, "--json").records
    assert record["decided"] is True and record["games"] == 1000


def test_calibration(bgai, checkpoint):
    command = ("eval", checkpoint, "--calibration", "--games", 20)
    [record] = bgai(*command, "--json").records
    whole = [line for line in record["calibration"] if (line["phase"], line["low"], line["high"]) == ("all", 0, 1)]
    assert [line["outcome"] for line in whole] == list(OUTCOMES)
    assert sum(line["actual"] for line in whole) == pytest.approx(1, abs=1e-4)
    assert len(bgai(*command).out.splitlines()) > len(OUTCOMES)


def test_calibration_by_range_leaves_out_what_rests_on_few_games(bgai, checkpoint, tmp_path):
    picture = tmp_path / "calibration.svg"
    table = bgai("eval", checkpoint, "--calibration", "--games", 120, "--plot", picture).out.splitlines()
    ranges = [line for line in table[1:] if "0-100 %" not in line]
    assert ranges and all(line.startswith("all ") and int(line.split(" %")[1].split()[0]) >= 100 for line in ranges)
    assert picture.read_text().rstrip().endswith("</svg>")


def test_error_rates_against_a_benchmark(bgai, tmp_path):
    cube = {"kind": "cube", "board": START.tolist(), "nd": 0.1, "dt": -0.2}
    (tmp_path / "b.jsonl").write_text(json.dumps({"bgai benchmark": 1}) + "\n" + json.dumps(cube))
    command = ("eval", "pubeval", "--benchmark", tmp_path / "b.jsonl")
    [record] = bgai(*command, "--json").records
    rates = {(rate["kind"], rate["phase"]): rate for rate in record["error_rates"]}
    assert list(record["sha256"]) == [str(tmp_path / "b.jsonl")], "pubeval has no file"
    assert rates["double", "contact"]["pr"] == 0 and rates["all", "all"]["decisions"] == 2
    assert "millipoints" in bgai(*command).out


def test_a_pool_in_one_table(bgai, checkpoint, tmp_path):
    command = ("eval", "--pool", checkpoint.parent, "--games", 20, "--plot", tmp_path / "pool.svg")
    [record] = bgai(*command, "--json").records
    assert [rating["player"] for rating in record["ratings"]] == ["pubeval", str(checkpoint)]
    assert [rating["trained"] for rating in record["ratings"]] == [None, 0]
    assert list(record["sha256"]) == [str(checkpoint)]
    assert str(checkpoint) in bgai(*command).out
    assert (tmp_path / "pool.svg").read_text().rstrip().endswith("</svg>")


def test_parts_with_seeds_of_their_own_are_merged_exactly(bgai, checkpoint, tmp_path):
    command = ("eval", checkpoint, "--against", "random", "--luck", "--json")
    parts = [
        bgai(*command, "--games", games, "--seed", seed, "--out", tmp_path / f"{seed}.json").records[0]
        for seed, games in ((1, 40), (2, 20))
    ]
    [merged] = bgai("eval", "--merge", tmp_path, "--json").records
    assert merged == bgai("eval", "--merge", tmp_path / "1.json", "--merge", tmp_path / "2.json", "--json").records[0]
    assert (merged["seeds"], merged["games"], merged["command"]) == ([1, 2], 60, parts[0]["command"])
    for figure in ("ppg", "luck_adjusted", "wins", "gammons"):
        assert merged[figure] == pytest.approx((40 * parts[0][figure] + 20 * parts[1][figure]) / 60, abs=2e-5)
    assert merged["ci95"][1] - merged["ci95"][0] < min(part["ci95"][1] - part["ci95"][0] for part in parts)
    assert "2 parts" in bgai("eval", "--merge", tmp_path).out


def test_a_pool_of_matches_with_another_anchor(bgai, checkpoint):
    command = ("eval", "--pool", checkpoint.parent, "--against", "random", "--match", 1, "--games", 4, "--json")
    [record] = bgai(*command).records
    assert {rating["player"] for rating in record["ratings"]} == {"pubeval", "random", str(checkpoint)}
    assert record["kind"] == "match"


def test_a_pool_that_is_kept_is_not_played_again(bgai, checkpoint, tmp_path):
    command = ("eval", "--pool", checkpoint.parent, "--games", 20, "--keep", tmp_path / "kept", "--json")
    first, kept = bgai(*command), (tmp_path / "kept").read_bytes()
    again = bgai(*command)
    assert again.code == 0
    assert again.records == first.records and (tmp_path / "kept").read_bytes() == kept
    refused = bgai(*command, "--match", 1)
    assert refused.code == 2 and "another pool: rules" in refused.err
    matches = (*command[:-2], tmp_path / "matches", "--json", "--match", 1)
    assert bgai(*matches).records == bgai(*matches).records


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("nobody.safetensors",), "nobody.safetensors"),
        (("pubeval", "--against", "tests/conftest.py"), "conftest.py"),
        (("pubeval", "--games", 41), "even number"),
        (("pubeval", "--seed", -1), "--seed"),
        (("pubeval", "--jacoby"), "--cubeful"),
        (("pubeval", "--match", 5, "--cubeful"), "R40"),
        (("pubeval", "--opening", "44"), "R2"),
        (
            ("pubeval", "--opening", "31", "--decide", "0"),
            "--opening goes with games against one opponent, not",
        ),
        (("pubeval", "--plot", "games.png"), "--plot goes with --calibration or --pool"),
        (("pubeval", "--calibration", "--plot", "games.gif"), ".svg"),
        (("pubeval", "--benchmark", "tests/conftest.py"), "line 1"),
        (("--pool", "tests"), "no checkpoints"),
        (
            ("--pool", "tests", "--cubeful"),
            "--cubeful goes with --decide or games",
        ),
        (("--pool", "tests", "--luck"), "--luck goes with"),
        (("--pool", "tests", "--opening", "31"), "--opening goes with"),
        (("--pool", "tests", "--decide", "0"), "--decide doesn't go with --pool"),
        (("pubeval", "--pool", "tests"), "checkpoint goes with"),
        (("--calibration", "--match", 5), "--match goes with"),
        (("--calibration", "--luck"), "--luck goes with"),
        (("--calibration", "--benchmark", "LICENSE"), "--calibration doesn't go with --benchmark"),
        (("--merge", "tests", "--seed", 2), "--seed goes with"),
        (("--merge", "tests", "--against", "random"), "--against goes with"),
        (("pubeval", "--games", 10**12), "--games"),
        (("pubeval", "--decide", "nan"), "nan is no finite number"),
        (("--keep", "kept"), "--keep goes with --pool"),
        (("--merge", "checkpoints"), "there are no parts"),
        (("--merge", "LICENSE"), "no part that bgai eval --out has written"),
        (("pubeval", "--out", "LICENSE"), "is there already"),
        (("pubeval", "--out", "nowhere/1.json"), "no folder"),
        (("pubeval", "--out", "1.json", "--decide", "0"), "--out goes with games against one opponent, not"),
        (("pubeval", "--out", "/proc/1.json"), "no file goes there"),
        (("pubeval", "--calibration"), "pubeval"),
        (("",), "'' is no player"),
        (("pubeval", "--against", ""), "'' is no player"),
        (("pubeval", "--against", "os:getcwd"), "os:getcwd: too many positional arguments; a player is made by"),
        (("pubeval", "--against", "math:sqrt"), "math:sqrt makes 1.4142135623730951, without play"),
        (("pubeval", "--benchmark", "/dev/zero"), "no regular file"),
        (("gnubg:9",), "0 to 4 plies"),
        (("gnubg", "--gnubg", "/nowhere/gnubg"), "/nowhere/gnubg"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(bgai, arguments, wrong):
    result = bgai("eval", *arguments)
    assert result.code == 2 and wrong in result.err and result.err.count("\n") == 1
