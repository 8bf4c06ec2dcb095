"""Trajectories: continuity, boundary conditions, derivatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.paths.trajectory import Trajectory, TrajectoryError

STEP = 1e-5  # [s] of finite differences


@st.composite
def trajectories(draw):
    count, width = draw(st.integers(2, 7)), draw(st.integers(1, 4))
    durations = draw(st.lists(st.floats(0.5, 7.0), min_size=count - 1, max_size=count - 1))
    start = draw(st.floats(-10.0, 10.0))
    times = start + np.concatenate([[0.0], np.cumsum(durations)])
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    stops = [i for i in range(1, count - 1) if draw(st.booleans())]
    return Trajectory(times, rng.uniform(-1.0, 1.0, (count, width)), stops), stops


@given(trajectories())
def test_passes_every_waypoint(drawn):
    path, _ = drawn
    np.testing.assert_allclose(path.sample(path.times).value, path.waypoints, atol=1e-9)


@given(trajectories())
def test_rests_at_ends_and_stops(drawn):
    path, stops = drawn
    for number in (0, *stops, len(path.times) - 1):
        for time in (path.times[number] - 1e-9, path.times[number] + 1e-9):
            np.testing.assert_allclose(path.at(time).velocity, 0.0, atol=1e-6)


@given(trajectories())
def test_velocity_is_continuous_everywhere_and_acceleration_where_it_passes(drawn):
    path, stops = drawn
    for number, time in enumerate(path.times):
        before, after = path.at(time - 1e-9), path.at(time + 1e-9)
        np.testing.assert_allclose(before.value, after.value, atol=1e-6)
        np.testing.assert_allclose(before.velocity, after.velocity, atol=1e-5)
        if number not in (0, *stops, len(path.times) - 1):
            np.testing.assert_allclose(before.acceleration, after.acceleration, atol=1e-5)


@given(trajectories(), st.floats(0.01, 0.99))
def test_derivatives_are_those_of_the_value(drawn, part):
    path, _ = drawn
    time = path.start + part * (path.end - path.start)
    if np.abs(path.times - time).min() < 2 * STEP:
        return
    before, here, after = path.at(time - STEP), path.at(time), path.at(time + STEP)
    np.testing.assert_allclose(
        (after.value - before.value) / (2 * STEP), here.velocity, rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        (after.velocity - before.velocity) / (2 * STEP), here.acceleration, rtol=1e-5, atol=1e-6
    )


@given(trajectories(), st.floats(0.001, 100.0))
def test_rests_outside(drawn, far):
    path, _ = drawn
    for time, waypoint in (
        (path.start - far, path.waypoints[0]),
        (path.end + far, path.waypoints[-1]),
    ):
        sample = path.at(time)
        np.testing.assert_allclose(sample.value, waypoint, atol=1e-9)
        assert not sample.velocity.any()
        assert not sample.acceleration.any()


def test_two_equal_stops_make_a_pause():
    path = Trajectory([0, 3, 5, 8], [[0.0], [1.0], [1.0], [0.0]], stops=(1, 2))
    values = path.sample(np.linspace(3.0, 5.0, 21))
    np.testing.assert_allclose(values.value, 1.0, atol=1e-12)
    np.testing.assert_allclose(values.velocity, 0.0, atol=1e-12)


def test_rest_to_rest_is_the_cubic_of_the_textbook():
    path = Trajectory([0, 4], [[0.0], [1.0]])
    s = np.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(path.sample(4 * s).value[:, 0], 3 * s**2 - 2 * s**3, atol=1e-12)
    assert path.at(2.0).velocity[0] == pytest.approx(1.5 / 4)
    assert path.at(0.0).acceleration[0] == pytest.approx(6 / 16)


@pytest.mark.parametrize(
    ("times", "waypoints", "stops", "text"),
    [
        ([0.0], [[1.0]], (), "expected at least 2"),
        ([0.0, 0.0], [[1.0], [2.0]], (), "later than the last"),
        ([0.0, 1.0], [[1.0]], (), "expected (n,), (n, k)"),
        ([0.0, 1.0], [1.0, 2.0], (), "expected (n,), (n, k)"),
        ([0.0, np.inf], [[1.0], [2.0]], (), "finite"),
        ([0.0, 1.0], [[1.0], [np.nan]], (), "finite"),
        ([0.0, 1.0], [[1.0], [2.0]], (2,), "stops [2]"),
    ],
)
def test_refuses(times, waypoints, stops, text):
    with pytest.raises(TrajectoryError) as caught:
        Trajectory(times, waypoints, stops)
    assert text in str(caught.value)
