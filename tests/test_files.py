import os

import pytest

from bgai.files import Unreadable, cache_dir, check_target, read_whole, write_atomically


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"BGAI_CACHE": "/a", "XDG_CACHE_HOME": "/b"}, "/a"),
        ({"XDG_CACHE_HOME": "/b"}, "/b/bgai"),
        ({"HOME": "/c"}, "/c/.cache/bgai"),
    ],
)
def test_the_cache_folder_follows_the_environment(environment, folder, monkeypatch):
    for name in ("BGAI_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert str(cache_dir()) == folder


def test_a_file_is_read_whole_unless_it_is_larger_than_any_of_ours_or_no_file(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    assert read_whole(tmp_path / "file", 5) == b"12345"
    with pytest.raises(Unreadable, match="more than 4 bytes"):
        read_whole(tmp_path / "file", 4)
    for other in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(Unreadable, match="no regular file"):
            read_whole(other)


def test_only_a_regular_file_is_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder", ""):
        for refused in (check_target, lambda path: write_atomically(path, b"")):
            with pytest.raises(FileExistsError, match="no regular file"):
                refused(tmp_path / name)
    (tmp_path / "file").write_bytes(b"old")
    check_target(tmp_path / "file")
    check_target(tmp_path / "new")
    with pytest.raises(OSError, match="there is no folder"):
        check_target(tmp_path / "nowhere/new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "pipe"]
