"""The posture that the fallback keeps."""

from types import SimpleNamespace

import numpy as np
from rig import Rig

from controlit_ros.model import RobotState
from controlit_ros.servo import Fallback
from controlit_ros.servo.posture_hold import PostureHold


def test_the_joints_return_to_the_posture_critically_damped(rng):
    """Alone, with the inertia it has, a joint follows `q̈ = kp (q₀ − q) − 2 √kp q̇`."""
    kp, n = 25.0, 4
    inertia = rng.uniform(0.01, 100.0, n)
    model = SimpleNamespace(Phi=np.diag(1.0 / inertia))
    state = RobotState(tuple("abcde"))
    joints = np.array([4, 0, 2, 1])
    state.position[:] = rng.normal(size=5)
    hold = PostureHold(joints, kp)
    hold.latch(state)
    posture = state.position.copy()
    state.position += rng.normal(size=5)
    state.velocity[:] = rng.normal(size=5)
    effort = np.ones(n)
    hold.add(model, state, effort)
    expected = kp * (posture - state.position) - 10.0 * state.velocity
    np.testing.assert_allclose((effort - 1.0) / inertia, expected[joints], atol=1e-8)


def test_the_posture_is_that_in_which_the_safe_state_began():
    rig = Rig(fallback=Fallback.POSTURE, fallback_kp=100.0)
    rig.activate(50)
    rig.robot.velocity[:] = 0.2
    rig.controller.error = ValueError("no")
    rig.run(1)
    began = rig.coordinator.robot_state.position.copy()
    rig.run(3000)
    np.testing.assert_allclose(rig.robot.position, began, atol=1e-3)
    np.testing.assert_allclose(rig.robot.velocity, 0.0, atol=1e-3)


def test_a_silent_robot_gets_no_feedback():
    rig = Rig(fallback=Fallback.POSTURE)
    rig.robot.velocity[:] = 0.5
    rig.activate(50)
    rig.robot.has_state = False
    efforts = rig.run(100)
    np.testing.assert_allclose(efforts[-1], rig.models.active.bias_effort)
