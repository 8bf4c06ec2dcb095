"""Strides: plans over steps, one after the other, from rest to rest."""

import numpy as np
import pytest

from controlit_ros.locomotion.dcm_plan import PendulumMotion
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.stride import SOLE_SHARE, Landing, Roll, StepTimes, StridePlanner
from controlit_ros.locomotion.velocity_steps import StepLimits, VelocitySteps
from controlit_ros.locomotion.vrp_segment import VrpSegment

TIMES = StepTimes(0.6, 0.15, 0.8)
SOLE = np.array([0.1, 0.06])
PLANNER = StridePlanner(0.9, 9.81, Roll(0.0, SOLE))
ROLLING = StridePlanner(0.9, 9.81, Roll(0.1, SOLE))
LEFT = Footstep(Side.LEFT, np.array([0.0, 0.085, 0.0]), 0.0)
RIGHT = Footstep(Side.RIGHT, np.array([0.0, -0.085, 0.0]), 0.0)
UP = np.array([0.0, 0.0, 0.9])
STEPS = VelocitySteps(0.17, StepLimits(0.5, 0.3, 0.5))


def at_rest(point):
    return PendulumMotion(point, point, point, np.zeros(3), np.zeros(3))


def landed(motion, foot, other):
    return Landing(motion, (foot, other), (), TIMES.double_support)


def some_steps(count, velocity=(0.3, 0.0, 0.0)):
    steps = [RIGHT]
    for _ in range(count):
        steps.append(STEPS.next(steps[-1], np.array(velocity), 0.75))
    return steps[1:]


def test_it_sets_off_without_a_jump():
    middle = PLANNER.above(LEFT, RIGHT)
    stride = PLANNER.begin(at_rest(middle), (RIGHT, LEFT), some_steps(4), TIMES)
    first = stride.plan.at(0.0)
    for found in (first.repellent_point, first.dcm, first.position):
        np.testing.assert_allclose(found, middle, atol=1e-12)
    np.testing.assert_allclose(first.velocity, 0.0, atol=1e-12)
    assert stride.lift == TIMES.shift


def test_the_foot_leaves_when_the_other_has_all_weight():
    stride = PLANNER.begin(at_rest(PLANNER.above(LEFT, RIGHT)), (RIGHT, LEFT), some_steps(4), TIMES)
    for time in (stride.lift, stride.lift + TIMES.single_support):
        np.testing.assert_allclose(
            stride.plan.at(time).repellent_point, RIGHT.position + UP, atol=1e-9
        )


@pytest.mark.parametrize("velocity", [(0.4, 0.0, 0.0), (0.0, 0.1, 0.0), (0.1, 0.0, 0.3)])
def test_a_plan_ends_at_rest_between_the_last_feet(velocity):
    steps = some_steps(5, velocity)
    stride = PLANNER.go_on(landed(at_rest(PLANNER.above(RIGHT)), RIGHT, LEFT), steps, TIMES)
    last = stride.plan.at(stride.plan.duration + 10.0)
    np.testing.assert_allclose(last.position, PLANNER.above(*steps[-2:]), atol=1e-9)
    assert stride.step is steps[0]


def test_walking_step_after_step_keeps_the_repellent_point_and_comes_to_rest():
    motion, stance = at_rest(PLANNER.above(LEFT, RIGHT)), RIGHT
    stride = PLANNER.begin(motion, (stance, LEFT), some_steps(4), TIMES)
    for _ in range(6):
        motion = stride.plan.at(stride.lift + TIMES.single_support)
        stance, other = stride.step, stance
        ahead = [stance]
        for _ in range(3):
            ahead.append(STEPS.next(ahead[-1], np.array([0.3, 0.0, 0.0]), 0.75))
        ahead = [*ahead[1:], STEPS.beside(ahead[-1])]
        stride = PLANNER.go_on(landed(motion, stance, other), ahead, TIMES)
        first = stride.plan.at(0.0)
        np.testing.assert_allclose(first.repellent_point, motion.repellent_point, atol=1e-9)
        np.testing.assert_allclose(first.position, motion.position, atol=1e-9)
        assert np.linalg.norm(first.dcm - motion.dcm) < 0.02  # what lies beyond is not known
    rest = PLANNER.rest(landed(motion, stance, other))
    assert rest.step is None
    np.testing.assert_allclose(rest.plan.at(20.0).position, PLANNER.above(stance, other), atol=1e-9)


