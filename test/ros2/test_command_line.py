"""The command line of ROS 2 against nodes of ours."""

import subprocess

from ros2_commands import ENVIRONMENT, SPIN_TIME, ros2, run
from ruamel.yaml import YAML

from controlit_ros.interfaces import type_hash

LIST = ("--no-daemon", "--spin-time", SPIN_TIME)


class TestTopics:
    def test_list(self, arm, eventually):
        output = eventually(f"{arm.namespace}/joint_states", "topic", "list", "-t", *LIST)
        assert f"{arm.namespace}/joint_states [sensor_msgs/msg/JointState]" in output
        assert f"{arm.namespace}/goal [std_msgs/msg/Float64MultiArray]" in output

    def test_info_has_type_hash_and_node(self, arm, eventually):
        topic = f"{arm.namespace}/joint_states"
        output = eventually("Publisher count: 1", "topic", "info", "-v", topic, *LIST)
        assert "Node name: arm" in output
        assert f"Node namespace: {arm.namespace}" in output
        assert f"Topic type hash: {type_hash('sensor_msgs/msg/JointState')}" in output
        assert "Reliability: BEST_EFFORT" in output

    def test_echo(self, arm):
        output = ros2(
            *("topic", "echo", "--once", "--qos-reliability", "best_effort"),
            *(f"{arm.namespace}/joint_states", "sensor_msgs/msg/JointState"),
        )
        message = next(YAML(typ="safe").load_all(output))
        assert message["name"] == ["a", "b"]
        assert message["position"][0] == 0.5

    def test_echo_of_what_is_latched(self, arm):
        output = ros2(
            *("topic", "echo", "--once", "--qos-durability", "transient_local"),
            *("--qos-reliability", "reliable"),
            *(f"{arm.namespace}/about", "std_msgs/msg/String"),
        )
        assert "kept for those who come late" in output

    def test_publish(self, arm, eventually):
        ros2(
            *("topic", "pub", "--once", "-w", "1", f"{arm.namespace}/goal"),
            *("std_msgs/msg/Float64MultiArray", "{data: [0.5, 0.25]}"),
        )
        output = ros2("topic", "echo", "--once", f"{arm.namespace}/reached", "std_msgs/msg/String")
        assert "[0.5, 0.25]" in output

    def test_hz(self, arm):
        command = ["ros2", "topic", "hz", "--window", "20", f"{arm.namespace}/joint_states"]
        with subprocess.Popen(
            command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
        ) as process:
            line = next(line for line in process.stdout if "average rate" in line)
            process.kill()
        assert 5.0 < float(line.split()[-1]) < 60.0


class TestNodes:
    def test_list(self, arm, eventually):
        eventually(f"(?m)^{arm.node}$", "node", "list", *LIST)

    def test_info(self, arm, eventually):
        output = eventually("AddTwoInts", "node", "info", arm.node, *LIST)
        for expected in (
            f"{arm.namespace}/joint_states: sensor_msgs/msg/JointState",
            f"{arm.namespace}/goal: std_msgs/msg/Float64MultiArray",
            f"{arm.namespace}/add: example_interfaces/srv/AddTwoInts",
            f"{arm.node}/get_parameters: rcl_interfaces/srv/GetParameters",
        ):
            assert expected in output


class TestServices:
    def test_list(self, arm, eventually):
        name = f"{arm.namespace}/add"
        output = eventually(name, "service", "list", "-t", *LIST)
        assert f"{name} [example_interfaces/srv/AddTwoInts]" in output

    def test_call(self, arm):
        output = ros2(
            *("service", "call", f"{arm.namespace}/add", "example_interfaces/srv/AddTwoInts"),
            "{a: 2, b: 40}",
        )
        assert "sum=42" in output


class TestParameters:
    def test_list(self, arm, eventually):
        output = eventually("hand.kp", "param", "list", arm.node, *LIST)
        assert output.split() == ["hand.goal", "hand.kp"]  # outputs have topics

    def test_get_and_set(self, arm, eventually):
        output = eventually("successful", "param", "set", arm.node, "hand.kp", "75.0", *LIST)
        assert "successful" in output
        eventually("75.0", "param", "get", arm.node, "hand.kp", *LIST)

    def test_refused_with_the_reason(self, arm):
        output = said("param", "set", arm.node, "hand.kp", "-1.0", *LIST)
        assert "failed" in output
        assert "hand.kp" in output
        output = said("param", "set", arm.node, "hand.error_norm", "1.0", *LIST)
        assert "failed" in output

    def test_describe(self, arm, eventually):
        output = eventually("double", "param", "describe", arm.node, "hand.kp", *LIST)
        assert "proportional gain" in output
        assert "Min value: 0.0" in output
        assert "Max value: 1000.0" in output

    def test_dump(self, arm, eventually):
        output = eventually("goal", "param", "dump", arm.node, *LIST)
        values = YAML(typ="safe").load(output)[arm.node]["ros__parameters"]
        assert values["hand"]["goal"] == [0.1, 0.2, 0.3]


def said(*arguments):
    """Run a command that may fail and return everything it printed."""
    done = run(*arguments)
    return done.stdout + done.stderr
