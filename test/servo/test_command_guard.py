"""CommandGuard: nothing infinite passes, enforced limits hold, the rest only warns."""

import math

import numpy as np
import pytest
from rig import describe, unlimited

from controlit_ros.controllers.command import Command
from controlit_ros.servo import CommandGuard, NoticeBoard, Queue

FIELDS = ("effort", "position", "velocity", "stiffness", "damping")


def make(settings):
    queue = Queue(lambda _: None)
    robot = describe(3)
    command = Command(robot.command_joints, with_motion=True, with_gains=True)
    return CommandGuard(robot, settings, NoticeBoard(queue)), command, queue


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_bad_number_anywhere_is_seen(field, bad):
    guard, command, _ = make(unlimited(3))
    assert guard.is_finite(command)
    getattr(command, field)[1] = bad
    assert not guard.is_finite(command)


@pytest.mark.filterwarnings("error")
def test_opposite_infinities_do_not_cancel_nor_warn():
    guard, command, _ = make(unlimited(3))
    command.effort[:] = (math.inf, -math.inf, 0.0)
    assert not guard.is_finite(command)


def test_fields_a_controller_does_not_use_are_no_matter():
    guard, _, _ = make(unlimited(3))
    assert guard.is_finite(Command(("a", "b", "c")))


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_only_enforced_joints_are_truncated(sign):
    some = np.array([True, False, True])
    guard, command, queue = make(unlimited(3)._replace(enforce_effort=some, enforce_velocity=some))
    command.effort[:] = (sign * 60.0, sign * 60.0, 1.0)
    command.velocity[:] = (1.0, sign * 11.0, sign * 11.0)
    command.position[:] = 100.0
    guard.enforce(command, 0.0)
    np.testing.assert_array_equal(command.effort, (sign * 50.0, sign * 60.0, 1.0))
    np.testing.assert_array_equal(command.velocity, (1.0, sign * 11.0, sign * 10.0))
    np.testing.assert_array_equal(command.position, 100.0)
    assert [notice.text for notice in queue.drain()] == [
        f"effort limit of joint_0: command {sign * 60:g}, limit {sign * 50:g}",
        f"velocity limit of joint_2: command {sign * 11:g}, limit {sign * 10:g}",
    ]


def test_the_highest_effort_only_warns_once_a_second_and_joint():
    guard, command, queue = make(unlimited(3)._replace(max_effort=np.array([5.0, np.inf, 5.0])))
    command.effort[:] = (6.0, 1e9, -7.0)
    for tick in range(1500):
        guard.enforce(command, tick * 1e-3)
    np.testing.assert_array_equal(command.effort, (6.0, 1e9, -7.0))
    texts = [notice.text for notice in queue.drain()]
    assert (
        texts
        == [
            "max_effort_command of joint_0: command 6, limit 5",
            "max_effort_command of joint_2: command -7, limit -5",
        ]
        * 2
    )