def test_stairs_lift_the_body():
    up = LEFT._replace(position=np.array([0.25, 0.085, 0.15]))
    beside = RIGHT._replace(position=np.array([0.25, -0.085, 0.15]))
    stride = PLANNER.begin(at_rest(PLANNER.above(LEFT, RIGHT)), (RIGHT, LEFT), [up, beside], TIMES)
    assert stride.plan.at(20.0).position[2] == pytest.approx(0.9 + 0.15)


def test_on_stairs_the_body_is_as_high_as_the_lower_foot_allows():
    treads = [
        (LEFT, 0.3, 0.15),
        (RIGHT, 0.6, 0.30),
        (LEFT, 0.9, 0.15),
        (RIGHT, 0.9, 0.15),
    ]
    steps = [foot._replace(position=np.array([x, foot.position[1], z])) for foot, x, z in treads]
    stride = PLANNER.begin(at_rest(PLANNER.above(LEFT, RIGHT)), (RIGHT, LEFT), steps, TIMES)
    lowest = [0.0, 0.15, 0.15, 0.15]  # of both feet while each step comes to bear
    time = stride.lift
    for height in lowest:
        time += TIMES.single_support
        for moment in (time, time + 0.99 * TIMES.double_support):
            point = stride.plan.at(moment).repellent_point
            assert point[2] == pytest.approx(0.9 + height)
        time += TIMES.double_support


def test_the_repellent_point_rolls_on_under_the_foot_within_its_sole():
    for velocity, way in ((0.2, 0.1 * 0.3), (0.6, SOLE[0])):  # of the foot in the air, or the sole
        steps = some_steps(4, (velocity, 0.0, 0.0))
        landing = landed(at_rest(ROLLING.above(RIGHT)), RIGHT, steps[0])
        behind = RIGHT._replace(
            side=Side.LEFT, position=RIGHT.position + np.array((-0.15, 0.17, 0.0))
        )
        landing = landing._replace(feet=(RIGHT, behind))
        roll = Roll(0.1 if velocity < 0.5 else 1.0, SOLE)
        plan = StridePlanner(0.9, 9.81, roll).go_on(landing, steps, TIMES).plan
        begins = TIMES.double_support
        ends = begins + TIMES.single_support
        first, last = (plan.at(time).repellent_point for time in (begins, ends))
        assert last[0] - first[0] == pytest.approx(way)
        reach = np.maximum((0.5 * way, 0.0), SOLE_SHARE * SOLE)  # ξ is not as planned before
        for point in (first, last):
            assert (np.abs(point - RIGHT.position)[:2] <= reach + 1e-9).all()


def test_a_stop_begins_with_the_motion_there_is():
    """At 0.5 m/s ξ is 4 cm ahead of where a last step beside needs it: the sole mends that."""
    motion, stance, behind = at_rest(PLANNER.above(LEFT, RIGHT)), RIGHT, LEFT
    stride = PLANNER.begin(motion, (stance, behind), some_steps(4, (0.5, 0.0, 0.0)), TIMES)
    motion = stride.plan.at(stride.lift + TIMES.single_support)
    stance, behind = stride.step, stance
    beside = STEPS.beside(stance)
    stop = PLANNER.go_on(landed(motion, stance, behind), [beside], TIMES)
    np.testing.assert_allclose(stop.plan.at(0.0).dcm, motion.dcm, atol=1e-9)
    point = stop.plan.at(stop.lift).repellent_point - stance.position
    assert 0.02 < point[0] <= SOLE_SHARE * SOLE[0]
    end = stop.plan.at(20.0).position
    np.testing.assert_allclose(end, PLANNER.above(stance, beside), atol=1e-9)


