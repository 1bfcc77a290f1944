"""The file of the tables: whole or not at all, checked when read, and never in the way of an answer."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bgai.evaluator import bearoff
from bgai.evaluator import bearoff_store as store

ARRAYS = {
    "some": np.arange(600, dtype=np.float32).reshape(20, 30),
    "more": np.linspace(0, 1, 7, dtype=np.float32),
}
LAYOUT = {name: array.shape for name, array in ARRAYS.items()}


def refuse(code):
    def refused(*_, **__):
        raise OSError(code, os.strerror(code))

    return refused


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "folder" / "small.tables"
    store.save(path, ARRAYS)
    return path


def test_what_is_saved_is_loaded_read_only(saved):
    loaded = store.load(saved, LAYOUT)
    assert loaded.keys() == ARRAYS.keys()
    for name, array in loaded.items():
        assert (array == ARRAYS[name]).all() and not array.flags.writeable


@pytest.mark.parametrize("byte", [0, 100, store.HEADER - 1, store.HEADER, store.HEADER + 1001, -1])
def test_one_changed_byte_is_damage(saved, byte):
    contents = bytearray(saved.read_bytes())
    contents[byte] ^= 1
    saved.write_bytes(contents)
    with pytest.raises(store.DamagedFile, match=r"small\.tables"):
        store.load(saved, LAYOUT)


@pytest.mark.parametrize("length", [0, 1, store.HEADER - 1, store.HEADER, store.HEADER + 2400, -1])
def test_a_truncated_file_is_damage(saved, length):
    saved.write_bytes(saved.read_bytes()[:length])
    with pytest.raises(store.DamagedFile):
        store.load(saved, LAYOUT)


def test_a_longer_file_or_another_layout_is_damage(saved):
    with pytest.raises(store.DamagedFile):
        store.load(saved, {"some": (30, 20), "more": (7,)})
    with saved.open("ab") as file:
        file.write(bytes(4))
    with pytest.raises(store.DamagedFile):
        store.load(saved, LAYOUT)


def test_writers_at_the_same_time_never_show_a_mixture(saved):
    def write(value):
        for _ in range(20):
            store.save(saved, {name: np.full_like(array, value) for name, array in ARRAYS.items()})

    with ThreadPoolExecutor(2) as pool:
        writing = [pool.submit(write, value) for value in (1, 2)]
        while not all(job.done() for job in writing):
            store.load(saved, LAYOUT)
    assert [job.result() for job in writing] == [None, None]
    assert len({float(value) for array in store.load(saved, LAYOUT).values() for value in array.flat}) == 1
    assert os.listdir(saved.parent) == [saved.name]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(saved, monkeypatch):
    monkeypatch.setattr(os, "fsync", refuse(errno.ENOSPC))
    with pytest.raises(OSError, match="No space"):
        store.save(saved, {name: array + 1 for name, array in ARRAYS.items()})
    assert os.listdir(saved.parent) == [saved.name]
    assert store.load(saved, LAYOUT)["more"][-1] == 1


@pytest.fixture
def quick_build(monkeypatch, tmp_path):
    """An empty cache folder, and a build that takes the numbers from the tables that exist already; counts builds."""
    real, builds = bearoff.tables(), []
    monkeypatch.setattr(bearoff.onesided, "build", lambda _: builds.append(1) or (real.all_off, real.first_off))
    monkeypatch.setattr(bearoff.twosided, "build", lambda _: real.two_sided)
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path / "cache"))
    return builds


fresh_tables = bearoff.tables.__wrapped__  # as a new process gets them


@pytest.mark.filterwarnings("error::UserWarning")
def test_tables_are_built_once_and_then_mapped(quick_build):
    built, mapped = fresh_tables(), fresh_tables()
    assert len(quick_build) == 1 and bearoff.path().is_file()
    for one, other in zip(built, mapped, strict=True):
        assert (one == other).all() and not one.flags.writeable and not other.flags.writeable


def cut(contents):
    return contents[:-1]


def empty(contents):
    return b""


def flip_last_byte(contents):
    return contents[:-1] + bytes([contents[-1] ^ 1])


@pytest.mark.parametrize("damage", [cut, empty, flip_last_byte])
def test_a_damaged_table_file_is_rebuilt_with_a_message(quick_build, damage):
    fresh_tables()
    bearoff.path().write_bytes(damage(bearoff.path().read_bytes()))
    with pytest.warns(UserWarning, match="built again"):
        rebuilt = fresh_tables()
    assert len(quick_build) == 2
    assert (fresh_tables().two_sided == rebuilt.two_sided).all() and len(quick_build) == 2


@pytest.mark.parametrize(("call", "code"), [("mkdir", errno.EACCES), ("replace", errno.EROFS), ("fsync", errno.ENOSPC)])
def test_without_a_place_to_write_the_tables_serve_from_memory_with_a_message(quick_build, monkeypatch, call, code):
    monkeypatch.setattr(os, call, refuse(code))
    with pytest.warns(UserWarning, match=f"can't be kept.*{os.strerror(code)}"):
        tables = fresh_tables()
    assert (tables.all_off == bearoff.tables().all_off).all()


def test_a_real_build_gives_the_same_tables_and_tells_its_progress(monkeypatch, tmp_path):
    monkeypatch.setenv("BGAI_CACHE", str(tmp_path))
    told = []
    built = bearoff.build(told.append)
    assert told == sorted(told) and told[-1] == 1 and len(told) > 20
    for one, other in zip(built, bearoff.tables(), strict=True):
        assert (one == other).all()
