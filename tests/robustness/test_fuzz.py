"""Rubbish for every parser: 20,000 inputs, most of them real ones with something changed (`scripts/fuzz.py`)."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "scripts"))  # its files import each other

from fuzz import run
from fuzz_parsers import NAMES

INPUTS = 20_000


@pytest.fixture(scope="module")
def results():
    return {result.parser: result for result in run([], INPUTS, seed=1)}


def test_so_many_inputs(results):
    assert sum(result.inputs for result in results.values()) >= INPUTS


@pytest.mark.parametrize("name", NAMES)
def test_only_documented_refusals_in_time_and_within_the_folder(results, name):
    result = results[name]
    assert not result.faults, "\n".join(result.faults.values())
    assert result.accepted > 0 and (result.inputs > result.accepted or name in ANSWER_ALWAYS)


ANSWER_ALWAYS = ("gnubg-server", "ubgi", "http", "play-entry", "chouette-entry", "judged-game")
