"""KeepOutPlane: a point of a body stays on one side of a plane."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.gap import Gap
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.model import FramePoint, RobotDescription
from controlit_ros.parameters import Access, Quantity
from controlit_ros.tasks import AnyShape, PlaneShape


class KeepOutPlane(Inequality):
    """Keeps a ball about a point of a body on the side of a plane that its normal points to.

        h = n · (p − o) − radius ≥ margin

    with p the point, o a point of the plane, n its normal; see `kernels.least_gap_acceleration`.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.body = self.declare(
            "body",
            robot.root_link,
            access=Access.CONFIGURATION,
            description="link, or joint whose child body is meant, in the joint's frame",
        )
        self.point = self.declare(
            "point",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            description="the point, in the body's frame",
        )
        self.radius = self.declare(
            "radius", 0.0, lower=0.0, unit="m", description="of the ball about it"
        )
        self.plane_point = self.declare(
            "plane_point",
            (0.0, 0.0, 0.0),
            shape=(3,),
            unit="m",
            quantity=Quantity.POINT,
            description="a point of the plane, in the world",
        )
        self.normal = self.declare(
            "normal",
            (0.0, 0.0, 1.0),
            shape=(3,),
            unit_length=True,
            quantity=Quantity.VECTOR,
            description="to the side where the body may be, in the world",
        )
        self._gap = Gap(self, 1)
        self._motion = FramePoint(robot.nv)
        self._frame = 0
        self._offset: Array = np.zeros(3)

    @property
    def rows(self) -> int:
        """One."""
        return 1

    def configure(self, constraints: ConstraintSet, period: float) -> None:
        """Resolve the body, check the time constant."""
        super().configure(constraints, period)
        self._frame = self.resolve_frame(self.body, self.body.value)
        self._gap.check()

    def shapes(self) -> tuple[AnyShape, ...]:
        """Return the plane."""
        return (PlaneShape(self.plane_point, self.normal),)

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write `−n · J v̇ ≤ n · J̇ v − ḧ_min`."""
        motion, gap, n = self._motion, self._gap, self.normal.value
        motion.update(model.robot_model, self._frame, self.point.value)
        np.subtract(motion.position, self.plane_point.value, out=self._offset)
        gap.gap[0] = n.dot(self._offset) - self.radius.value
        gap.rate[0] = n.dot(motion.velocity)
        gap.bias[0] = n.dot(motion.bias)
        np.dot(n, motion.jacobian, out=rows[0])
        np.negative(rows[0], out=rows[0])
        gap.bound(1, upper)
