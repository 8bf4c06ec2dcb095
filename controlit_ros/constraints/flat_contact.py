"""FlatContact: a body rests on a plane and neither slides nor tips."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.row_source import RowSource
from controlit_ros.model.contact_hold import ContactHold
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.footprint import Footprint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access

CORNERS: Array = np.array([[1.0, 1, 0], [-1.0, 1, 0], [-1.0, -1, 0], [1.0, -1, 0]])
"""Of a sole, in turn, in parts of its half size."""


class FlatContact(ContactConstraint):
    """Removes all six degrees of freedom of a body: linear rows, then angular rows, world axes."""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.half_size = self.declare(
            "half_size",
            (0.0, 0.0),
            shape=(2,),
            unit="m",
            lower=0.0,
            description="half length and half width of the touching surface about the contact "
            "point, along x and y of the body; displays show it as part of the support polygon",
        )

        self.declare_friction()
        self.torsional_friction = self.declare(
            "torsional_friction",
            0.0,
            lower=0.0,
            unit="m",
            access=Access.CONFIGURATION,
            description="largest moment about the ground's normal in parts of the force square to "
            "it; looked at with friction; 0: nobody knows",
        )
        self._of_friction += (self.torsional_friction,)

    def hold(self) -> ContactHold:
        """Return what the sole can bear."""
        length, width = self.half_size.value.tolist()
        torsional = self.torsional_friction.value
        return super().hold()._replace(torsional_friction=torsional, half_size=(length, width))

    def axes(self, model: RobotModel) -> Array:
        """Return the axes of the sole."""
        rotation: Array = model.placement(self._frame).rotation
        return rotation

    @property
    def dimension(self) -> int:
        """Six."""
        return 6

    @property
    def site(self) -> ContactSite:
        """The contact with its sole."""
        return super().site._replace(half_size=self.half_size.value)

    def footprint(self) -> Array:
        """Return the four corners, in turn; or the contact point where no size is given."""
        length, width = self.half_size.value.tolist()
        if length == 0.0 or width == 0.0:
            return super().footprint()
        footprint: Array = CORNERS * (length, width, 0.0)
        footprint += self.contact_point.value
        return footprint

    def simulated_footprint(self) -> Footprint | None:
        """Return the sole; without a size, nobody knows it."""
        length, width = self.half_size.value.tolist()
        plain = super().simulated_footprint()
        if plain is None or length == 0.0 or width == 0.0:
            return None
        return plain._replace(half_size=(length, width))

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the Jacobian of the contact point and of the body's rotation."""
        point = self.update_point(model)
        jacobian[...] = point.full_jacobian
        bias[...] = point.full_bias

    def source(self) -> RowSource:
        """Return the contact point."""
        return RowSource(6, None, self._frame, self.contact_point.value, self._point)
