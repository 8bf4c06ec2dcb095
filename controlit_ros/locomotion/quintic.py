"""Quintic: a motion from one state to another in a given time."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array


class PointMotion(NamedTuple):
    """Position, velocity and acceleration, of any one shape."""

    position: Array
    velocity: Array
    acceleration: Array

    def part(self, entries: slice) -> "PointMotion":
        """Return the motion of some of its entries."""
        return PointMotion(
            self.position[entries], self.velocity[entries], self.acceleration[entries]
        )

    @classmethod
    def at_rest(cls, position: Array) -> "PointMotion":
        """Return a point that stays."""
        nothing = np.zeros(position.shape)
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
        cubic = 10.0 * e - 4.0 * f + 0.5 * g
        quartic = -15.0 * e + 7.0 * f - g
        quintic = 6.0 * e - 3.0 * f + 0.5 * g
        self._end = end
        self._parts = np.array([p, v, a, cubic, quartic, quintic])

    def at(self, time: float) -> PointMotion:
        """Return the state some time [s] after the beginning; after the end, the end."""
        if time >= self.duration:
            return self._end
        T, t = self.duration, max(time, 0.0)
        s = t / T
        s2 = s * s
        s3 = s * s2
        shares = np.array(
            [
                [1.0, t, 0.5 * t * t, s3, s * s3, s2 * s3],
                [0.0, 1.0, t, 3.0 * s2 / T, 4.0 * s3 / T, 5.0 * s * s3 / T],
                [0.0, 0.0, 1.0, 6.0 * s / (T * T), 12.0 * s2 / (T * T), 20.0 * s3 / (T * T)],
            ]
        )
        position, velocity, acceleration = shares @ self._parts
        return PointMotion(position, velocity, acceleration)
