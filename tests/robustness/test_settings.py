"""What a recipe may ask for: nothing that no machine has, and no value that leads nowhere."""

import gc
import time

import pytest
import yaml
from omegaconf import OmegaConf

from bgai.train.compose import composed, settled
from bgai.train.config import BadConfig
from bgai.train.folder import old_run
from bgai.train.label_files import BadLabels

LARGEST = {
    "parallel_games": 65_536,
    "turns": 10_000,
    "keep": 10**6,
    "eval_every": 10**12,
    "eval_games": 10**6,
    "seed": 2**63 - 1,
    "threads": 1024,
    "net.hidden": 16_384,
    "stages.0.games": 10**12,
    "stages.0.batch": 16_384,
    "stages.0.reuse": 127,
    "stages.0.replay": 10**7,
    "stages.0.widen": 16_384,
}


def refusal(*words: str) -> str:
    gc.freeze()  # going through what thousands of other tests have left takes a second of its own
    start = time.process_time()
    with pytest.raises(BadConfig) as error:
        composed(["experiment=quick", *words])
    seconds = time.process_time() - start
    gc.unfreeze()
    assert seconds < 1 and "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("name", LARGEST)
def test_a_setting_has_a_largest_value_and_the_refusal_names_it(name):
    composed(["experiment=quick", f"{name}={LARGEST[name]}"])
    assert f" to {LARGEST[name]}" in refusal(f"{name}={LARGEST[name] + 1}")


@pytest.mark.parametrize("words", [["net.hidden=[16384,16384]"], ["net.hidden=[8,16384]", "stages.0.widen=16384"]])
def test_a_network_has_a_largest_number_of_weights(words):
    assert "a network has 33554432 weights at most" in refusal(*words)


def test_a_refusal_shows_the_beginning_of_a_long_value():
    assert len(refusal(f"net.hidden={[1] * 500}")) < 200


STAGES = [f"{{name: s{n}, games: 10}}" for n in range(25)]


def test_a_recipe_has_a_largest_number_of_stages():
    composed([f"stages=[{','.join(STAGES[:24])}]"])
    assert "24 stages at most, not 25" in refusal(f"stages=[{','.join(STAGES)}]")


@pytest.mark.parametrize(
    "settings",
    [
        {"stages": [{} for _ in range(4000)]},
        {"net": {"hidden": [1] * 4000}},
        {"a": {str(n): 0 for n in range(5000)}},
        {"initial": "${variant}" * 9},
        {"initial": "${oc.env:" + "a," * 1000 + "}"},
        {"stages": [{"name": f"${{stages.{n}.name}}" * 2, "games": 1} for n in range(1, 21)]},
    ],
    ids=lambda settings: str(settings)[:40],
)
def test_settings_that_would_take_long_to_read_are_refused_at_once(tmp_path, settings):
    """Both on the way from the command line and in the file of a run that somebody else may have written."""
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(settings))
    from_hydra = OmegaConf.create(settings)
    start = time.process_time()
    with pytest.raises(BadConfig, match=r"at most|more than"), old_run(tmp_path):
        pass
    with pytest.raises(BadConfig, match=r"at most|more than"):
        settled(from_hydra, [])
    assert time.process_time() - start < 1


@pytest.mark.parametrize("folder", ["x" * 300, "x/" * 3000, r"a\0b", "nowhere"])
def test_a_folder_of_labels_that_cannot_be_there(tmp_path, folder):
    (tmp_path / "config.yaml").write_text(f'stages: [{{name: a, games: 1, labels: "{folder}"}}]')
    with pytest.raises(BadLabels, match="labels"), old_run(tmp_path):
        pass


@pytest.mark.parametrize(
    "value",
    ["${a}", "${nothing:1}", "${oc.env:NO_SUCH_VARIABLE}", "${.games.more}", "${stages}"],
)
@pytest.mark.parametrize("setting", ["run", "seed", "stages.0.name"])
def test_a_value_that_refers_to_one_that_is_not_there(setting, value):
    assert setting in refusal(f"{setting}='{value}'")
