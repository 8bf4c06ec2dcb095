"""Event: fires once for each change of its condition from false to true."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_memory import kept_memory

from controlit_ros.parameters import (
    Access,
    Event,
    ExpressionError,
    ParameterDirectory,
    ParameterReflection,
)


@pytest.fixture(name="hand")
def make_hand():
    hand = ParameterReflection("Hand")
    hand.declare("error_norm", 1.0)
    return hand


def converged(hand):
    return Event("Converged", "Hand.error_norm < 0.005", ParameterDirectory([hand]))


def test_an_event_shows_its_parameters(hand):
    event = converged(hand)
    assert list(event.parameters) == ["enabled", "hold", "active", "count"]
    assert event.enabled.access is Access.RUN_TIME
    assert event.active.access is event.count.access is Access.OUTPUT
    assert event.count.full_name == "Converged.count"


def test_it_fires_once_on_the_edge(hand):
    event, error = converged(hand), hand.parameter("error_norm")
    fired = []
    for value in (1.0, 0.001, 0.002, 1.0, 1.0, 0.0, 0.0):
        error.assign(value)
        fired.append(event.poll(0.0))
    assert fired == [False, True, False, False, False, True, False]
    assert event.count.value == 2
    assert event.active.value is True


def test_true_at_first_sight_counts(hand):
    hand.parameter("error_norm").assign(0.0)
    event = converged(hand)
    assert event.poll(0.0)
    assert not event.poll(0.0)


def test_disabled_it_is_silent_and_enabled_it_is_armed_anew(hand):
    event, error = converged(hand), hand.parameter("error_norm")
    error.assign(0.0)
    assert event.poll(0.0)
    event.enabled.set(False)
    assert not event.poll(0.0)
    assert event.active.value is False
    event.enabled.set(True)
    assert event.poll(0.0)
    assert event.count.value == 2


def test_a_condition_without_value_does_not_hold(hand):
    hand.parameter("error_norm").assign(0.0)
    event = Event("Odd", "1 / Hand.error_norm != 3", ParameterDirectory([hand]))
    assert not event.poll(0.0)


def test_a_number_is_no_condition(hand):
    with pytest.raises(ExpressionError, match="found a number, expected a condition"):
        Event("Wrong", "Hand.error_norm", ParameterDirectory([hand]))


def test_an_event_may_look_at_another(hand):
    first = converged(hand)
    second = Event("Twice", "Converged.count >= 2", ParameterDirectory([hand, first]))
    for value in (0.0, 1.0, 0.0):
        hand.parameter("error_norm").assign(value)
        first.poll(0.0)
    assert second.poll(0.0)


@given(steps=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_it_fires_exactly_where_it_becomes_true(steps):
    hand = ParameterReflection("Hand")
    error = hand.declare("error_norm", 1.0)
    event = converged(hand)
    held, count = False, 0
    for enabled, holds in steps:
        event.enabled.set(enabled)
        error.assign(0.0 if holds else 1.0)
        fires = enabled and holds and not held
        count += fires
        assert event.poll(0.0) is fires
        held = enabled and holds
    assert event.count.value == count


def test_noise_between_expression_and_until_fires_once(hand):
    event = Event(
        "Converged",
        "Hand.error_norm < 0.005",
        ParameterDirectory([hand]),
        until="Hand.error_norm > 0.01",
    )
    fired = []
    for value in (0.0049, 0.0051, 0.0049, 0.01, 0.004, math.nan, 0.004, 0.011, 0.0051, 0.0049):
        hand.parameter("error_norm").value = value
        fired.append(event.poll(0.0))
    assert fired == [True, *[False] * 8, True]


def test_until_that_holds_beside_the_expression_arms_nothing(hand):
    directory = ParameterDirectory([hand])
    event = Event("E", "Hand.error_norm < 1", directory, until="Hand.error_norm < 2")
    hand.parameter("error_norm").assign(0.0)
    assert [event.poll(0.0) for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("until", ["Hand.error_norm", "Hand.norm > 1", "Hand.error_norm >"])
def test_until_is_a_condition(hand, until):
    with pytest.raises(ExpressionError, match=r"expected|unknown"):
        Event("E", "Hand.error_norm < 1", ParameterDirectory([hand]), until=until)


@given(
    steps=st.lists(st.tuples(st.integers(0, 8), st.sampled_from([0, 1, 2])), max_size=40),
    hold=st.integers(0, 12),
)
def test_it_fires_after_a_time_without_a_break_and_is_armed_beyond_the_band(steps, hold):
    """The whole history is searched anew at each step; times are whole numbers of 1/8 s."""
    hand = ParameterReflection("Hand")
    error = hand.declare("error_norm", 1.0)
    directory = ParameterDirectory([hand])
    event = Event("E", "Hand.error_norm < 0.5", directory, until="Hand.error_norm > 1.5")
    event.hold.set(hold / 8)
    now, history, fired_at = 0, [], []
    for wait, level in steps:
        now += wait
        history.append((now, level))
        error.assign(float(level))
        armed = len(fired_at) == 0 or any(past == 2 for _, past in history[fired_at[-1] :])
        first = len(history)
        while first > 0 and history[first - 1][1] == 0:
            first -= 1
        held = first < len(history) and now - history[first][0] >= hold
        assert event.poll(now / 8) is (armed and held)
        if armed and held:
            fired_at.append(len(history))
    assert event.count.value == len(fired_at)


def test_a_clock_that_steps_back_holds_nothing_up(hand):
    event = converged(hand)
    event.hold.set(1.0)
    hand.parameter("error_norm").assign(0.0)
    assert not event.poll(100.0)
    assert not event.poll(3.0)
    assert not event.poll(3.9)
    assert event.poll(4.0)


def test_disabling_ends_the_time_that_counts(hand):
    event = converged(hand)
    event.hold.set(1.0)
    hand.parameter("error_norm").assign(0.0)
    assert not event.poll(0.0)
    event.enabled.set(False)
    assert not event.poll(0.9)
    event.enabled.set(True)
    assert not event.poll(1.5)
    assert event.poll(2.5)


def test_polling_keeps_no_memory(hand):
    event = Event(
        "E", "Hand.error_norm < 2", ParameterDirectory([hand]), until="Hand.error_norm > 3"
    )
    event.hold.set(0.1)
    event.poll(0.0)

    def play():
        for cycle in range(200):
            event.poll(0.001 * cycle)

    assert kept_memory(play) < 500
