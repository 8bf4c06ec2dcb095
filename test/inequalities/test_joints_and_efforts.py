"""Bounds of joints and of the change of efforts, row by row."""

import numpy as np
import pytest
from hypothesis import given
from robots_for_tests import SEEDS
from shaped_robots import PERIOD, kept, shaped, written

from controlit_ros.inequalities.effort_rate import EffortRate
from controlit_ros.inequalities.joint_bounds import JointBounds
from controlit_ros.parameters import ParameterError


@given(SEEDS)
def test_rows_of_joints_allow_what_keeps_range_speed_and_acceleration(seed):
    rng = np.random.default_rng(seed)
    setup = shaped(rng, speed=0.5)
    robot, state = setup.robot, setup.state
    part = kept(JointBounds, setup, acceleration=30.0, margin=0.1)
    found = written(part, setup.model, robot.nv)
    assert part.labels == (*robot.command_joints, *robot.command_joints)
    # efforts that reach every bound, one after the other: the state a period later is allowed
    joints = robot.command_indices
    low, high = robot.lower_limits[joints] + 0.1, robot.upper_limits[joints] - 0.1
    inside = (state.position[joints] > low + 0.1) & (state.position[joints] < high - 0.1)
    n = len(joints)
    for A, b in ((found.A[:n], found.b[:n]), (-found.A[n:], -found.b[n:])):
        np.testing.assert_array_equal(A, np.eye(robot.nv)[robot.command_dofs])
        assert (np.abs(b) <= 30.0).all()
        then = state.velocity[joints] + PERIOD * b
        assert (
            np.abs(then) <= np.maximum(robot.velocity_limits[joints], np.abs(then * 0.999))
        ).all()
    assert (found.b[:n] >= -found.b[n:])[inside].all()


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_joint_at_rest_at_the_end_of_its_range_may_only_leave_it(rng, end, margin):
    setup = shaped(rng, speed=0.0)
    robot, joint = setup.robot, setup.robot.command_indices[0]
    place = robot.lower_limits + margin if end == "lower" else robot.upper_limits - margin
    setup.state.position[joint] = place[joint]
    setup.model.update(setup.state)
    found = written(kept(JointBounds, setup, margin=margin), setup.model, robot.nv)
    outward, inward = np.roll(found.b[[0, len(robot.command_joints)]], end == "lower")
    assert outward == pytest.approx(0.0, abs=1e-9)
    assert inward == pytest.approx(10.0)


def test_an_effort_changes_by_no_more_than_the_rate_allows(rng):
    setup = shaped(rng)
    na = len(setup.robot.command_joints)
    rates = rng.uniform(10.0, 100.0, na)
    part = kept(EffortRate, setup, rate=rates)
    assert len(written(part, setup.model, na).b) == 0  # the first is free
    last = rng.normal(size=na)
    part.take_command(last)
    found = written(part, setup.model, na)
    for change, is_allowed in ((0.999, True), (1.001, False)):
        for joint, sign in ((0, 1.0), (na - 1, -1.0)):
            effort = last.copy()
            effort[joint] += sign * change * rates[joint] * PERIOD
            assert (found.A @ effort <= found.b).all() == is_allowed
    part.restart()
    assert len(written(part, setup.model, na).b) == 0


def test_a_time_constant_of_a_few_periods_is_refused(rng):
    with pytest.raises(ParameterError, match=r"reaction_time: found 0.004, expected at least 5"):
        kept(JointBounds, shaped(rng), reaction_time=0.004)
