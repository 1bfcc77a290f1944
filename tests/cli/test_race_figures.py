"""What is counted in a race, in every answer about one: pips; effective pip counts and wastage."""

import pytest

BEAR_OFF = "XGID=------O-----------------a-:0:0:1:{}:0:0:0:0:10"  # 15 checkers on the 6 point against one on the ace
CONTACT = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:0:10"
HALF_HOME = "XGID=------N--A--------------a-:0:0:1:{}:0:0:0:0:10"
ASKING = {"show": ("00", ["--evaluate"]), "cube": ("00", ["--ply", "0"]), "move": ("31", [])}


@pytest.mark.parametrize("command", ASKING)
def test_a_bear_off_shows_effective_pip_counts(bgai, checkpoint, command):
    dice, options = ASKING[command]
    asked = command, BEAR_OFF.format(dice), "--checkpoint", checkpoint, *options
    (answer,) = bgai(*asked, "--json").records
    assert answer["pips"] == [90, 1]
    assert answer["epc"] == pytest.approx([100.175, 49 / 6], abs=2e-3)  # one roll is worth 49/6 pips
    assert answer["wastage"] == pytest.approx([10.175, 49 / 6 - 1], abs=2e-3)
    out = " ".join(bgai(*asked).out.split())
    for figures in ("EPC, own 100.2 (wastage 10.2)", "EPC, opponent's 8.2 (wastage 7.2)"):
        assert out.count(figures) == 1


@pytest.mark.parametrize("command", ASKING)
def test_so_does_a_race_with_a_checker_outside(bgai, checkpoint, command):
    dice, options = ASKING[command]
    asked = command, HALF_HOME.format(dice), "--checkpoint", checkpoint, *options
    (answer,) = bgai(*asked, "--json").records
    assert answer["pips"] == [93, 1] and 102 < answer["epc"][0] < 104
    assert answer["wastage"] == pytest.approx([answer["epc"][0] - 93, 49 / 6 - 1], abs=2e-3)
    assert "EPC, own" in bgai(*asked).out


@pytest.mark.parametrize("command", ASKING)
def test_in_contact_only_the_pips_are_counted(bgai, checkpoint, command):
    dice, options = ASKING[command]
    asked = command, CONTACT.format(dice), "--checkpoint", checkpoint, *options
    (answer,) = bgai(*asked, "--json").records
    assert answer["pips"] == [167, 167] and answer["epc"] is None and answer["wastage"] is None
    assert "EPC" not in bgai(*asked).out
