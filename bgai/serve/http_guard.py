"""The door: who may ask, how much may be sent, and how long anything may take.

- Questions come from programs and from our own page only. A foreign page's requests carry its Origin, or the foreign
  name under which it has reached this machine (DNS rebinding) as Host.
- A body is taken in whole, within a size and a time, before anybody looks at it.
- When the client has gone or the time is up, the answering stops where it is.
"""

import asyncio
import ipaddress
import json
from collections.abc import Callable, Coroutine
from typing import Any

from bgai.serve import http_limits as limits

HEADERS = {
    b"content-security-policy": b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}

Receive = Callable[[], Coroutine[Any, Any, dict]]
Send = Callable[[dict], Coroutine[Any, Any, None]]


class Refused(Exception):
    """A request that is turned away at the door: HTTP status, and why."""

    def __init__(self, status: int, why: str):
        super().__init__(why)
        self.status = status


class Guard:
    """ASGI middleware around `app`, which is listening as `host`."""

    def __init__(self, app: Callable, host: str):
        self.app, self.host = app, host

    async def __call__(self, scope: dict, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(send)
        try:
            self._check_origin(scope)
            await self._answered(scope, await _body(receive), receive, answer)
        except Refused as refused:
            if not answer.begun:  # else there is nothing left to say; the connection is closed
                await answer.refuse(refused)

    def _check_origin(self, scope: dict) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if not _is_address(name := _without_port(host).lower()) and name not in ("localhost", self.host.lower()):
            raise Refused(403, f"Host {host[:60]!r}: call this server by its address or as localhost")
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1") != f"http://{host}":
            raise Refused(403, "questions from other sites' pages aren't answered")
        if scope["method"] == "POST" and _media_type(headers) != b"application/json":
            raise Refused(415, "a question is JSON: send it as Content-Type: application/json")

    async def _answered(self, scope: dict, body: bytes, receive: Receive, answer: "_Answer") -> None:
        """Lets `app` answer, as long as the client is there and there is time."""
        answering = asyncio.create_task(self.app(scope, _replay(body), answer.send))
        leaving = asyncio.create_task(receive())
        try:
            tasks = {answering, leaving}
            await asyncio.wait(tasks, timeout=limits.ANSWER_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                await answering
            elif not leaving.done():
                raise Refused(504, f"no answer within {limits.ANSWER_SECONDS} seconds: ask for less, or later again")
        finally:
            answering.cancel()
            leaving.cancel()
            await asyncio.wait({answering, leaving})  # its question must be out of the queue before the refusal is sent


class _Answer:
    """Passes an answer on, with the headers of every answer, and knows whether it has begun."""

    def __init__(self, send: Send):
        self._send, self.begun = send, False

    async def send(self, message: dict) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message = message | {"headers": [*message["headers"], *HEADERS.items()]}
        await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        body = json.dumps({"error": str(refused)}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if refused.status in (408, 413):  # what is left of the request isn't read
            headers.append((b"connection", b"close"))
        await self.send({"type": "http.response.start", "status": refused.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


async def _body(receive: Receive) -> bytes:
    """The whole body. Raises Refused if it is too large or too slow."""
    body, more = b"", True
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            while more and len(body) <= limits.BODY_BYTES:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "the client has gone")
                body, more = body + message["body"], message["more_body"]
    except TimeoutError:
        raise Refused(408, f"the body must be here within {limits.BODY_SECONDS} seconds") from None
    if len(body) > limits.BODY_BYTES:
        raise Refused(413, f"the body must not have more than {limits.BODY_BYTES} bytes")
    return body


def _replay(body: bytes) -> Receive:
    """`receive` of a request that has come whole."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict:
        if not messages:
            await asyncio.Event().wait()  # whether the client is still there is the guard's to see
        return messages.pop()

    return receive


def _media_type(headers: dict[bytes, bytes]) -> bytes:
    """What is sent, without its parameters; capital letters and blanks mean nothing (RFC 9110, 8.3.1)."""
    return headers.get(b"content-type", b"").split(b";")[0].strip().lower()


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
