"""When a robot stays on one foot after a push, and where the other one waits and comes down."""

import numpy as np
import pytest

from controlit_ros.locomotion.dcm_plan import DcmPlan
from controlit_ros.locomotion.flying_foot import FlyingFoot
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.one_foot_stand import (
    BACK,
    SETTLES,
    SPREADS,
    SWINGS,
    WAITS,
    OneFootStand,
)
from controlit_ros.locomotion.reactive_steps import SteadyStep, StepRoom
from controlit_ros.locomotion.step_adaptation import AdaptedStep
from controlit_ros.locomotion.stride import SOLE_SHARE
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.locomotion.vrp_segment import VrpSegment

OMEGA, WIDTH, YAW = 3.3, 0.17, 0.5
SOLE = np.array([0.1, 0.06])
LIMITS = StepLimits(0.4, 0.25, 0.4)
FOOT = FlyingFoot(np.array([[-0.1, -WIDTH], [0.0, 0.0], [0.2, -WIDTH]]), 0.3, 0.04, 30.0)
EDGE = SOLE_SHARE * SOLE[1]  # [m] that the next sole mends


@pytest.fixture(params=[Side.LEFT, Side.RIGHT])
def stance(request):
    return Footstep(request.param, np.array([3.0, -1.0, 0.0]), YAW)


def aimed(stance, limits=LIMITS):
    """Return one at a step on a stance."""
    other = stance._replace(side=stance.side.other)
    plan = DcmPlan(OMEGA, [VrpSegment(1.0, stance.position, stance.position)], stance.position)
    step = SteadyStep(stance, other, plan, 0.0, 0.0, 0.6, 0.15)
    found = OneFootStand()
    found.aim(step, StepRoom(SOLE, WIDTH, limits))
    return found


@pytest.fixture
def stand(stance):
    return aimed(stance)


def dcm(stance, ahead, outward):
    """Return ξ as far ahead and outward of the foot that stands."""
    return stance.from_here(ahead, stance.side.value * outward)


def leaving(stance, outward):
    """Return a step that leaves ξ too far outward."""
    missed = np.array([0.0, stance.side.value * outward])
    return AdaptedStep(np.zeros(2), np.zeros(2), 0.3, missed)


def test_it_stays_where_a_step_leaves_more_outward_than_the_next_sole_mends(stand, stance):
    here = dcm(stance, 0.0, 0.05)
    for missed in (0.9 * EDGE, -2.0 * EDGE):
        assert not stand.stays(0.0, here, leaving(stance, missed))
    assert not stand.stays(0.0, here, None)
    assert not stand.is_on
    assert stand.stays(0.0, here, leaving(stance, 1.1 * EDGE))
    assert stand.is_on


def test_it_steps_where_the_sole_does_not_reach_ahead(stand, stance):
    lost = leaving(stance, 2.0 * EDGE)
    assert not stand.stays(0.0, dcm(stance, 1.1 * SOLE[0], 0.05), lost)
    assert stand.stays(0.1, dcm(stance, 0.9 * SOLE[0], 0.05), lost)
    assert not stand.stays(0.2, dcm(stance, -1.1 * SOLE[0], 0.05), lost)
    assert not stand.is_on


def test_it_is_over_when_the_push_is_and_what_it_did(stand, stance):
    back, away = dcm(stance, 0.0, 0.9 * BACK * SOLE[1]), dcm(stance, 0.0, 1.1 * BACK * SOLE[1])
    assert stand.stays(0.0, away, leaving(stance, 2.0 * EDGE))
    assert stand.stays(0.9 * WAITS, back, None)
    assert stand.stays(1.1 * WAITS, away, None)
    assert not stand.has_ended()
    assert not stand.stays(1.2 * WAITS, back, None)
    assert stand.has_ended()


def test_the_other_foot_swings_far_beside_and_waits_there(stand, stance):
    far = (1.0 + SPREADS) * WIDTH
    for ahead, found in ((0.04, 0.04), (0.2, SOLE_SHARE * SOLE[0])):
        goal = stand.waiting(dcm(stance, ahead, 0.05), FOOT)
        np.testing.assert_allclose(goal.place, (found, -stance.side.value * far), atol=1e-12)
        assert goal.remaining >= SWINGS
        there = FOOT._replace(ways=np.array([goal.place, *FOOT.ways[1:]]))
        assert stand.waiting(dcm(stance, ahead, 0.05), there).remaining == SWINGS


def test_the_foot_that_waits_goes_no_farther_than_steps_do(stance):
    goal = aimed(stance, LIMITS._replace(outward=0.1)).waiting(dcm(stance, 0.0, 0.05), FOOT)
    assert goal.place[1] == pytest.approx(-stance.side.value * (WIDTH + 0.1))


@pytest.mark.parametrize("ahead", [0.0, 0.05, 0.08])
def test_the_middle_of_both_feet_is_where_the_pendulum_goes(stand, stance, ahead):
    goal = stand.landing(dcm(stance, ahead, 0.0), FOOT, OMEGA)
    pressed = min(ahead, SOLE_SHARE * SOLE[0])
    goes, time, dt = ahead, 0.0, 1e-5
    while time < goal.remaining:
        goes += OMEGA * (goes - pressed) * dt
        time += dt
    assert goal.remaining >= SETTLES
    assert goal.place[0] == pytest.approx(min(2.0 * goes, LIMITS.forward), abs=2e-3)
    assert goal.place[1] == pytest.approx(-stance.side.value * WIDTH)
