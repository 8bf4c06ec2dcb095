"""`ros2 launch` of Dreamer, from its start to Ctrl-C, as a user sees it from a second shell."""

import re
from pathlib import Path

import pytest
from patience import GENEROUS
from ros2_commands import SPIN_TIME, installed, ros2, run
from ruamel.yaml import YAML

LAUNCH = Path(__file__).parents[2] / "launch" / "dreamer.launch.py"
LIST = ("--no-daemon", "--spin-time", SPIN_TIME)
GOAL = (
    "{trajectory: {joint_names: [left_elbow], points: [{positions: [0.6], velocities: [0.0], "
    "accelerations: [0.0], time_from_start: {sec: 1}}]}}"
)


pytestmark = pytest.mark.skipif(
    not installed("controlit"), reason="controlit is not built with colcon or not sourced"
)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("transport", ["dds", "rclpy"])
def test_a_launch_from_start_to_end(transport, launched, eventually):
    name = f"launched_on_{transport}"
    running = launched(LAUNCH, f"transport:={transport}", f"namespace:={name}", "rviz:=false")
    running.wait_for("control is active")
    node = f"/{name}/servo"
    eventually(f"(?m)^{node}$", "node", "list", *LIST)
    output = eventually(f"/{name}/joint_states", "topic", "list", "-t", *LIST)
    assert f"/{name}/RightHandPosition/goal_position [geometry_msgs/msg/Point]" in output
    state = YAML(typ="safe").load_all(
        ros2(
            *("topic", "echo", "--once", "--qos-reliability", "best_effort"),
            *(f"/{name}/joint_states", "sensor_msgs/msg/JointState"),
        )
    )
    assert "right_elbow" in next(state)["name"]
    output = ros2(
        *("service", "call", f"/{name}/diagnostics/getCmdJointIndices"),
        "controlit/srv/GetJointIndices",
    )
    assert "right_elbow" in output
    eventually("successful", "param", "set", node, "RightHandPosition.kp", "70.0", *LIST)
    eventually(r"70\.0", "param", "get", node, "RightHandPosition.kp", *LIST)
    output = ros2(
        *("action", "send_goal", f"/{name}/follow_joint_trajectory"),
        *("control_msgs/action/FollowJointTrajectory", GOAL),
    )
    assert "SUCCEEDED" in output
    assert "successful" in ros2("lifecycle", "set", node, "deactivate")
    assert "inactive" in ros2("lifecycle", "get", node)
    assert running.interrupt() == 0, running.text
    assert len(re.findall("finished cleanly", running.text)) == running.text.count("started with")


@pytest.mark.timeout(600)
def test_transforms_of_the_robot(launched):
    if not installed("robot_state_publisher"):
        pytest.skip("robot_state_publisher is not installed")
    running = launched(LAUNCH, "transport:=dds", "namespace:=with_tf")
    running.wait_for("control is active")
    children: set[str] = set()
    for _ in range(5):  # before it has heard of all joints, robot_state_publisher tells of some
        output = ros2("topic", "echo", "--once", "/tf", "tf2_msgs/msg/TFMessage")
        transforms = next(YAML(typ="safe").load_all(output))["transforms"]
        children |= {transform["child_frame_id"] for transform in transforms}
        if {"right_elbow_link", "left_elbow_link"} <= children:
            break
    assert {"right_elbow_link", "left_elbow_link"} <= children
    output = ros2(
        *("topic", "echo", "--once", "--qos-durability", "transient_local"),
        *("--qos-reliability", "reliable", "/tf_static", "tf2_msgs/msg/TFMessage"),
    )
    assert "frame_id" in output
    assert running.interrupt() == 0, running.text


@pytest.mark.timeout(600)
@pytest.mark.parametrize("transport", ["dds", "rclpy"])
def test_simulated_time(transport, launched):
    name = f"simulated_on_{transport}"
    running = launched(
        LAUNCH, f"transport:={transport}", f"namespace:={name}", "use_sim_time:=true"
    )
    running.wait_for("control is active")
    output = ros2("topic", "echo", "--once", "/clock", "rosgraph_msgs/msg/Clock")
    clock = next(YAML(typ="safe").load_all(output))["clock"]
    output = ros2(
        *("topic", "echo", "--once", "--qos-reliability", "best_effort"),
        *(f"/{name}/joint_states", "sensor_msgs/msg/JointState"),
    )
    stamp = next(YAML(typ="safe").load_all(output))["header"]["stamp"]
    assert 0 <= stamp["sec"] - clock["sec"] < GENEROUS
    assert running.interrupt() == 0, running.text


def test_arguments_are_described():
    done = run("launch", str(LAUNCH), "--show-args")
    assert done.returncode == 0
    for argument in ("config", "robot", "namespace", "transport", "use_sim_time", "rviz"):
        assert f"'{argument}':" in done.stdout
