"""Controllers on a robot that stands still, reached over the local transport."""

from pathlib import Path

import pytest
from patience import GENEROUS, wait_for_servos

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"

FAST = {
    "soft_start_time": 0.0,
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "log_level": "WARN",
    # what a busy machine does to a servo in real time is none of the things tested here
    "pause_limit": 10.0,
    "overrun_limit": 1_000_000,
}


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let nobody give up on a servo because the machine is busy."""
    wait_for_servos(monkeypatch)
    for name in ("ACTIVATION_PATIENCE", "DEACTIVATION_PATIENCE"):
        monkeypatch.setattr(f"controlit_ros.nodes.servo_lifecycle.{name}", GENEROUS)


@pytest.fixture
def fast():
    """Settings of a servo that starts soon and minds no busy machine."""
    return FAST


@pytest.fixture
def make_node(request, tmp_path):
    """Make servo nodes in a domain of the test, which save in its folder; stop them afterwards."""
    made = []

    def make(file=STILL, **overrides):
        stack = load_stack(file, {**FAST, "save_folder": str(tmp_path), **overrides})
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
