"""Footsteps that take a robot along at a velocity."""

from itertools import pairwise

import numpy as np
import pytest

from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.velocity_steps import StepLimits, VelocitySteps, first_side

WIDTH, DURATION = 0.17, 0.8
STEPS = VelocitySteps(WIDTH, StepLimits(0.5, 0.4, 0.6))
START = Footstep(Side.RIGHT, np.array([1.0, -0.5, 0.1]), 0.3)


def seen_from(foot, point):
    c, s = np.cos(foot.yaw), np.sin(foot.yaw)
    dx, dy = (point - foot.position)[:2]
    return np.array([c * dx + s * dy, -s * dx + c * dy])


def walk(velocity, count, steps=STEPS):
    feet = [START]
    for _ in range(count):
        feet.append(steps.next(feet[-1], np.array(velocity), DURATION))
    return feet


@pytest.mark.parametrize(
    "velocity",
    [(0.4, 0.0, 0.0), (-0.2, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, -0.1, 0.0), (0.3, 0.1, 0)],
)
def test_two_steps_take_the_body_as_far_as_its_velocity(velocity):
    feet = walk(velocity, 8)
    way = seen_from(START, feet[8].position)
    np.testing.assert_allclose(way, np.array(velocity[:2]) * 8 * DURATION, atol=1e-9)
    assert all(foot.yaw == START.yaw for foot in feet)


@pytest.mark.parametrize("turning", [0.3, -0.3])
def test_it_turns_on_the_spot(turning):
    feet = walk((0.0, 0.0, turning), 12)
    assert feet[12].yaw - START.yaw == pytest.approx(12 * DURATION * turning)
    middles = [
        0.5 * (a.position + b.position) for a, b in zip(feet[1::2], feet[2::2], strict=False)
    ]
    spread = np.ptp(np.array(middles)[:, :2], axis=0)
    assert spread.max() < 0.5 * WIDTH


@pytest.mark.parametrize("velocity", [(0.4, 0.2, 0.0), (0.2, -0.2, 0.3), (0.0, 0.1, -0.4)])
def test_legs_do_not_cross(velocity):
    feet = walk(velocity, 10)
    for stance, step in pairwise(feet):
        assert step.side is stance.side.other
        outward = seen_from(stance, step.position)[1] * step.side.value
        assert outward >= WIDTH * np.cos(0.6) - 1e-9


def test_reach_is_the_fastest_velocity_that_steps_follow():
    """Two steps at it take the body its whole way; at a little more in any part they do not."""
    reach = STEPS.reach(DURATION)
    for axis in range(3):
        for factor, follows in ((1.0, True), (1.01, False)):
            velocity = np.zeros(3)
            velocity[axis] = factor * reach[axis]
            foot = walk(velocity, 2)[2]
            way = [*seen_from(START, foot.position), foot.yaw - START.yaw][axis]
            assert (way > 0.999 * 2 * DURATION * velocity[axis]) == follows


@pytest.mark.parametrize("velocity", [(0.4, 0.1, 0.0), (-0.3, -0.2, 0.4), (0.1, 0.1, -0.4)])
def test_steps_on_a_slope_stay_in_its_plane(velocity):
    slope = np.array([0.1, -0.3])
    foot = START._replace(slope=tuple(slope))
    for _ in range(4):
        foot = STEPS.next(foot, np.array(velocity), DURATION)
        dx, dy, dz = foot.position - START.position
        assert dz == pytest.approx(slope @ (dx, dy))


def test_steps_stay_within_their_limits():
    tight = VelocitySteps(WIDTH, StepLimits(0.1, 0.05, 0.2))
    feet = walk((3.0, 2.0, 5.0), 4, tight)
    for stance, step in pairwise(feet):
        assert abs(step.yaw - stance.yaw) <= 0.2 + 1e-12
        assert seen_from(stance, step.position)[0] <= 0.1 + 0.5 * WIDTH


def test_beside_is_beside():
    np.testing.assert_allclose(
        seen_from(START, STEPS.beside(START).position), [0.0, WIDTH], atol=1e-12
    )


@pytest.mark.parametrize(
    ("velocity", "side"),
    [
        ((0.3, 0, 0), Side.RIGHT),
        ((0, 0.1, 0), Side.LEFT),
        ((0, 0, 0.2), Side.LEFT),
        ((0, -0.1, 1), Side.RIGHT),
    ],
)
def test_the_foot_on_that_side_goes_first(velocity, side):
    assert first_side(np.array(velocity)) is side
