"""History: what is plotted."""

import numpy as np

from controlit_console.history import LONGEST, History


def test_nothing_known_is_one_point():
    assert [len(row) for row in History().series(["a"], 5.0)] == [1, 1]


def test_the_window_ends_now():
    history = History()
    for second in range(10):
        history.add(100.0 + second, {"a": float(second), "b": -float(second)})
    times, a, b = history.series(["a", "b"], 3.0)
    np.testing.assert_allclose(times, [-3.0, -2.0, -1.0, 0.0])
    np.testing.assert_allclose(a, [6.0, 7.0, 8.0, 9.0])
    np.testing.assert_allclose(b, -a)


def test_what_was_not_there_is_not_a_number():
    history = History()
    history.add(0.0, {"a": 1.0})
    history.add(1.0, {"a": 2.0, "new": 5.0})
    _, new = history.series(["new"], 5.0)
    np.testing.assert_array_equal(new, [np.nan, 5.0])


def test_what_is_too_old_goes():
    history = History()
    for second in range(int(3 * LONGEST)):
        history.add(float(second), {"a": 1.0})
    times, _ = history.series(["a"], 10.0 * LONGEST)
    assert times[0] >= -LONGEST
