"""FeltWrench: what the surroundings do to a body, at a point of it."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.frame_point import FramePoint, cross
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, ParameterReflection, blaming


class FeltWrench:
    """The wrench of a contact, sensed or, where the model knows it, expected.

    Args:
        owner: The task; receives the parameter `contact`.
        robot: The robot's structure.
    """

    def __init__(self, owner: ParameterReflection, robot: RobotDescription) -> None:
        self.contact = owner.declare(
            "contact",
            "",
            access=Access.CONFIGURATION,
            description="contact constraint, usually a disabled one with a wrench_sensor, whose "
            "wrench the body feels; empty: none is known",
        )
        self._robot = robot
        self._index: int | None = None
        self._place = FramePoint(robot.nv)
        self.wrench: Array = np.zeros(6)

    def configure(self) -> None:
        """Resolve the contact.

        Raises:
            ParameterError: There is no such contact; the text lists the nearest.
        """
        self._index = None
        if self.contact.value:
            with blaming(self.contact):
                self._index = self._robot.contact_index(self.contact.value)

    @property
    def is_stated(self) -> bool:
        """Whether there is a contact to feel with."""
        return self._index is not None

    def update(self, model: RobotModel, point: Array) -> bool:
        """Write `wrench` at a point `(3,)` of the world, world axes; return whether it is known.

        Force then moment, which the surroundings exert on the body [N, N m]; zero if unknown.
        """
        self.wrench.fill(0.0)
        if self._index is None:
            return False
        known = model.state.contact_wrench[self._index]
        if not np.isfinite(known).all():
            return False
        self._place.update_contact(model, self._robot.contacts[self._index])
        np.copyto(self.wrench, known)
        self.wrench[3:] += cross(self._place.position - point, known[:3])
        return True
