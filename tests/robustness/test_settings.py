"""What a recipe may ask for: nothing that no machine has, and no value that leads nowhere."""

import gc
import time

import pytest

from bgai.train.compose import composed
from bgai.train.config import BadConfig

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


@pytest.mark.parametrize(
    "value",
    ["${a}", "${nothing:1}", "${oc.env:NO_SUCH_VARIABLE}", "${.games.more}", "${stages}"],
)
@pytest.mark.parametrize("setting", ["run", "seed", "stages.0.name"])
def test_a_value_that_refers_to_one_that_is_not_there(setting, value):
    assert setting in refusal(f"{setting}='{value}'")
