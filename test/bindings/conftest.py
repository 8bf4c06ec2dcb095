"""Transports within the process."""

import pytest

from controlit_ros.transport.local import LocalTransport


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
