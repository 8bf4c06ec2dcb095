"""Controllers on a robot that stands still, reached over the local transport."""

import time
from pathlib import Path

import pytest

from controlit_ros.nodes.controller_stack import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
DEADLINE = 20.0
"""Longest time anything may take on a busy machine [s]."""

FAST = {
    "soft_start_time": 0.0,
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "log_level": "WARN",
}


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
def make_node(request):
    """Make servo nodes in a domain of the test; stop them afterwards."""
    made = []

    def make(**overrides):
        stack = load_stack(STILL, {**FAST, **overrides})
        transport = LocalTransport("servo", "/cli_still", domain=request.node.nodeid)
        node = ServoNode(stack, transport)
        made.append(node)
        return node

    yield make
    for node in made:
        node.stop()


@pytest.fixture
def peer(request):
    """A node that talks to those of the test."""
    with LocalTransport("peer", "/cli_still", domain=request.node.nodeid) as transport:
        yield transport
