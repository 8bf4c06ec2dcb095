"""What a thread learns of how late it wakes up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.servo.wake_delay import SHARE, WakeDelay

LONGEST = 50e-6


@pytest.mark.parametrize("typical", [2e-6, 10e-6, 26e-6])
def test_most_wakes_come_by_what_is_found(typical, rng):
    delay = WakeDelay(LONGEST)
    delays = rng.gamma(9.0, typical / 9.0, 20_000)
    found = []
    for late in delays:
        delay.took(late)
        found.append(delay.usual)
    settled = np.array(found[2000:])
    assert np.mean(delays[2001:] <= settled[:-1]) == pytest.approx(SHARE, abs=0.03)
    assert settled.mean() == pytest.approx(np.quantile(delays, SHARE), abs=1.5e-6)


def test_what_became_worse_is_found_sooner_than_what_became_better():
    delay = WakeDelay(LONGEST)
    for _ in range(4000):
        delay.took(5e-6)
    assert delay.usual == pytest.approx(5e-6, abs=1e-6)
    late = 0
    while delay.usual < 30e-6:
        delay.took(40e-6)
        late += 1
    better = 0
    while delay.usual > 6e-6:
        delay.took(5e-6)
        better += 1
    assert late < 30 < better


@given(delays=st.lists(st.floats(-1.0, 1e3) | st.just(float("inf")), max_size=200))
def test_it_stays_between_nothing_and_the_longest(delays):
    delay = WakeDelay(LONGEST)
    for late in delays:
        delay.took(late)
        assert 0.0 <= delay.usual <= LONGEST


def test_where_nothing_shall_be_spun_nothing_is():
    delay = WakeDelay(0.0)
    delay.took(1e-5)
    assert delay.usual == 0.0
