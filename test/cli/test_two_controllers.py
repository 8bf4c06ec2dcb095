"""Two controllers started at the same time in one domain: each is seen whole and can be moved."""

import json

import pytest
from console_processes import CONTROLLERS, poll

pytestmark = pytest.mark.processes

NAMES = ("left", "right")
JOINT = "left_elbow"


@pytest.fixture(scope="module")
def pair(shell, controllers):
    """Two controllers of one file, started at once; asked for nothing until they run."""
    started = {
        name: shell.start(
            "run", controllers / "still.yaml", "--set", f"name={name}", "--transport", "dds"
        )
        for name in NAMES
    }
    for running in started.values():
        running.wait_for_log("control is active")
    return started


@pytest.fixture(scope="module")
def controllers():
    return CONTROLLERS


@pytest.fixture
def here(here, monkeypatch):
    """Commands over the pair's transport, also where ROS 2, which looks further, is sourced."""
    monkeypatch.setenv("CONTROLIT_TRANSPORT", "dds")
    return here


def parts(here, *words):
    """Return what a command lists, as it is named within each controller."""
    listed = [row["name"] for row in here.json(*words)]
    return [
        {name.removeprefix(prefix) for name in listed if name.startswith(prefix)}
        for prefix in (f"/{name}/" for name in NAMES)
    ]


@pytest.mark.usefixtures("pair")
def test_both_are_seen_whole(here):
    # a process that is held up itself cannot tell newcomers that it is there: not at the first look
    poll(lambda: here.json("node", "list") == [f"/{name}/servo" for name in NAMES])

    def are_whole(kind, names):
        left, right = parts(here, kind, "list")
        return left == right and names <= left

    topics = {"Posture/goal_position", "Posture/error_norm", "diagnostics/state", "events"}
    poll(lambda: are_whole("topic", topics))
    poll(lambda: are_whole("service", {"control/setParameter", "diagnostics/getTaskParameters"}))


@pytest.mark.usefixtures("pair")
def test_each_is_moved_by_its_own_goals(here):
    for value, name in enumerate(NAMES, start=1):
        topic, goal = f"/{name}/Posture/goal_position", 0.1 * value
        message = json.dumps({"name": [JOINT], "position": [goal]})
        out, _ = here.run("topic", "pub", topic, "sensor_msgs/msg/JointState", message)
        assert out.startswith(f"sent to 1 subscriber of {topic}")

    def goals():
        words = ("param", "get", "Posture.goal_position", "--controller")
        return [set(here.json(*words, name)["value"]) for name in NAMES]

    poll(lambda: goals() == [{0.0, 0.1}, {0.0, 0.2}])
