"""Trajectory: a smooth path through waypoints."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.interpolate import CubicSpline

from controlit_ros.errors import ControlItError

Array = npt.NDArray[np.float64]


class TrajectoryError(ControlItError):
    """Waypoints make no trajectory; the text says which and why."""


class Sample(NamedTuple):
    """A trajectory at one time, or at n times with a leading axis of length n.

    Attributes:
        value: `(k,)` where it is.
        velocity: `(k,)` first time derivative.
        acceleration: `(k,)` second time derivative.
    """

    value: Array
    velocity: Array
    acceleration: Array


class Trajectory:
    """Cubic splines through waypoints, at rest at both ends and at every stop.

    Between two stops one spline with continuous velocity and acceleration passes the waypoints on
    the way. Two equal waypoints that are both stops make a pause. Before the first waypoint the
    trajectory rests there, after the last one too.

    Args:
        times: `(n,)` when each waypoint is reached, increasing [s].
        waypoints: `(n, k)` the points, n ≥ 2.
        stops: Numbers of the waypoints between the ends where velocity is zero.

    Raises:
        TrajectoryError: Times do not increase, numbers do not fit, or a value is not finite.
    """

    def __init__(
        self, times: npt.ArrayLike, waypoints: npt.ArrayLike, stops: Sequence[int] = ()
    ) -> None:
        self.times: Array = np.array(times, dtype=float)
        self.waypoints: Array = self._prepare(np.array(waypoints, dtype=float))
        self._check(stops)
        bounds = sorted({0, *stops, len(self.times) - 1})
        splines = [
            CubicSpline(
                self.times[first : last + 1], self.waypoints[first : last + 1], bc_type="clamped"
            )
            for first, last in pairwise(bounds)
        ]
        # (4, n - 1, k): of each piece, the highest power of the time since its waypoint first
        self._coefficients: Array = np.concatenate([spline.c for spline in splines], axis=1)

    @property
    def start(self) -> float:
        """Time of the first waypoint [s]."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """Time of the last waypoint [s]."""
        return float(self.times[-1])

    def at(self, time: float) -> Sample:
        """Return the trajectory at one time [s]; derivatives outside are zero."""
        return Sample(*(values[0] for values in self.sample((time,))))

    def sample(self, times: npt.ArrayLike) -> Sample:
        """Return the trajectory at n times: three arrays `(n, k)`."""
        asked: Array = np.asarray(times, dtype=float)
        within = np.clip(asked, self.start, self.end)
        moves = (asked == within)[:, np.newaxis]
        piece = np.clip(np.searchsorted(self.times, within, "right") - 1, 0, len(self.times) - 2)
        t = (within - self.times[piece])[:, np.newaxis]
        a, b, c, d = self._coefficients[:, piece]
        return self._shape(
            Sample(
                ((a * t + b) * t + c) * t + d,
                moves * ((3.0 * a * t + 2.0 * b) * t + c),
                moves * (6.0 * a * t + 2.0 * b),
            )
        )

    def _prepare(self, waypoints: Array) -> Array:
        """Return the waypoints the splines go through."""
        return waypoints

    def _shape(self, sample: Sample) -> Sample:
        """Return the points of the trajectory that belong to points of the splines."""
        return sample

    def _check(self, stops: Sequence[int]) -> None:
        times, waypoints = self.times, self.waypoints
        if times.ndim != 1 or waypoints.ndim != 2 or len(times) != len(waypoints):
            raise TrajectoryError(
                f"found times {times.shape} and waypoints {waypoints.shape}, expected (n,), (n, k)"
            )
        if len(times) < 2:
            raise TrajectoryError(f"found {len(times)} waypoint, expected at least 2")
        if not (np.isfinite(times).all() and np.isfinite(waypoints).all()):
            raise TrajectoryError("times and waypoints must be finite")
        if (np.diff(times) <= 0.0).any():
            raise TrajectoryError(f"times {times.tolist()}: expected each later than the last")
        outside = [stop for stop in stops if not 0 <= stop < len(times)]
        if outside:
            raise TrajectoryError(
                f"found stops {outside}, expected numbers below {len(times)}, the waypoints"
            )
