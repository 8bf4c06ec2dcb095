"""Where and when a foot comes down after a push, against a solver of quadratic programs."""

from math import exp, log

import numpy as np
import pytest
from scipy.optimize import minimize

from controlit_ros.kernels.adapted_step import (
    AXIS,
    GROWTH_WEIGHT,
    OFFSET_WEIGHT,
    PLACE_WEIGHT,
)
from controlit_ros.kernels.adapted_step import adapted_step as free_step
from controlit_ros.kernels.flying_foot import ARRIVES, COASTS, PEAK
from controlit_ros.kernels.reachable_step import LATER, ROUNDS
from controlit_ros.locomotion.flying_foot import FlyingFoot
from controlit_ros.locomotion.step_adaptation import (
    StepGoal,
    StepWindow,
    SupportTimes,
    adapted_step,
)

OMEGA, SINGLE, DOUBLE = 3.3, 0.6, 0.15
REACH = np.array((0.063, 0.039))
PLACE = np.array((0.1, -0.17))
WINDOW = StepWindow(np.array([(-0.4, -0.42), (0.4, -0.15)]), 0.2, SINGLE)
NOTHING = np.zeros(2)
QUICK = FlyingFoot(np.array([PLACE, NOTHING, PLACE]), SINGLE, 0.0, 1e12)
"""It comes everywhere at once."""


START = np.array((0.01, -0.03))
GROWN = exp(OMEGA * DOUBLE)
KAPPA = (1.0 - GROWN) / (OMEGA * DOUBLE)


def goal_over(middle):
    """Return the goal of a step that needs no change, over a repellent point."""
    return StepGoal(PLACE, middle + (START - middle) * exp(OMEGA * SINGLE), SINGLE)


def planned_offset(middle=NOTHING):
    """Return ξ from the new foot when that has the weight, as planned."""
    return GROWN * (START - middle) * exp(OMEGA * SINGLE) + KAPPA * (PLACE - middle)


def adapted(push, reach=REACH, window=WINDOW, middle=NOTHING):
    times = SupportTimes(OMEGA, DOUBLE)
    return adapted_step(times, START + push, START, reach, goal_over(middle), window, QUICK)


def offset_of(step, dcm):
    """Return ξ from the new foot, by integrating the pendulum in small steps."""
    time, dt = 0.0, 1e-5
    while time < step.remaining + DOUBLE:
        late = min(max((time - step.remaining) / DOUBLE, 0.0), 1.0)
        point = step.pressed + late * (step.place - step.pressed)
        dcm = dcm + OMEGA * (dcm - point) * dt
        time += dt
    return dcm - step.place


@pytest.mark.parametrize("middle", [(0.0, 0.0), (0.02, -0.01), (0.08, 0.0)])
def test_without_a_push_the_step_is_as_planned(middle):
    found = adapted(NOTHING, middle=np.array(middle))
    np.testing.assert_allclose(found.place, PLACE, atol=1e-9)
    np.testing.assert_allclose(found.pressed, middle, atol=1e-12)
    assert found.remaining == pytest.approx(SINGLE)


@pytest.mark.parametrize("push", [(0.02, 0.0), (-0.03, 0.01), (0.0, -0.02)])
def test_what_the_sole_mends_asks_for_no_other_step(push):
    found = adapted(np.array(push))
    np.testing.assert_allclose(found.place, PLACE, atol=1e-9)
    assert np.abs(found.pressed).max() > 0.0
    np.testing.assert_allclose(offset_of(found, START + push), planned_offset(), atol=1e-3)


@pytest.mark.parametrize("push", [(0.12, 0.0), (-0.1, 0.0), (0.0, -0.09)])
def test_a_foot_goes_where_the_push_goes_and_keeps_the_pendulum(push):
    push = np.array(push)
    found = adapted(push)
    axis = int(np.argmax(np.abs(push)))
    assert (found.place - PLACE)[axis] * push[axis] > 0.0
    unchanged = found._replace(place=PLACE, remaining=SINGLE, pressed=NOTHING)
    missed = np.abs(offset_of(found, START + push) - planned_offset()).max()
    assert missed < 0.1 * np.abs(offset_of(unchanged, START + push) - planned_offset()).max()


