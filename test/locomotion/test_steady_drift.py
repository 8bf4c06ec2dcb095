"""What puts ξ off in every step alike is learnt, and nothing else."""

from math import exp

import numpy as np
import pytest

from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.steady_drift import FARTHEST, SteadyDrift

OMEGA, STEP, PERIOD = 5.0, 0.3, 0.01  # [1/s], [s], [s]
YAW = 0.7  # [rad] of the feet, turned half a rad farther in each step
DRIFT = {Side.LEFT: np.array([0.002, 0.001]), Side.RIGHT: np.array([0.002, -0.003])}


def walk(drift, learnt, steps, *, push=0.0, duration=STEP):
    """Step from one foot to the other; return δ as it was believed last, seen from the foot."""
    now = 0.0
    for i in range(steps):
        side = Side.LEFT if i % 2 else Side.RIGHT
        stance = Footstep(side, np.array([0.1 * i, 0.2 * side.value, 0.3]), YAW + 0.5 * i)
        for k in range(round(duration / PERIOD)):
            growth = exp(OMEGA * k * PERIOD)
            offset = np.array([0.01, -0.02 * side.value])
            seen = (offset + drift[side]) * growth - drift[side] + push * (k > 10)
            found = learnt.look(now, stance.from_here(*seen.tolist()), stance, OMEGA)
            now += PERIOD
        believed = stance.seen(found)
        assert found[2] == pytest.approx(0.0, abs=1e-12)
    return believed


def test_what_both_feet_have_in_common_is_learnt():
    believed = walk(DRIFT, SteadyDrift(), 40)
    np.testing.assert_allclose(believed, [0.002, -0.001], atol=1e-5)


def test_what_comes_to_either_side_in_turns_moves_nothing():
    swayed = {side: np.array([0.0, 0.004 * side.value]) for side in Side}
    np.testing.assert_allclose(walk(swayed, SteadyDrift(), 40), 0.0, atol=1e-5)


def test_it_grows_step_by_step():
    first, third, tenth = (walk(DRIFT, SteadyDrift(), n)[0] for n in (1, 3, 10))
    assert first == 0.0
    assert 0.0 < third < tenth < 0.002


def test_a_push_tells_nothing():
    learnt = SteadyDrift()
    walk(DRIFT, learnt, 41)
    believed = walk(DRIFT, learnt, 1, push=4.0 * FARTHEST * exp(OMEGA * STEP))
    after = walk(DRIFT, learnt, 1)
    np.testing.assert_allclose(after, believed, atol=1e-9)


def test_a_step_that_is_too_short_tells_nothing():
    assert not walk(DRIFT, SteadyDrift(), 20, duration=0.1).any()


def test_control_that_begins_anew_begins_with_nothing():
    learnt = SteadyDrift()
    walk(DRIFT, learnt, 20)
    learnt.begin()
    assert not walk(DRIFT, learnt, 1).any()
