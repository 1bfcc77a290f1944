"""Writes requirements.lock: the pins of constraints.txt with the SHA-256 of every file that the index offers for them.

    pip install uv
    scripts/lock.py

Run it whenever constraints.txt changes; a test compares the two. torch is left out: its builds differ by platform and
index, so `make install` takes it by its pin alone. One line for each package, so that one can be picked out.
"""

import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
WITHOUT_HASH = ("torch",)
OLDEST_PYTHON = "3.11"


def pins(text: str) -> list[str]:
    """The lines name==version of a file of constraints or a lock, without those that have no hash."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE)
    return sorted(f"{name.lower().replace('_', '-')}=={version}" for name, version in found if name not in WITHOUT_HASH)


def main() -> int:
    wanted = pins((CHECKOUT / "constraints.txt").read_text())
    command = ["uv", "pip", "compile", "-", "--quiet", "--no-deps", "--generate-hashes", "--universal", "--no-header"]
    command += ["--no-annotate", "--python-version", OLDEST_PYTHON]
    done = subprocess.run(command, input="\n".join(wanted), capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return 1
    (CHECKOUT / "requirements.lock").write_text(re.sub(r" \\\n +", " ", done.stdout))
    return 0


if __name__ == "__main__":
    sys.exit(main())
