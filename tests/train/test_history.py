"""What a run has told, read back from its folder."""

import json
from pathlib import Path

import pytest
from tiny_runs import pip_counter

from bgai.net.checkpoint import save_checkpoint
from bgai.train.history import BadMetrics, Measurement, NoRuns, folders_of_runs, read_run


def test_a_run_that_has_ended(train):
    assert train() == 0
    run = read_run(Path("run"))
    records = [json.loads(line) for line in Path("run/metrics.jsonl").read_text().splitlines()]
    progress = [r for r in records if r["kind"] == "progress"]
    measured = [r for r in records if r["kind"] == "measured"]
    assert (run.stage, run.games, run.opponent) == ("two", progress[-1]["games"], "pubeval")
    assert run.network.hidden == (6,), "the second stage widened it"
    assert run.core_minutes == pytest.approx(sum(r["core_seconds"] for r in progress) / 60) and run.core_minutes > 0
    assert [(m.games, m.points, m.ci95) for m in run.strength] == [
        (r["games"], r["pubeval"], r["pubeval_ci95"]) for r in measured
    ]
    assert all(0 < m.core_minutes <= run.core_minutes for m in run.strength)
    assert 0 <= run.gammons <= 1


def test_hypergammon_is_measured_against_random_play(train):
    assert train("variant=hypergammon") == 0
    run = read_run(Path("run"))
    assert run.opponent == "random" and run.strength


@pytest.fixture
def written(tmp_path):
    """`written(*records, rest="") -> folder` of a run with these records."""

    def write(*records, rest=""):
        save_checkpoint(tmp_path / "last.safetensors", pip_counter(1))
        (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records) + rest)
        return tmp_path

    return write


def progress(games, core_seconds, gammon=0.25, backgammon=0.01):
    figures = {"core_seconds": core_seconds, "gammon": gammon, "backgammon": backgammon}
    return {"kind": "progress", "stage": "td", "games": games, **figures}


def test_minutes_at_a_measurement_lie_between_those_of_the_records_around_it(written):
    measured = {"kind": "measured", "games": 150, "pubeval": 0.1, "pubeval_ci95": [0.0, 0.2]}
    run = read_run(written(progress(100, 60), measured, progress(200, 120)))
    assert run.core_minutes == 3 and run.strength == [Measurement(150, 2.0, 0.1, [0.0, 0.2])] and run.past == []


def test_measurements_against_its_past_are_there_where_they_were_made(written):
    first = {"kind": "measured", "games": 100, "pubeval": 0.1, "pubeval_ci95": [0.0, 0.2]}
    second = first | {"games": 200, "past": 0.05, "past_ci95": [-0.1, 0.2], "past_games": 100}
    run = read_run(written(progress(100, 60), first, progress(200, 60), second))
    assert run.past == [Measurement(200, 2.0, 0.05, [-0.1, 0.2])]


def test_gammons_are_those_of_the_latest_games(written):
    early, late = progress(1000, 1, gammon=0.9), progress(7000, 1, gammon=0.24, backgammon=0.02)
    assert read_run(written(early, late)).gammons == pytest.approx(0.26)
    assert read_run(written(early)).gammons is None


def test_a_line_that_is_being_written_is_left_out(written):
    assert read_run(written(progress(100, 1), rest='{"kind": "progr')).games == 100


@pytest.mark.parametrize(
    "records", [[], [{"games": 5}], [{"kind": "progress", "stage": "td", "games": 5}], [progress("many", 1)], [[]]]
)
def test_records_of_something_else_are_refused(written, records):
    with pytest.raises(BadMetrics, match=r"metrics\.jsonl was not written by this version"):
        read_run(written(*records))


@pytest.mark.parametrize(
    "wrong",
    [{"pubeval": "x"}, {"pubeval": None}, {"pubeval_ci95": "no"}, {"pubeval_ci95": [1]}],
    ids=str,
)
def test_figures_that_are_no_numbers_are_refused(written, wrong):
    measured = {"kind": "measured", "games": 150, "pubeval": 0.1, "pubeval_ci95": [0.0, 0.2]}
    assert read_run(written(progress(100, 60), measured, progress(200, 60))).strength
    with pytest.raises(BadMetrics, match=r"metrics\.jsonl was not written by this version"):
        read_run(written(progress(100, 60), measured | wrong, progress(200, 60)))
    with pytest.raises(BadMetrics, match=r"metrics\.jsonl was not written by this version"):
        read_run(written(progress(100, 60), progress(10**9, 60, gammon="x", backgammon="y")))


def test_runs_are_found_below_a_folder(tmp_path):
    with pytest.raises(NoRuns, match="holds no runs"):
        folders_of_runs(tmp_path)
    for run, text in (("many/1", "{}"), ("many/0", "{}"), ("begun", "")):
        (tmp_path / run).mkdir(parents=True)
        (tmp_path / run / "metrics.jsonl").write_text(text)
    assert folders_of_runs(tmp_path) == [tmp_path / "many" / "0", tmp_path / "many" / "1"]
