"""Which inertial measurements are believed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.estimation.imu_check import IN_A_ROW, ImuCheck

LIMITS = (20.0, 150.0, 3.0)
PERIOD = 0.001
STILL = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 9.81])


@pytest.fixture
def check():
    check = ImuCheck()
    assert check.take(STILL, LIMITS, PERIOD)
    return check


def turning(rate):
    return np.array([rate, 0.0, *STILL[2:]])


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (np.full(6, np.nan), "not finite"),
        (np.full(6, np.inf), "not finite"),
        (np.array([*STILL[:5], np.nan]), "not finite"),
        (turning(21.0), "angular velocity of 21 rad/s, expected at most 20"),
        (STILL * 20.0, "specific force of 196 m/s², expected at most 150"),
        (turning(3.1), "jumps by more than 3 rad/s"),
    ],
)
def test_what_cannot_be_is_refused_and_the_last_good_one_kept(check, found, reason):
    assert not check.take(found, LIMITS, PERIOD)
    assert reason in check.reason
    assert check.refused == 1
    np.testing.assert_array_equal(check.good, STILL)


def test_what_was_refused_is_believed_once_it_stays(check):
    answers = [check.take(turning(5.0 + 0.1 * i), LIMITS, PERIOD) for i in range(IN_A_ROW)]
    assert answers == [False] * (IN_A_ROW - 1) + [True]
    assert check.age == 0.0


def test_spikes_to_and_fro_are_never_believed(check):
    assert not any(check.take(turning(5.0 * (-1) ** i), LIMITS, PERIOD) for i in range(50))


def test_a_good_measurement_ends_a_run_of_refused_ones(check):
    """However many were refused before it, as many as ever must follow before one is accepted."""
    for _ in range(2):
        answers = [check.take(turning(5.0), LIMITS, PERIOD) for _ in range(IN_A_ROW - 1)]
        assert not any(answers)
        assert check.take(STILL, LIMITS, PERIOD)


def test_silence_is_measured(check):
    for _ in range(7):
        check.take(np.full(6, np.nan), LIMITS, PERIOD)
    assert check.age == pytest.approx(7 * PERIOD)
    assert check.take(STILL, LIMITS, PERIOD)
    assert check.age == 0.0


@given(st.lists(st.lists(st.floats(), min_size=6, max_size=6), max_size=30))
def test_whatever_comes_what_is_believed_is_in_range(samples):
    check = ImuCheck()
    for sample in samples:
        check.take(np.array(sample), LIMITS, PERIOD)
        assert np.linalg.norm(check.good[:3]) <= LIMITS[0]
        assert np.linalg.norm(check.good[3:]) <= LIMITS[1]
