"""PointContact: a point of a body sticks to the world, or a ball at its end rolls on it."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.row_source import RowSource
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.frame_point import FramePoint, cross
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access


class PointContact(ContactConstraint):
    """Removes the three translations of the touching point, world axes; the body turns about it.

    A foot that ends in a ball rolls. With its centre c, the radius r, the ground's normal n and the
    body's angular velocity ω, the ball's material at `p = c − r n` does not slip:

        ċ − r ω × n = 0        J = J_c + r [n]× J_ω        J̇ v = J̇_c v + r n × J̇_ω v

    p itself moves on through the material, so the bias is that of the material at p less its
    centripetal acceleration, `−r ω × (ω × n)`. The ground's force acts at p.
    """

    point_description = (
        "the touching point, or with a radius the ball's centre, in the body's frame"
    )

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.radius = self.declare(
            "radius",
            0.0,
            lower=0.0,
            unit="m",
            access=Access.CONFIGURATION,
            description="of the ball that rolls on the ground; 0: a point",
        )
        self.ground_normal = self.declare_ground_normal()
        self.declare_friction()

    @property
    def dimension(self) -> int:
        """Three."""
        return 3

    @property
    def ball_radius(self) -> float:
        """The radius."""
        return float(self.radius.value)

    @property
    def site(self) -> ContactSite:
        """The contact with its ball."""
        normal = self.ground_normal.value
        return super().site._replace(radius=self.radius.value, normal=normal)

    def axes(self, model: RobotModel) -> Array:  # noqa: ARG002 - the ground rests
        """Return directions along the ground and its normal."""
        normal = self.ground_normal.value
        aside = np.eye(3)[int(np.argmin(np.abs(normal)))]
        first = np.cross(aside, normal)
        first /= np.linalg.norm(first)
        return np.column_stack((first, np.cross(normal, first), normal))

    def configure(self) -> None:
        """Resolve the body."""
        super().configure()
        self._site = self.site

    def update_point(self, model: RobotModel) -> FramePoint:
        """Compute the motion of the material that touches."""
        self._point.update_contact(model, self._site)
        return self._point

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the Jacobian of the touching point."""
        point = self.update_point(model)
        jacobian[:] = point.jacobian
        bias[:] = point.bias
        if self._site.radius:
            turning = point.angular_velocity
            bias += self._site.radius * cross(turning, cross(turning, self._site.normal))

    def source(self) -> RowSource | None:
        """Return the contact point, if no ball rolls."""
        site = self._site
        return None if site.radius else RowSource(3, None, site.frame, site.point, self._point)