def test_where_feet_would_touch_it_comes_down_as_early_as_it_may():
    found = adapted(np.array((0.0, 0.3)))
    assert found.place[1] == WINDOW.bounds[1, 1]
    assert found.remaining == pytest.approx(WINDOW.shortest)


@pytest.mark.parametrize("seed", range(30))
def test_it_is_the_least_of_its_cost(seed):
    random = np.random.default_rng(seed)
    push, reach = random.normal(scale=0.1, size=2), random.uniform(0.0, 0.08, size=2)
    found = adapted(push, reach)

    def cost(unknowns):
        place, growth = unknowns[:2], unknowns[2]
        offset = GROWN * (START + push - found.pressed) * growth + KAPPA * (place - found.pressed)
        return (
            PLACE_WEIGHT * np.square(place - PLACE).sum()
            + GROWTH_WEIGHT * (growth - exp(OMEGA * SINGLE)) ** 2
            + OFFSET_WEIGHT * np.square(offset - planned_offset()).sum()
        )

    growths = exp(OMEGA * WINDOW.shortest), exp(OMEGA * WINDOW.longest)
    bounds = [*WINDOW.bounds.T, growths]
    start_at = np.array([*PLACE, growths[1]])
    best = minimize(cost, start_at, bounds=bounds, tol=1e-14, options={"maxiter": 1000})
    mine = np.array([*found.place, exp(OMEGA * found.remaining)])
    assert cost(mine) <= best.fun + 1e-6
    assert WINDOW.shortest - 1e-9 <= found.remaining <= log(growths[1]) / OMEGA + 1e-9
    assert (found.place >= WINDOW.bounds[0]).all()
    assert (found.place <= WINDOW.bounds[1]).all()


def pulled(foot, window):
    """Return what a foot comes to, as the docstrings of `adapted_step` and its kernels tell."""
    place, velocity, target = foot.ways

    def free(bounds, shortest, longest):
        step, axes = np.empty((3, 2)), np.empty((2, AXIS))
        goal = goal_over(NOTHING)
        time = free_step(
            *(OMEGA, DOUBLE, START + PUSH, START, REACH, *goal),
            *(*bounds, shortest, longest, axes, step),
        )
        return step, time

    def needed(found):
        way = np.abs(found - place - COASTS * velocity * foot.remaining) - REACH
        return np.sqrt(PEAK * np.maximum(way, 0.0) / foot.acceleration).max() / ARRIVES

    step, time = free(window.bounds, window.shortest, window.longest)
    for _ in range(ROUNDS):
        later = min(needed(step[0]), window.longest + LATER)
        if later <= time:
            break
        step, time = free(window.bounds, later, later)
    reach = foot.acceleration * (ARRIVES * time) ** 2 / PEAK
    middle = place + COASTS * velocity * time
    ends = np.minimum(middle - reach, target), np.maximum(middle + reach, target)
    step, _ = free(np.clip(ends, *window.bounds), time, time)
    return step, time


PUSH = np.array((0.12, -0.1))


@pytest.mark.parametrize("seed", range(40))
def test_a_slow_foot_comes_no_farther_than_it_bears(seed):
    random = np.random.default_rng(seed)
    ways = random.normal(scale=(0.2, 0.2), size=(3, 2)) * [[1.0], [5.0], [1.0]]
    remaining = random.uniform(0.1, 0.5)
    foot = FlyingFoot(ways, remaining, 0.0, 10 ** random.uniform(0.0, 2.0))
    window = WINDOW._replace(longest=random.uniform(0.2, SINGLE))
    times = SupportTimes(OMEGA, DOUBLE)
    goal = goal_over(NOTHING)
    found = adapted_step(times, START + PUSH, START, REACH, goal, window, foot)
    step, time = pulled(foot, window)
    assert found.remaining == pytest.approx(time, rel=1e-9)
    np.testing.assert_allclose(found.place, step[0], atol=1e-9)
    np.testing.assert_allclose(found.missed, step[2], atol=1e-9)
