"""How decisions and rolls add up, with numbers made up by hand."""

import pytest

from bgai.analysis.decisions import Decision, JudgedGame, Option, Roll, mark
from bgai.analysis.summary import JudgedMatch, curve, match_result, summarise, totals
from bgai.notation.reading import read_match


def decision(player: int, kind: str, done: str, loss: float, counts: bool = True, swing: float = 0.1) -> Decision:
    options = (Option("the best", 0.5, 0), Option(done, 0.5 - loss, 0))
    return Decision(0, player, kind, options, 1 if loss else 0, counts, swing)


def match(length: int, *results: str):
    """Games of one roll each that end as the files say."""
    text = f" {length} point match\n"
    score = [0, 0]
    for number, result in enumerate(results, start=1):
        text += f" Game {number}\n A : {score[0]}                   B : {score[1]}\n  1) 31: 8/5 6/5\n{result}\n"
        score[len(result) - len(result.lstrip()) > 20] += int(result.split()[1])
    return read_match(text)


A_WINS_2, B_WINS_1 = "      Wins 2 points", " " * 30 + "Wins 1 point"


def test_marks_begin_at_their_thresholds():
    assert [mark(loss)[0] for loss in (0.0199, 0.02, 0.0799, 0.08, 0.1599, 0.16)] == ["", "?", "?", "??", "??", "???"]
    assert [mark(loss)[1] for loss in (0.03, 0.1, 0.2)] == ["doubtful", "bad", "very bad"]


def test_errors_by_kind_and_performance_rating():
    judged = JudgedGame(
        (
            decision(0, "play", "24/23", 0.04),
            decision(0, "play", "the best", 0.0),
            decision(0, "double", "no double", 0.1),
            decision(0, "double", "double/take", 0.02),
            decision(0, "answer", "take", 0.2),
            decision(0, "answer", "pass", 0.04),
            decision(0, "double", "no double", 0.0, counts=False),
            decision(1, "answer", "beaver", 0.3),
        ),
        (),
    )
    player, other = summarise(JudgedMatch(match(0, A_WINS_2), (judged,)))
    assert player.counted == 6
    assert player.performance_rating == pytest.approx(500 * 0.4 / 6)
    assert player.swing_loss == pytest.approx(0.04)
    errors = {"plays": 1, "missed doubles": 1, "wrong doubles": 1, "wrong takes": 1, "wrong passes": 1}
    assert dict(player.errors) == errors
    assert dict(player.marks) == {"?": 3, "??": 1, "???": 1}
    assert dict(other.errors) == {"wrong takes": 1}


def test_luck_adjusted_result_takes_both_players_luck_out():
    rolls = (Roll(0, 0, 0.5, 0.2, 0.5), Roll(1, 1, -0.5, 0.4, 0.6))
    won = JudgedMatch(match(2, A_WINS_2), (JudgedGame((), rolls),))
    winner, loser = summarise(won)
    assert (winner.result, loser.result) == (1.0, 0.0)
    assert winner.adjusted == pytest.approx(1 - (0.1 + 0.2))
    assert loser.adjusted == pytest.approx(0 + 0.3)
    assert [point.value for point in curve(won)] == [0.5, 0.6]


def test_results_of_matches_sessions_and_what_was_broken_off():
    assert match_result(match(2, A_WINS_2)) == 1
    assert match_result(match(1, B_WINS_1)) == 0
    assert match_result(match(7, A_WINS_2, B_WINS_1)) is None
    assert match_result(match(0, A_WINS_2, B_WINS_1)) == 1


def test_in_a_money_session_the_curve_goes_on_from_the_points_so_far():
    judged = JudgedGame((), (Roll(0, 0, 0.0, 1.0, 0.25),))
    session = JudgedMatch(match(0, A_WINS_2, B_WINS_1), (judged, judged))
    assert [(point.game, point.value) for point in curve(session)] == [(0, 0.25), (1, 2.25)]


def test_totals_by_name_over_many_matches():
    judged = JudgedGame((decision(0, "play", "24/23", 0.1), decision(1, "play", "24/23", 0.3)), ())
    one = JudgedMatch(match(2, A_WINS_2), (judged,))
    players = totals([one, one])
    assert list(players) == ["A", "B"]
    assert (players["A"].matches, players["A"].result, players["A"].counted) == (2, 2.0, 2)
    assert players["B"].performance_rating == pytest.approx(150)
