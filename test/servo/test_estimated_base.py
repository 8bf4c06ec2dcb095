"""The base as an estimator tells it: when it is asked, and what becomes of what cannot be."""

import numpy as np
import pytest

from controlit_ros.model import RobotState
from controlit_ros.servo.estimated_base import LONGEST_GAP, EstimatedBase

PERIOD = 0.001


class Tellers:
    """An estimator that says what a test wants."""

    def __init__(self):
        self.refused, self.reason = 0, ""
        self.begun, self.asked = 0, []
        self.place, self.complaint = (1.0, 2.0, 3.0), ""
        self.compared = []

    def begin(self):
        self.begun += 1

    def estimate(self, state, elapsed):
        self.asked.append(elapsed)
        state.base_position[:] = self.place
        return self.complaint

    def compare(self, estimate, told):
        self.compared.append(estimate.base_position - told.base_position)


@pytest.fixture
def teller():
    return Tellers()


@pytest.fixture
def base(teller):
    made = EstimatedBase(teller)
    made.begin()
    teller.begun = 0
    return made


def measured(number, *, told=(0.0, 0.0, 0.0)):
    state = RobotState(())
    state.sequence, state.stamp = number, number * PERIOD
    state.base_position[:] = told
    return state


def test_each_measurement_is_taken_once_with_the_time_between(base, teller):
    first = measured(5)
    for state in (first, first, measured(6), measured(8)):
        assert base.take_over(state, 0.0) == ""
    assert teller.asked == pytest.approx([0.0, PERIOD, 2 * PERIOD])
    assert teller.begun == 0


def test_what_the_robot_says_of_its_base_is_compared_and_replaced(base, teller):
    state = measured(1, told=(1.0, 2.5, 3.0))
    base.take_over(state, 0.0)
    assert state.base_position.tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(teller.compared, [[0.0, -0.5, 0.0]])


@pytest.mark.parametrize("number", [3, 10 + round(2 * LONGEST_GAP / PERIOD)])
def test_time_that_jumps_begins_anew(base, teller, number):
    base.take_over(measured(10), 0.0)
    base.take_over(measured(number), 0.0)
    assert teller.begun == 1
    assert teller.asked == [0.0, 0.0]


def test_a_complaint_lasts_until_a_measurement_is_well(base, teller):
    teller.complaint = "lost"
    state = measured(1)
    assert base.take_over(state, 0.0) == "lost"
    assert base.take_over(state, 0.0) == "lost"
    teller.complaint = ""
    assert base.take_over(measured(2), 0.0) == ""


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_is_told_and_the_last_place_kept(base, teller, bad):
    base.take_over(measured(1), 0.0)
    teller.place = (1.0, bad, 3.0)
    state = measured(2)
    assert "not finite" in base.take_over(state, 0.0)
    assert state.base_position.tolist() == [1.0, 2.0, 3.0]


def test_what_was_refused_is_told_once(base, teller):
    assert base.remark == ""
    teller.refused, teller.reason = 2, "found nonsense"
    assert "found nonsense" in base.remark
    assert base.remark == ""
    assert base.refused == 2
