"""Remappings from the command line, and the end of a process."""

import json
import signal
import time

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


def test_interrupt_ends_a_node_at_once():
    process = start("arm.py", "rclpy", "arm", "/interrupted")
    assert process.stdout.readline() == "ready\n"
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(GENEROUS)
    assert time.monotonic() - begin < 2.0
    stop(process)
