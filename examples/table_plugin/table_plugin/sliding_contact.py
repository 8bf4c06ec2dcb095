"""SlidingContact: a point of a body slides on a plane."""

import numpy as np
import numpy.typing as npt

from controlit_ros.plugins import ContactConstraint, Reader, RobotDescription, RobotModel

Array = npt.NDArray[np.float64]


class SlidingContact(ContactConstraint):
    """Removes the translation of a point along the normal of a plane; one row, world frame.

    With the unit normal n and the Jacobian J of the point: `Jc = nᵀ J`, `J̇c v = nᵀ J̇ v`.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.normal = self.declare(
            "normal",
            (0.0, 0.0, 1.0),
            shape=(3,),
            unit_length=True,
            reader=Reader.MODEL_UPDATER,
            description="normal of the plane, in the world",
        )

    @property
    def dimension(self) -> int:
        """One."""
        return 1

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> None:
        """Write the row of the constraint."""
        point = self.update_point(model)
        normal = self.normal.value
        np.matmul(normal, point.jacobian, out=jacobian[0])
        bias[0] = normal @ point.bias
