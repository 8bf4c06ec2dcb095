"""Quintic: a motion from one state to another in a given time."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array


class PointMotion(NamedTuple):
    """Position, velocity and acceleration, of any one shape."""

    position: Array
    velocity: Array
    acceleration: Array

    @classmethod
    def at_rest(cls, position: Array) -> "PointMotion":
        """Return a point that stays."""
        nothing = np.zeros_like(position)
        return cls(position, nothing, nothing)


class Quintic:
    """The polynomial of fifth order between two states: the least jerk on the way.

    With s = t/T and the coefficients of `t⁰ … t²` from the start, those of `s³ … s⁵` follow from
    what is missing at the end, e = p_T − p(T), f = T (v_T − v(T)), g = T² (a_T − a(T)) of the
    quadratic motion: (10 e − 4 f + g/2, −15 e + 7 f − g, 6 e − 3 f + g/2).

    Args:
        start: State in the beginning.
        end: State in the end.
        duration: T [s], above zero.
    """

    def __init__(self, start: PointMotion, end: PointMotion, duration: float) -> None:
        T = self.duration = duration
        p, v, a = start
        e = end.position - (p + v * T + 0.5 * a * T * T)
        f = T * (end.velocity - (v + a * T))
        g = T * T * (end.acceleration - a)
        self._start, self._end = start, end
        self._cubic = 10.0 * e - 4.0 * f + 0.5 * g
        self._quartic = -15.0 * e + 7.0 * f - g
        self._quintic = 6.0 * e - 3.0 * f + 0.5 * g

    def at(self, time: float) -> PointMotion:
        """Return the state some time [s] after the beginning; after the end, the end."""
        if time >= self.duration:
            return self._end
        T, (p, v, a) = self.duration, self._start
        t = max(time, 0.0)
        s = t / T
        c, d, e = self._cubic, self._quartic, self._quintic
        return PointMotion(
            p + v * t + 0.5 * a * t * t + s**3 * (c + s * (d + s * e)),
            v + a * t + s * s * (3.0 * c + s * (4.0 * d + s * 5.0 * e)) / T,
            a + s * (6.0 * c + s * (12.0 * d + s * 20.0 * e)) / (T * T),
        )
