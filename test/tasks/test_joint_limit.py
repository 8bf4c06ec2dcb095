"""Joints stop before their limits, without a step of the effort, and leave freely."""

import numpy as np
import pytest
from robots_for_tests import chain, configured, dreamer, moved, random_state, updated

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.model import RobotState
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition

PERIOD = 1e-3
MARGIN = 0.1


class Rig:
    """A bolted arm under WBOSC, integrated as the constrained equations say."""

    def __init__(self, *, with_limits=True, gains=(60.0, 16.0), axes=(), period=PERIOD):
        self.period = period
        plain = chain(7, ("revolute", "revolute", "prismatic")).description()
        base = configured(FlatContact("base", plain), body="link_0")
        self.description = plain.with_contacts([base.site])
        self.model = ConstrainedModel(self.description, ConstraintSet([base]))
        self.limit = configured(
            JointLimit("limits", self.description), margin=MARGIN, priority=9, axes=list(axes)
        )
        kp, kd = gains
        self.posture = configured(JointPosition("posture", self.description), kp=kp, kd=kd)
        tasks = [self.limit, self.posture] if with_limits else [self.posture]
        self.tasks = CompoundTask(tasks)
        self.controller = WBOSC(self.description, sum(task.rows for task in tasks))
        self.command = self.controller.create_command()
        self.state = RobotState(self.description.real_joints)

    def compute(self):
        self.model.update(self.state)
        for task in self.tasks.tasks:
            task.update(self.model.robot_model, task.inactive)
            task.swap()
        self.tasks.compute(self.period)
        self.controller.compute_command(self.model, self.tasks, self.command)
        return self.command.effort.copy()

    def step(self):
        effort = self.compute()
        model = self.model.robot_model
        dofs = self.description.command_dofs
        acceleration = np.linalg.solve(model.A[6:, 6:], effort - model.BG[dofs])
        self.state.velocity += acceleration * self.period
        self.state.position += self.state.velocity * self.period
        return effort


@pytest.mark.thorough
def test_joints_stop_at_the_margin_and_leave_again():
    rig = Rig()
    rig.posture.goal.set([5.0, -5.0, 0.5])  # limits are -2 and 2.5
    for _ in range(4000):
        rig.step()
    np.testing.assert_allclose(rig.state.position, [2.5 - MARGIN, -2.0 + MARGIN, 0.5], atol=1e-3)
    np.testing.assert_array_equal(rig.limit.acts.value, [1.0, 1.0, 0.0])
    rig.posture.goal.set([1.0, -1.0, 0.5])
    free = Rig(with_limits=False)
    free.state.copy_from(rig.state)
    free.posture.goal.set([1.0, -1.0, 0.5])
    for _ in range(300):
        np.testing.assert_allclose(rig.step(), free.step(), atol=1e-7)  # nothing holds them back
    np.testing.assert_array_equal(rig.limit.acts.value, 0.0)


def test_no_joint_passes_its_limit_however_fast_it_comes():
    rig = Rig(gains=(400.0, 10.0))
    rig.state.velocity[:] = [4.0, -4.0, 0.0]
    rig.posture.goal.set([6.0, -6.0, 0.0])
    reached = np.zeros(3)
    for _ in range(2000):
        rig.step()
        reached = np.maximum(reached, np.abs(rig.state.position - 0.25))
    assert reached.max() < 2.25 - 0.9 * MARGIN


def largest_step(period):
    """Swing two joints into their limits and back; return largest step and count of switches."""
    rig = Rig(period=period)
    swing = np.array([1.0, -1.0, 0.6])
    last, acting, switches, largest = None, None, 0, 0.0
    for i in range(int(1.5 / period)):
        rig.posture.goal.value[:] = 3.5 * np.sin(2.0 * i * period) * swing
        effort, acts = rig.step(), rig.tasks.jacobian[:3].any(axis=1)
        if last is not None:
            largest = max(largest, np.abs(effort - last).max())
            switches += bool((acts != acting).any())
        last, acting = effort, acts
    return largest, switches


@pytest.mark.thorough
def test_the_effort_does_not_step_when_rows_begin_and_end_to_act():
    coarse, switches = largest_step(PERIOD)
    fine, _ = largest_step(PERIOD / 4)
    assert switches >= 4
    assert fine < 0.3 * coarse  # what is continuous changes less in less time; a step would not


def test_rows_that_need_not_act_change_nothing(rng):
    robot = dreamer()
    tasks = [configured(JointPosition("posture", robot), kp=9.0, kd=6.0)]
    limits = configured(JointLimit("limits", robot), priority=5)
    model = ConstrainedModel(robot, ConstraintSet([configured(FlatContact("b", robot))]))
    state = RobotState(robot.real_joints)
    middle = np.clip(0.5 * (robot.lower_limits + robot.upper_limits), -3, 3)
    state.position[:] = middle
    efforts = []
    for selection in (tasks, [limits, *tasks]):
        compound = CompoundTask(selection)
        controller = WBOSC(robot, sum(task.rows for task in selection))
        command = controller.create_command()
        model.update(state)
        for task in selection:
            task.update(model.robot_model, task.inactive)
            task.swap()
        tasks[0].latch_goal()
        compound.compute(PERIOD)
        controller.compute_command(model, compound, command)
        efforts.append(command.effort.copy())
    np.testing.assert_allclose(efforts[0], efforts[1], atol=1e-9)


def test_jacobian_is_the_slope_of_the_distance(dreamer_description, rng):
    task = configured(JointLimit("limits", dreamer_description))
    state = random_state(dreamer_description, rng)
    model = updated(dreamer_description, state)
    task.update(model, task.inactive)
    jacobian = task.inactive.jacobian.copy()
    np.testing.assert_allclose(task.inactive.velocity, jacobian @ model.v, atol=1e-12)
    for column, step in enumerate(1e-6 * np.eye(dreamer_description.nv)):
        ends = []
        for sign in (1.0, -1.0):
            task.update(
                updated(dreamer_description, moved(dreamer_description, state, sign * step)),
                task.inactive,
            )
            ends.append(task.inactive.actual.copy())
        np.testing.assert_allclose(jacobian[:, column], (ends[0] - ends[1]) / 2e-6, atol=1e-8)


@pytest.mark.thorough
def test_some_joints_only():
    rig = Rig(axes=["joint_1"])
    rig.posture.goal.set([5.0, -5.0, 0.5])
    for _ in range(3000):
        rig.step()
    assert rig.state.position[0] > 2.5
    assert rig.state.position[1] == pytest.approx(-2.0 + MARGIN, abs=1e-3)
    np.testing.assert_array_equal(rig.limit.acts.value, [0.0, 1.0, 0.0])


def test_what_has_no_limits_is_reported(dreamer_description):
    robot = chain(3, ("continuous", "continuous")).description()
    with pytest.raises(ParameterError, match="limits: found no joint with limits"):
        configured(JointLimit("limits", robot))
    task = JointLimit("limits", dreamer_description)
    with pytest.raises(ParameterError, match=r"limits\.projection: found a mixture of joints"):
        configured(task, projection=[1.0] * task.dimension)
