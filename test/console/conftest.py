"""A controller that comes and goes, and what is served of it, for tests of pages."""

import pytest
from served_console import LivingServo, ServedConsole


@pytest.fixture
def living(hands_yaml, request, monkeypatch):
    living = LivingServo(hands_yaml, request.node.nodeid, monkeypatch)
    yield living
    living.end()


@pytest.fixture
def console(living, network, poll):
    served = ServedConsole(network, poll)
    yield served
    served.close()
