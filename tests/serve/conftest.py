"""One HTTP server for all tests that don't change its limits."""

import pytest


@pytest.fixture(scope="session")
def http():
    from http_server import running

    with running() as server:
        yield server
