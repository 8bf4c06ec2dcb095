"""Footsteps that somebody gives."""

import numpy as np
import pytest

from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.given_steps import (
    MOST,
    ROW,
    GivenSteps,
    first_too_far,
    footsteps,
    too_far,
)
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.parameters import ParameterError, ParameterReflection
from controlit_ros.parameters.mailbox import checked_values

LIMITS = StepLimits(0.4, 0.25, 0.4)
WIDTH = 0.17


def no_objection(_steps):
    return ""


STANCE = Footstep(Side.LEFT, np.array([1.0, 2.0, 0.1]), 0.5 * np.pi)


@pytest.fixture
def given():
    return GivenSteps(ParameterReflection("Walk"))


def numbers(*rows):
    values = np.zeros((MOST, ROW))
    for row, given in zip(values, rows, strict=False):
        row[: len(given)] = given
    return values.ravel()


def give(given, *rows):
    given.given.set(numbers(*rows))
    given.hear(no_objection)


def test_steps_are_given_out_one_after_the_other(given):
    give(given, (1, 0.3, 0.1, 0.0, 0.2), (-1, 0.6, -0.1, 0.15, 0.0))
    first, second = given.ahead
    assert first.side is Side.LEFT
    assert first.yaw == 0.2
    np.testing.assert_array_equal(second.position, [0.6, -0.1, 0.15])
    assert given.made(first)
    assert given.ahead == [second]


def test_they_are_on_ground_that_slopes(given):
    give(given, (1, 0.3, 0.1, 0.0, 0.2, 0.1, -0.05), (-1, 0.6, -0.1, 0.15, 0.0))
    assert [step.slope for step in given.ahead] == [(0.1, -0.05), (0.0, 0.0)]


def test_a_step_that_was_replaced_is_not_counted(given):
    give(given, (1, 0.3, 0.1, 0.0, 0.0))
    before = given.ahead[0]
    give(given, (1, 0.2, 0.1, 0.0, 0.0))
    assert not given.made(before)
    assert len(given.ahead) == 1


def test_zeros_stop(given):
    give(given, (1, 0.3, 0.1, 0.0, 0.0))
    give(given)
    assert given.ahead == []


def test_what_was_given_before_it_began_does_not_count(given):
    given.given.set(numbers((1, 0.3, 0.1, 0.0, 0.0)))
    given.begin()
    given.hear(no_objection)
    assert given.ahead == []


def test_as_many_as_there_is_room_for(given):
    rows = [(1 - 2 * (i % 2), 0.1 * i, 0.0, 0.0, 0.0) for i in range(MOST)]
    give(given, *rows)
    assert len(given.ahead) == MOST
    assert len(footsteps(numbers(*rows))) == MOST


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([(1, 0, 0, 0, 0), (1, 0.3, 0, 0, 0)], "steps 1 and 2 of the same foot"),
        ([(0.5, 0, 0, 0, 0)], r"expected 1 \(left\) and -1"),
        ([(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)], "then zeros only"),
        ([(1, 0, 0, 0, 0), (-1, 0, 0, 0, 0, 0.3, 0.45)], "a slope of 0.541, expected at most 0.5"),
    ],
)
def test_lists_that_nobody_can_walk_are_refused(given, rows, text):
    with pytest.raises(ParameterError, match=text):
        checked_values({given.given: numbers(*rows)})
    checked_values({given.given: numbers((1, 0, 0, 0, 0), (-1, 0.3, 0, 0, 0))})


def seen_from_stance(ahead, aside):
    return Footstep(Side.RIGHT, STANCE.from_here(ahead, -aside), STANCE.yaw)


@pytest.mark.parametrize("place", [(0.4, WIDTH), (-0.4, WIDTH), (0.0, WIDTH + 0.25), (0.2, 0.12)])
def test_a_step_within_the_limits_can_be_made(place):
    assert too_far(seen_from_stance(*place), STANCE, WIDTH, LIMITS) == ""


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ((0.41, WIDTH), "0.41 m ahead"),
        ((-0.5, WIDTH), "-0.5 m ahead"),
        ((0.0, WIDTH + 0.26), "0.43 m outward"),
        ((0.0, 0.05), "the feet touch"),
        ((0.3, -0.1), "the feet touch"),
    ],
)
def test_one_beyond_them_cannot(place, text):
    assert text in too_far(seen_from_stance(*place), STANCE, WIDTH, LIMITS)


def in_line(count):
    """Return steps that can be made, one after the other, as rows."""
    sides = [1 - 2 * (i % 2) for i in range(count)]
    return [[side, 0.2 * (i + 1), 0.5 * side * WIDTH, 0.0, 0.0] for i, side in enumerate(sides)]


@pytest.mark.parametrize("number", range(2, 9))
@pytest.mark.parametrize(
    ("moved_by", "words"),
    [
        ([0.0, 0.5, 0.0], "m ahead"),
        ([0.0, -0.7, 0.0], "m ahead"),
        ([0.0, 0.0, 0.4], "m outward"),
        ([0.0, 0.0, -0.5 * WIDTH], "or the feet touch"),
    ],
)
def test_a_list_with_a_step_that_cannot_be_made_is_refused_as_a_whole(
    given, number, moved_by, words
):
    """What was given before goes on."""

    def objection(steps):
        return first_too_far(steps, WIDTH, LIMITS)

    def tell(rows):
        given.given.set(numbers(*rows))
        given.hear(objection)

    tell(in_line(3))
    before = list(given.ahead)
    rows = in_line(8)
    row = rows[number - 1]
    row[1:3] = row[1] + moved_by[1], row[2] + row[0] * moved_by[2]
    tell(rows)
    assert given.ahead == before
    assert f"the list is refused: step {number}: " in given.refused.value
    assert words in given.refused.value
    tell(in_line(8))
    assert len(given.ahead) == 8
    assert given.refused.value == given.refusal == ""
    assert given.lists.value == 3
