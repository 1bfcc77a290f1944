"""`bgai bearoff build`: the tables in a file, and where it is."""

import errno
import os
from pathlib import Path

import pytest

from bgai.evaluator import bearoff, bearoff_store


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """An empty cache folder, and the numbers of the tables that exist already instead of a new computation."""
    real = bearoff.tables()
    monkeypatch.setattr(bearoff.onesided, "build", lambda _: (real.all_off, real.first_off))
    monkeypatch.setattr(bearoff.twosided, "build", lambda _: real.two_sided)
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path / "cache"))


def test_it_keeps_the_tables_and_says_where(bgai):
    said = bgai("bearoff", "build")
    assert said.code == 0 and said.out.startswith(f"{bearoff.path()}: ") and said.err == ""
    kept = bearoff_store.load(Path(said.out.rsplit(": ", 1)[0]), bearoff.LAYOUT)
    assert (kept["two_sided"] == bearoff.tables().two_sided).all()


def test_a_damaged_file_is_replaced(bgai):
    bearoff.path().parent.mkdir()
    bearoff.path().write_bytes(b"damaged")
    assert bgai("bearoff", "build").code == 0
    assert bearoff_store.load(bearoff.path(), bearoff.LAYOUT).keys() == bearoff.LAYOUT.keys()


def test_where_the_file_cannot_be_written_the_command_fails_with_the_reason(bgai, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    said = bgai("bearoff", "build")
    assert said.code == 2 and "No space left" in said.err and said.out == ""


def test_another_word_is_refused(bgai):
    said = bgai("bearoff", "burn")
    assert said.code == 2 and "give build" in said.err
