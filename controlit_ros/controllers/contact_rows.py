"""ContactRows: efforts under which contacts neither pull, slip, tip nor twist."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.named_bound import BoundKind, NamedBound
from controlit_ros.model.contact_cone import ContactCone
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.tasks.compound_task import CompoundTask


class ContactRows:
    """Rows `R τ ≤ u` of a quadratic program over efforts, those of every contact with friction.

    What the world does to the robot at its contacts follows from the effort, as long as their rows
    are independent: so no wrench need be an unknown.

    Args:
        robot: Its contacts, as they are configured.
        sides: Of the polygons within the circles of friction.
        margin: Part of friction and sizes that is left free.

    Attributes:
        count: Number of the rows.
        bounds: What each of them bounds.
    """

    def __init__(self, robot: RobotDescription, sides: int, margin: float) -> None:
        self._cones: list[tuple[int, slice, ContactCone]] = []
        self.count = 0
        bounds: list[NamedBound] = []
        for number, site in enumerate(robot.contacts):
            if site.hold is not None:
                cone = site.hold.cone(sides, margin)
                end = self.count + len(cone.rows)
                self._cones.append((number, slice(self.count, end), cone))
                self.count = end
                bounds += [
                    NamedBound(BoundKind(bound.value), site.name, "N") for bound in cone.bounds
                ]
        self.bounds = tuple(bounds)
        self._limits: Array = np.zeros(self.count)

    def update(
        self, model: ConstrainedModel, tasks: CompoundTask, rows: Array, upper: Array
    ) -> None:
        """Write the rows; servo thread.

        Args:
            model: Its contacts that are off bound nothing; those that come or go bear less.
            tasks: What they exert elsewhere bears on the contacts, too.
            rows: `(count, na)` R.
            upper: `(count,)` u [N].
        """
        load = tasks.load if tasks.has_force_rows else None
        for number, place, cone in self._cones:
            limits, most = self._limits[place], model.constraints.contacts[number].bearable
            np.maximum(cone.limits, -most, out=limits)  # the least force gives way, too
            limits[-1] = min(limits[-1], most)
            model.write_contact_rows(number, cone.rows, limits, rows[place], upper[place], load)
