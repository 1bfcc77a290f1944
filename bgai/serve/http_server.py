"""The server: it listens on a socket of our own (`listening`), to clients that send requests in time."""

import asyncio
import socket
from collections.abc import Callable

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bgai.serve import http_limits as limits
from bgai.serve.http import make_app


def serve(listening: socket.socket, host: str, checkpoint: str, ready: Callable[[], None]) -> None:
    """Answer until Ctrl-C, which raises KeyboardInterrupt. `ready` is called when questions may come."""
    make_server(host, checkpoint, ready).run([listening])


def make_server(host: str, checkpoint: str, ready: Callable[[], None]) -> uvicorn.Server:
    """The server, not yet running."""
    return _Server(
        uvicorn.Config(
            make_app(checkpoint, host),
            http=_Impatient,
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=limits.HEAD_BYTES,
            limit_concurrency=limits.MOST_CONNECTIONS,
            timeout_keep_alive=limits.IDLE_SECONDS,
            timeout_graceful_shutdown=limits.CLOSING_SECONDS,
        ),
        ready,
    )


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]):
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


class _Impatient(H11Protocol):
    """Closes connections on which the head of a request doesn't arrive in time: uvicorn would wait for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE:
            self._wait_for_head()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(limits.HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
