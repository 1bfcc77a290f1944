"""Questions take turns: one is thought about at a time, a limited number wait, and who comes after is sent away.

The player's kernels use all cores for each question, so two at once would make both slower.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from bgai.serve import http_limits as limits

T = TypeVar("T")


class NoRoom(ValueError):
    """More questions than may wait."""


class Queue:
    """The one thread that thinks, and the places before it."""

    def __init__(self) -> None:
        self.taken = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinking")

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the queue, from a question's first turn to its last. Raises NoRoom."""
        if self.taken >= limits.MOST_QUESTIONS:
            raise NoRoom(f"{self.taken} questions wait already: ask again in {limits.RETRY_SECONDS} seconds")
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1

    async def turn(self, work: Callable[..., T], *arguments: object) -> T:
        """`work(*arguments)` in its turn. If the task is cancelled before that, the work is never begun."""
        return await asyncio.wrap_future(self._thread.submit(work, *arguments))

    async def think(self, work: Callable[..., T], *arguments: object) -> T:
        """The same with a place of its own: for a question that one turn answers."""
        with self.place():
            return await self.turn(work, *arguments)

    def close(self) -> None:
        """Let go of what hasn't begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)
