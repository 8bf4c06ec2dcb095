"""Two robots side by side in one system, as tf2 and other nodes of ROS 2 see them."""

import json
import math
from pathlib import Path

import pytest
from patience import GENEROUS
from ros2_commands import SPIN_TIME, Running, needs, ros2, start

LAUNCH = Path(__file__).parents[2] / "launch" / "two_dreamers.launch.py"
LIST = ("--no-daemon", "--spin-time", SPIN_TIME)
SIDES = ("left", "right")
WRIST = "right_wrist_yaw_link"
APART = 1.5  # [m] along y
SAGS = 0.03  # [m] at most, by who is held up
POINT = "geometry_msgs/msg/Point"

pytestmark = [
    pytest.mark.timeout(900),
    needs("controlit", "robot_state_publisher", "tf2_ros", "tf2_ros_py"),
]


@pytest.fixture(scope="module", params=["dds", "rclpy"])
def pair(request):
    """Two Dreamers of our launch file, in control."""
    with Running("launch", str(LAUNCH), f"transport:={request.param}") as running:
        running.wait_for("(?s)control is active.*control is active")
        yield running
        assert running.interrupt() == 0, running.text


def learned(target, source):
    """Return what a node with tf2's buffer finds over a second."""
    output, _ = start("transforms.py", target, source).communicate(timeout=GENEROUS)
    return json.loads(output)


def ancestry(frame, parents):
    """Return the frames from one up to the root of its tree."""
    frames = [frame]
    while frames[-1] in parents:
        frames.append(parents[frames[-1]])
    return frames


def where(side):
    """Return where a robot's hand is in its own world [m]."""
    topic = f"/{side}/RightHandPosition/actual_position"
    words = ros2("topic", "echo", "--once", "--csv", topic, POINT)
    return [float(word) for word in words.strip().splitlines()[-1].split(",")]


def test_each_has_one_tree_and_a_transform_is_found_across(pair):
    found = learned(f"left/{WRIST}", f"right/{WRIST}")
    assert found["missed"] == 0
    assert found["found"] >= 50
    parents = found["parents"]
    own = {side: {name for name in parents if name.startswith(f"{side}/")} for side in SIDES}
    assert len(own["left"]) == len(own["right"]) > 10
    assert set(parents) == own["left"] | own["right"]
    for side in SIDES:
        for frame in own[side]:
            *way, world, root = ancestry(frame, parents)
            assert (world, root) == (f"{side}/world", "world")
            assert set(way) <= own[side]
    # both stand in one pose
    assert math.hypot(*found["translation"]) == pytest.approx(APART, abs=2 * SAGS)


def test_names_of_nodes_and_topics_are_told_apart(pair, eventually):
    for side in SIDES:
        nodes = eventually(f"(?m)^/{side}/servo$", "node", "list", *LIST)
        assert f"/{side}/robot_state_publisher" in nodes
        eventually(f"/{side}/RightHandPosition/goal_position", "topic", "list", *LIST)


def test_neither_hears_the_goals_of_the_other(pair, poll):
    before = where("right")
    goal = [before[0], before[1], before[2] + 0.1]
    words = "{{x: {}, y: {}, z: {}}}".format(*goal)
    ros2("topic", "pub", "--once", "-w", "1", "/left/RightHandPosition/goal_position", POINT, words)
    poll(lambda: math.dist(where("left"), goal) < SAGS)
    assert math.dist(where("right"), before) < SAGS
