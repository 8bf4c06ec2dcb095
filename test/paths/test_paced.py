"""Limits of paths, and how long paths take by them."""

import math

import numpy as np
import pytest

from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.goal_paths import path_to
from controlit_ros.paths.limits import PathLimits, excess
from controlit_ros.paths.paced import paced, told_excess
from controlit_ros.paths.trajectory import PathKind, Trajectory, TrajectoryError, TrajectorySample

POINT = Parameter("p", np.zeros(3), shape=(3,), quantity=Quantity.POINT, unit="m")
JOINTS = Parameter("q", np.zeros(2), shape=(2,), labels=("a", "b"), unit="rad")
TURN = Parameter("r", (0, 0, 0, 1.0), shape=(4,), quantity=Quantity.QUATERNION, unit_length=True)
REST = TrajectorySample.at_rest(np.zeros(3))
WAY = np.array([0.3, 0.0, 0.4])  # half a metre
PEAKS = {
    PathKind.LINEAR: (1.0, None, None),
    PathKind.CUBIC: (1.5, 6.0, None),
    PathKind.MINIMUM_JERK: (1.875, 10.0 / math.sqrt(3.0), 60.0),
}
"""Of a way of 1 in a time of 1 from rest to rest, by the polynomials."""


def make(goal, start, end, kind=PathKind.MINIMUM_JERK):
    return lambda time: path_to(goal, start, end, duration=time, kind=kind)


@pytest.mark.parametrize("kind", PathKind)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_peaks_are_those_of_the_polynomials(kind, order):
    peak = PEAKS[kind][order - 1]
    if peak is None:
        return
    limits = PathLimits(*(0.1 if order == i else math.inf for i in (1, 2, 3)))
    found = excess(POINT, make(POINT, REST, WAY, kind)(2.0), limits)
    assert found.found == pytest.approx(peak * 0.5 / 2.0**order, rel=0.02)
    assert found.allowed == 0.1
    assert found.factor == pytest.approx((found.found / 0.1) ** (1.0 / order))
    path = paced(POINT, REST, make(POINT, REST, WAY, kind), limits)
    assert path.end == pytest.approx((peak * 0.5 / 0.1) ** (1.0 / order), rel=0.01)


def test_the_worst_joint_is_named():
    start = TrajectorySample.at_rest(np.zeros(2))
    path = make(JOINTS, start, np.array([0.2, 0.4]))(1.0)
    found = excess(JOINTS, path, PathLimits(np.array([0.3, 0.5])))
    assert (found.name, found.component) == ("velocity", 1)
    text = told_excess(JOINTS, found)
    assert text == "it moves b with 0.75 rad/s, expected at most 0.5 in velocity"


def test_orientations_are_limited_by_how_the_body_turns():
    start = TrajectorySample.at_rest(np.array([0.0, 0.0, 0.0, 1.0]))
    end = np.array([math.sin(0.5), 0.0, 0.0, math.cos(0.5)])  # a turn by 1 rad
    found = excess(TURN, make(TURN, start, end)(1.0), PathLimits(1.0))
    assert found.found == pytest.approx(1.875, rel=1e-3)


def test_a_piece_among_many_is_looked_at():
    times = np.arange(101.0)
    points = np.zeros((101, 3))
    points[50] = [0.1, 0.0, 0.0]
    path = Trajectory(times, points, range(1, 100))
    assert excess(POINT, path, PathLimits(1.0)).found == pytest.approx(0.15, rel=0.02)


def test_in_mid_motion_what_is_too_fast_already_may_stay_so():
    start = REST._replace(velocity=np.array([0.4, 0.0, 0.0]))
    path = paced(POINT, start, make(POINT, start, WAY), PathLimits(0.3))
    found = excess(POINT, path, PathLimits(0.3))
    assert found.found <= 0.4 * 1.01
    assert path.end < 20.0


def test_what_no_duration_mends_is_refused():
    fixed = make(POINT, REST, WAY)(1.0)
    with pytest.raises(TrajectoryError, match="in velocity however long it takes"):
        paced(POINT, REST, lambda _time: fixed, PathLimits(0.1))
