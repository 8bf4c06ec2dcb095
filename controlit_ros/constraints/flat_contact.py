"""FlatContact: a body rests on a plane and neither slides nor tips."""

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
        jacobian[:3] = point.jacobian
        jacobian[3:] = point.angular_jacobian
        bias[:3] = point.bias
        bias[3:] = point.angular_bias
