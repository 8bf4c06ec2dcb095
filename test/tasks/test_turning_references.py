"""What leads to directions, orientations and poses that jump: on the sphere, and smooth."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, chain, configured, random_state, updated
from test_goal_reference import PERIOD, join

from controlit_ros.model import quaternion
from controlit_ros.paths.jerk_limited import REQUIREMENT
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D

pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")

DESCRIPTION = chain(4, ("revolute", "revolute", "revolute", "revolute")).description()
KINDS = {"direction": Orientation2D, "orientation": Orientation3D, "pose": CartesianPose}
SCALES = st.floats(-3.0, 1.0).map(lambda power: 10.0**power)
MOST = 2.5  # [rad] of a jump


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def make(kind, **more):
    return configured(
        KINDS[kind]("task", DESCRIPTION), body="link_4", reference="time_optimal", **more
    )


def leading(kind, rng, speed=0.0, **more):
    """Return a task that takes part, and the compound task it is in."""
    task = make(kind, **more)
    return task, join(task, updated(DESCRIPTION, random_state(DESCRIPTION, rng, speed=speed)))


def turned(kind, value, turn):
    """Return a goal that is turned by a rotation vector; the place of a pose stays."""
    angle = float(np.linalg.norm(turn))
    q = np.append(math.sin(angle / 2.0) * turn / max(angle, 1e-12), math.cos(angle / 2.0))
    if kind == "direction":
        return quaternion.rotate(q, value)
    return np.concatenate([value[:-4], quaternion.multiply(q, value[-4:])])


def random_turn(rng, angle):
    turn = rng.normal(size=3)
    return turn * angle / np.linalg.norm(turn)


def recorded(parts):
    """Return the turning of what `follow` recorded: places on the sphere, rates, their rates."""
    goals, rates, accelerations = ([cycle[i] for part in parts for cycle in part] for i in range(3))
    size = 4 if len(goals[0]) > 3 else 3
    return (
        np.array([goal[-size:] for goal in goals]),
        np.array([rate[-3:] for rate in rates]),
        np.array([rate[-3:] for rate in accelerations]),
    )


def follow(compound, cycles):
    """Return the intermediate goals, velocities and accelerations of some cycles."""
    task = compound.tasks[0]
    found = []
    for _ in range(cycles):
        compound.compute(PERIOD)
        found.append([p.value.copy() for p in task.followed[:3]])
    return found


def between(one, other):
    """Return the rotation vector between two orientations, or the way between directions."""
    if one.size == 4:
        return quaternion.rotation_vector(one, other)
    aside = other - (one @ other) * one
    return math.acos(np.clip(one @ other, -1.0, 1.0)) * aside / max(np.linalg.norm(aside), 1e-12)


@given(
    seed=SEEDS,
    kind=st.sampled_from(sorted(KINDS)),
    angle=SCALES,
    limits=st.tuples(SCALES, SCALES, SCALES),
)
def test_it_is_smooth_wherever_the_goal_jumps_in_mid_motion(seed, kind, angle, limits):
    rng = np.random.default_rng(seed)
    names = ("max_goal_velocity", "max_goal_acceleration", "max_goal_jerk")
    task, compound = leading(kind, rng, **dict(zip(names, limits, strict=True)))
    parts = [follow(compound, 2)]
    for _ in range(4):
        task.goal.set(turned(kind, task.goal.value, random_turn(rng, min(angle, MOST))))
        parts.append(follow(compound, int(rng.integers(1, 200))))
    places, rates, accelerations = recorded(parts)
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1.0, atol=1e-12)
    speed, most, jerk = limits
    # the plane at the goal is flat and the sphere is not: what a turn adds goes with its speed
    bound = 4.0 * (jerk + most * speed + speed**3) * PERIOD
    assert np.linalg.norm(np.diff(accelerations, axis=0), axis=1).max() <= bound + 1e-9
    # each is the integral of the next
    middle = (accelerations[1:] + accelerations[:-1]) / 2.0
    np.testing.assert_allclose(np.diff(rates, axis=0), middle * PERIOD, atol=bound * PERIOD + 1e-9)
    way = np.array([between(a, b) for a, b in pairwise(places)])
    middle = (rates[1:] + rates[:-1]) / 2.0
    slack = (most + speed**2 + bound) * PERIOD**2
    np.testing.assert_allclose(way, middle * PERIOD, atol=slack + 1e-12)


def test_from_rest_it_turns_the_short_way_within_its_limits(kind, rng):
    task, compound = leading(kind, rng)
    turn = random_turn(rng, 1.2)
    if kind == "direction":  # what is turned about itself stays
        aside = np.cross(task.active.actual, turn)
        turn = 1.2 * aside / np.linalg.norm(aside)
    goal = turned(kind, task.active.actual, turn)
    task.goal.set(-goal if kind == "orientation" else goal)  # the same orientation
    parts = [follow(compound, 3300)]
    places, rates, accelerations = recorded(parts)
    axis = turn / 1.2
    if kind != "direction":
        np.testing.assert_allclose(np.cross(rates, axis), 0.0, atol=1e-9)
        np.testing.assert_allclose(np.abs(accelerations).max(), np.abs(4.0 * axis).max(), rtol=0.3)
    assert np.linalg.norm(rates, axis=1).max() == pytest.approx(0.5, rel=1e-3)
    np.testing.assert_allclose(np.abs(places[-1]), np.abs(goal[-places.shape[1] :]), atol=1e-9)
    np.testing.assert_allclose(rates[-1], 0.0, atol=1e-9)


def test_it_begins_as_the_robot_turns(kind, rng):
    task, compound = leading(kind, rng, speed=0.3)
    task.goal.set(turned(kind, task.active.actual, random_turn(rng, 0.5)))
    first, *_, last = follow(compound, 20)
    np.testing.assert_allclose(first[0], task.active.actual, atol=1e-12)
    np.testing.assert_allclose(first[1], task.active.velocity, atol=1e-12)
    assert np.abs(last[1] - first[1]).max() <= 4.0 * 20 * PERIOD * 1.5


def test_errors_are_those_of_the_goal_and_the_law_follows_what_leads_there(kind, rng):
    task, compound = leading(kind, rng, kp=9.0, kd=6.0)
    turn = random_turn(rng, 0.4)
    goal = turned(kind, task.active.actual, turn)
    task.goal.set(goal)
    follow(compound, 50)
    size = 3 if kind == "direction" else 4
    error = between(task.active.actual[-size:], task.goal.value[-size:])
    np.testing.assert_allclose(task.error.value[-3:], error, atol=1e-12)
    assert task.error_norm.value == pytest.approx(np.linalg.norm(error))
    followed = task.followed
    tracking = between(task.active.actual[-size:], followed.goal.value[-size:])
    np.testing.assert_allclose(followed.error.value[-3:], tracking, atol=1e-12)
    assert 0.0 < np.linalg.norm(tracking) < np.linalg.norm(error)
    command = 9.0 * tracking + 6.0 * followed.velocity.value[-3:] + followed.acceleration.value[-3:]
    np.testing.assert_allclose(task.command.value[-3:], command, atol=1e-9)


def test_the_kernel_does_what_one_task_does(kind, rng):
    model = updated(DESCRIPTION, random_state(DESCRIPTION, rng, speed=1.0))
    together, alone = make(kind), make(kind)
    compound = join(together, model)
    alone.update(model, alone.inactive)
    alone.swap()
    turn = random_turn(rng, 0.7)
    for task in (together, alone):
        task.goal.set(turned(kind, task.active.actual, turn))
    for _ in range(100):
        compound.compute(PERIOD)
        alone.compute(PERIOD)
        for name in ("error", "error_norm", "command", "intermediate_goal", "tracking_error"):
            found, expected = (task.parameter(name).value for task in (together, alone))
            np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_place_of_a_pose_goes_as_that_of_a_position(rng):
    task, compound = leading("pose", rng)
    way = np.array([0.1, -0.2, 0.05])
    goal = turned("pose", task.active.actual, random_turn(rng, 1.0))
    goal[:3] += way
    task.goal.set(goal)
    places = np.array([cycle[0][:3] for cycle in follow(compound, 3000)])
    np.testing.assert_allclose(np.cross(places - task.active.actual[:3], way), 0.0, atol=1e-9)
    np.testing.assert_allclose(places[-1], goal[:3], atol=1e-9)


def test_goals_streamed_at_ten_hertz_are_smooth(kind, rng):
    task, compound = leading(kind, rng)
    axis, parts = random_turn(rng, 0.01), []
    for k in range(20):
        task.goal.set(turned(kind, task.active.actual, k * axis))
        parts.append(follow(compound, 100))
    *_, accelerations = recorded(parts)
    assert np.abs(np.diff(accelerations, axis=0)).max() <= 50.0 * PERIOD * 1.1


@pytest.mark.thorough
@pytest.mark.parametrize("away", [0.0, 1e-12, 1e-6, 1e-3, 0.0199, 0.0201, 0.1])
@pytest.mark.parametrize("speed", [0.0, 0.3])
def test_it_turns_to_the_opposite_side_within_its_limits(away, speed, rng):
    task, compound = leading("direction", rng, speed=speed)
    parts = [follow(compound, 20)]
    now = parts[0][-1][0]
    aside = np.cross(now, [0.3, -0.5, 0.8])
    aside /= np.linalg.norm(aside)
    task.goal.set(-math.cos(away) * now + math.sin(away) * aside)
    parts.append(follow(compound, 12000 if speed else 7000))
    assert not task.complaint()
    places, rates, accelerations = recorded(parts)
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(places[-1], task.goal.value, atol=1e-9)
    np.testing.assert_allclose(rates[-1], 0.0, atol=1e-9)
    middle = (rates[1:] + rates[:-1]) / 2.0
    np.testing.assert_allclose(np.diff(places, axis=0), middle * PERIOD, atol=3e-6)
    middle = (accelerations[1:] + accelerations[:-1]) / 2.0
    np.testing.assert_allclose(np.diff(rates, axis=0), middle * PERIOD, atol=1e-3)
    if not speed:
        assert np.linalg.norm(rates, axis=1).max() == pytest.approx(0.5, rel=1e-3)
        assert np.linalg.norm(accelerations, axis=1).max() < 4.0 * (1.0 + 1e-9) + 0.5**2


def test_what_it_follows_is_there_to_see(kind):
    task = make(kind)
    assert task.parameter("intermediate_goal").quantity is task.goal.quantity
    assert task.parameter("max_goal_velocity").unit.endswith("/s")
