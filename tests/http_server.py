"""A server of our own in this process, and plain requests to it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import NamedTuple

from bgai.serve.http_server import make_server
from bgai.serve.listening import listen


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]  # by lower-case name
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)


class Running(NamedTuple):
    port: int

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Reply:
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        reply = line.getresponse()
        told = {name.lower(): value for name, value in reply.getheaders()}
        answer = Reply(reply.status, told, reply.read())
        line.close()
        return answer

    def get(self, path: str, **headers: str) -> Reply:
        return self.request("GET", path, **headers)

    def ask(self, path: str, **question) -> Reply:
        return self.request("POST", path, json.dumps(question).encode(), Content_Type="application/json")


@contextmanager
def running(checkpoint: str = "default") -> Iterator[Running]:
    """A server that is stopped again in the end."""
    ready = threading.Event()
    with listen("127.0.0.1", 0) as listening:
        server = make_server("127.0.0.1", str(checkpoint), ready.set)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        assert ready.wait(60)
        yield Running(listening.getsockname()[1])
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()
