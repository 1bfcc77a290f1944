"""What is written as .mat and .sgf reads back the same, here and in GNU Backgammon."""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from gnubg import GNUBG
from random_matches import random_match

from bgai.notation.mat_writing import write_mat
from bgai.notation.match_file import Action, Match
from bgai.notation.reading import read_match
from bgai.notation.sgf import write_sgf

FILES = Path(__file__).parent.parent / "data" / "match_files"
NAMES = ["01_galaxy_3pt.txt", "06_playok_5pt.txt", "11_gnubg_7pt.mat", "13_golden_abandoned_partial.mat"]
NAMES += ["13_golden_cube_drop.mat", "13_golden_money_session.mat"]
WRITERS = {"mat": write_mat, "sgf": write_sgf}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("name", NAMES)
def test_written_and_read_back(name, kind):
    match = read_match(FILES / name)
    again = read_match(WRITERS[kind](match))
    assert (again.players, again.length, again.games, again.faults) == (match.players, match.length, match.games, ())
    if kind == "mat":
        assert again == match


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize(("seed", "length", "rules"), [(1, 5, {}), (2, 1, {}), (3, 0, {"jacoby": True}), (4, 0, {})])
def test_random_matches_and_sessions_read_back_the_same(seed, length, rules, kind):
    match = random_match(seed, length, games=6, **rules)
    again = read_match(WRITERS[kind](match))
    assert (again.players, again.length, again.games, again.faults) == (match.players, length, match.games, ())


def test_a_random_session_with_beavers():
    match = random_match(5, 0, games=8, beavers=2)
    kinds = {action.kind for game in match.games for action in game.actions}
    assert {"beaver", "raccoon", "accept", "pass"} <= kinds
    again = read_match(write_mat(match))
    assert (again.games, again.faults) == (match.games, ())


def test_money_with_beavers_and_names_that_need_care():
    rows = [
        "  1) 31: 8/5 6/5      Doubles => 2",
        "  2)  Beavers => 4    Takes",
        "  3)                             61: 13/7 8/7",
    ]
    head = ['; [Jacoby "On"]', " 0 point match", "", " Game 1", " Back\\slash]: the 3rd : 4       Black [x] : 12"]
    match = read_match("\n".join(head + rows))
    assert match.players == ("Back\\slash]: the 3rd", "Black [x]")
    assert match.games[0].state.jacoby and len(match.games[0].actions) == 5 and match.faults == ()
    for write in WRITERS.values():
        again = read_match(write(match))
        assert (again.players, again.games) == (match.players, match.games)


def test_rules_that_the_format_does_not_say_by_itself():
    jacoby = read_match("(;GM[6]MI[length:0][game:0][ws:0][bs:0]RU[Jacoby];W[31hefe])\n")
    no_crawford = read_match("(;GM[6]MI[length:3][game:0][ws:2][bs:0]PW[A]PB[B];W[31hefe])\n")
    for match in (jacoby, no_crawford):
        assert read_match(write_mat(match)).games == match.games


def test_what_is_kept_as_text_is_written_as_comments():
    match = read_match(FILES / "13_golden_dance.mat")
    for write in WRITERS.values():
        text = write(match)
        assert "63: 13/7 13/10" in text
        again = read_match(text).games[0]
        assert (again.actions[:2], again.winner, again.points) == (match.games[0].actions, 0, 1)


SCRIPT = """
import json, os
for name in json.loads(os.environ["NAMES"]):
    gnubg.command(("load match " if name.endswith("sgf") else "import mat ") + '"' + name + '"')
    gnubg.command('export match mat "' + name + '.exported"')
    with open(name + ".json", "w") as file:
        json.dump(gnubg.match(analysis=0, boards=0), file, default=str)
"""


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon isn't installed")
def test_gnubg_reads_the_same_games(tmp_path):
    matches = {name: read_match(FILES / name) for name in NAMES}
    matches |= {f"random{seed}": random_match(seed, length, games=6) for seed, length in ((1, 5), (4, 0))}
    written = {(name, kind): tmp_path / f"{name}.{kind}" for name in matches for kind in WRITERS}
    for (name, kind), path in written.items():
        path.write_text(WRITERS[kind](matches[name]))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "NAMES": json.dumps([str(path) for path in written.values()])}
    program = [GNUBG, "-t", "-q", "-r", "-s", str(tmp_path), "-p", str(script)]
    subprocess.run(program, input="", env=environment, capture_output=True, text=True, check=True, timeout=100)
    for (name, _), path in written.items():
        assert _of_gnubg(json.loads(Path(f"{path}.json").read_text())) == _of_record(matches[name])
        exported = read_match(f"{path}.exported")
        assert (_of_record(exported), exported.faults) == (_of_record(matches[name]), ())


def _of_gnubg(match: dict) -> list:
    kinds = {"move": "play", "drop": "pass", "set": "roll"}
    return [
        (
            (game["info"]["score-X"], game["info"]["score-O"]),
            {"X": 0, "O": 1}.get(game["info"]["winner"]),
            [
                ("XO".index(act["player"]), kinds.get(act["action"], act["action"]), _net(act.get("move") or []))
                for act in game["game"]
            ],
        )
        for game in match["games"]
    ]


def _of_record(match: Match) -> list:
    def told(action: Action) -> tuple:
        return action.player, action.kind, _net(action.moves)

    return [(game.state.score, game.winner, [told(action) for action in game.actions]) for game in match.games]


def _net(moves) -> Counter:
    """By how much each place has more checkers: orders and intermediate points of the same play don't matter."""
    net = Counter()
    for source, target in moves:
        net[source] -= 1
        net[target] += 1
    return Counter({place: count for place, count in net.items() if count})
