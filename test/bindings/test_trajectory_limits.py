"""Whole trajectories against limits: dense sampling finds what the check finds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.bindings.joint_trajectory import (
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    TrajectoryPoint,
)
from controlit_ros.bindings.trajectory_limits import TooFast, within_limits

pytestmark = pytest.mark.simulation

JOINTS = ("a", "b")
LOWER, UPPER = {"a": -1.0, "b": -2.0}, {"a": 1.0, "b": 3.0}
FASTEST = {"a": 2.0, "b": 0.5}
FREE = dict.fromkeys(JOINTS, np.inf)
DENSE = 1000


@st.composite
def trajectories(draw, derivatives=None):
    """Draw points within the limits, with velocities and accelerations of any size."""
    kind = draw(st.integers(0, 2)) if derivatives is None else derivatives
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = 10.0 ** draw(st.floats(-2.0, 3.0))
    times = np.cumsum(10.0 ** rng.uniform(-1.5, 1.0, draw(st.integers(2, 4))))
    points = []
    for time in times:
        position = 0.9 * rng.uniform([-1.0, -2.0], [1.0, 3.0])
        velocity, acceleration = size * rng.normal(size=(2, 2))
        given = (velocity, acceleration)[:kind]
        points.append(TrajectoryPoint(time - times[0], position, *given))
    return JointTrajectory(JOINTS, points)


def sampled(trajectory):
    """Return many positions and velocities."""
    stated = [point.time for point in trajectory.points]  # short parts have as many as long ones
    parts = [np.linspace(a, b, DENSE, endpoint=False) for a, b in pairwise(stated)]
    times = np.concatenate(parts)
    samples = [trajectory.sample(time) for time in times]
    return np.array([s.position for s in samples]), np.array([s.velocity for s in samples])


def is_inside(positions, spare):
    low, high = np.array([-1.0, -2.0]), np.array([1.0, 3.0])
    return ((positions >= low - spare) & (positions <= high + spare)).all()


def is_slow(velocities, spare):
    return (np.abs(velocities) <= np.array([2.0, 0.5]) * (1.0 + spare)).all()


@settings(max_examples=tries(60), deadline=None)
@given(trajectories())
def test_what_passes_a_limit_anywhere_is_refused(trajectory):
    positions, velocities = sampled(trajectory)
    if is_inside(positions, -1e-2) and is_slow(velocities, -5e-2):
        assert within_limits(trajectory, LOWER, UPPER, FASTEST) is trajectory
    elif not (is_inside(positions, 1e-5) and is_slow(velocities, 1e-5)):
        with pytest.raises(RefusedTrajectoryError, match="expected") as refused:
            within_limits(trajectory, LOWER, UPPER, FASTEST)
        assert refused.value.code is TrajectoryCode.INVALID_GOAL


@settings(max_examples=tries(60), deadline=None)
@given(trajectories())
def test_scaled_trajectories_keep_their_path_and_the_limits(trajectory):
    begin = trajectory.points[0]
    rest = begin._replace(
        velocity=None if begin.velocity is None else 0.0 * begin.velocity,
        acceleration=None if begin.acceleration is None else 0.0 * begin.acceleration,
    )
    trajectory = JointTrajectory(JOINTS, [rest, *trajectory.points[1:]])
    slower = within_limits(trajectory, dict.fromkeys(JOINTS, -np.inf), FREE, FASTEST, TooFast.SCALE)
    factor = slower.duration / trajectory.duration
    assert factor >= 1.0
    positions, velocities = sampled(slower)
    assert is_slow(velocities, 1e-5)
    np.testing.assert_allclose(positions, sampled(trajectory)[0], atol=1e-6, rtol=1e-6)
    if factor > 1.0:  # no slower than it must be
        assert not is_slow(velocities, -2e-2)


def test_a_spline_between_good_points_may_leave_the_range():
    still, fast = np.zeros(2), np.array([8.0, 0.0])
    points = [TrajectoryPoint(0.0, still, fast), TrajectoryPoint(1.0, still, still)]
    with pytest.raises(
        RefusedTrajectoryError, match=r"between 0 and 1 s a goes to 1\.185, .* -1 to 1"
    ):
        within_limits(JointTrajectory(JOINTS, points), LOWER, UPPER, FREE)


def test_the_fastest_joint_is_told():
    points = [TrajectoryPoint(0.0, np.zeros(2)), TrajectoryPoint(0.5, np.array([0.5, 0.5]))]
    with pytest.raises(
        RefusedTrajectoryError, match=r"b moves with 1, expected at most 0\.5, its vel"
    ):
        within_limits(JointTrajectory(JOINTS, points), LOWER, UPPER, FASTEST)


@pytest.mark.parametrize("size", [1e6, 1e100, 1e300])
@pytest.mark.parametrize("policy", TooFast)
def test_absurd_velocities_are_refused_or_slowed_down(size, policy):
    huge, still = np.full(2, size), np.zeros(2)
    points = [
        TrajectoryPoint(0.0, still, still, still),
        TrajectoryPoint(0.5, still + 0.1, huge, huge),
        TrajectoryPoint(1.0, still, still, still),
    ]
    with pytest.raises(RefusedTrajectoryError, match="expected"):
        within_limits(JointTrajectory(JOINTS, points), LOWER, UPPER, FASTEST, policy)


def test_a_joint_outside_of_its_range_may_come_back():
    points = [TrajectoryPoint(0.0, np.array([1.5, 0.0])), TrajectoryPoint(9.0, np.zeros(2))]
    trajectory = JointTrajectory(JOINTS, points)
    assert within_limits(trajectory, LOWER, UPPER, FASTEST) is trajectory
