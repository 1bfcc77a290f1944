"""Writes docs/licences.md: the licences of everything that constraints.txt names, as the installed packages state them.

    scripts/licences.py

A licence that asks for more than its notice to be kept (copyleft), or that can't be told, needs a line in `NOTES` on
why it is all right; without one the test of this page fails.
"""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
PAGE = CHECKOUT / "docs" / "licences.md"
PERMISSIVE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Unlicense|CC0|0BSD|HPND|Zlib|BSL|Public Domain|CNRI)\b", re.I
)
COPYLEFT = re.compile(r"\b(A?GPL|LGPL|MPL|Mozilla|EPL|CDDL|EUPL|General Public)\b", re.I)
NOTES = {
    "hypothesis": "tests only; the MPL's copyleft ends at its own files, and none are shipped",
    "pathspec": "a part of the type checker; the MPL's copyleft ends at its own files, and none are shipped",
}
_HEAD = """# Licences of what bgai rests on

bgai itself is under the Apache License 2.0. It contains no code of others; these packages are installed beside it, as
constraints.txt pins them. Made by `scripts/licences.py` from what each package states.

| package | version | licence | note |
| --- | --- | --- | --- |
"""


def pinned() -> list[str]:
    """Names in constraints.txt."""
    return re.findall(r"^([A-Za-z0-9._-]+)==", (CHECKOUT / "constraints.txt").read_text(), re.MULTILINE)


def licence(name: str) -> str:
    """What the installed package says of its licence, in one line; empty if it says nothing."""
    told = metadata(name)
    if expression := told.get("License-Expression"):
        return expression
    classified = [c.split(" :: ")[-1] for c in told.get_all("Classifier") or [] if c.startswith("License :: ")]
    lines = (told.get("License") or "").strip().splitlines()
    return ", ".join(c for c in classified if c != "OSI Approved") or (lines[0].strip()[:60] if lines else "")


def doubtful(name: str, text: str) -> bool:
    """It isn't known to be permissive, or has copyleft, and no note tells why that is all right."""
    return name.lower() not in NOTES and (bool(COPYLEFT.search(text)) or not PERMISSIVE.search(text))


def page() -> str:
    """The page as it should be. Raises PackageNotFoundError for a package that isn't installed."""
    rows = []
    for name in sorted(pinned(), key=str.lower):
        version = re.sub(r"\+.*", "", metadata(name)["Version"])
        rows.append(f"| {name} | {version} | {licence(name)} | {NOTES.get(name.lower(), '')} |".replace("  ", " "))
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    try:
        PAGE.write_text(page())
    except PackageNotFoundError as missing:
        raise SystemExit(f"{missing} isn't installed: make install, and the extras") from None
