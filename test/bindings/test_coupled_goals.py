"""Goals of coupled joints: those that contradict each other are refused, the others followed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings.coupled_goals import (
    ContradictionError,
    CoupledGoals,
    coupled_trajectory,
)
from controlit_ros.bindings.joint_trajectory import (
    LONGEST,
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryPoint,
    read_trajectory,
)
from controlit_ros.bindings.trajectory_limits import TooFast, within_limits
from controlit_ros.constraints.transmission import Coupling
from controlit_ros.interfaces import new

JOINTS = ("a", "b", "c", "d")
CHAIN = (Coupling("b", "c", -2.0, 0.5), Coupling("a", "b", 0.5, 0.1))
NUMBERS = st.floats(-3.0, 3.0)


@given(NUMBERS, NUMBERS, st.sampled_from(["a", "b", "c"]))
def test_one_joint_leads_the_whole_chain(value, other, stated):
    values = dict.fromkeys(JOINTS, 0.0) | {stated: value, "d": other}
    goals = CoupledGoals(JOINTS, (stated, "d"), CHAIN)
    found = dict(zip(JOINTS, goals.positions(np.array(list(values.values()))), strict=True))
    assert found[stated] == value
    assert found["d"] == other
    assert found["b"] == pytest.approx(0.5 * found["a"] + 0.1)
    assert found["c"] == pytest.approx(-2.0 * found["b"] + 0.5)
    assert set(goals.moving) == set(JOINTS)


@given(st.lists(NUMBERS, min_size=4, max_size=4), st.sets(st.sampled_from(JOINTS), min_size=1))
def test_what_is_returned_obeys_the_couplings_or_is_refused(values, stated):
    goals = CoupledGoals(JOINTS, [joint for joint in JOINTS if joint in stated], CHAIN)
    try:
        found = dict(zip(JOINTS, goals.positions(np.array(values)), strict=True))
    except ContradictionError:
        assert len(stated & {"a", "b", "c"}) > 1
        return
    for joint in stated:
        assert found[joint] == values[JOINTS.index(joint)]
    if stated & {"a", "b", "c"}:
        assert found["b"] == pytest.approx(0.5 * found["a"] + 0.1, abs=2e-3)
        assert found["c"] == pytest.approx(-2.0 * found["b"] + 0.5, abs=2e-3)


@pytest.mark.parametrize("ratio", [1.0, -0.5, 3.0])
def test_followers_of_a_trajectory_move_in_proportion(ratio):
    point = TrajectoryPoint(1.0, np.array([0.4]), np.array([0.2]), np.array([-0.1]))
    found = coupled_trajectory(
        JointTrajectory(("a",), [point]), JOINTS, (Coupling("a", "c", ratio, 0.3),)
    )
    assert found.joints == ("a", "c")
    (moved,) = found.points
    np.testing.assert_allclose(moved.position, [0.4, 0.4 * ratio + 0.3])
    np.testing.assert_allclose(moved.velocity, [0.2, 0.2 * ratio])
    np.testing.assert_allclose(moved.acceleration, [-0.1, -0.1 * ratio])


def test_a_contradiction_in_a_trajectory_names_its_point():
    points = [
        TrajectoryPoint(1.0, np.array([0.2, 0.2])),
        TrajectoryPoint(2.0, np.array([0.4, 0.1])),
    ]
    with pytest.raises(
        RefusedTrajectoryError, match=r"point 1 leads c to 0.1 and a to 0.4: .* 0.4"
    ):
        coupled_trajectory(JointTrajectory(("a", "c"), points), JOINTS, (Coupling("a", "c", 1.0),))


def test_without_couplings_a_trajectory_stays_as_it_is():
    points = [TrajectoryPoint(1.0, np.array([0.2]))]
    found = coupled_trajectory(JointTrajectory(("b",), points), JOINTS, ())
    assert found.joints == ("b",)
    np.testing.assert_array_equal(found.points[0].position, [0.2])


def message(*times):
    points = [
        new(
            "trajectory_msgs/msg/JointTrajectoryPoint",
            positions=[0.1 * k],
            time_from_start={"sec": int(time), "nanosec": round((time % 1.0) * 1e9)},
        )
        for k, time in enumerate(times)
    ]
    return new("trajectory_msgs/msg/JointTrajectory", joint_names=["a"], points=points)


@pytest.mark.parametrize("time", [LONGEST + 1.0, 1e6, 2.0**31 - 1.0])
def test_a_trajectory_of_years_is_refused(time):
    with pytest.raises(RefusedTrajectoryError, match="at the last point, expected at most 86400 s"):
        read_trajectory(message(time), JOINTS)
    read_trajectory(message(LONGEST), JOINTS)


def test_a_trajectory_is_not_stretched_to_years():
    points = [TrajectoryPoint(0.0, np.zeros(1)), TrajectoryPoint(10.0, np.array([1.0]))]
    limits = {"a": -2.0}, {"a": 2.0}
    stretched = within_limits(JointTrajectory("a", points), *limits, {"a": 1e-4}, TooFast.SCALE)
    assert stretched.duration == pytest.approx(1e4, rel=1e-3)
    with pytest.raises(RefusedTrajectoryError, match="its velocity limit"):
        within_limits(JointTrajectory("a", points), *limits, {"a": 1e-5}, TooFast.SCALE)


@pytest.mark.parametrize("begin", [1.0, 1000.0, 80000.0])
@pytest.mark.parametrize("gap", [1e-3, 1e-6])
def test_times_in_messages_can_be_told_apart(begin, gap):
    points = [TrajectoryPoint(begin, np.zeros(1)), TrajectoryPoint(begin + gap, np.ones(1))]
    with pytest.raises(RefusedTrajectoryError) as caught:
        within_limits(JointTrajectory("a", points), {"a": -2.0}, {"a": 2.0}, {"a": 1.0})
    words = str(caught.value).split()
    assert float(words[1]) < float(words[3])
    with pytest.raises(RefusedTrajectoryError) as caught:
        read_trajectory(message(begin + gap, begin), JOINTS)
    later, earlier = str(caught.value).replace(",", "").split()[2:4]
    assert float(earlier) < float(later)
