"""CurvatureObserver against the second derivative of a distance that is written out."""

import numpy as np
import pytest

from controlit_ros.inequalities.curvature_observer import CurvatureObserver

PERIOD = 1e-3  # [s]
RADIUS, MOST = 0.1, 20.0
CENTRE = np.array([0.5, 0.3])


def face(q, v):
    """Return gap, row and bias of a ball beside the face y = 0 of a body at x, y, θ."""
    x, y, angle = q
    n = np.array([-np.sin(angle), np.cos(angle)])
    gap = n @ (CENTRE - [x, y]) - RADIUS
    point = CENTRE - (gap + RADIUS) * n
    arm = point - [x, y]
    row = np.array([n[0], n[1], n @ [-arm[1], arm[0]]])  # ḣ = −row v
    return gap, row, v[2] ** 2 * (n @ arm)  # of material points: −n · p̈


def second_derivative(q, v):
    before, now, after = (face(q + t * v, v)[0] for t in (-1e-4, 0.0, 1e-4))
    return (before - 2.0 * now + after) / 1e-8


@pytest.mark.parametrize("v", [(0.3, 0.0, 1.5), (0.0, 0.1, -2.0), (-0.4, 0.1, 1.0), (0.2, 0, 0)])
@pytest.mark.parametrize("calls", [1, 2])
def test_a_face_that_turns_is_seen_as_its_distance_accelerates(v, calls):
    """Where that brings bodies together; elsewhere nothing is relied on."""
    v = np.array(v)
    observer, q = CurvatureObserver(1, 3), np.zeros(3)
    for _ in range(40):
        _, row, bias = face(q, v)
        for _ in range(calls):
            observed = observer.observe(0, row, v, bias, 0.0, MOST, PERIOD)
        expected = min(second_derivative(q, v) - bias, 0.0)
        observer.end_cycle()
        q = q + PERIOD * v
    assert observed == pytest.approx(expected, abs=0.05 + 0.05 * abs(expected))


def test_an_obstacle_that_speeds_up_counts():
    observer, row, v = CurvatureObserver(1, 3), np.array([0.0, 1.0, 0.0]), np.zeros(3)
    for cycle in range(40):
        observed = observer.observe(0, row, v, 0.0, -3.0 * PERIOD * cycle, MOST, PERIOD)
        observer.end_cycle()
    assert observed == pytest.approx(-3.0, rel=0.01)


def test_noise_of_the_velocity_is_not_amplified():
    rng = np.random.default_rng(0)
    observer, row = CurvatureObserver(1, 3), np.array([0.2, 1.0, 0.5])
    for _ in range(40):
        v = rng.normal(scale=0.1, size=3)
        assert observer.observe(0, row, v, 0.0, 0.0, MOST, PERIOD) == 0.0
        observer.end_cycle()


def test_a_corner_counts_for_no_more_than_is_allowed_and_a_pair_that_was_away_for_nothing():
    observer, v = CurvatureObserver(1, 3), np.ones(3)
    observer.observe(0, np.zeros(3), v, 0.0, 0.0, MOST, PERIOD)
    observer.end_cycle()
    assert -MOST <= observer.observe(0, np.ones(3), v, 0.0, 0.0, MOST, PERIOD) < 0.0
    observer.end_cycle()
    observer.end_cycle()  # the pair was not among the nearest
    assert observer.observe(0, np.zeros(3), v, 0.0, 0.0, MOST, PERIOD) == 0.0
    observer.restart()
    assert observer.observe(0, np.ones(3), v, 0.0, 0.0, MOST, PERIOD) == 0.0
