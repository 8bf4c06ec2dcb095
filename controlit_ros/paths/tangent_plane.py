"""TangentPlane: the flat surroundings of a goal on the unit sphere."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.great_circle import from_tangent_plane
from controlit_ros.paths.trajectory import TrajectorySample


class TangentPlane:
    """Coordinates of ways to a goal on the unit sphere, one less than the goal has.

    What plans each coordinate by itself stays on the sphere with these, and leaves it with those of
    the space around.

    Args:
        goal: `(k,)` of unit length.
    """

    def __init__(self, goal: Array) -> None:
        self._goal = goal
        mirror = goal.copy()  # Householder's, which carries the first axis onto the goal's
        mirror[0] += np.copysign(1.0, goal[0])
        mirrored = np.eye(goal.size) - np.outer(mirror, mirror) * (2.0 / mirror.dot(mirror))
        self._basis: Array = mirrored[:, 1:]

    def flat(self, way: TrajectorySample) -> TrajectorySample:
        """Return the coordinates `(k - 1,)` of a way in the plane `(k,)`, with its derivatives."""
        return TrajectorySample(*(part @ self._basis for part in way))

    def on_sphere(self, flat: TrajectorySample) -> TrajectorySample:
        """Return the point of the sphere `(k,)` that coordinates tell of, with its derivatives."""
        return from_tangent_plane(
            self._goal, TrajectorySample(*(self._basis @ part for part in flat))
        )
