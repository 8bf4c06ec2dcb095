"""How far the foot in the air is moved after a push, and how late."""

import numpy as np
import pytest

from controlit_ros.kernels.flying_foot import ARRIVES, PEAK, come_within, seen_from
from controlit_ros.kernels.reachable_step import LATER
from controlit_ros.locomotion.dcm_plan import DcmPlan
from controlit_ros.locomotion.flying_foot import SINKS, FlyingFoot
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.quintic import Quintic, at_rest
from controlit_ros.locomotion.reactive_steps import ReactiveSteps, SteadyStep, StepRoom
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.locomotion.vrp_segment import VrpSegment
from controlit_ros.parameters import ParameterReflection

OMEGA, SINGLE, DOUBLE, WIDTH = 3.3, 0.6, 0.15, 0.17
STANCE = Footstep(Side.LEFT, np.zeros(3), 0.0)
TARGET = Footstep(Side.RIGHT, np.array([0.2, -WIDTH, 0.0]), 0.0)
SOLE = np.array([0.1, 0.06])
FASTEST = 30.0  # [m/s²]


def reactions():
    """Return them with a step that ends where the plan brings ξ to rest above the next foot."""
    found = ReactiveSteps(ParameterReflection("Walk"))
    single = VrpSegment(SINGLE, STANCE.position, STANCE.position)
    segments = [single, VrpSegment(DOUBLE, STANCE.position, TARGET.position)]
    plan = DcmPlan(OMEGA, segments, np.zeros(3))
    step = SteadyStep(STANCE, TARGET, plan, 0.0, 0.0, SINGLE, DOUBLE)
    found.aim(step, StepRoom(SOLE, WIDTH, StepLimits(0.4, 0.25, 0.4)))
    return found, plan


def foot_at(remaining, place=(0.1, -WIDTH), velocity=(0.0, 0.0), height=0.01):
    ways = np.array([place, velocity, TARGET.position[:2]])
    return FlyingFoot(ways, remaining, height, FASTEST)


def looked(push, now, foot):
    found, plan = reactions()
    return found.look(now, plan.at(now).dcm + np.array([*push, 0.0]), foot)


def test_nothing_changes_without_a_push():
    found = looked((0.0, 0.0), 0.3, foot_at(0.3))
    np.testing.assert_allclose(found.place, TARGET.position[:2], atol=1e-9)
    assert found.remaining == pytest.approx(0.3)


def test_a_step_that_became_short_comes_down_and_is_not_put_off_again():
    assert looked((0.0, -0.1), 0.3, foot_at(0.09)) is None


def test_a_foot_is_not_hurried_beyond_what_it_bears():
    foot = foot_at(0.15)
    found = looked((-0.12, 0.0), SINGLE - 0.15, foot)
    time = ARRIVES * found.remaining
    ends = (at_rest(np.array(place)) for place in (foot.place, found.place))
    way = Quintic(*ends, time)
    peak = max(np.abs(way.at(t)[2]).max() for t in np.linspace(0.0, time, 200))
    assert peak <= 1.01 * FASTEST
    assert found.place[0] < TARGET.position[0] - 0.02


def test_where_no_sole_mends_what_it_misses_it_is_down_later():
    soon, late = (looked((0.0, push), SINGLE - 0.15, foot_at(0.15)) for push in (-0.02, -0.12))
    assert soon.remaining <= 0.15 + 1e-9
    assert 0.15 < late.remaining <= 0.15 + LATER
    assert late.place[1] < TARGET.position[1] - 0.05


def test_a_high_foot_takes_its_time_to_sink():
    low, high = (looked((-0.15, 0.0), 0.3, foot_at(0.3, height=height)) for height in (0.0, 0.05))
    assert low.remaining < high.remaining
    assert high.remaining >= np.sqrt(PEAK * 0.05 / SINKS) - 1e-9


def test_where_it_goes_now_is_always_within_reach():
    foot = foot_at(0.1, place=(-0.3, -0.4))
    bounds, within = np.array([[-0.4, -0.42], [0.4, -0.15]]), np.empty((2, 2))
    place, velocity, target = foot.ways
    come_within(place, velocity, target, FASTEST, 0.1, bounds, within)
    assert (within[0] <= target).all()
    assert (target <= within[1]).all()


@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.5])
def test_a_foot_in_the_air_is_seen_from_the_one_that_stands(yaw, rng):
    stance = Footstep(Side.LEFT, rng.normal(size=3), yaw)
    motion, target, ways = rng.normal(size=(3, 6)), rng.normal(size=3), np.empty((3, 2))
    seen_from(stance.position, yaw, motion, target, ways)
    expected = (
        stance.seen(motion[0, :3] - stance.position),
        stance.seen(motion[1, :3]),
        stance.seen(target - stance.position),
    )
    np.testing.assert_allclose(ways, expected, atol=1e-12)
