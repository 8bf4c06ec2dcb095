"""The table of how late threads wake."""

import pytest

from controlit_bench.jitter import COLUMNS, Wakes, jitter_rows

SERVO = Wakes((90, 5, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 2), 8e-3, 0.02, (1001.0, 12.0))
OTHER = Wakes((0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 5e-6)


def test_shares_of_a_column_add_up_and_what_is_not_known_is_left_out():
    rows = {row[0]: row[1:] for row in jitter_rows((SERVO, OTHER, None))}
    classes = [row for row in rows.values() if row[-1] == "in 10 000"][:13]
    assert sum(row[0] for row in classes) == pytest.approx(1e4)
    assert sum(row[1] for row in classes) == pytest.approx(1e4)
    assert rows["late by at most 1 µs"] == (9000.0, 0.0, None, "in 10 000")
    assert rows["late by at most 500 µs"][0] == pytest.approx(100.0)
    assert rows["by more than 5000 µs"][0] == pytest.approx(200.0)
    assert rows["cycles"] == (100, 50, None, "-")
    assert rows["largest lateness"] == (pytest.approx(8e3), pytest.approx(5.0), None, "µs")
    assert rows["overruns"] == (200.0, None, None, "in 10 000")
    assert rows["frequency, mean"] == (1001.0, None, None, "Hz")
    assert rows["frequency, standard deviation"] == (12.0, None, None, "Hz")


def test_there_is_a_heading_for_each_value():
    assert {len(row) for row in jitter_rows((SERVO, SERVO, OTHER, None))} == {len(COLUMNS)}
