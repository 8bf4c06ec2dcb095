"""FlatContact: a body rests on a plane and neither slides nor tips."""

import numpy as np

from controlit_ros.constraints.constraint import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.model.robot_model import RobotModel


class FlatContact(ContactConstraint):
    """Removes all six degrees of freedom of a body: linear rows, then angular rows, world axes."""

    @property
    def dimension(self) -> int:
        """Six."""
        return 6

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the Jacobian of the contact point and of the body's rotation."""
        point = self.update_point(model)
        np.copyto(jacobian, point.full_jacobian)
        np.copyto(bias, point.full_bias)
