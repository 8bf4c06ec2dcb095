"""Two ends in shared memory, each of which may die."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.layout import Layout

pytestmark = pytest.mark.processes

STATE = Layout("state", ("slide", "turn"), 3)
COMMAND = Layout("command", ("slide", "turn"), 2)

ROBOT = """
import sys, time
import numpy as np
from controlit_ros.robots import channel
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.layout import Layout
channel.LOCK_PATIENCE = 600.0  # who looks for the owner may stand still while it does
link = ChannelLink(sys.argv[1], Layout("command", ("slide", "turn"), 2),
                   Layout("state", ("slide", "turn"), 3))
link.open()
while True:
    link.send(np.ones(3))
    time.sleep(0.001)
"""


@pytest.fixture
def servo(channel_name):
    link = ChannelLink(channel_name, STATE, COMMAND)
    link.open()
    yield link
    link.close()


@pytest.fixture
def robot(channel_name):
    link = ChannelLink(channel_name, COMMAND, STATE)
    yield link
    link.close()


@pytest.fixture
def start_robot(channel_name):
    processes = []

    def start():
        processes.append(subprocess.Popen([sys.executable, "-c", ROBOT, channel_name]))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def test_both_ways(servo, robot):
    robot.open()
    assert servo.tend()
    robot.send(np.array([1.0, 2.0, 3.0]))
    values = np.zeros(3)
    assert servo.receive(values)
    np.testing.assert_array_equal(values, [1, 2, 3])
    servo.send(np.array([4.0, 5.0]))
    command = np.zeros(2)
    assert robot.receive(command)
    np.testing.assert_array_equal(command, [4, 5])
    assert servo.counts.received == 1


def test_death_of_the_owner_is_seen_and_its_successor_joined(servo, start_robot, poll):
    assert "no living process owns" in servo.explain()
    values = np.zeros(3)
    first = start_robot()
    poll(servo.tend)
    poll(lambda: servo.receive(values))
    poll(lambda: servo.explain() == "")  # a busy machine may silence the robot for a while
    first.kill()
    first.wait()
    poll(lambda: not servo.tend())
    assert f"process {first.pid}" in servo.explain()
    assert "has ended" in servo.explain()
    start_robot()
    poll(servo.tend)
    poll(lambda: servo.receive(values))


def test_a_silent_owner_is_told_from_a_dead_one(servo, robot, poll):
    robot.open()
    poll(servo.tend)
    poll(lambda: servo.silence > 0.06)
    assert servo.tend()
    assert f"process {os.getpid()} lives but writes nothing" in servo.explain()


def test_another_layout_is_refused_once_and_told(servo, channel_name):
    other = ChannelLink(channel_name, COMMAND, STATE._replace(joint_names=("turn", "slide")))
    other.open()
    for _ in range(3):
        assert not servo.tend()
    assert servo.is_foreign
    assert servo.counts.malformed == 1
    assert "something else" in servo.explain()
    other.close()
    assert not servo.tend()
    assert not servo.is_foreign


def test_what_is_not_finite_is_refused(servo, robot):
    robot.open()
    servo.tend()
    robot.send(np.array([1.0, np.inf, 0.0]))
    values = np.zeros(3)
    assert not servo.receive(values)
    np.testing.assert_array_equal(values, 0.0)
    assert servo.counts.not_finite == 1


def test_two_servos_cannot_share_a_robot(servo, channel_name):
    second = ChannelLink(channel_name, STATE, COMMAND)
    with pytest.raises(RobotInterfaceError, match=f"belongs to process {os.getpid()}"):
        second.open()
    second.close()


def test_waiting_ends_when_the_peer_writes(servo, robot, poll):
    robot.open()
    servo.tend()
    writer = threading.Timer(0.2, lambda: robot.send(np.ones(3)))
    writer.start()
    begin = time.monotonic()
    servo.wait(GENEROUS)
    assert time.monotonic() - begin < GENEROUS / 2
    poll(lambda: servo.receive(np.zeros(3)))  # waiting may end while the peer still writes
    writer.join()


def test_waiting_for_a_dead_peer_ends(servo):
    servo.wait(0.01)
    assert not servo.receive(np.zeros(3))
