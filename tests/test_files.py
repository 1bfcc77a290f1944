import pytest

from bgai.files import cache_dir


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