def test_a_sole_presses_no_farther_off_than_it_can_be_counted_on():
    far = PLANNER.above(RIGHT) + np.array((0.5, 0.5, 0.0))
    stride = PLANNER.go_on(landed(at_rest(far), RIGHT, LEFT), some_steps(4), TIMES)
    point = stride.plan.at(stride.lift).repellent_point - RIGHT.position
    np.testing.assert_allclose(point[:2], SOLE_SHARE * SOLE)


def test_a_foot_that_comes_down_early_changes_nothing_of_the_motion():
    steps = some_steps(5)
    on_plan = PLANNER.go_on(landed(at_rest(PLANNER.above(RIGHT)), RIGHT, LEFT), steps, TIMES)
    due = on_plan.lift + TIMES.single_support
    early = due - 0.08
    motion = on_plan.plan.at(early)
    rest = VrpSegment(due - early, motion.repellent_point, on_plan.plan.at(due).repellent_point)
    landing = Landing(motion, (steps[0], RIGHT), (rest,), TIMES.double_support)
    again = PLANNER.go_on(landing, steps[1:], TIMES)
    assert again.lift == pytest.approx(due - early + TIMES.double_support)
    for time in (0.0, 0.05, 0.2, 0.6, 1.5):
        for found, wanted in zip(again.plan.at(time), on_plan.plan.at(early + time), strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("stance", [LEFT, RIGHT])
def test_the_repellent_point_is_inside_of_the_middle_of_the_sole(stance):
    inset = 0.02
    planner = StridePlanner(0.9, 9.81, Roll(0.0, SOLE, inset))
    other = RIGHT if stance is LEFT else LEFT
    step = STEPS.next(stance, np.array([0.3, 0.0, 0.0]), 0.75)
    middle = at_rest(planner.above(LEFT, RIGHT))
    stride = planner.begin(middle, (stance, other), [step], TIMES)
    inside = np.array([0.0, -stance.side.value * inset, 0.0])
    for time in (stride.lift, stride.lift + TIMES.single_support):
        point = stride.plan.at(time).repellent_point
        np.testing.assert_allclose(point, stance.position + UP + inside, atol=1e-9)
    plain = PLANNER.begin(middle, (stance, other), [step], TIMES)
    inner, outer = (
        stride.plan.at(stride.lift + 0.1 * TIMES.single_support).dcm[1] * stance.side.value
        for stride in (stride, plain)
    )
    assert inner < outer - 0.5 * inset  # the more of the sole is left outward


def pushed(dcm):
    """Return the motion of a robot that rests but for ξ."""
    position = PLANNER.above(LEFT)
    velocity = PLANNER.omega * (dcm - position)
    return PendulumMotion(dcm, dcm, position, velocity, -PLANNER.omega * velocity)


def test_a_robot_that_stays_on_one_foot_has_its_goal_above_it():
    motion = pushed(PLANNER.above(LEFT) + np.array([0.02, 0.05, 0.0]))
    stride = PLANNER.stay(motion, LEFT, RIGHT)
    assert stride.step is RIGHT
    for time in (0.0, 0.3, 10.0):
        np.testing.assert_allclose(stride.plan.at(time).dcm, PLANNER.above(LEFT), atol=1e-12)
    np.testing.assert_allclose(stride.plan.at(0.0).position, motion.position, atol=1e-12)


def test_a_foot_that_waited_comes_down_without_a_jump_of_the_goal():
    motion = pushed(PLANNER.above(LEFT) + np.array([0.02, 0.01, 0.0]))
    target = RIGHT._replace(position=RIGHT.position + np.array([0.1, 0.0, 0.0]))
    stride = PLANNER.come_down(motion, (LEFT, target), 0.4, TIMES.double_support)
    np.testing.assert_allclose(stride.plan.at(0.0).dcm, motion.dcm, atol=1e-12)
    end = stride.plan.at(0.4 + TIMES.double_support)
    np.testing.assert_allclose(end.dcm, PLANNER.above(LEFT, target), atol=1e-9)
    pressed = LEFT.seen(stride.plan.at(0.2).repellent_point - LEFT.position)
    assert (np.abs(pressed) < SOLE).all()
