"""Trajectory: a smooth path through waypoints."""

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.paths.splines import cubic_spline, quintic_spline

DEGREE = 5  # of the highest kind
SHORTEST_PIECE = 1e-12  # [s] less than any clock knows; the rates of shorter ones overflow


class TrajectoryError(ControlItError):
    """Waypoints make no trajectory; the text says which and why."""


class PathKind(Enum):
    """How a trajectory runs between two stops."""

    LINEAR = "linear"
    """Straight at constant speed; only the value is continuous."""
    CUBIC = "cubic"
    """Cubic splines; acceleration is continuous but at the stops, where it jumps."""
    MINIMUM_JERK = "minimum_jerk"
    """Quintic splines of least squared jerk; acceleration is continuous everywhere."""


class TrajectorySample(NamedTuple):
    """A trajectory at one time, or at n times with a leading axis of length n.

    Attributes:
        value: `(k,)` where it is.
        velocity: `(k,)` first time derivative.
        acceleration: `(k,)` second time derivative.
    """

    value: Array
    velocity: Array
    acceleration: Array

    @classmethod
    def at_rest(cls, value: npt.ArrayLike) -> "TrajectorySample":
        """Return a place without motion."""
        place: Array = np.array(value, dtype=float)
        return cls(place, np.zeros_like(place), np.zeros_like(place))


class Trajectory:
    """Splines through waypoints, at rest at both ends and at every stop.

    Between two stops one spline passes the waypoints on the way; with minimum jerk it is the curve
    of least `∫ |x⃛|² dt` that passes them at their times, whose derivatives up to the fourth are
    continuous (Flash and Hogan 1985). Two equal waypoints that are both stops make a pause. Before
    the first waypoint the trajectory rests there, after the last one too.

    Args:
        times: `(n,)` when each waypoint is reached, increasing [s].
        waypoints: `(n, k)` the points, n ≥ 2.
        stops: Numbers of the waypoints between the ends where velocity is zero.
        kind: How it runs in between.
        start: Velocity and acceleration to begin with; what the kind cannot keep is left out. Its
            value is that of the first waypoint.

    Raises:
        TrajectoryError: Times do not increase, numbers do not fit, or a value is not finite.
    """

    def __init__(
        self,
        times: npt.ArrayLike,
        waypoints: npt.ArrayLike,
        stops: Sequence[int] = (),
        kind: PathKind = PathKind.CUBIC,
        start: TrajectorySample | None = None,
    ) -> None:
        self.times: Array = np.array(times, dtype=float)
        self.waypoints: Array = self._prepare(np.array(waypoints, dtype=float))
        self._check(stops)
        begin = TrajectorySample.at_rest(self.waypoints[0]) if start is None else start
        bounds = sorted({0, *stops, len(self.times) - 1})
        pieces = []
        for first, last in pairwise(bounds):
            chosen = slice(first, last + 1)
            pieces.append(_spline(self.times[chosen], self.waypoints[chosen], kind, begin))
            begin = TrajectorySample.at_rest(self.waypoints[last])
        # (6, n - 1, k): of each piece, the highest power of the time since its waypoint first
        self._coefficients: Array = np.concatenate(pieces, axis=1)

    @property
    def start(self) -> float:
        """Time of the first waypoint [s]."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """Time of the last waypoint [s]."""
        return float(self.times[-1])

    def at(self, time: float) -> TrajectorySample:
        """Return the trajectory at one time [s]; derivatives outside are zero."""
        return TrajectorySample(*(values[0] for values in self.sample((time,))))

    def sample(self, times: npt.ArrayLike) -> TrajectorySample:
        """Return the trajectory at n times: three arrays `(n, k)`."""
        asked: Array = np.asarray(times, dtype=float)
        within = np.clip(asked, self.start, self.end)
        moves = (asked == within)[:, np.newaxis]
        piece = np.clip(np.searchsorted(self.times, within, "right") - 1, 0, len(self.times) - 2)
        t = (within - self.times[piece])[:, np.newaxis]
        value, velocity, acceleration = (np.zeros((len(t), self.waypoints.shape[1])) for _ in "xva")
        for coefficient in self._coefficients[:, piece]:  # Horner's rule and its derivatives
            acceleration = acceleration * t + 2.0 * velocity
            velocity = velocity * t + value
            value = value * t + coefficient
        return self._shape(TrajectorySample(value, moves * velocity, moves * acceleration))

    def _prepare(self, waypoints: Array) -> Array:
        """Return the waypoints the splines go through."""
        return waypoints

    def _shape(self, sample: TrajectorySample) -> TrajectorySample:
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
        if (np.diff(times) < SHORTEST_PIECE).any():
            raise TrajectoryError(
                f"times {times.tolist()}: expected each later than the last, by {SHORTEST_PIECE:g} "
                "s or more"
            )
        outside = [stop for stop in stops if not 0 <= stop < len(times)]
        if outside:
            raise TrajectoryError(
                f"found stops {outside}, expected numbers below {len(times)}, the waypoints"
            )


def _spline(times: Array, points: Array, kind: PathKind, begin: TrajectorySample) -> Array:
    """Return coefficients `(6, n - 1, k)` of one spline that ends at rest."""
    durations, rest = np.diff(times), np.zeros_like(points[0])
    result = np.zeros((DEGREE + 1, len(durations), points.shape[1]))
    if kind is PathKind.LINEAR:
        result[DEGREE - 1] = np.diff(points, axis=0) / durations[:, np.newaxis]
        result[DEGREE] = points[:-1]
    elif kind is PathKind.CUBIC:
        ends = np.array([[begin.velocity], [rest]])
        result[DEGREE - 3 :] = cubic_spline(durations, points, ends)
    else:
        ends = np.array([[begin.velocity, begin.acceleration], [rest, rest]])
        result[:] = quintic_spline(durations, points, ends)
    return result
