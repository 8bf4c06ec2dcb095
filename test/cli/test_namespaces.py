"""Two controllers of one file in namespaces that a launch file pushed: nothing is shared."""

import json
import signal

import pytest
from console_processes import poll
from patience import GENEROUS

from controlit_ros.transport import open_transport

pytestmark = [pytest.mark.processes, pytest.mark.commands]

JOINT = "right_elbow"
RULES = {"robot1": (), "robot2": ("-r", "__node:=arm")}


@pytest.fixture
def here(here, monkeypatch):
    """Commands over the transport of the controllers, also where ROS 2 is sourced."""
    monkeypatch.setenv("CONTROLIT_TRANSPORT", "dds")
    return here


@pytest.fixture
def pair(shell, controllers):
    started = {
        name: shell.start(
            "run", controllers / "hand.yaml", "--transport", "dds", "--quiet",
            "--set", "robot_interface.publish_clock=true",
            "--ros-args", "-r", f"__ns:=/{name}", *rules,
        )
        for name, rules in RULES.items()
    }  # fmt: skip
    for running in started.values():
        running.wait_for_log("control is active")
    return started


def test_everything_is_below_the_pushed_namespace(here, pair):
    nodes = {
        *("/robot1/cli_test/servo", "/robot1/cli_test/simulator"),
        *("/robot2/cli_test/arm", "/robot2/cli_test/simulator"),
    }
    poll(lambda: set(here.json("node", "list")) == nodes)

    def shared():
        """Return the topics that are in no namespace of a robot."""
        names = {row["name"] for row in here.json("topic", "list")}
        below = tuple(f"/{name}/cli_test/" for name in pair)
        return {name for name in names if not name.startswith(below)}

    absolute = {"/clock", "/diagnostics", "/parameter_events", "/tf_static", "/rosout"}
    poll(lambda: shared() and shared() <= absolute)

    message = json.dumps({"name": [JOINT], "position": [0.5]})
    topic = "/robot2/cli_test/Posture/goal_position"
    out, _ = here.run("topic", "pub", topic, "sensor_msgs/msg/JointState", message)
    assert out.startswith(f"sent to 1 subscriber of {topic}")

    def goals(name):
        words = ("param", "get", "Posture.goal_position", "--controller", f"{name}/cli_test")
        return here.json(*words)["value"]

    poll(lambda: 0.5 in goals("robot2"))
    assert 0.5 not in goals("robot1")
    told = set()
    with open_transport("listener", name="dds") as network:
        array = "diagnostic_msgs/msg/DiagnosticArray"
        network.subscribe("/diagnostics", array, lambda a: told.update(s.name for s in a.status))
        wanted = {f"{name}/cli_test" for name in pair}
        poll(lambda: {name.partition(":")[0] for name in told} == wanted)
    for running in pair.values():
        assert running.end(signal.SIGINT, GENEROUS)[0] == 0
