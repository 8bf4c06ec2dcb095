"""Trajectories of headings and orientations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.paths.trajectory import TrajectoryError
from controlit_ros.paths.unit_trajectory import UnitTrajectory

STEP = 1e-5  # [s] of finite differences


@st.composite
def unit_trajectories(draw):
    """Waypoints less than a quarter turn apart, on the sphere of headings or of quaternions."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    width, count = draw(st.sampled_from((3, 4))), draw(st.integers(2, 6))
    units = [_unit(rng.normal(size=width))]
    for _ in range(count - 1):
        units.append(_unit(units[-1] + _unit(rng.normal(size=width)) * rng.uniform(0.0, 0.9)))
    times = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 7.0, count - 1))])
    return UnitTrajectory(times, units)


def _unit(vector):
    return vector / np.linalg.norm(vector)


@given(unit_trajectories(), st.floats(0.0, 1.0))
def test_stays_on_the_sphere(path, part):
    sample = path.at(part * path.end)
    assert np.linalg.norm(sample.value) == pytest.approx(1.0, abs=1e-12)
    assert sample.value @ sample.velocity == pytest.approx(0.0, abs=1e-9)
    assert sample.value @ sample.acceleration == pytest.approx(
        -sample.velocity @ sample.velocity, abs=1e-8
    )


@given(unit_trajectories(), st.floats(0.01, 0.99))
def test_derivatives_are_those_of_the_value(path, part):
    time = part * path.end
    if np.abs(path.times - time).min() < 2 * STEP:
        return
    before, here, after = path.at(time - STEP), path.at(time), path.at(time + STEP)
    np.testing.assert_allclose(
        (after.value - before.value) / (2 * STEP), here.velocity, rtol=1e-4, atol=1e-5
    )
    np.testing.assert_allclose(
        (after.velocity - before.velocity) / (2 * STEP), here.acceleration, rtol=1e-4, atol=1e-5
    )


@given(unit_trajectories())
def test_passes_waypoints_and_rests_at_the_ends(path):
    np.testing.assert_allclose(path.sample(path.times).value, path.waypoints, atol=1e-9)
    for time in (path.start, path.end):
        np.testing.assert_allclose(path.at(time).velocity, 0.0, atol=1e-9)


@given(unit_trajectories(), st.integers(0, 2**32 - 1))
def test_the_sign_of_a_quaternion_does_not_matter(path, seed):
    if path.waypoints.shape[1] != 4:
        return
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(len(path.times), 1))
    signs[0] = 1.0
    flipped = UnitTrajectory(path.times, signs * path.waypoints)
    times = np.linspace(path.start, path.end, 17)
    np.testing.assert_allclose(flipped.sample(times).value, path.sample(times).value, atol=1e-9)


def test_goes_the_short_way_in_the_plane():
    path = UnitTrajectory([0, 4], [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    middle = path.at(2.0)
    np.testing.assert_allclose(middle.value, [np.sqrt(0.5), np.sqrt(0.5), 0.0])
    assert middle.velocity[2] == 0.0


@pytest.mark.parametrize(
    ("waypoints", "text"),
    [
        ([[1.0, 0.0], [0.0, 1.0]], "expected (n, 3) or (n, 4)"),
        ([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "length zero"),
        ([[1.0, 0.0, 0.0], [-1.0, 0.01, 0.0]], "almost opposite"),
    ],
)
def test_refuses(waypoints, text):
    with pytest.raises(TrajectoryError) as caught:
        UnitTrajectory([0, 1], waypoints)
    assert text in str(caught.value)
