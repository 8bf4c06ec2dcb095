"""Footsteps as the parameter of a behaviour takes them."""

import pytest

from controlit_ros.client import ClientError, Step
from controlit_ros.client.step import step_numbers


def test_they_are_written_one_after_the_other_and_filled_up():
    steps = [Step("left", (0.3, 0.1, 0.15), 0.2, (0.1, -0.2)), Step("right", (0.6, -0.1, 0.3))]
    assert step_numbers(steps, 21) == [
        *(1.0, 0.3, 0.1, 0.15, 0.2, 0.1, -0.2),
        *(-1.0, 0.6, -0.1, 0.3, 0.0, 0.0, 0.0),
        *(0.0,) * 7,
    ]


def test_none_are_zeros():
    assert step_numbers([], 14) == [0.0] * 14


def test_too_many_are_refused():
    with pytest.raises(ClientError, match="found 3 footsteps, expected at most 2"):
        step_numbers([Step("left", (0, 0, 0))] * 3, 14)


def test_another_foot_is_refused():
    with pytest.raises(ClientError, match="footstep 1: found foot 'lefft', expected left or right"):
        step_numbers([Step("lefft", (0, 0, 0))], 14)
