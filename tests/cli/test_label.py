"""`bgai label`: files of labels that are made once, on any machine."""

import pytest

from bgai.cli.label import _shared
from bgai.net.checkpoint import load_checkpoint
from bgai.threads import set_threads
from bgai.train.label_files import files_in, read_labels


@pytest.fixture
def label(bgai, checkpoint, tmp_path, monkeypatch):
    """`label("1-2", "labels", ...) -> Result`, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    few = ("--games", "4", "--checkpoint", checkpoint, "--kind", "one-ply", "--share", "0.05")
    return lambda seeds, folder="labels", *more: bgai("label", folder, "--seeds", seeds, *few, *more)


def contents(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in files_in(folder)}


def test_two_machines_make_together_what_one_makes_alone(label):
    assert label("1-3", "alone").code == label("1-2", "a").code == label("3", "b").code == 0
    assert contents("alone") == contents("a") | contents("b")
    assert len(contents("alone")) == 3


@pytest.mark.parametrize("kind", ["luck-free", "rollout"])
def test_the_number_of_cores_makes_no_difference(label, kind):
    for cores in (1, 2):
        set_threads(cores)
        turns = ("--truncate", "1") if kind == "rollout" else ()
        assert label("1", f"by {cores}", "--kind", kind, *turns).code == 0
    set_threads(0)
    assert contents("by 1") == contents("by 2")


def test_files_that_are_there_are_left_alone(label, tmp_path):
    assert "seeds 1 to 2 are there" in label("1-2").out
    before = (tmp_path / "labels/2.safetensors").stat().st_mtime_ns
    said = label("1-3").out
    assert "seed 3:" in said and "seed 2:" not in said
    assert (tmp_path / "labels/2.safetensors").stat().st_mtime_ns == before


def test_it_tells_how_many_how_far_off_and_how_fast(label):
    assert "points from the player's own opinion (rms)" in (said := label("5").out)
    assert "labels/s" in said and "0 min left" in said


def test_a_file_tells_how_its_labels_were_made(label):
    label("1", "labels", "--start", "race=1", "--start", "opening=0.5")
    _, made = read_labels(files_in("labels")[0], 15)
    assert (made["kind"], made["games"], made["starts"]) == ("one-ply", 4, {"race": 1.0, "opening": 0.5})
    assert len(made["checkpoint"]) == 64


def test_another_variant(bgai, hypergammon, tmp_path):
    assert bgai("label", tmp_path, "--variant", "hypergammon", "--checkpoint", hypergammon, "--seeds", "1").code == 0
    samples, _ = read_labels(files_in(tmp_path)[0], load_checkpoint(hypergammon).architecture.checkers)
    assert samples.games == 500


REFUSED = {
    "another kind": (["--kind", "three-ply"], "--kind three-ply: give luck-free, one-ply, two-ply, rollout"),
    "no range": (["--seeds", "4-1"], "--seeds 4-1: give a number or a range such as 1-40"),
    "too many": (["--seeds", "1-999999999"], "100000 files at most"),
    "no such start": (["--start", "middle=1"], "--start middle=1: give a kind and its weight"),
    "a weight below 0": (["--start", "race=-1"], "--start race=-1"),
    "no share": (["--share", "nan"], "'--share': nan is no finite number"),
    "no lambda": (["--lambda", "nan"], "'--lambda': nan is no finite number"),
    "no weight": (["--start", "race=0"], "some weight must be above 0"),
    "no lambda in one-ply": (["--lambda", "0.2"], "--lambda does nothing for one-ply labels: leave it out, or give"),
    "no rollout": (["--kind", "luck-free", "--trials", "36"], "--trials does nothing for luck-free labels"),
    "no turns": (
        ["--truncate", "7"],
        "--truncate does nothing for one-ply labels: leave it out, or give --kind rollout",
    ),
    "a start twice": (["--start", "race=1", "--start", "race=2"], "--start race=2: race has a weight already"),
    "another variant": (["--variant", "hypergammon"], "hypergammon"),
}


@pytest.mark.parametrize(("options", "fault"), REFUSED.values(), ids=REFUSED)
def test_a_mistake_is_told_in_one_line(label, options, fault, tmp_path):
    result = label("1", "labels", *options)
    assert result.code == 2 and fault in result.err and result.err.count("\n") == 1
    assert not (tmp_path / "labels").exists()


def test_labels_made_otherwise_are_not_mixed(label):
    label("1")
    for seeds in ("1-2", "2", "2-3"):
        result = label(seeds, "labels", "--share", "0.1")
        assert result.code == 2 and "1.safetensors were made with another --share" in result.err
    assert list(contents("labels")) == ["1.safetensors"]


def test_another_lambda_is_called_as_it_is_given(label):
    label("1", "labels", "--kind", "luck-free", "--lambda", "0.2")
    assert "made with another --lambda" in label("2", "labels", "--kind", "luck-free").err


def test_a_folder_without_a_name_is_refused(label, tmp_path):
    result = label("1", "")
    assert result.code == 2 and "the name of the folder is empty" in result.err and not list(tmp_path.iterdir())


def test_what_a_killed_command_has_left_is_swept_unless_another_is_at_work(label, tmp_path):
    label("1")
    left, below = tmp_path / "labels/.2.safetensors.7.7.part", tmp_path / "labels/run/.2.safetensors.7.7.part"
    below.parent.mkdir()
    for each in (left, below):
        each.touch()
    with _shared(tmp_path / "labels"):
        left.touch()
        assert label("2").code == 0 and left.exists()
    assert label("3").code == 0 and not left.exists() and below.exists()


def test_a_damaged_file_is_told(label, tmp_path):
    label("1")
    path = tmp_path / "labels/1.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    result = label("1-2")
    assert result.code == 2 and "1.safetensors is not a whole safetensors file" in result.err
