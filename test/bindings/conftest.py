"""Transports within the process."""

from contextlib import contextmanager

import pytest

from controlit_ros.transport.local import LocalTransport


@contextmanager
def transports_of(domain):
    """Open local transports in a domain, and close them."""
    opened = []

    def make(name, namespace="/arm"):
        opened.append(LocalTransport(name, namespace, domain=domain))
        return opened[-1]

    yield make
    for transport in opened:
        transport.close()


@pytest.fixture
def local(request):
    """Open local transports in a domain of the test."""
    with transports_of(request.node.nodeid) as make:
        yield make


@pytest.fixture(scope="module")
def local_of_file(request):
    """Open local transports in a domain that the tests of a file share."""
    with transports_of(request.node.nodeid) as make:
        yield make
