"""How many cores whole-batch work uses. Kernels release the GIL, so plain threads over chunks of a batch suffice."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

_count = 0


def set_threads(count: int) -> int:
    """Use `count` cores from now on; 0 means all that this process may run on. Returns what was set before."""
    global _count
    before, _count = _count, count
    return before


def threads() -> int:
    """Cores that whole-batch work uses."""
    return _count or cores()


def cores() -> int:
    """Cores that this process may run on."""
    return len(os.sched_getaffinity(0))


@lru_cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers)


def in_chunks(work: Callable[[int, int], object], n: int, smallest: int) -> list:
    """`[work(start, stop), ...]` over consecutive chunks of `range(n)`, one a core, none under `smallest` rows.

    The chunks don't depend on timing, so neither does any result that is joined in their order.
    """
    chunks = max(1, min(threads(), n // smallest))
    edges = [n * i // chunks for i in range(chunks + 1)]
    if chunks == 1:
        return [work(0, n)]
    return list(_pool(chunks).map(work, edges[:-1], edges[1:]))
