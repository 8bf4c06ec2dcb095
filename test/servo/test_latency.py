"""LatencyRecorder: the newest cycles, oldest first, and their statistics."""

import numpy as np
import pytest

from controlit_ros.servo import LATENESS_EDGES, PHASES, LatencyRecorder


def record(recorder, number):
    recorder.period, recorder.lateness = 1e-3 * number, 1e-6 * number
    recorder.measurement = 3 * number
    recorder.record((float(number),) * len(PHASES))


def test_the_ring_keeps_the_newest_in_order():
    recorder = LatencyRecorder(capacity=4)
    assert recorder.rows().shape == (0, len(PHASES) + 3)
    for number in range(1, 8):
        record(recorder, number)
        rows = recorder.rows()
        kept = np.arange(max(1, number - 3), number + 1)
        np.testing.assert_array_equal(rows[:, 0], kept)
        np.testing.assert_allclose(rows[:, -3], 1e-3 * kept)
    assert recorder.cycles == 7


def test_summary():
    recorder = LatencyRecorder(capacity=1000)
    for number in range(1, 101):
        record(recorder, number)
    recorder.overruns = 3
    summary = recorder.summary()
    assert (summary.cycles, summary.overruns) == (100, 3)
    assert tuple(summary.phases) == PHASES
    p50, p99, p999, highest = summary.phases["total"]
    assert p50 == pytest.approx(50.5)
    assert 98.0 < p99 < p999 < highest == 100.0
    assert summary.lateness[3] == pytest.approx(1e-4)
    mean, _, lowest, top = summary.frequency
    assert lowest == pytest.approx(10.0)
    assert top == pytest.approx(1000.0)
    assert lowest < mean < top
    assert recorder.summary(skip=50).phases["total"][0] == pytest.approx(75.5)


def test_cycles_are_counted_by_how_late_they_began():
    recorder = LatencyRecorder(capacity=100)
    late = (0.0, 4e-7, 1e-6, 1.5e-6, 2e-6, 3e-6, 60e-6, 100e-6, 101e-6, 5e-3, 5.1e-3, 2.0)
    for recorder.lateness in late:
        recorder.record((0.0,) * len(PHASES))
    summary = recorder.summary()
    assert len(summary.late) == len(LATENESS_EDGES) + 1
    assert summary.late == (3, 2, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 2)
    assert sum(summary.late) == summary.cycles == len(late)
    assert recorder.summary(skip=10).late == (*(0,) * 12, 2)
    for edge, below in zip(LATENESS_EDGES, np.cumsum(summary.late), strict=False):
        assert below == sum(value <= edge for value in late)


def test_only_kept_cycles_are_counted_by_lateness():
    recorder = LatencyRecorder(capacity=4)
    assert recorder.summary().late == (0,) * (len(LATENESS_EDGES) + 1)
    for number in range(1, 8):
        record(recorder, number)
    assert sum(recorder.summary().late) == 4


def test_nothing_recorded_is_no_error():
    assert LatencyRecorder().summary().frequency == (0.0, 0.0, 0.0, 0.0)
    recorder = LatencyRecorder()
    record(recorder, 0)
    assert recorder.summary().frequency == (0.0, 0.0, 0.0, 0.0)


def test_the_rate_is_of_all_time_where_some_cycles_are_late():
    recorder = LatencyRecorder()
    for number in range(1001):  # one in ten takes 5 periods, the next comes after a tenth of one
        recorder.period = 1e-3 * {0: 5.0, 1: 0.1}.get(number % 10, 1.0)
        recorder.measurement = 1000 + 2 * number
        recorder.record((0.0,) * len(PHASES))
    summary = recorder.summary()
    assert summary.frequency[0] > 1500.0
    assert summary.rate == pytest.approx(1000.0 / 1.31)
    assert summary.measured == pytest.approx(2.0 * summary.rate)


def test_measurements_that_begin_anew_have_no_rate():
    recorder = LatencyRecorder()
    for number in (900, 901, 1, 2):
        record(recorder, 1)
        recorder.measurement = number
    assert recorder.summary().measured == 0.0
