"""One Elo table of many players."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest

from bgai.arena.meetings import BadMeetings, keep_meeting, load_meetings
from bgai.arena.players import RandomPlayer
from bgai.arena.pool import elo_of, rate
from bgai.arena.pubeval import Pubeval
from bgai.arena.seats import NoCheckpoints, checkpoints_of
from bgai.game import State


def test_ratings_that_explain_all_meetings():
    true = np.array([0, 100, -150, 300])
    meetings = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    wins = np.array([1 / (1 + 10 ** ((true[j] - true[i]) / 400)) for i, j in meetings])
    assert elo_of(meetings, wins, 10**7) == pytest.approx(true, abs=0.1)


def test_who_wins_everything_has_a_finite_rating():
    assert 500 < elo_of([(0, 1)], np.array([0.0]), 100)[1] < 1500


def test_a_table_best_first_with_the_anchor_at_0():
    table = rate({"random": RandomPlayer(1), "pubeval": Pubeval(), "another": RandomPlayer(2)}, 60, seed=1)
    assert table[0].name == "pubeval" and table[0].elo.mean > 400
    [anchor] = [r for r in table if r.name == "random"]
    assert anchor.elo.mean == 0 and anchor.elo.halfwidth == 0 and anchor.games == 120
    [equal] = [r for r in table if r.name == "another"]
    assert abs(equal.elo.mean) < 2 * equal.elo.halfwidth


def test_a_pool_of_matches_and_one_who_wins_them_all():
    table = rate({"random": RandomPlayer(1), "pubeval": Pubeval()}, 40, seed=1, rules=State(length=2))
    assert table[0].name == "pubeval" and table[0].elo.halfwidth > 50


def test_the_checkpoints_of_a_run(tmp_path):
    with pytest.raises(NoCheckpoints, match="folder of a run"):
        checkpoints_of(tmp_path)
    for name in ("last", "state", "state.previous", "checkpoints/games-1000", "labels/2-two/1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.safetensors").touch()
    names = [str(path.relative_to(tmp_path)) for path in checkpoints_of(tmp_path)]
    assert names == ["checkpoints/games-1000.safetensors", "last.safetensors"]


# Meetings that are kept

SETTING = {"games": 8, "seed": 1, "rules": None}
SHA256 = {"net": "abc"}
NAMES = ["pubeval", "net", "other"]
MEETINGS = {
    names: np.array(won, dtype=np.int8) for names, won in zip(combinations(NAMES, 2), np.eye(3, 4), strict=True)
}


@pytest.fixture
def kept(tmp_path):
    """A file with all of `MEETINGS`."""
    assert load_meetings(tmp_path / "kept", SETTING, SHA256) == {}
    for names, won in MEETINGS.items():
        keep_meeting(tmp_path / "kept", SHA256, names, won)
    return tmp_path / "kept"


def loaded(path, sha256=SHA256):
    return {names: won.tolist() for names, won in load_meetings(path, SETTING, sha256).items()}


def test_what_is_kept_is_what_is_loaded(kept):
    assert loaded(kept) == {names: won.tolist() for names, won in MEETINGS.items()}


def test_a_pool_that_was_cut_anywhere_goes_on_to_the_same_table(kept):
    players = {name: Pubeval() for name in NAMES}  # no randomness of their own
    uncut = rate(players, 8, seed=1)
    kept.unlink()
    load_meetings(kept, SETTING, SHA256)
    assert rate(players, 8, 1, None, {}, partial(keep_meeting, kept, SHA256)) == uncut
    whole = kept.read_bytes()
    for cut in range(whole.index(b"\n") + 1, len(whole), 40):
        kept.write_bytes(whole[:cut])
        rest, played = load_meetings(kept, SETTING, SHA256), []
        assert rate(players, 8, 1, None, rest, lambda names, won, played=played: played.append(names)) == uncut
        assert len(rest) + len(played) == 3 and kept.read_bytes() == whole[: whole.rfind(b"\n", 0, cut) + 1]


def test_a_player_that_has_changed_plays_its_meetings_again(kept):
    assert list(loaded(kept, {"net": "another"})) == [("pubeval", "other")]


@pytest.mark.parametrize("change", [{"games": 10}, {"seed": 2}, {"rules": {"length": 7}}])
def test_meetings_of_another_pool_are_refused(kept, change):
    name = next(iter(change))
    with pytest.raises(BadMeetings, match=f"another pool: {name} is .*; give a new file"):
        load_meetings(kept, SETTING | change, SHA256)


@pytest.mark.parametrize("text", ["", "{}\n", "[1]\n", '{"bgai pool": 2}\n', "x" * 50, "[" * 100_000 + "\n"])
def test_a_file_without_meetings_is_refused_and_left_as_it_is(tmp_path, text):
    (tmp_path / "kept").write_text(text)
    with pytest.raises(BadMeetings, match="holds no meetings"):
        load_meetings(tmp_path / "kept", SETTING, SHA256)
    assert (tmp_path / "kept").read_text() == text


@pytest.mark.parametrize(
    "line",
    [
        "null",
        '{"players": ["a", "b"], "won": "0000"}',
        '{"players": ["a"], "sha256": [null, null], "won": "0000"}',
        '{"players": ["a", 1], "sha256": [null, null], "won": "0000"}',
        '{"players": ["a", "b"], "sha256": [null, null], "won": "00000"}',
        '{"players": ["a", "b"], "sha256": [null, null], "won": "0003"}',
        '{"players": ["a", "b"], "sha256": [null, null], "won": [0, 0, 0, 0]}',
    ],
)
def test_a_line_that_is_no_meeting_is_named(kept, line):
    kept.write_text(kept.read_text() + line + "\n")
    with pytest.raises(BadMeetings, match="line 5"):
        load_meetings(kept, SETTING, SHA256)
