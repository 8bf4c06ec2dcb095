"""Kinds of tasks under every controller, on a robot that moves by its own equations."""

import numpy as np
import pinocchio as pin
import pytest
from closed_loop import CONTROLLERS, ClosedLoop
from robots_for_tests import configured

from controlit_ros.tasks.centroidal_momentum import CentroidalMomentum
from controlit_ros.tasks.joint_position import JointPosition

pytestmark = pytest.mark.simulation
each_controller = pytest.mark.parametrize("controller", CONTROLLERS)


def pushed(description):
    momentum = CentroidalMomentum("momentum", description)
    posture = JointPosition("posture", description)
    return [
        configured(momentum, priority=1, kp=20.0, axes=["x", "z", "angular_y"]),
        configured(posture, kp=40.0, kd=12.0),
    ]


@each_controller
def test_the_robot_takes_a_momentum(controller):
    loop = ClosedLoop(pushed, controller)
    task = loop.tasks["momentum"]
    goal = np.array([1.5, 0.0, -1.0, 0.0, 0.4, 0.0])
    task.goal.set(goal)
    loop.advance(0.25)
    np.testing.assert_allclose(task.actual.value[[0, 2, 4]], goal[[0, 2, 4]], atol=0.06)
    assert task.error_norm.value < 2e-3
    task.latch_goal()
    loop.advance(0.3)
    np.testing.assert_allclose(task.actual.value[[0, 2, 4]], 0.0, atol=0.06)


def test_the_rate_is_fed_forward_and_has_no_damping():
    loop = ClosedLoop(pushed)
    task = loop.tasks["momentum"]
    task.controller.kp.set(0.0)
    task.goal_acceleration.set([0.3, 0.0, 0.0, 0.0, 0.0, 0.0])
    loop.advance(0.1)
    mass = pin.computeTotalMass(task.robot.pinocchio)
    assert task.actual.value[0] / mass == pytest.approx(0.03, rel=0.05)
    assert not {"kd", "max_velocity", "control_law"} & set(task.parameters)
