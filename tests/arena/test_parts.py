"""A measurement in parts."""

import json

import numpy as np
import pytest

from bgai.arena.games import joined, play_games
from bgai.arena.parts import BadPart, load_parts, save_part
from bgai.arena.players import RandomPlayer
from bgai.arena.pubeval import Pubeval
from bgai.game import State

SETTING = {
    **{"player": "pubeval", "against": "random", "kind": "cubeless", "luck": False},
    **{"command": ["bgai", "eval", "pubeval"], "seconds": 1.5},
}

WHOLE = SETTING | {"seed": 1, "games": 10}


@pytest.fixture
def part(tmp_path):
    """`part(name, seed, ...) -> Path` of a part of 10 games, or matches; `...` changes its setting."""

    def save(name, seed, rules=None, **changes):
        played = play_games(Pubeval(), RandomPlayer(1), 10, seed, rules)
        save_part(tmp_path / name, SETTING | {"seed": seed, "games": 10} | changes, played)
        return tmp_path / name

    return save


def test_parts_are_what_one_measurement_of_all_their_games_would_be(part, tmp_path):
    part("b.json", 2), part("a.json", 7)
    setting, together = load_parts([tmp_path])
    apart = joined([play_games(Pubeval(), RandomPlayer(1), 10, seed) for seed in (7, 2)])
    for column, expected in zip(together, apart, strict=True):
        assert np.array_equal(column, expected)
    assert setting["seeds"] == [2, 7] and setting["seconds"] == 3 and setting["player"] == "pubeval"


def test_parts_of_different_measurements_are_refused(part, tmp_path):
    part("a.json", 1), part("b.json", 2, player="random")
    with pytest.raises(BadPart, match=r"b\.json and .*a\.json aren't parts of one measurement: they differ in player"):
        load_parts([tmp_path])


def test_the_same_games_are_not_counted_twice(part, tmp_path):
    path = part("a.json", 1, rules=State(length=1))
    with pytest.raises(BadPart, match="hold the same games: both have seed 1"):
        load_parts([path, part("b.json", 1, rules=State(length=1))])


@pytest.mark.parametrize(
    "wrong",
    [
        {"bgai part": 2},
        {"results": [1.0] * 9},
        {"results": ["much"] * 10},
        {"luck": [0.0] * 10},
        {"ends": [1]},
        {"setting": SETTING | {"games": 10}},
        {"setting": SETTING | {"games": 10, "seed": [1]}},
        *({"setting": {k: v for k, v in WHOLE.items() if k != name}} for name in WHOLE),
        *({"setting": WHOLE | {name: {}}} for name in WHOLE),
        {"setting": WHOLE | {"seconds": "1"}},
        {"setting": WHOLE | {"seconds": float("inf")}},
        {"results": [float("nan")] * 10},
        {"ends": [0] * 8},
        {"ends": [11, -1, 0, 0, 0, 0, 0, 0]},
    ],
    ids=str,
)
def test_other_files_are_refused(part, wrong):
    path = part("a.json", 1)
    path.write_text(json.dumps(json.loads(path.read_text()) | wrong))
    with pytest.raises(BadPart, match=r"a\.json is no part that bgai eval --out has written"):
        load_parts([path])
