"""The quickest paths: their duration by textbook formulas, their limits by looking at them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.angular import angular
from controlit_ros.paths.jerk_limited import REQUIREMENT
from controlit_ros.paths.limits import PathLimits
from controlit_ros.paths.time_optimal import SHORTEST, quickest
from controlit_ros.paths.trajectory import TrajectoryError, TrajectorySample

pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")

POINT = Parameter("p", np.zeros(3), shape=(3,), quantity=Quantity.POINT)
JOINTS = Parameter("q", np.zeros(3), shape=(3,), labels=("a", "b", "c"))
TURN = Parameter("r", (0, 0, 0, 1.0), shape=(4,), quantity=Quantity.QUATERNION, unit_length=True)
HEADING = Parameter("h", (0, 0, 1.0), shape=(3,), quantity=Quantity.VECTOR, unit_length=True)
LIMITS = PathLimits(0.5, 2.0, 20.0)
STEP = 1e-4  # [s] of finite differences


def rates(path, times, *, turns=False):
    """Return highest speed, acceleration and jerk at some times; the jerk by differences."""
    found = [path.at(t) for t in times]
    later = [path.at(t + STEP) for t in times]
    if turns:
        found, later = ([angular(s) for s in samples] for samples in (found, later))
    jerks = [(b.acceleration - a.acceleration) / STEP for a, b in zip(found, later, strict=True)]
    return (
        np.array([s.velocity for s in found]),
        np.array([s.acceleration for s in found]),
        np.array(jerks),
    )


def assert_within(values, limits, by_component):
    for found, limit in zip(values, limits, strict=True):
        sizes = np.abs(found) if by_component else np.linalg.norm(found, axis=1)
        assert sizes.max() <= limit * (1.0 + 1e-3) + 1e-9


def seven_phases(way, v, a, j):
    """Time from rest to rest where velocity and acceleration are both reached (textbook)."""
    assert v >= a**2 / j
    assert way >= v * (v / a + a / j)
    return way / v + v / a + a / j


def test_from_rest_it_is_straight_and_as_quick_as_the_textbook_says():
    end = np.array([0.3, -0.4, 1.2])
    path = quickest(POINT, TrajectorySample.at_rest(np.zeros(3)), end, LIMITS)
    way = float(np.linalg.norm(end))
    assert path.end == pytest.approx(seven_phases(way, *LIMITS), rel=1e-3)
    for t in np.linspace(0.0, path.end, 50):
        np.testing.assert_allclose(np.cross(path.at(t).value, end), 0.0, atol=1e-9)
    np.testing.assert_array_equal(path.at(path.end + 1.0).value, end)
    assert not path.at(path.end).velocity.any()


def test_joints_have_limits_of_their_own_and_arrive_together():
    limits = PathLimits(np.array([0.5, 0.1, 0.5]), 2.0, 20.0)
    end = np.array([0.4, 0.4, 0.1])
    path = quickest(JOINTS, TrajectorySample.at_rest(np.zeros(3)), end, limits)
    assert path.end == pytest.approx(0.4 / 0.1 + 0.1 / math.sqrt(0.1 * 20.0) * 2.0, rel=0.02)
    velocity, *_ = rates(path, np.linspace(0.0, path.end, 200))
    assert (np.abs(velocity).max(axis=0) <= np.array([0.5, 0.1, 0.5]) * 1.001).all()


vectors = st.lists(st.floats(-0.5, 0.5), min_size=3, max_size=3).map(np.array)


@settings(max_examples=tries(60), deadline=None)
@given(vectors, vectors, st.floats(0.05, 0.95), st.sampled_from([POINT, JOINTS]))
def test_in_mid_motion_it_begins_as_it_moves_and_keeps_the_limits(one, other, part, goal):
    first = quickest(goal, TrajectorySample.at_rest(np.zeros(3)), one, LIMITS)
    state = first.at(part * first.end)
    path = quickest(goal, state, other, LIMITS)
    begin = path.at(0.0)
    for found, expected in zip(begin, state, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-9)
    np.testing.assert_allclose(path.at(path.end).value, other, atol=1e-9)
    if goal is JOINTS:
        times = np.linspace(0.0, max(path.end - STEP, 0.0), 60)
        assert_within(rates(path, times)[:2], LIMITS[:2], by_component=True)


def magnitudes(lowest, highest):
    return st.floats(lowest, highest).map(lambda power: 10.0**power)


far = st.tuples(vectors, magnitudes(-3.0, 2.0)).map(lambda pair: pair[0] * pair[1])
LIMIT = magnitudes(-1.0, 3.0)  # [SI]


@settings(max_examples=tries(50), deadline=None)
@given(far, far, st.tuples(LIMIT, LIMIT, LIMIT), st.floats(0.02, 0.98), st.booleans())
def test_over_orders_of_magnitude_acceleration_has_no_jump_and_jerk_its_limit(
    one, other, limits, part, is_posture
):
    goal = JOINTS if is_posture else POINT
    speed, most, jerk = limits
    first = quickest(goal, TrajectorySample.at_rest(np.zeros(3)), one, PathLimits(*limits))
    moment = part * first.end
    second = quickest(goal, first.at(moment), other, PathLimits(*limits))
    times = np.linspace(0.0, second.end, 400)
    led = [first.at(t) for t in np.linspace(0.0, moment, 400)] + [second.at(t) for t in times]
    steps = np.diff(np.r_[np.linspace(0.0, moment, 400), moment + times])
    size = np.abs if is_posture else (lambda a: np.linalg.norm(a, axis=1))
    rises = size(np.diff([s.acceleration for s in led], axis=0)).reshape(len(steps), -1)
    assert (rises <= jerk * steps[:, np.newaxis] * 1.001 + 1e-8 * most).all()
    spare = 1.001 if is_posture else 4.0 / 3.0  # a point's limits are shared anew
    assert size(np.array([s.acceleration for s in led])).max() <= most * spare
    assert size(np.array([s.velocity for s in led])).max() <= speed * spare
    np.testing.assert_allclose(second.at(second.end).value, other, atol=1e-9)


@pytest.mark.parametrize("goal", [TURN, HEADING], ids=["turn", "heading"])
def test_turns_keep_their_limits_on_the_shortest_way(goal):
    start = np.zeros(goal.value.size)
    start[-1] = 1.0
    half = 0.9 if goal is TURN else 1.8
    end = start * math.cos(half)
    end[0] = math.sin(half)
    path = quickest(goal, TrajectorySample.at_rest(start), 3.0 * end, LIMITS)
    assert path.end == pytest.approx(seven_phases(1.8, *LIMITS), rel=1e-3)
    velocity, acceleration, _ = rates(path, np.linspace(0.0, path.end, 300), turns=goal is TURN)
    assert np.linalg.norm(velocity, axis=1).max() == pytest.approx(0.5, rel=1e-3)
    if goal is TURN:
        assert np.linalg.norm(acceleration, axis=1).max() == pytest.approx(2.0, rel=1e-3)
    np.testing.assert_allclose(path.at(path.end).value, end, atol=1e-9)


@given(st.sampled_from([TURN, HEADING]), vectors, vectors, st.floats(0.05, 0.95))
def test_turns_stay_on_the_sphere_in_mid_motion(goal, one, other, part):
    start = np.zeros(goal.value.size)
    start[-1] = 1.0
    first, second = (start + np.append(aside, 0.0)[: start.size] for aside in (one, other))
    path = quickest(goal, TrajectorySample.at_rest(start), first, LIMITS)
    state = path.at(part * path.end)
    path = quickest(goal, state, second, LIMITS)
    for found, expected in zip(path.at(0.0), state, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-9)
    for t in np.linspace(0.0, path.end, 20):
        u, u_dot, u_ddot = path.at(t)
        assert u @ u == pytest.approx(1.0, abs=1e-12)
        assert u @ u_dot == pytest.approx(0.0, abs=1e-9)
        assert u @ u_ddot == pytest.approx(-u_dot @ u_dot, abs=1e-9)


def test_no_way_takes_the_shortest_time():
    here = np.array([0.1, 0.2, 0.3])
    path = quickest(POINT, TrajectorySample.at_rest(here), here, LIMITS)
    assert path.end == SHORTEST
    np.testing.assert_array_equal(path.at(0.5 * SHORTEST).value, here)


def test_what_has_no_finite_numbers_is_refused():
    with pytest.raises(TrajectoryError, match="no way is found"):
        quickest(POINT, TrajectorySample.at_rest(np.zeros(3)), np.full(3, math.nan), LIMITS)
