"""Splines are those of SciPy, which is told nothing but points and times."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS
from scipy.interpolate import CubicSpline, make_interp_spline

from controlit_ros.paths.splines import cubic_spline, quintic_spline


def draw(seed, n, span, scale):
    """Draw durations over `span` powers of ten, points, and motion to begin with."""
    rng = np.random.default_rng(seed)
    times = np.concatenate(([0.0], np.cumsum(10.0 ** (scale + rng.uniform(-span, 0.0, n - 1)))))
    durations, points = np.diff(times), rng.normal(size=(n, 3))
    velocity, acceleration = rng.normal(size=(2, 3)) / durations[0] ** np.array([[1.0], [2.0]])
    return times, durations, points, velocity, acceleration


def assert_alike(found, expected, durations):
    """Compare what the powers of the time come to at the end of each piece."""
    degree = len(found) - 1
    size = durations[:, np.newaxis] ** np.arange(degree, -1, -1)[:, None, None]
    largest = np.abs(expected * size).max()
    np.testing.assert_allclose(found * size, expected * size, rtol=0.0, atol=1e-9 * largest)


problems = given(
    seed=SEEDS, n=st.integers(2, 20), span=st.floats(0.0, 2.5), scale=st.floats(-4.0, 4.0)
)


@problems
def test_cubic_splines(seed, n, span, scale):
    times, durations, points, velocity, _ = draw(seed, n, span, scale)
    rest = np.zeros(3)
    found = cubic_spline(durations, points, np.array([[velocity], [rest]]))
    expected = CubicSpline(times, points, bc_type=((1, velocity), (1, rest))).c
    assert_alike(found, expected, durations)


@problems
def test_quintic_splines(seed, n, span, scale):
    times, durations, points, velocity, acceleration = draw(seed, n, span, scale)
    rest, whole = np.zeros(3), times[-1]
    found = quintic_spline(durations, points, np.array([[velocity, acceleration], [rest, rest]]))
    begin = [(1, velocity * whole), (2, acceleration * whole**2)]
    spline = make_interp_spline(times / whole, points, k=5, bc_type=(begin, [(1, rest), (2, rest)]))
    expected = np.array([
        spline(times[:-1] / whole, nu=power) / (math.factorial(power) * whole**power)
        for power in range(5, -1, -1)
    ])  # fmt: skip
    assert_alike(found, expected, durations)


def test_pieces_of_very_different_length_meet_their_points():
    durations = np.array([1.0, 1e-4, 1e2, 1e-3, 1.0])
    points = np.linspace(0.0, 1.0, 6)[:, np.newaxis] ** 2
    for spline, order in ((cubic_spline, 1), (quintic_spline, 2)):
        found = spline(durations, points, np.zeros((2, order, 1)))
        reached = sum(
            coefficient * durations[:, np.newaxis] ** power
            for power, coefficient in enumerate(found[::-1])
        )
        np.testing.assert_allclose(reached, points[1:], atol=1e-8)
