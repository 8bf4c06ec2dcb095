"""Interpolation against polynomials of NumPy, and what messages are refused."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial

from controlit_ros.bindings.joint_trajectory import (
    JointSample,
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    TrajectoryPoint,
    read_trajectory,
)
from controlit_ros.interfaces import new

TYPE = "trajectory_msgs/msg/JointTrajectory"
JOINTS = ("a", "b", "c")
numbers = st.floats(-5.0, 5.0)
durations = st.floats(0.05, 10.0)
coefficients = st.lists(numbers, min_size=6, max_size=6)


def point_of(polynomial, time, begin=0.0, derivatives=2):
    values = [np.array([polynomial.deriv(k)(time) if k else polynomial(time)]) for k in range(3)]
    values[derivatives + 1 :] = [None] * (2 - derivatives)
    return TrajectoryPoint(begin + time, *values)


@given(coefficients, durations, st.floats(0.0, 0.999), st.floats(0.0, 100.0))
@pytest.mark.parametrize(("degree", "derivatives"), [(5, 2), (3, 1), (1, 0)])
def test_polynomials_are_reproduced(degree, derivatives, coefficients, duration, share, begin):
    """A polynomial of the degree that the stated values determine comes out as it is."""
    scaled = [c / duration**k for k, c in enumerate(coefficients[: degree + 1])]
    polynomial = Polynomial(scaled)
    trajectory = JointTrajectory(
        ("a",),
        [
            point_of(polynomial, 0.0, begin, derivatives),
            point_of(polynomial, duration, begin, derivatives),
        ],
    )
    time = share * duration
    sample = trajectory.sample(begin + time)
    for k, found in enumerate(sample):
        expected = polynomial.deriv(k)(time) if k else polynomial(time)
        assert found[0] * duration**k == pytest.approx(expected * duration**k, abs=1e-5)


@given(st.data())
@pytest.mark.parametrize("derivatives", [1, 2])
def test_what_is_stated_is_continuous(derivatives, data):
    count = data.draw(st.integers(2, 5))
    vector = st.lists(numbers, min_size=2, max_size=2).map(np.array)
    times = np.cumsum(data.draw(st.lists(durations, min_size=count, max_size=count)))
    points = [
        TrajectoryPoint(
            float(time), data.draw(vector), data.draw(vector),
            data.draw(vector) if derivatives == 2 else None,
        )
        for time in times
    ]  # fmt: skip
    trajectory = JointTrajectory(("a", "b"), points)
    for point in points[:-1]:
        after = trajectory.sample(point.time)
        np.testing.assert_allclose(after.position, point.position, atol=1e-9)
        np.testing.assert_allclose(after.velocity, point.velocity, atol=1e-9)
        if derivatives == 2:
            np.testing.assert_allclose(after.acceleration, point.acceleration, atol=1e-9)
    for first, second in pairwise(points):
        length = second.time - first.time
        before = trajectory.sample(second.time - 1e-9 * length)
        scale = 1.0 + 100.0 / length**2
        np.testing.assert_allclose(before.position, second.position, atol=1e-6 * scale)
        np.testing.assert_allclose(before.velocity, second.velocity, atol=1e-6 * scale)


@given(st.lists(numbers, min_size=6, max_size=6), durations, st.floats(0.05, 0.95))
def test_velocity_is_the_derivative_of_position(values, duration, share):
    p, v, a = (np.array(pair) for pair in (values[:2], values[2:4], values[4:]))
    points = [
        TrajectoryPoint(0.0, p[:1], v[:1], a[:1]),
        TrajectoryPoint(duration, p[1:], v[1:], a[1:]),
    ]
    trajectory = JointTrajectory(("a",), points)
    time, h = share * duration, 1e-4 * duration
    before, here, after = (trajectory.sample(time + k * h) for k in (-1, 0, 1))
    size = 100.0 * (1.0 + np.abs(values).max()) * (1.0 + 1.0 / duration + duration)
    slope = (after.position - before.position) / (2 * h)
    np.testing.assert_allclose(here.velocity, slope, atol=1e-6 * size / duration * (1 + duration))
    slope = (after.velocity - before.velocity) / (2 * h)
    np.testing.assert_allclose(
        here.acceleration, slope, atol=1e-5 * size / duration**2 * (1 + duration) ** 2
    )


def line(*positions):
    return [TrajectoryPoint(float(i), np.array([p])) for i, p in enumerate(positions)]


def test_rest_before_and_after():
    trajectory = JointTrajectory(("a",), line(1.0, 2.0, 4.0))
    for time, position in ((-1.0, 1.0), (2.0, 4.0), (50.0, 4.0)):
        sample = trajectory.sample(time)
        assert sample.position == position
        assert sample.velocity == sample.acceleration == 0.0
    assert trajectory.sample(1.5) == (3.0, 2.0, 0.0)
    assert trajectory.duration == 2.0


@given(numbers, numbers, numbers, st.floats(0.0, 1.9))
def test_joined_begins_at_the_start_wherever_it_is(position, velocity, acceleration, time):
    """Whatever a trajectory states at its begin, the goal does not jump."""
    start = JointSample(*(np.array([x]) for x in (position, velocity, acceleration)))
    points = [
        TrajectoryPoint(float(i), np.array([p]), np.array([0.3]), np.array([0.1]))
        for i, p in enumerate((7.0, 8.0, 9.0))
    ]
    joined = JointTrajectory(("a",), points).joined(time, start)
    sample = joined.sample(time)
    for found, expected in zip(sample, start, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-9)
    assert joined.sample(3.0).position == 9.0
    assume(time < 1.0)
    np.testing.assert_allclose(joined.sample(1.0).position, 8.0, atol=1e-9)


def message(points, joints=JOINTS, **fields):
    entries = []
    for time, *values in points:
        names = ("positions", "velocities", "accelerations", "effort")
        duration = {"sec": math.floor(time), "nanosec": round((time - math.floor(time)) * 1e9)}
        entries.append({"time_from_start": duration, **dict(zip(names, values, strict=False))})
    return new(TYPE, joint_names=list(joints), points=entries, **fields)


def test_reading():
    trajectory = read_trajectory(
        message([(0.5, [1, 2]), (1.25, [3, 4], [0, 0], [5, 6])], ("c", "a")), JOINTS
    )
    assert trajectory.joints == ("c", "a")
    assert trajectory.points[0].time == 0.5
    assert trajectory.points[0].velocity is None
    assert trajectory.points[1].acceleration.tolist() == [5.0, 6.0]
    assert trajectory.duration == 1.25


NAN, INFINITE = math.nan, math.inf


@pytest.mark.parametrize(
    ("points", "joints", "code", "text"),
    [
        ([], ("a",), "INVALID_GOAL", "no points"),
        ([(1, [1])], (), "INVALID_JOINTS", "no joint_names"),
        ([(1, [1])], ("d",), "INVALID_JOINTS", "unknown joint 'd'"),
        ([(1, [1, 1])], ("a", "a"), "INVALID_JOINTS", "'a' stands twice"),
        ([(1, [])], ("a",), "INVALID_GOAL", "point 0 has no positions"),
        ([(1, [], [0])], ("a",), "INVALID_GOAL", "point 0 has no positions"),
        ([(1, [1, 2])], ("a",), "INVALID_GOAL", "2 positions, expected 1"),
        ([(1, [1], [0, 0])], ("a",), "INVALID_GOAL", "2 velocities, expected 1"),
        ([(1, [1], [0], [0, 0])], ("a",), "INVALID_GOAL", "2 accelerations, expected 1"),
        ([(1, [NAN])], ("a",), "INVALID_GOAL", "positions that are not finite"),
        ([(1, [1], [INFINITE])], ("a",), "INVALID_GOAL", "velocities that are not finite"),
        ([(1, [1], [0], [-INFINITE])], ("a",), "INVALID_GOAL", "accelerations that are not fin"),
        ([(1, [1]), (1, [2])], ("a",), "INVALID_GOAL", "time_from_start 1, 1 s"),
        ([(2, [1]), (1, [2])], ("a",), "INVALID_GOAL", "expected growing times"),
        ([(-1, [1])], ("a",), "INVALID_GOAL", "expected growing times"),
        ([(0, [1])], ("a",), "INVALID_GOAL", "must not jump"),
        ([(1, [1], [0.1])], ("a",), "INVALID_GOAL", "velocity at the last point"),
        ([(1, [1], [0], [0], [1])], ("a",), "INVALID_GOAL", "efforts, expected none"),
    ],
)
def test_refused(points, joints, code, text):
    with pytest.raises(RefusedTrajectoryError, match=text) as caught:
        read_trajectory(message(points, joints), JOINTS)
    assert caught.value.code is TrajectoryCode[code]
