"""Dial: where a joint is in its range, seen at the joint."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import BASE_DOFS, FIRST_JOINT, RobotModel

NO_LEVER = 1e-3  # [m] from the axis, below which the middle of a body tells no direction


class Dial(NamedTuple):
    """Tells where a mark of a joint would be if the joint moved.

    The mark of a joint that turns is beside the axis, on the side where the body is that the joint
    carries; that of a joint that slides is the joint itself.

    Attributes:
        center: `(3,)` the joint, in the world [m].
        axis: `(3,)` unit vector along the joint's axis.
        needle: `(3,)` unit vector to the mark, square to the axis; zero for a joint that slides.
    """

    center: Array
    axis: Array
    needle: Array

    @property
    def turns(self) -> bool:
        """Whether the joint turns."""
        return bool(self.needle.any())

    def mark(self, change: float, radius: float) -> Array:
        """Return where the mark would be, `(3,)` in the world [m].

        Args:
            change: Of the joint's position [rad] or [m].
            radius: Distance of the mark from the axis [m].
        """
        if not self.turns:
            return self.center + change * self.axis
        across = np.cross(self.axis, self.needle)
        direction: Array = np.cos(change) * self.needle + np.sin(change) * across
        return self.center + radius * direction


def dial(model: RobotModel, joint: int) -> Dial:
    """Return the dial of a real joint; the model is updated."""
    placement = model.joint_placement(joint)
    center, rotation = placement.translation.copy(), placement.rotation
    motion = model.J[BASE_DOFS + joint]
    if not motion[3:].any():
        return Dial(center, motion[:3].copy(), np.zeros(3))
    axis = motion[3:].copy()
    lever = rotation @ model.description.pinocchio.inertias[FIRST_JOINT + joint].lever
    needle = lever - (lever @ axis) * axis
    if np.linalg.norm(needle) < NO_LEVER:
        side = rotation[:, np.argmin(np.abs(rotation.T @ axis))]
        needle = side - (side @ axis) * axis
    return Dial(center, axis, needle / np.linalg.norm(needle))
