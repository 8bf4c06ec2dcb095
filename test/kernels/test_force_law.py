"""A force fades where nothing stops the body, and nothing is integrated meanwhile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.kernels import force_law

SIZES = st.floats(1e-3, 1e6)


def command(force, velocity, max_speed, *, ki=0.0, error=np.nan, integral=0.0, period=0.0):
    """Return command and integral of a force that is ramped up already."""
    kept, result = np.array([integral]), np.zeros(1)
    force_law(
        np.array([error]), np.array([velocity]), np.array([force]), np.zeros(1), np.array([ki]),
        np.zeros(1), np.zeros(1), np.array([max_speed]), 1e9, period, np.array([force]), kept,
        result,
    )  # fmt: skip
    return result[0], kept[0]


@given(SIZES, SIZES, st.sampled_from([-1.0, 1.0]), st.floats(-3.0, 3.0))
def test_it_is_whole_up_to_half_of_the_speed_and_gone_from_it_on(force, speed, sign, part):
    found, _ = command(sign * force, sign * part * speed, speed)
    if part <= 0.5:
        assert found == sign * force
    elif part >= 1.0:
        assert found == 0.0
    else:
        assert found == pytest.approx(sign * force * (2.0 - 2.0 * part), rel=1e-9, abs=1e-9 * force)


@given(SIZES, st.floats(-100.0, 100.0))
def test_without_a_limit_it_never_fades(force, velocity):
    assert command(force, velocity, 0.0)[0] == force


def test_what_is_missing_is_integrated_only_while_the_body_is_held():
    held = command(10.0, 0.1, 1.0, ki=2.0, error=3.0, period=0.5)
    moving = command(10.0, 0.75, 1.0, ki=2.0, error=3.0, period=0.5)
    assert held == pytest.approx((13.0, 3.0))
    assert moving == pytest.approx((5.0, 0.0))
