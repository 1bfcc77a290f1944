"""A socket to listen on, for http and GNU Backgammon alike: an address that can't be had is told plainly."""

import os
import socket


class CannotListen(ValueError):
    """The address or port isn't to be had."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on `host`:`port`, 0 being any free port. Raises CannotListen."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise CannotListen(f"can't listen on {address(host, port)}: {why}; give another --port, or --host") from None


def address(host: str, port: int) -> str:
    """How both are written together: those of IPv6 have colons of their own."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
