"""Joints are led to where and how fast they are when the next command acts."""

from collections import deque

import numpy as np
import pytest
from rig import describe

from controlit_ros.kernels import joint_outlook as layout
from controlit_ros.kernels.joint_outlook import NEVER_SEEN_PART, OBSERVED, UNMEASURED
from controlit_ros.model import RobotState
from controlit_ros.servo.joint_outlook import MEMORY, JointOutlook
from controlit_ros.servo.plausibility import speed_noise, unseen_speed
from controlit_ros.servo.routine import Routine

PERIOD = 1e-3  # [s]
JOINTS = 3


def looking(outlook, state, round_trip):
    """Return what leads joints over a round trip [s]."""
    outlook.times[[layout.STEADILY, layout.SOON_TIME, layout.ROUND_TRIP]] = 1e-2, 5e-3, round_trip
    return Routine([outlook.looking(state)])


def cause(outlook, acceleration):
    """Note what a command causes [rad/s²]."""
    outlook.ring[layout.NEWEST] = (outlook.ring[layout.NEWEST] + 1) % MEMORY
    outlook.caused[outlook.ring[layout.NEWEST]] = acceleration


class Joints:
    """Joints whose commands act late, and what is seen of them."""

    def __init__(self, rng, *, delay, held=1, push=0.0, lie=0.0, turn=0.0):
        self.robot = describe(JOINTS)
        self.outlook = JointOutlook(self.robot, np.full(JOINTS, 10.0), PERIOD)
        self.state = RobotState(self.robot.real_joints)
        self.routine = looking(self.outlook, self.state, (delay + 1) * PERIOD)
        self.delay, self.held, self.push, self.lie, self.turn = delay, held, push, lie, turn
        self.rng, self.cycle = rng, 0
        self.q, self.v = rng.uniform(-1.0, 1.0, (2, JOINTS))
        self.under_way = deque(np.zeros(JOINTS) for _ in range(delay))

    def cycle_once(self):
        """See, command, move on; return position and speed when the command acts."""
        if self.cycle % self.held == 0:
            joints = self.robot.command_indices
            self.state.position[joints] = self.q + self.turn * (self.cycle % 2)
            self.state.velocity[joints] = self.v + self.lie
            self.state.stamp = (self.cycle + 1) * PERIOD
        self.routine.run(0.0)
        then = self.lead()
        command = self.rng.uniform(-20.0, 20.0, JOINTS)
        cause(self.outlook, command)
        self.under_way.append(command)
        self.q, self.v = self.move(self.q, self.v, self.under_way.popleft())
        self.cycle += 1
        return then

    def move(self, q, v, acceleration):
        faster = v + (acceleration + self.push) * PERIOD
        return q + 0.5 * (v + faster) * PERIOD, faster

    def lead(self):
        """Move on over what is under way."""
        q, v = self.q, self.v
        for acceleration in self.under_way:
            q, v = self.move(q, v, acceleration)
        return q, v


@pytest.mark.parametrize("held", [1, 3])
@pytest.mark.parametrize("delay", [0, 1, 4, 20])
class TestOutlook:
    def test_without_pushes_it_is_exact_in_speed(self, rng, delay, held):
        joints = Joints(rng, delay=delay, held=held)
        for _ in range(200):
            q, v = joints.cycle_once()
        # of a measurement that is met again it is not known how the speed came about
        tolerance = 1e-9 if held == 1 else 5e-3
        np.testing.assert_allclose(joints.outlook.velocity, v, atol=tolerance)
        np.testing.assert_allclose(joints.outlook.position, q, atol=20.0 * ((delay + held) * 1e-3))
        np.testing.assert_allclose(joints.outlook.unexplained, 0.0, atol=1e-8)
        np.testing.assert_allclose(
            joints.outlook.room, 10.0 * NEVER_SEEN_PART * delay / (delay + 1), atol=1e-6
        )

    def test_a_constant_push_is_known(self, rng, delay, held):
        push = np.array([15.0, 0.0, -15.0])
        joints = Joints(rng, delay=delay, held=held, push=push)
        for _ in range(250):
            _, v = joints.cycle_once()
        for observed, tolerance in zip(joints.outlook.unexplained, (1e-3, 1e-6), strict=True):
            np.testing.assert_allclose(observed, push, atol=tolerance)
        np.testing.assert_allclose(joints.outlook.velocity, v, atol=1e-6 if held == 1 else 5e-3)
        expected = np.clip(
            15.0 * (delay + 1) * PERIOD, 10.0 * NEVER_SEEN_PART * delay / (delay + 1), 2.5
        )
        np.testing.assert_allclose(joints.outlook.room[[0, 2]], expected, rtol=1e-2)

    def test_positions_tell_what_speeds_do_not(self, rng, delay, held):
        """Only where it makes joints faster."""
        joints = Joints(rng, delay=delay, held=held, lie=np.array([-0.4, 0.0, 0.4]))
        joints.v[:] = 1.0
        for _ in range(400):
            _, v = joints.cycle_once()
            joints.v += (1.0 - joints.v) * 0.2  # somewhere about 1
            joints.push = 0.0
        led = joints.outlook.velocity - v
        np.testing.assert_allclose(
            joints.outlook.rows[OBSERVED + UNMEASURED], [0.4, 0.0, -0.4], atol=0.05
        )
        assert led[2] > 0.2  # what is measured too high is believed


def test_whole_turns_are_no_motion(rng):
    joints = Joints(rng, delay=0, turn=2.0 * np.pi)
    for _ in range(100):
        _, v = joints.cycle_once()
        np.testing.assert_allclose(joints.outlook.velocity, v, atol=1e-6)


def test_a_jump_counts_no_more_than_what_a_speed_may_be_wrong_by(rng):
    joints = Joints(rng, delay=0)
    robot = joints.robot
    wrong = unseen_speed(robot.velocity_limits, speed_noise(robot))[robot.command_indices]
    for _ in range(100):
        joints.cycle_once()
    joints.q += 1.0
    _, v = joints.cycle_once()
    seen = np.abs(joints.outlook.velocity - v)
    assert (seen <= wrong / 16 + 1e-9).all()


def test_a_round_trip_of_seconds_is_led_over_as_far_as_is_known(rng):
    outlook = JointOutlook(describe(JOINTS), np.full(JOINTS, np.inf), PERIOD)
    state = RobotState(describe(JOINTS).real_joints)
    for round_trip in (0.0, 10.0, 1e300, np.inf):
        routine = looking(outlook, state, round_trip)
        for cycle in range(MEMORY + 10):
            if cycle < 10:
                state.stamp += PERIOD
            routine.run(0.0)
            cause(outlook, rng.uniform(-1.0, 1.0, JOINTS))
        assert np.isfinite(outlook.velocity).all()
        assert np.abs(outlook.velocity).max() <= MEMORY * PERIOD
        np.testing.assert_array_equal(outlook.room, 0.0)  # no limit
