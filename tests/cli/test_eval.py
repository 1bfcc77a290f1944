"""`bgai eval`: a player's strength, on the command line."""

import pytest


def test_the_record_tells_the_result_and_how_to_repeat_it(bgai, checkpoint):
    command = ("eval", checkpoint, "--against", "random", "--games", 40, "--seed", 3, "--json")
    [record], [again] = bgai(*command).records, bgai(*command).records
    assert record | {"seconds": 0} == again | {"seconds": 0}
    assert (record["player"], record["against"], record["games"], record["seed"]) == (str(checkpoint), "random", 40, 3)
    low, high = record["ci95"]
    assert low < record["ppg"] < high
    assert record["gammons"] == pytest.approx(record["gammons_won"] + record["gammons_lost"])


def test_the_text_says_the_same(bgai):
    command = ("eval", "pubeval", "--against", "random", "--games", 100)
    [record], text = bgai(*command, "--json").records, bgai(*command).out
    assert f"points a game    {record['ppg']:+.4f}" in text and "100 cubeless games" in text


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("nobody.safetensors",), "nobody.safetensors"),
        (("pubeval", "--against", "tests/conftest.py"), "conftest.py"),
        (("pubeval", "--games", 41), "even number"),
        (("pubeval", "--seed", -1), "--seed"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(bgai, arguments, wrong):
    result = bgai("eval", *arguments)
    assert result.code == 2 and wrong in result.err and result.err.count("\n") == 1
