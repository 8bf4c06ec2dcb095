"""ImuCheck: whether an inertial measurement can be."""

import math

import numpy as np

from controlit_ros.arrays import Array

IN_A_ROW = 5  # measurements that fit each other and not the last good one: it was true


class ImuCheck:
    """Refuses what is not finite, beyond the range of the unit, or jumps and does not stay there.

    Attributes:
        good: `(6,)` the last one that was believed.
        age: How long ago that was [s].
        refused: How many were not.
        reason: Why the last one was not.
    """

    def __init__(self) -> None:
        self.good: Array = np.zeros(6)
        self._candidate: Array = np.full(6, np.nan)
        self.refused = 0
        self.reason = ""
        self.begin()

    def begin(self) -> None:
        """Forget what was measured."""
        self.has_good = False
        self.age = 0.0
        self._in_a_row = 0

    def take(self, found: Array, limits: tuple[float, float, float], elapsed: float) -> bool:
        """Believe a measurement or not.

        Args:
            found: `(6,)` angular velocity and specific force [rad/s, m/s²].
            limits: Most of both [rad/s, m/s²], and how far angular velocities jump [rad/s].
            elapsed: Since the measurement before [s].
        """
        self.reason = self._judge(found, limits)
        if self.reason:
            self.refused += 1
            self.age += elapsed
            return False
        np.copyto(self.good, found)
        self.has_good = True
        self.age = 0.0
        self._in_a_row = 0
        return True

    def _judge(self, found: Array, limits: tuple[float, float, float]) -> str:
        fastest, strongest, jump = limits
        rate, force = _size(found[:3]), _size(found[3:])
        if not (math.isfinite(rate) and math.isfinite(force)):
            return "found numbers that are not finite"
        if rate > fastest:
            return f"found an angular velocity of {rate:.3g} rad/s, expected at most {fastest:g}"
        if force > strongest:
            return f"found a specific force of {force:.3g} m/s², expected at most {strongest:g}"
        if self.has_good and _apart(found, self.good) > jump and not self._stays(found, jump):
            return f"found an angular velocity that jumps by more than {jump:g} rad/s"
        return ""

    def _stays(self, found: Array, jump: float) -> bool:
        """Return whether measurements have been where this one is for a while."""
        self._in_a_row = self._in_a_row + 1 if _apart(found, self._candidate) <= jump else 1
        np.copyto(self._candidate, found)
        return self._in_a_row >= IN_A_ROW


def _size(vector: Array) -> float:
    x, y, z = vector.tolist()
    return math.hypot(x, y, z)


def _apart(one: Array, other: Array) -> float:
    return _size(one[:3] - other[:3])
