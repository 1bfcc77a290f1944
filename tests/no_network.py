"""A pytest plugin: whatever the tests run, every command among it, may talk to this machine only.

Names are not looked up and no other address is called, whoever asks: the interpreter itself reports each attempt.
"""

import ipaddress
import sys


class NetworkAccess(BaseException):
    """An attempt to reach another machine: no part of the program may catch it."""


def is_here(host: str | bytes | None) -> bool:
    """A name or address of this machine."""
    host = host.decode() if isinstance(host, bytes) else host
    if host in (None, "", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _refuse(event: str, args: tuple) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.bind"):
        address = args[1]  # of a Unix socket it is a path
        if isinstance(address, tuple) and not is_here(address[0]):
            raise NetworkAccess(f"{event} {address}")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not is_here(args[0]):
        raise NetworkAccess(f"{event} {args[0]}")


sys.addaudithook(_refuse)
