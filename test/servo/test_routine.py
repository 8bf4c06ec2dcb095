"""What a routine does stands in its order, and Python has its turn where a kernel asks for it."""

import numpy as np
import pytest

from controlit_ros.kernels import bind, is_within
from controlit_ros.servo.routine import Duty, Routine, by_python


class Watched:
    """Duties that compare values with limits, and what became of them."""

    def __init__(self, count):
        self.values, self.done = np.zeros((count, 1)), []
        self.lower, self.upper = np.full(1, -1.0), np.full(1, 1.0)

    def within(self, i, otherwise=lambda: None):
        def told(now):
            self.done.append((i, now))
            otherwise()

        return Duty(bind(is_within, self.values[i], self.lower, self.upper), told)


@pytest.mark.parametrize("passed", [(), (0,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_python_has_its_turn_where_a_kernel_asks_for_it(passed):
    watched = Watched(3)
    routine = Routine([watched.within(i) for i in range(3)])
    watched.values[list(passed)] = 2.0
    for now in (1.0, 2.0):
        routine.run(now)
    assert watched.done == [(i, now) for now in (1.0, 2.0) for i in passed]


def test_what_python_does_is_seen_by_the_kernels_after_it():
    watched = Watched(3)

    def spoil():
        watched.values[1:] = 3.0

    routine = Routine([watched.within(0, spoil), watched.within(1), watched.within(2)])
    routine.run(1.0)
    assert watched.done == []
    watched.values[0] = 2.0
    routine.run(2.0)
    assert watched.done == [(0, 2.0), (1, 2.0), (2, 2.0)]


def test_what_is_for_python_alone_is_done_each_time():
    watched, times = Watched(1), []
    routine = Routine([by_python(times.append), watched.within(0), by_python(times.append)])
    routine.run(1.0)
    watched.values[0] = 2.0
    routine.run(2.0)
    assert times == [1.0, 1.0, 2.0, 2.0]
    assert watched.done == [(0, 2.0)]


def test_what_is_raised_ends_it():
    def fail(_now):
        raise ValueError("broken")

    watched = Watched(2)
    watched.values[1] = 2.0
    routine = Routine([watched.within(0), by_python(fail), watched.within(1)])
    with pytest.raises(ValueError, match="broken"):
        routine.run(1.0)
    assert watched.done == []


def test_a_routine_of_nothing_does_nothing():
    Routine([]).run(1.0)
