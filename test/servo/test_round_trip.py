"""RoundTrip: what comes back is timed, what nobody sent is no matter."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from controlit_ros.servo.round_trip import RoundTrip


def send(trip, now):
    command = SimpleNamespace(sequence=0)
    trip.number(command, now)
    return command.sequence


def test_latency_is_from_sending_to_the_first_reflection():
    trip = RoundTrip()
    assert math.isnan(trip.latency)
    numbers = [send(trip, 0.001 * i) for i in range(10)]
    assert np.diff(numbers).tolist() == [1] * 9
    trip.arrive(numbers[2], 0.010)
    assert trip.latency == pytest.approx(0.008)
    trip.arrive(numbers[2], 0.011)  # the same number again tells nothing new
    assert trip.latency == pytest.approx(0.008)
    trip.arrive(numbers[7], 0.011)
    assert trip.latency == pytest.approx(0.004)
    trip.arrive(numbers[5], 0.012)  # overtaken on the way
    assert trip.latency == pytest.approx(0.004)
    assert trip.reflected == 2


def test_what_nobody_sent_is_no_matter():
    trip = RoundTrip()
    number = send(trip, 0.0)
    for sequence in (0, 1, number - 1, number + 1, 2**63, 2**64 - 1):
        trip.arrive(sequence, 1.0)
    assert math.isnan(trip.latency)
    trip.arrive(number, 1.0)
    assert trip.latency == 1.0


def test_a_reflection_from_before_the_window_is_too_old_to_time():
    trip = RoundTrip(window=4)
    numbers = [send(trip, float(i)) for i in range(10)]
    trip.arrive(numbers[5], 10.0)
    assert math.isnan(trip.latency)
    trip.arrive(numbers[6], 10.0)
    assert trip.latency == 4.0


def test_numbers_of_a_controller_started_again_are_new_and_need_64_bits():
    first, second = RoundTrip(), RoundTrip()
    old = [send(first, 0.0) for _ in range(100)]
    new = send(second, 0.0)
    assert new > old[0]
    assert 2**32 < new < 2**63
    before = send(second, 1.0)
    second.begin()
    second.arrive(before, 2.0)
    assert math.isnan(second.latency)
