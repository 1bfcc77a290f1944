"""Where files lie, and how one is written whole.

Those that travel with the package lie beside it in a checkout, and inside it once it is installed.
"""

import contextlib
import errno
import os
import stat
import tempfile
import threading
from hashlib import sha256
from pathlib import Path

_PART = ".part"  # ends the names of files that aren't whole yet
PACKAGE = Path(__file__).resolve().parent
MOST_BYTES = 64 * 2**20  # of what is kept as text


class Unreadable(ValueError):
    """What is no regular file, or a larger one than any of ours; the message says which, but not where."""


def config_dir() -> Path:
    """The folder of the Hydra configuration."""
    return _folder("configs")


def data_file(name: str) -> Path:
    """A table or other file of `bgai/data/`, by its name."""
    return PACKAGE / "data" / name


def checkpoint(name: str | Path = "default") -> Path:
    """The file of a trained player: one that ships with bgai, by its name, or any other by its path.

    Raises FileNotFoundError, listing the players that ship, when there is no such file.
    """
    shipped = {path.stem: path for path in sorted(_folder("checkpoints").glob("*.safetensors"))}
    path = shipped.get(str(name), Path(name))
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no checkpoint {str(name)!r}: give the path of a .safetensors file, or a player that ships "
            f"({', '.join(shipped) or 'none in this installation'})"
        )
    return path


def fingerprint(path: Path) -> str:
    """SHA-256 of what the file contains, in hexadecimal digits. Raises OSError."""
    return sha256(path.read_bytes()).hexdigest()


def cache_dir() -> Path:
    """The folder for files that can be made again: $BGAI_CACHE, else `bgai` in $XDG_CACHE_HOME or ~/.cache."""
    if own := os.environ.get("BGAI_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bgai"


def read_whole(path: Path, most: int = MOST_BYTES) -> bytes:
    """What the file contains, of at most `most` bytes. Raises Unreadable, OSError."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Unreadable("it is no regular file")
        data = file.read(most + 1)
    if len(data) > most:
        raise Unreadable(f"it has more than {most} bytes")
    return data


def _without_waiting(path: str, flags: int) -> int:
    """Opens a pipe, too, that nobody writes to."""
    return os.open(path, flags | os.O_NONBLOCK)


def check_target(path: Path) -> None:
    """Raise OSError now, rather than after hours of work, if no file can be written there: into a folder that is there
    already, so that a misspelt one isn't made."""
    path = Path(path)
    _check_regular(path)
    try:
        tempfile.TemporaryFile(dir=path.parent).close()  # asked of the disk: permissions alone don't tell
    except OSError as error:
        why = f"no file goes there: {error.strerror}" if path.parent.is_dir() else f"there is no folder {path.parent}"
        raise OSError(error.errno, why, str(path)) from None


def _check_regular(path: Path) -> None:
    """Raise OSError where another file would take the place of a folder, a device or a pipe."""
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "it is there already, and no regular file: name another one", str(path))


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a crash at any instant leaves either the old file or the new one.

    Others may be writing the same file: one of them wins. Raises OSError, also where no regular file would be replaced.
    """
    path = Path(path)
    _check_regular(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_native_id()}{_PART}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)  # so that the rename survives a power cut too
    finally:
        os.close(directory)


def sweep(folder: Path) -> None:
    """Remove what killed processes have left half written in a folder and below, where no other one is writing now."""
    for left in Path(folder).rglob(f".*{_PART}"):
        left.unlink()


def _folder(name: str) -> Path:
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name
