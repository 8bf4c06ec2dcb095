"""Remappings from the command line, and the end of a process."""

import json
import signal

from patience import GENEROUS
from ros2_commands import start, stop


def renamed(*arguments):
    output, _ = start("renamed.py", *arguments).communicate(timeout=GENEROUS)
    return json.loads(output)


def test_without_remapping():
    assert renamed() == [
        *("/robot", "servo", "/robot/state", "/robot/stop", "/robot/servo/goal"),
        True,
    ]


def test_node_namespace_topic_and_service_are_remapped():
    rules = ("__ns:=/left", "__node:=arm", "state:=/joint_states", "stop:=halt")
    arguments = [word for rule in rules for word in ("-r", rule)]
    assert renamed("--ros-args", *arguments) == [
        *("/left/robot", "arm", "/joint_states", "/left/robot/halt", "/left/robot/arm/goal"),
        True,
    ]


def test_interrupt_ends_a_node():
    process = start("arm.py", "rclpy", "arm", "/interrupted")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(GENEROUS) != -signal.SIGABRT  # threads of rclpy are ended in order
    stop(process)
