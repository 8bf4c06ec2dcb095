"""Footsteps as the parameter of a behaviour takes them."""

import pytest

from controlit_ros.client import ClientError, Footstep
from controlit_ros.client.footstep import footstep_numbers


def test_they_are_written_one_after_the_other_and_filled_up():
    steps = [Footstep("left", (0.3, 0.1, 0.15), 0.2), Footstep("right", (0.6, -0.1, 0.3))]
    assert footstep_numbers(steps, 15) == [
        *(1.0, 0.3, 0.1, 0.15, 0.2),
        *(-1.0, 0.6, -0.1, 0.3, 0.0),
        *(0.0,) * 5,
    ]


def test_none_are_zeros():
    assert footstep_numbers([], 10) == [0.0] * 10


def test_too_many_are_refused():
    with pytest.raises(ClientError, match="found 3 footsteps, expected at most 2"):
        footstep_numbers([Footstep("left", (0, 0, 0))] * 3, 10)


def test_another_foot_is_refused():
    with pytest.raises(ClientError, match="footstep 1: found foot 'lefft', expected left or right"):
        footstep_numbers([Footstep("lefft", (0, 0, 0))], 10)
