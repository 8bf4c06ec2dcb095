"""PointContact: a point of a body sticks to the world, the body turns freely about it."""

from controlit_ros.constraints.constraint import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.model.robot_model import RobotModel


class PointContact(ContactConstraint):
    """Removes the three translations of a point, world axes."""

    @property
    def dimension(self) -> int:
        """Three."""
        return 3

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the Jacobian of the contact point."""
        point = self.update_point(model)
        jacobian[:] = point.jacobian
        bias[:] = point.bias
