"""The contract of transports over rclpy.

It runs in a process of its own: the Cyclone of ROS 2 and that of the wheel must not meet.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

CONTRACT = Path(__file__).parents[1] / "transport" / "test_contract.py"


@pytest.mark.timeout(900)
def test_rclpy_keeps_the_contract():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "ros", str(CONTRACT)],
        cwd=CONTRACT.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) >= 50


def test_importing_the_adapter_does_not_load_the_wheel():
    code = "import sys, controlit_ros.transport.ros2; assert 'cyclonedds' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_type_of_an_action_has_a_class():
    code = """
from controlit_ros.interfaces import UnknownTypeError, type_book
from controlit_ros.transport.ros2.classes import rosidl_class
names = [
    name
    for name in (*type_book().message_types, *type_book().service_types)
    if name.startswith("control_msgs/action/FollowJointTrajectory_")
    and not name.endswith(("_Request", "_Response", "_Event"))
]
assert len(names) == 6, names
for name in names:
    assert name.rpartition("/")[2] == rosidl_class(name).__name__, name
try:
    rosidl_class("control_msgs/msg/Nonsense")
except UnknownTypeError as error:
    assert "sourced" in str(error)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CONTRACT.parents[2])
