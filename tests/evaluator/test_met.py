"""Match equity tables: loading, extending, computing, and looking up what a game leads to."""

import numpy as np
import pytest

from bgai.evaluator import met
from bgai.evaluator.met import (
    KAZAROSS_XG2,
    LONGEST,
    SENSIBLE_GAME,
    InvalidTable,
    computed_table,
    default_table,
    game_ends,
    load_table,
)

THREE_POINTS = """# a comment
0.50,0.68,0.75

0.32,0.50,0.60
0.25,0.40,0.50
Post-Crawford,0.5,0.48,0.32
"""


@pytest.fixture(scope="module")
def kazaross():
    return default_table()


def test_the_default_table_is_kazaross_xg2(kazaross):
    before, post = kazaross.mwc
    assert (kazaross.name, kazaross.length) == ("kazaross_xg2", 25)
    assert before[1, 2] == pytest.approx(0.67736)  # Crawford
    assert before[2, 4] == pytest.approx(0.6687)
    assert before[25, 24] == pytest.approx(0.46914)
    assert (post[3, 1], post[1, 3]) == pytest.approx((0.32264, 0.67736))
    assert (before[0, 1:] == 1).all() and (before[1:, 0] == 0).all()


def test_any_table_loads_from_csv(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text(THREE_POINTS)
    table = load_table(path)
    assert (table.name, table.length) == ("small", 3)
    assert table.mwc[0, 2, 3] == pytest.approx(0.6)
    assert table.mwc[1, 1, 2] == pytest.approx(0.52)


def test_rounded_chances_are_made_to_add_up(tmp_path):
    path = tmp_path / "rounded.csv"
    path.write_text(THREE_POINTS.replace("0.68", "0.69"))
    assert load_table(path).mwc[0, 1, 2] == pytest.approx(0.685)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.40", "x", "line 5: could not convert string to float: 'x'; a chance is a number from 0 to 1"),
        ("0.40", "nan", "3-away against 2-away: the chance nan is not between 0 and 1"),
        ("0.40", "40", "3-away against 2-away: the chance 40 is not between 0 and 1"),
        ("0.40", "0.30", "2-away against 3-away: the chance 0.6 and that of the other side don't add up to 1"),
        ("0.32,0.50,0.60", "0.32,0.50", "line 4: 2 chances, but a table of 3 lines needs 3"),
        ("0.5,0.48,0.32", "0.5,0.48", "line 6: 2 chances, but a table of 3 lines needs 3"),
        ("0.5,0.48,0.32", "0.5,0.48,0.53", "post-Crawford: at .* a point won would not be better than a point lost"),
        ("Post-Crawford", "", 'there must be a last line "post-crawford'),
        (THREE_POINTS, "", 'there must be a last line "post-crawford'),
        (THREE_POINTS, "0.5,\n" * 300_000, "no match equity table is larger than 1048576 bytes"),
        (THREE_POINTS, "0.5\n" * 65 + "post-crawford,0.5", "65 lines; a table covers at most 64 points"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_the_place_and_the_reason(tmp_path, old, new, message):
    path = tmp_path / "wrong.csv"
    path.write_text(THREE_POINTS.replace(old, new))
    with pytest.raises(InvalidTable, match=message):
        load_table(path)


def test_an_extended_table_keeps_what_it_has_and_goes_on_in_order(kazaross):
    longer = kazaross.extended(LONGEST)
    assert longer.length == LONGEST and kazaross.extended(25) is kazaross
    np.testing.assert_array_equal(longer.mwc[:, :26, :26], kazaross.mwc)
    chances = longer.mwc[:, 1:, 1:]
    np.testing.assert_allclose(chances + chances.transpose(0, 2, 1), 1.0, atol=1e-12)
    assert (np.diff(chances, axis=1) < 0).all() and (np.diff(chances, axis=2) > 0).all()
    # At the seam: a step along an edge of the table is no larger than the one before it.
    for away in range(2, 26):
        steps = np.diff(longer.mwc[0, away, 24:29])
        assert (steps[1:] < 1.1 * steps[:-1]).all()


def test_a_match_longer_than_any_table_is_refused(kazaross):
    with pytest.raises(InvalidTable, match="a match to 65 points; match equity tables reach up to 64"):
        kazaross.extended(65)


def test_a_computed_table_comes_near_kazaross_xg2(kazaross):
    differences = np.abs(computed_table(SENSIBLE_GAME, 25).mwc - kazaross.mwc)[:, 1:, 1:]
    assert differences.max() < 0.0125  # the largest: post-Crawford 2-away, where the free drop is worth 0.012
    assert differences[0].mean() < 0.0011


def test_a_computed_table_without_gammons_and_cube_is_a_random_walk(monkeypatch):
    """At efficiency 0 and with no gammons each game before Crawford is worth one point, won by either side alike."""
    monkeypatch.setattr(met, "WHOLE_GAME_EFFICIENCY", 0.0)
    mwc = computed_table(np.array([0.6, 0, 0, 0.4, 0, 0]), 5).mwc
    for i in range(2, 6):
        for j in range(2, 6):
            assert mwc[0, i, j] == pytest.approx((mwc[0, i - 1, j] + mwc[0, i, j - 1]) / 2)


def test_R39_the_crawford_game_leads_to_post_crawford(kazaross):
    before, post = kazaross.mwc
    # 1-away against 4-away, Crawford: no cube, and losing a game, gammon, backgammon leaves 3-, 2-, 1-away.
    crawford = game_ends(post, 1, 4, 1, 1)
    np.testing.assert_allclose(crawford, [[1, 1, 1, post[1, 3], post[1, 2], 0.5]])
    # 2-away against 4-away: winning leads to the Crawford game.
    assert game_ends(before, 2, 4, 1, 3)[0, 0] == before[1, 4]


def test_R38_surplus_points_do_not_count(kazaross):
    ends = game_ends(kazaross.mwc[0], 2, 4, 2, 2)
    np.testing.assert_allclose(ends, [[1, 1, 1, kazaross.mwc[0, 2, 2], 0, 0], [1, 1, 1, 0, 0, 0]])


def test_the_shipped_table_is_valid():
    assert load_table(KAZAROSS_XG2).length == 25
