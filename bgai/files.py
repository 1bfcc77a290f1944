"""Where the files that travel with the package lie: beside it in a checkout, inside it once it is installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


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


def _folder(name: str) -> Path:
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name
