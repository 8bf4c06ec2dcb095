"""ContactSite: where a robot touches the world, and how."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class ContactSite(NamedTuple):
    """A contact as tasks know it.

    Attributes:
        name: Name of the contact constraint.
        frame: Frame of the touching body, see `RobotDescription.frame_id`.
        point: `(3,)` the touching point in the body's frame, always the present value [m].
        holds_rotation: Whether the contact takes moments, as a flat foot does.
        is_sensed: Whether the robot has a sensor for what the contact bears.
    """

    name: str
    frame: int
    point: npt.NDArray[np.float64]
    holds_rotation: bool
    is_sensed: bool = False
