"""ContactSite: where a robot touches the world, and how."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.contact_hold import ContactHold

UPWARDS: Array = np.array([0.0, 0.0, 1.0])


class ContactSite(NamedTuple):
    """A contact as tasks know it.

    Attributes:
        name: Name of the contact constraint.
        frame: Frame of the touching body, see `RobotDescription.frame_id`.
        point: `(3,)` the touching point in the body's frame, or the centre of the ball that
            touches; always the present value [m].
        holds_rotation: Whether the contact takes moments, as a flat foot does.
        is_sensed: Whether the robot has a sensor for what the contact bears.
        half_size: `(2,)` half length and half width of a sole about the point, along x and y of the
            body, always the present value; zeros: not known, or none [m].
        radius: Of the ball [m]; 0: a point.
        normal: `(3,)` of the ground under the ball, in the world, always the present value.
        hold: What it can bear, as it was configured; `None`: nobody knows.
    """

    name: str
    frame: int
    point: Array
    holds_rotation: bool
    is_sensed: bool = False
    half_size: Array = np.zeros(2)
    radius: float = 0.0
    normal: Array = UPWARDS
    hold: ContactHold | None = None

    def touching_point(self, rotation: Array) -> Array:
        """Return the touching point in the body's frame, `(3,)` [m].

        Args:
            rotation: `(3, 3)` axes of the body's frame in the world.
        """
        if not self.radius:
            return self.point
        found: Array = self.point - self.radius * (self.normal @ rotation)
        return found
