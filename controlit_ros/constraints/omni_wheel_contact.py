"""OmniWheelContact: a wheel with rollers along its rim stands on the ground."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.kernels import rolling_motion
from controlit_ros.kernels.rolling_motion import LYING
from controlit_ros.model.contact_hold import ContactHold
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Quantity, Reader


class OmniWheelContact(ContactConstraint):
    """Removes two degrees of freedom of a wheel, given its present orientation (paper section 4.1).

    One translation: the ground holds the wheel. One rotation: the wheel cannot turn without
    travelling, but for the direction in which its rollers let the contact slide. With the axle `a`,
    the ground's normal `n`, the part `u` of n square to a, unit length, and the wheel's centre c,
    the point that touches is `p = c − r u`, where the wheel's material moves at
    `ẋ = ċ − r ω × u`. Seen from above the axle points along `e`, the wheel travels along `n × e`,
    and the rollers block the direction `s = cos γ (n × e) − sin γ e`:

        n · ẋ = 0        s · ẋ = 0

    γ is zero for wheels whose rollers lie across the rim and ±π/4 for mecanum wheels. A wheel that
    lies on its side constrains nothing. Three wheels with axles that do not meet in one line of
    travel leave a base its two translations in the plane and its turning.

    The ground pushes at p along n and along s, and along nothing else: `|f_s| ≤ μ f_n`.
    """

    point_name = "center"
    point_description = "centre of the wheel, in the body's frame"

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.wheel_axis = self.declare(
            "wheel_axis",
            (0.0, 1.0, 0.0),
            shape=(3,),
            unit_length=True,
            quantity=Quantity.VECTOR,
            reader=Reader.MODEL_UPDATER,
            description="the axle, in the body's frame",
        )
        self.radius = self.declare(
            "radius",
            0.1,
            lower=0.0,
            unit="m",
            reader=Reader.MODEL_UPDATER,
            description="from the centre to the ground",
        )
        self.roller_angle = self.declare(
            "roller_angle",
            0.0,
            unit="rad",
            reader=Reader.MODEL_UPDATER,
            description="from the axle to the direction in which the contact slides freely, about "
            "the ground's normal; 0: across the rim",
        )
        self.ground_normal = self.declare_ground_normal()
        self.declare_friction()

    @property
    def dimension(self) -> int:
        """Two."""
        return 2

    @property
    def gives_wrench(self) -> bool:
        """Yes."""
        return True

    def reaction_basis(self, model: RobotModel) -> Array:
        """Return the wrenches of unit forces along the normal and along the blocked direction."""
        axes = self.axes(model)
        axle, normal = self._axle(model), axes[:, 2]
        up = normal - (normal @ axle) * axle
        length = np.linalg.norm(up)
        forces = axes[:, [2, 0]]
        if length < LYING:
            return np.zeros((6, 2))
        arm = -self.radius.value / length * up
        return np.vstack((forces, np.cross(arm, forces, axisb=0).T))

    def axes(self, model: RobotModel) -> Array:
        """Return the blocked direction, that in which the rollers slide, and the normal."""
        axle, normal = self._axle(model), self.ground_normal.value
        along = axle - (normal @ axle) * normal
        length = np.linalg.norm(along)
        if length < LYING:
            return np.eye(3)
        along /= length
        angle = self.roller_angle.value
        blocked = math.cos(angle) * np.cross(normal, along) - math.sin(angle) * along
        return np.column_stack((blocked, np.cross(normal, blocked), normal))

    def _axle(self, model: RobotModel) -> Array:
        rotation: Array = model.placement(self._frame).rotation
        axle: Array = rotation @ self.wheel_axis.value
        return axle

    def hold(self) -> ContactHold:
        """Return what the wheel can bear: along the ground, the blocked direction alone."""
        return super().hold()._replace(rolls=True)

    def simulated_footprint(self) -> None:
        """Say nothing: rollers are bodies of their own, which a scene has."""

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the row along the normal, then the row along the blocked direction."""
        center = self.update_point(model)
        rolling_motion(
            center.rotation,
            center.full_jacobian,
            center.twists,
            self.wheel_axis.value,
            self.ground_normal.value,
            self.radius.value,
            self.roller_angle.value,
            jacobian,
            bias,
        )
