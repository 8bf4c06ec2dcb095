"""The way of a foot through the air."""

import numpy as np
import pytest

from controlit_ros.locomotion.flying_foot import SINKS
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.quintic import Quintic
from controlit_ros.locomotion.swing import Swing

DURATION, HEIGHT, SINKING = 0.7, 0.06, 0.1
START = Footstep(Side.LEFT, np.array([0.1, 0.2, 0.01]), 0.1)
TARGET = Footstep(Side.LEFT, np.array([0.4, 0.25, 0.11]), -0.2, (0.1, -0.05))
TINY = 1e-6


def a_swing():
    return Swing(START, TARGET, DURATION, HEIGHT, SINKING)


def assert_rates_belong(motion_at, times):
    for time in times:
        before, now, after = (motion_at(time + shift) for shift in (-TINY, 0.0, TINY))
        velocity = (after[0] - before[0]) / (2 * TINY)
        acceleration = (after[1] - before[1]) / (2 * TINY)
        np.testing.assert_allclose(now[1], velocity, atol=1e-5)
        np.testing.assert_allclose(now[2], acceleration, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_a_quintic_leads_from_one_state_to_another(seed):
    random = np.random.default_rng(seed)
    duration = 10 ** random.uniform(-1.0, 1.0)
    start, end = random.normal(size=(2, 3, 4))
    way = Quintic(start, end, duration)
    for found, wanted in ((way.at(0.0), start), (way.at(duration * (1 - 1e-12)), end)):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)
    middle = 0.37 * duration
    step = 1e-5 * duration
    rate = (way.at(middle + step)[0] - way.at(middle - step)[0]) / (2 * step)
    np.testing.assert_allclose(way.at(middle)[1], rate, rtol=1e-6, atol=1e-6)


def test_it_rests_at_both_ends():
    swing = a_swing()
    for time, step in ((0.0, START), (DURATION, TARGET)):
        motion = swing.at(time)
        np.testing.assert_allclose(motion[0], [*step.position, step.yaw, *step.slope], atol=1e-12)
        np.testing.assert_allclose(motion[1], 0.0, atol=1e-9)
        np.testing.assert_allclose(motion[2], 0.0, atol=1e-9)


def test_its_rates_belong_to_it():
    assert_rates_belong(a_swing().at, np.linspace(0.01, DURATION - 0.01, 23))


def test_it_clears_the_higher_place_and_comes_down_straight():
    swing = a_swing()
    heights = [swing.at(time)[0][2] for time in np.linspace(0.0, DURATION, 201)]
    assert max(heights) == pytest.approx(0.11 + HEIGHT)
    late = swing.at(0.95 * DURATION)
    np.testing.assert_allclose(late[0][:2], TARGET.position[:2], atol=1e-12)
    assert late[1][2] < 0.0


def test_it_looks_for_ground_that_is_not_there():
    motion = a_swing().at(DURATION + 0.2)
    assert motion[0][2] == pytest.approx(TARGET.position[2] - 0.2 * SINKING)
    assert motion[1][2] == -SINKING


def test_it_can_be_led_elsewhere_without_a_jump():
    swing = a_swing()
    before = swing.at(0.3)
    elsewhere = TARGET._replace(position=TARGET.position + np.array((0.1, -0.05, 0.0)))
    swing.redirect(0.3, elsewhere, DURATION)
    after = swing.at(0.3)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    np.testing.assert_allclose(swing.at(DURATION)[0][:2], elsewhere.position[:2])
    assert_rates_belong(swing.at, np.linspace(0.31, DURATION - 0.01, 11))


def test_at_its_end_it_goes_nowhere_else():
    swing = a_swing()
    elsewhere = TARGET._replace(position=TARGET.position + 1.0)
    swing.redirect(DURATION, elsewhere, DURATION)
    assert swing.target is TARGET


@pytest.mark.parametrize("now", [0.1, 0.3, 0.45])
@pytest.mark.parametrize("duration", [0.55, 0.8])
def test_it_can_be_down_at_another_time_without_a_jump(now, duration):
    swing = a_swing()
    before = swing.at(now)
    swing.redirect(now, TARGET, duration)
    for one, other in zip(before, swing.at(now), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    assert_rates_belong(swing.at, np.linspace(now + 0.003, duration - 0.003, 17))
    end = swing.at(duration)
    np.testing.assert_allclose(end[0], [*TARGET.position, TARGET.yaw, *TARGET.slope], atol=1e-9)
    np.testing.assert_allclose(end[1], 0.0, atol=1e-9)


def test_on_its_way_up_it_still_goes_over_the_top_if_there_is_time():
    heights = {}
    for duration in (0.6, 0.25):
        swing = a_swing()
        swing.redirect(0.1, TARGET, duration)
        heights[duration] = max(swing.at(t)[0][2] for t in np.linspace(0.0, duration, 200))
    assert heights[0.6] == pytest.approx(0.11 + HEIGHT)
    assert heights[0.25] < 0.11 + HEIGHT


def test_a_foot_that_is_nearly_down_rises_again_to_go_elsewhere_and_softly():
    swing, now, duration = a_swing(), 0.85 * DURATION, 0.85 * DURATION + 0.2
    low = swing.at(now)[0][2]
    swing.redirect(
        now, TARGET._replace(position=TARGET.position + np.array((0.1, 0.0, 0.0))), duration
    )
    later = [swing.at(t) for t in np.linspace(now, duration, 200)]
    heights = [motion[0][2] for motion in later]
    assert max(heights) > low + 0.01
    assert min(heights) >= TARGET.position[2] - 1e-9
    sinking = [motion[2][2] for motion in later[101:]]
    assert np.abs(sinking).max() <= 1.01 * SINKS
    arrived = swing.at(now + 0.95 * (duration - now))
    assert arrived[0][0] == pytest.approx(TARGET.position[0] + 0.1, abs=1e-6)


RISER = 0.045  # [m] from the toes, or the heel, to the edge of a tread of 0.3 m


@pytest.mark.parametrize(("treads", "climb"), [(1, 0.15), (2, 0.30)])
def test_up_a_step_it_first_rises(treads, climb):
    way = 0.3 * treads
    start = Footstep(Side.LEFT, np.array([0.0, 0.1, 0.0]), 0.0)
    swing = Swing(start, start._replace(position=np.array([way, 0.1, climb])), 1.0, 0.06, 0.1)
    for time in np.linspace(0.0, 1.0, 401):
        x, _, z, *_ = swing.at(time)[0]
        level = 0.15 * np.ceil(max(x - RISER, 0.0) / 0.3)  # of the tread below the toes
        assert z >= min(level, climb) - 1e-9


@pytest.mark.parametrize(("treads", "drop"), [(1, 0.15), (2, 0.30)])
def test_down_a_step_its_heel_clears_the_edge(treads, drop):
    way = 0.3 * treads
    start = Footstep(Side.LEFT, np.array([0.0, 0.1, drop]), 0.0)
    swing = Swing(start, start._replace(position=np.array([way, 0.1, 0.0])), 1.0, 0.06, 0.1)
    for time in np.linspace(0.0, 1.0, 401):
        x, _, z, *_ = swing.at(time)[0]
        left = max(way - x - RISER, 0.0)  # until the heel has passed the last edge
        assert z >= min(0.15 * np.ceil(left / 0.3), drop) - 1e-9
