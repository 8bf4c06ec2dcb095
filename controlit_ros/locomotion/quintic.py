"""Quintic: a motion from one state to another in a given time."""

import numpy as np

from controlit_ros import kernels
from controlit_ros.arrays import Array


class Quintic:
    """The polynomial of fifth order between two states: the least jerk on the way.

    With s = t/T and the coefficients of `t⁰ … t²` from the start, those of `s³ … s⁵` follow from
    what is missing at the end, e = p_T − p(T), f = T (v_T − v(T)), g = T² (a_T − a(T)) of the
    quadratic motion: (10 e − 4 f + g/2, −15 e + 7 f − g, 6 e − 3 f + g/2).

    Args:
        start: `(3, n)` position, velocity, acceleration in the beginning.
        end: `(3, n)` the same in the end.
        duration: T [s], above zero.
    """

    def __init__(self, start: Array, end: Array, duration: float) -> None:
        T = self.duration = duration
        p, v, a = start
        e = end[0] - (p + v * T + 0.5 * a * T * T)
        f = T * (end[1] - (v + a * T))
        g = T * T * (end[2] - a)
        cubic = 10.0 * e - 4.0 * f + 0.5 * g
        quartic = -15.0 * e + 7.0 * f - g
        quintic = 6.0 * e - 3.0 * f + 0.5 * g
        self._end = end
        self._parts = np.array([p, v, a, cubic, quartic, quintic])

    def at(self, time: float) -> Array:
        """Return `(3, n)` some time [s] after the beginning; after the end, the end."""
        if time >= self.duration:
            return self._end
        motion = np.empty(self._end.shape)
        kernels.quintic_motion(self._parts, self.duration, max(time, 0.0), motion)
        return motion


def at_rest(position: Array) -> Array:
    """Return `(3, n)` of a point that stays, at `(n,)`."""
    nothing = np.zeros(len(position))
    return np.array([position, nothing, nothing])
