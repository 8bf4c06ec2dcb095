"""Event: fires once for each change of its condition from false to true."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert list(event.parameters) == ["enabled", "active", "count"]
    assert event.enabled.access is Access.RUN_TIME
    assert event.active.access is event.count.access is Access.OUTPUT
    assert event.count.full_name == "Converged.count"


def test_it_fires_once_on_the_edge(hand):
    event, error = converged(hand), hand.parameter("error_norm")
    fired = []
    for value in (1.0, 0.001, 0.002, 1.0, 1.0, 0.0, 0.0):
        error.assign(value)
        fired.append(event.poll())
    assert fired == [False, True, False, False, False, True, False]
    assert event.count.value == 2
    assert event.active.value is True


def test_true_at_first_sight_counts(hand):
    hand.parameter("error_norm").assign(0.0)
    event = converged(hand)
    assert event.poll()
    assert not event.poll()


def test_disabled_it_is_silent_and_enabled_it_is_armed_anew(hand):
    event, error = converged(hand), hand.parameter("error_norm")
    error.assign(0.0)
    assert event.poll()
    event.enabled.set(False)
    assert not event.poll()
    assert event.active.value is False
    event.enabled.set(True)
    assert event.poll()
    assert event.count.value == 2


def test_a_condition_without_value_does_not_hold(hand):
    hand.parameter("error_norm").assign(0.0)
    event = Event("Odd", "1 / Hand.error_norm != 3", ParameterDirectory([hand]))
    assert not event.poll()


def test_a_number_is_no_condition(hand):
    with pytest.raises(ExpressionError, match="found a number, expected a condition"):
        Event("Wrong", "Hand.error_norm", ParameterDirectory([hand]))


def test_an_event_may_look_at_another(hand):
    first = converged(hand)
    second = Event("Twice", "Converged.count >= 2", ParameterDirectory([hand, first]))
    for value in (0.0, 1.0, 0.0):
        hand.parameter("error_norm").assign(value)
        first.poll()
    assert second.poll()


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
        assert event.poll() is fires
        held = enabled and holds
    assert event.count.value == count


def test_polling_keeps_no_memory(hand):
    event = converged(hand)
    event.poll()
    tracemalloc.start()
    try:
        for _ in range(200):
            event.poll()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 500
