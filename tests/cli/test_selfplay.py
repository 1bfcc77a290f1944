"""`bgai selfplay`: recorded games keep the rules, whichever file they are written to."""

import numpy as np
import pytest

from bgai.arena.selfplay import KINDS
from bgai.board import OUTCOME_POINTS, START, UNFINISHED, outcome
from bgai.notation.reading import read_match
from bgai.plays import legal_plays


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return tmp_path_factory.mktemp("games")


def test_arrays_tell_games_that_keep_the_rules(bgai, files):
    assert bgai("selfplay", "--games", 40, "--out", files / "a.npz", "--seed", 5).code == 0
    with np.load(files / "a.npz", allow_pickle=False) as file:
        r = dict(file)
    plays = r["kind"] == KINDS.index("play")
    legal = legal_plays(r["board"][plays], r["dice"][plays])
    same = (legal.boards == np.repeat(r["after"][plays], np.diff(legal.offsets), axis=0)).all(axis=1)
    assert np.logical_or.reduceat(same, legal.offsets[:-1]).all()
    assert len(r["points"]) == 40 and (np.diff(r["game"]) >= 0).all()
    for game in range(40):
        rows = np.flatnonzero(r["game"] == game)
        assert (r["board"][rows[0]] == START).all() and r["dice"][rows[0], 0] != r["dice"][rows[0], 1]  # R2
        played = rows[plays[rows]]
        assert (r["board"][played[1:]] == r["after"][played[:-1]]).all()
        assert (r["player"][played[1:]] != r["player"][played[:-1]]).all()
        last, points = rows[-1], int(r["points"][game])
        if KINDS[r["kind"][last]] == "pass":
            assert points == (r["cube"][last] if r["player"][last] == 1 else -r["cube"][last])  # R37
        else:
            end = int(outcome(r["after"][last]))
            assert end != UNFINISHED  # R30
            assert points == OUTCOME_POINTS[end] * r["cube"][last] * (1 if r["player"][last] == 1 else -1)
    doubles = np.flatnonzero(r["kind"] == KINDS.index("double"))
    assert len(doubles) and (r["board"][doubles + 1] == r["board"][doubles]).all()


@pytest.mark.parametrize("kind", ["mat", "sgf"])
def test_a_match_file_tells_the_same_games(bgai, files, kind):
    bgai("selfplay", "--games", 12, "--out", files / "b.npz", "--seed", 6, "--jacoby")
    assert bgai("selfplay", "--games", 12, "--out", files / f"b.{kind}", "--seed", 6, "--jacoby").code == 0
    match = read_match(files / f"b.{kind}")
    with np.load(files / "b.npz", allow_pickle=False) as file:
        r = dict(file)
    assert match.faults == () and len(match.games) == 12
    assert [g.points * (1, -1)[g.winner] for g in match.games] == r["points"].tolist()
    actions = [action for game in match.games for action in game.actions]
    assert [action.kind for action in actions] == [KINDS[kind] for kind in r["kind"]]
    assert [action.position.board.tolist() for action in actions] == r["board"].tolist()
    assert [action.player for action in actions] == r["player"].tolist()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--out", "games.txt"], ".npz, .mat or .sgf"),
        (["--out", "a.sgf", "--variant", "hypergammon"], "an .sgf file holds no hypergammon"),
        (["--out", "/dev/null/a.npz", "--games", "1"], "/dev/null"),
        (["--out", "nowhere/a.npz"], "there is no folder nowhere"),
        (["--out", "a.npz", "--games", "0"], "--help"),
        (["--out", "a.mat", "--games", "10"], "a match file holds 99"),
        ([], "--help"),
    ],
)
def test_mistakes(bgai, tmp_path, monkeypatch, arguments, why):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bgai.cli.selfplay.MAX_ACTIONS", 99)
    result = bgai("selfplay", *arguments)
    assert result.code == 2 and why in result.err and result.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
