"""Arc: a part of a circle, or some turns of it."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array
from controlit_ros.paths.trajectory import PathKind, Trajectory, TrajectoryError, TrajectorySample

SMALLEST = 1e-9  # [-] length of an axis


class Arc:
    """A point that turns about an axis, from rest to rest; a `Path`.

    Args:
        start: `(3,)` where it begins [m].
        center: `(3,)` a point of the axis [m].
        axis: `(3,)` direction of the axis, of any length; turns are by the right hand.
        angle: How far it turns, `2 π` for a circle [rad].
        duration: How long it takes [s].
        kind: Time law of the angle.

    Raises:
        TrajectoryError: A number is not finite, the axis has no direction, or the duration is none.
    """

    def __init__(
        self,
        start: npt.ArrayLike,
        center: npt.ArrayLike,
        axis: npt.ArrayLike,
        angle: float,
        duration: float,
        kind: PathKind = PathKind.MINIMUM_JERK,
    ) -> None:
        begin, self._center, direction = (
            _point(name, value)
            for name, value in (("start", start), ("center", center), ("axis", axis))
        )
        length = float(np.linalg.norm(direction))
        if length < SMALLEST:
            raise TrajectoryError(f"axis {direction.tolist()}: expected a direction")
        unit = direction / length
        arm = begin - self._center
        self._along: Array = (arm @ unit) * unit
        self._out: Array = arm - self._along
        self._side: Array = np.cross(unit, self._out)
        self.radius = float(np.linalg.norm(self._out))
        self._law = Trajectory((0.0, duration), ((0.0,), (angle,)), (), kind)

    @property
    def start(self) -> float:
        """Zero [s]."""
        return self._law.start

    @property
    def end(self) -> float:
        """When it is over [s]."""
        return self._law.end

    def at(self, time: float) -> TrajectorySample:
        """Return position, velocity and acceleration at a time [s]."""
        law = self._law.at(time)
        angle, rate, change = (float(part[0]) for part in law)
        out = math.cos(angle) * self._out + math.sin(angle) * self._side
        side = math.cos(angle) * self._side - math.sin(angle) * self._out
        return TrajectorySample(
            self._center + self._along + out, rate * side, change * side - rate**2 * out
        )


def _point(name: str, value: npt.ArrayLike) -> Array:
    point: Array = np.array(value, dtype=float)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise TrajectoryError(f"{name}: found {point.tolist()}, expected 3 finite numbers")
    return point
