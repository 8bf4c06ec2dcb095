"""A second process of the same name is refused before anything of it is on the network."""

import pytest
from console_processes import CONTROLLERS, poll

from controlit_ros.client.network import connect
from controlit_ros.transport import LATCHED

pytestmark = pytest.mark.processes

STRING = "std_msgs/msg/String"


@pytest.fixture
def network(here, monkeypatch):
    monkeypatch.setenv("CONTROLIT_TRANSPORT", "dds")
    with connect("dds") as opened:
        yield opened


@pytest.fixture(scope="module")
def first(shell):
    running = shell.start("run", CONTROLLERS / "still.yaml", "--transport", "dds")
    running.wait_for_log("control is active")
    return running


def test_second_run_is_refused_and_seen_by_none(shell, first, controllers, network):
    states, publishers = [], set()
    network.subscribe(
        "/cli_still/diagnostics/state", STRING, lambda m: states.append(m.data), LATCHED
    )
    poll(lambda: states == ["active"])
    second = shell.start("run", controllers / "still.yaml", "--transport", "dds")
    while second.process.poll() is None:
        publishers.update(t.publisher_count for t in network.graph().topics)
    assert second.process.returncode == 1
    refusal = f"process {first.process.pid} already runs /cli_still/servo in ROS_DOMAIN_ID"
    assert refusal in second.err[-1]
    assert max(publishers) == 1
    assert states == ["active"]


def test_same_name_is_free_in_another_namespace(shell, first, controllers):
    words = ("--transport", "dds", "--duration", "0.1", "--ros-args", "-r", "__ns:=/left")
    other = shell.start("run", controllers / "still.yaml", *words)
    assert other.process.wait(60) == 0, other.err


def test_second_simulator_of_a_robot_on_topics_is_refused(shell, controllers):
    words = ("simulate", controllers / "hand.yaml", "--interface", "topic", "--transport", "dds")
    running = shell.start(*words)
    running.wait_for_log("simulating")
    second = shell.start(*words)
    assert second.process.wait(60) == 1
    assert f"process {running.process.pid} already runs" in second.err[-1]
