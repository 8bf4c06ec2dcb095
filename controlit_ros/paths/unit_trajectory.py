"""UnitTrajectory: a smooth path of headings or of orientations."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.trajectory import Trajectory, TrajectoryError, TrajectorySample

SHORTEST_CHORD = 0.1  # [-] splines that come nearer to the centre turn too fast to follow


class UnitTrajectory(Trajectory):
    """A trajectory on the unit sphere: headings `(3,)`, or quaternions `(4,)` xyzw.

    A `Trajectory` `x(t)` through unit vectors is projected to the sphere,

        u = x / |x|    u̇ = P ẋ / |x|    ü = (P ẍ − 2 (u·ẋ) u̇) / |x| − |u̇|² u,    P = I − u uᵀ

    so waypoints, stops and smoothness stay as they are. Of the two quaternions of an orientation
    each waypoint takes the one next to its predecessor: turns go the short way.

    Raises:
        TrajectoryError: A waypoint has no direction, or two that follow are almost opposite.
    """

    def _prepare(self, waypoints: Array) -> Array:
        if waypoints.ndim != 2 or waypoints.shape[1] not in (3, 4):
            raise TrajectoryError(f"found waypoints {waypoints.shape}, expected (n, 3) or (n, 4)")
        lengths = np.linalg.norm(waypoints, axis=1, keepdims=True)
        if not (lengths > 0.0).all():
            raise TrajectoryError("found a waypoint of length zero, expected directions")
        units: Array = waypoints / lengths
        if units.shape[1] == 4:
            for number in range(1, len(units)):
                if units[number - 1] @ units[number] < 0.0:
                    units[number] *= -1.0
        chords = np.linalg.norm(units[1:] + units[:-1], axis=1) / 2.0
        if (chords < SHORTEST_CHORD).any():
            number = int(np.argmin(chords))
            raise TrajectoryError(
                f"waypoints {number} and {number + 1} are almost opposite: put one between them"
            )
        return units

    def _shape(self, sample: TrajectorySample) -> TrajectorySample:
        x, x_dot, x_ddot = sample
        length = np.sqrt(_dot(x, x))
        u = x / length
        u_dot = (x_dot - u * _dot(u, x_dot)) / length
        u_ddot = (x_ddot - u * _dot(u, x_ddot) - 2.0 * _dot(u, x_dot) * u_dot) / length
        u_ddot -= _dot(u_dot, u_dot) * u
        return TrajectorySample(u, u_dot, u_ddot)


def _dot(a: Array, b: Array) -> Array:
    """Return the inner products of the rows, `(n, 1)`."""
    products: Array = np.einsum("ij,ij->i", a, b)[:, np.newaxis]
    return products
