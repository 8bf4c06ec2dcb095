"""Whole turns of joints without limits: chosen once, next to where the joint is."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.parameters import Mailbox, Parameter, PlannedTurns
from controlit_ros.parameters.parameter import whole_turns

HALF = st.floats(-math.pi, math.pi)
FAR = st.floats(-50.0, 50.0)


def goal():
    """Return a goal of a joint without limits, one with limits, and another without."""
    parameter = Parameter("goal", np.zeros(3), labels=("a", "b", "c"), shape=(3,), turning=(0, 2))
    parameter.rate = Parameter("rate", np.zeros(3), shape=(3,))
    return parameter


def posted(values):
    """Let a servo take values."""
    mailbox = Mailbox()
    mailbox.post(values)
    mailbox.next()
    mailbox.apply_next()


@given(HALF, FAR)
def test_an_angle_of_half_a_turn_means_the_nearest_equivalent(angle, before):
    found = angle + whole_turns(angle, before)
    assert math.sin(found) == pytest.approx(math.sin(angle), abs=1e-9)
    assert math.cos(found) == pytest.approx(math.cos(angle), abs=1e-9)
    assert abs(found - before) <= math.pi + 1e-8


@given(FAR, FAR)
def test_a_larger_angle_says_how_many_turns(angle, before):
    if abs(angle) > math.pi + 1e-6:
        assert whole_turns(angle, before) == 0.0


@pytest.mark.parametrize(
    ("angle", "before", "found"),
    [
        (0.5, 6.8, 0.5 + math.tau),
        (7.0, 0.0, 7.0),
        (7.0, 6.8, 7.0),
        (-2.9, 2.9, math.tau - 2.9),
        (math.pi, 0.0, math.pi),
        (-math.pi, 0.0, -math.pi),
        (-math.pi, 1e-12, -math.pi),
        (math.pi, -1e-12, math.pi),
        (0.0, -6.8, -math.tau),
    ],
)
def test_stated_goals(angle, before, found):
    parameter = goal()
    parameter.assign(np.full(3, before))
    parameter.set([angle] * 3)
    np.testing.assert_allclose(parameter.value, [found, angle, found])
    parameter.assign(np.full(3, before))
    posted({parameter: {"a": angle, "b": angle}})
    np.testing.assert_allclose(parameter.value, [found, angle, before])


def test_samples_of_a_path_are_taken_as_they_are():
    parameter = goal()
    parameter.assign(np.full(3, 20.0))
    posted({parameter: [1.0] * 3, parameter.rate: [0.0] * 3})
    np.testing.assert_array_equal(parameter.value, 1.0)


def test_latching_takes_a_joint_where_it_is():
    parameter = goal()
    parameter.assign(np.full(3, 7.0))
    parameter.assign(np.full(3, 0.3))
    np.testing.assert_array_equal(parameter.value, 0.3)


@given(st.lists(FAR, min_size=2, max_size=9), FAR)
def test_a_plan_is_shifted_once(angles, before):
    parameter = goal()
    turns, found, last = PlannedTurns(parameter), [], np.full(3, before)
    for angle in angles:
        found.append(turns.place(parameter.validate([angle] * 3), last))
        last = found[-1]
    shift = whole_turns(angles[0], before)
    expected = np.array(angles)[:, np.newaxis] + [shift, 0.0, shift]
    np.testing.assert_allclose(found, expected)


@given(FAR, st.floats(-0.5, 0.5))
def test_streamed_goals_never_jump(start, step):
    """What follows a goal that is near is near, wherever a turn ends."""
    parameter = goal()
    parameter.assign(np.full(3, start))
    turns = PlannedTurns(parameter)
    present = start
    for _ in range(100):
        present += step
        posted({parameter: [present] * 3})
        assert parameter.value[0] == pytest.approx(present)
    wrapped = math.remainder(start, math.tau)
    parameter.assign(turns.place(parameter.validate([wrapped] * 3), np.full(3, start)))
    assert parameter.value[0] == pytest.approx(start, abs=1e-9)


def test_joints_that_a_plan_names_late_are_shifted_then():
    parameter = goal()
    turns, present = PlannedTurns(parameter), np.full(3, 6.8)
    first = turns.place(parameter.validate({"c": 0.1}), present)
    second = turns.place(parameter.validate({"a": 0.2}), first)
    third = turns.place(parameter.validate({"a": 3.5, "c": -3.5}), second)
    np.testing.assert_allclose(first, [6.8, 6.8, 0.1 + math.tau])
    np.testing.assert_allclose(second, [0.2 + math.tau, 6.8, 0.1 + math.tau])
    np.testing.assert_allclose(third, [3.5 + math.tau, 6.8, -3.5 + math.tau])
