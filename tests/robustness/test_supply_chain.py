"""What bgai rests on: pinned, with hashes, under licences that are known; and no network while it runs."""

import re
import runpy
import socket
from pathlib import Path

import pytest
from no_network import NetworkAccess

CHECKOUT = Path(__file__).parents[2]
lock = runpy.run_path(str(CHECKOUT / "scripts" / "lock.py"))
licences = runpy.run_path(str(CHECKOUT / "scripts" / "licences.py"))
LOCK = (CHECKOUT / "requirements.lock").read_text()


def test_the_lock_has_the_pins_of_the_constraints():
    assert lock["pins"](LOCK) == lock["pins"]((CHECKOUT / "constraints.txt").read_text())


def test_every_line_of_the_lock_has_hashes_and_no_address():
    assert all(re.search(r"==\S+.* --hash=sha256:[0-9a-f]{64}", line) for line in LOCK.splitlines())
    assert "://" not in LOCK


def test_what_bgai_needs_is_pinned():
    """Of the plain installation, and of the extras that `make install` installs."""
    text = (CHECKOUT / "pyproject.toml").read_text()
    needed = re.findall(r'^    "([A-Za-z0-9-]+)[><=]', text, re.MULTILINE)
    assert {"numpy", "torch", "numba"} <= set(needed) <= {name.lower() for name in licences["pinned"]()}


@pytest.mark.parametrize("name", licences["pinned"]())
def test_its_licence_is_permissive_or_there_is_a_note(name):
    try:
        told = licences["licence"](name)
    except licences["PackageNotFoundError"]:
        pytest.skip("not installed")
    assert not licences["doubtful"](name, told), told
    assert f"| {name} |" in (CHECKOUT / "docs" / "licences.md").read_text(), "run scripts/licences.py"


@pytest.mark.parametrize(
    "text", ["GPL-3.0-or-later", "LGPLv2", "MPL-2.0", "GNU General Public License", "", "Proprietary"]
)
def test_what_is_doubtful(text):
    assert licences["doubtful"]("some-package", text)


def test_no_test_reaches_another_machine():
    """The guard under which all commands run in these tests."""
    with pytest.raises(NetworkAccess):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(NetworkAccess):
        socket.getaddrinfo("example.org", 80)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as line:
        line.sendall(b"here")
