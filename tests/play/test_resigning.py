"""What a resignation is worth, in positions in which the player on roll wins at once or never."""

import pytest
from positions import place

from bgai.game import State, act
from bgai.notation.position import Position
from bgai.play.resigning import answer, worth

DOUBLED = act(State(), "double")
BEAVERS = act(State(beavers=2), "double")
LITTLE, SLIM = (2 * (2 * rolls / 36 - 1) for rolls in (17, 8))  # double, take where so many rolls win


@pytest.mark.parametrize(
    ("points", "state", "expected"),
    [
        ((4, 3), State(), -LITTLE / 2),  # it isn't doubled, and the player on roll has resigned
        ((4, 3), DOUBLED, LITTLE),
        ((6, 4), DOUBLED, SLIM),
        ((2, 1), BEAVERS, 1),  # it is passed
        ((4, 3), BEAVERS, 2 * LITTLE),  # the beaver is accepted
        ((6, 4), BEAVERS, -2),  # the beaver is passed
        ((4, 3), act(BEAVERS, "beaver"), -LITTLE),
        ((6, 4), act(BEAVERS, "beaver"), 1),
    ],
)
def test_R35_playing_on_is_worth_what_the_best_answers_to_the_cube_leave(points, state, expected):
    position = Position(place(dict.fromkeys(points, 1), {24: 1}), act(state, "resign single"))
    assert worth(position, "default", 0) == pytest.approx((1, expected), abs=1e-6)


@pytest.mark.parametrize(("expected", "right"), [(0.9, "accept"), (1, "accept"), (1.004, "accept"), (1.1, "decline")])
def test_R31_it_is_accepted_unless_playing_on_is_worth_more(expected, right):
    assert answer(1, expected) == right
