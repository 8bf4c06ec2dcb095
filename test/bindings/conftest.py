"""Transports within the process, and waiting."""

import time

import pytest

from controlit_ros.transport.local import LocalTransport

DEADLINE = 20.0
"""Longest time anything may take on a busy machine [s]."""


@pytest.fixture
def poll():
    """Wait until a predicate returns something true, and return that."""

    def wait(predicate, timeout=DEADLINE):
        end = time.monotonic() + timeout
        while not (value := predicate()):
            if time.monotonic() > end:
                pytest.fail(f"nothing happened within {timeout} s")
            time.sleep(0.002)
        return value

    return wait


@pytest.fixture
def local(request):
    """Open local transports in a domain of the test."""
    opened = []

    def make(name, namespace="/arm"):
        opened.append(LocalTransport(name, namespace, domain=request.node.nodeid))
        return opened[-1]

    yield make
    for transport in opened:
        transport.close()
