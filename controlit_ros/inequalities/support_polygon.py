"""SupportPolygon: the robot stands so that it can come to rest above its contacts."""

import math

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.kernels import placed_points, support_rows
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Access

CORNERS = 4  # [#] most of one contact


class SupportPolygon(Inequality):
    """Keeps the capture point within the polygon about the contacts that hold, shrunk by a margin.

    With c the centre of mass, z its height above the contacts and ω = √(g / z), the point

        ξ = c + ċ / ω

    is where a robot that leans as an inverted pendulum comes to rest (Pratt, Carff, Drakunov,
    Goswami, Capture point: a step toward humanoid push recovery, 2006). Of each edge with the
    outward normal n, `h = d − n · c − margin` is a gap of `kernels.least_gap_acceleration` that may
    close with the speed `ω h`, which is ξ on the edge.

    Contacts that are off are left out; with fewer than three corners that are not on a line there
    is no polygon, and nothing is bounded. Gravity points along −z.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.margin = self.declare(
            "margin", 0.02, lower=0.0, unit="m", description="by which the polygon is shrunk"
        )
        self.distance = self.declare(
            "distance",
            0.0,
            unit="m",
            access=Access.OUTPUT,
            description="of the capture point from the nearest edge of the polygon; below zero: it "
            "is outside",
        )
        self._gravity = float(np.linalg.norm(robot.options.world_gravity))

    @property
    def rows(self) -> int:
        """As many as the polygon has edges."""
        return CORNERS * len(self.robot.contacts)

    def configure(self, constraints: ConstraintSet, period: float) -> None:
        """Take the memory."""
        super().configure(constraints, period)
        n = self.rows
        self._corners: Array = np.zeros((n, 3))
        self._order: Indices = np.zeros(n, dtype=np.int64)
        self._hull: Indices = np.zeros(2 * n, dtype=np.int64)
        self._gaps: Array = np.zeros((4, n))
        self._gaps[2].fill(np.inf)

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write `n · J v̇ ≤ −n · J̇ v − ḧ_min` of each edge."""
        motion = model.robot_model.center_of_mass()
        distance = support_rows(
            self._placed(model),
            self._order,
            self._hull,
            motion.position,
            motion.bias,
            motion.velocity,
            motion.jacobian,
            self._gravity,
            self.margin.value,
            self.period,
            self._gaps,
            rows,
            upper,
        )
        if distance < math.inf:
            self.distance.value = distance

    def _placed(self, model: ConstrainedModel) -> Array:
        """Return the corners of the contacts that hold, `(k, 3)` in the world."""
        count = 0
        for contact in model.constraints.contacts:
            if contact.is_enabled:
                body, corners = model.robot_model.body(contact.frame), contact.footprint()
                placed_points(
                    body.rotation, body.translation, body.frame, corners, self._corners[count:]
                )
                count += len(corners)
        return self._corners[:count]
