"""The delay margin against the motion of a delayed double integrator."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.tasks.delay_margin import delay_margin

STEPS = 60  # of integration in the dead time
DEAD_TIMES = 150  # that are simulated


def growth(kp, ki, kd, dead_time):
    """Return how much larger the motion is in the last third than in the first."""
    h = dead_time / STEPS
    x, v, integral = 1.0, 0.0, 0.0
    waiting = [0.0] * STEPS
    sizes = []
    for k in range(DEAD_TIMES * STEPS):
        integral += h * x
        waiting.append(-kp * x - ki * integral - kd * v)
        u = waiting[k]
        x += h * v + 0.5 * h * h * u
        v += h * u
        sizes.append(math.hypot(x * math.sqrt(kp), v))
        if sizes[-1] > 1e9:
            return math.inf
    third = len(sizes) // 3
    return max(sizes[-third:]) / max(sizes[third : 2 * third])


@settings(max_examples=tries(12), deadline=None)
@given(st.floats(0.0, 4.0), st.floats(0.1, 1.5), st.floats(0.0, 0.3))
def test_it_parts_what_fades_from_what_grows(stiffness, ratio, integral):
    kp = 10.0**stiffness
    kd = 2.0 * ratio * math.sqrt(kp)
    ki = integral * kp * kd
    margin = delay_margin(kp, ki, kd)
    assert 0.0 < margin < math.inf
    assert growth(kp, ki, kd, 0.9 * margin) < 1.0
    assert growth(kp, ki, kd, 1.1 * margin) > 1.0


@given(st.floats(1.0, 1e4), st.floats(0.05, 3.0), st.floats(0.1, 10.0))
def test_it_scales_with_time(kp, ratio, factor):
    kd = 2.0 * ratio * math.sqrt(kp)
    ki = 0.1 * kp * kd
    scaled = delay_margin(kp * factor**2, ki * factor**3, kd * factor)
    assert scaled == pytest.approx(delay_margin(kp, ki, kd) / factor, rel=1e-6)


def test_ends_of_the_range():
    assert delay_margin(0.0, 0.0, 0.0) == math.inf
    assert delay_margin(100.0, 0.0, 0.0) == pytest.approx(0.0, abs=1e-12)  # swings for ever
    assert delay_margin(100.0, 2001.0, 20.0) == 0.0  # unstable without dead time
    # damping alone: a first-order loop, π/2 over its rate
    assert delay_margin(0.0, 0.0, 50.0) == pytest.approx(0.5 * np.pi / 50.0)
