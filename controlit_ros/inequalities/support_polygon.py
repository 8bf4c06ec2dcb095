"""SupportPolygon: the robot stands so that it can come to rest above its contacts."""

import math

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.kernels import least_gap_acceleration, support_hull
from controlit_ros.model import FramePoint, RobotDescription
from controlit_ros.parameters import Access

CORNERS = 4  # [#] most of one contact
LEAST_HEIGHT = 0.05  # [m] of the centre of mass: lower it is no pendulum


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
        self._point = FramePoint(robot.nv)
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
        self._gap: Array = np.zeros((4, n))
        self._gap[2].fill(np.inf)

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write `n · J v̇ ≤ −n · J̇ v − ḧ_min` of each edge."""
        corners = self._placed(model)
        edges = support_hull(corners, self._order, self._hull) if len(corners) > 2 else 0
        robot = model.robot_model
        motion, jacobian = robot.center_of_mass(), robot.center_of_mass_jacobian()
        height = motion.position[2] - corners[:, 2].mean() if edges > 2 else 0.0
        if height < LEAST_HEIGHT:
            return
        gap, rate, braking, least = self._gap[:, :edges]
        reaction = math.sqrt(height / self._gravity)
        velocity = jacobian @ robot.v
        hull = self._hull[:edges].tolist()
        for i, (first, second) in enumerate(zip(hull, hull[1:] + hull[:1], strict=True)):
            along = corners[second] - corners[first]
            n = np.array([along[1], -along[0], 0.0]) / math.hypot(along[0], along[1])
            gap[i] = n @ (corners[first] - motion.position) - self.margin.value
            rate[i] = -(n @ velocity)
            np.dot(n, jacobian, out=rows[i])
            upper[i] = -(n @ motion.bias)
        self.distance.value = (gap + self.margin.value + rate * reaction).min().item()
        least_gap_acceleration(gap, rate, braking, 1.0, reaction, self.period, least)
        upper[:edges] -= least

    def _placed(self, model: ConstrainedModel) -> Array:
        """Return the corners of the contacts that hold, `(k, 3)` in the world."""
        count = 0
        for contact in model.constraints.contacts:
            if contact.is_enabled:
                frame = contact.site.frame
                for corner in contact.footprint():
                    self._point.update(model.robot_model, frame, corner)
                    self._corners[count] = self._point.position
                    count += 1
        return self._corners[:count]
