"""ContactSupport: whether contacts bear the robot without some of them."""

import math

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.least_missing import LeastMissing
from controlit_ros.model.contact_cone import ContactCone
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.solvers import QPSolver, QPStatus
from controlit_ros.tasks.compound_task import CompoundTask

ROWS = 6  # [#] most of a contact


class ContactSupport:
    """Finds reactions of the contacts that hold the base of a robot at rest.

        Σ_c Jcᵀ r = B + G + Σ Jᵀ F   in the six rows of the base
        C_c w_c ≤ d_c                for each contact that tells its friction, w_c from its r

    Whether joints have the efforts for it is not asked. By `LeastMissing`. Contacts of a kind whose
    rows make no wrench count as bearing nothing.

    Args:
        robot: Its contacts, as they are configured.
        sides: Of the polygons within the circles of friction.
        margin: Part of friction and sizes that is left free.
        solver: Not yet prepared.
    """

    def __init__(
        self, robot: RobotDescription, sides: int, margin: float, solver: QPSolver
    ) -> None:
        self._cones: list[tuple[int, slice, ContactCone]] = []
        end, count = BASE_DOFS, ROWS * len(robot.contacts)
        for number, site in enumerate(robot.contacts):
            if site.hold is not None:
                greatest = site.hold.normal_force[1]
                cone = site.hold._replace(normal_force=(0.0, greatest)).cone(sides, margin)
                place = slice(end, end + len(cone.rows))
                self._cones.append((number, place, cone))
                end = place.stop
        self._rows: Array = np.zeros((end, count))
        self._limits: Array = np.zeros((2, end))
        self._least = LeastMissing(solver, count, end, slice(BASE_DOFS, end))

    def missing(self, model: ConstrainedModel, tasks: CompoundTask, without: Flags) -> float:
        """Return by how much contacts are asked for more than they bear [N]; 0: by nothing.

        Args:
            model: Updated.
            tasks: What they exert elsewhere bears on the contacts, too.
            without: `(contacts,)` which shall bear nothing.

        Returns:
            Infinity where no reactions whatever hold the robot.
        """
        rows, (lower, upper) = self._rows, self._limits
        rows.fill(0.0)
        lower.fill(-np.inf)
        held = model.robot_model.BG[:BASE_DOFS]
        if tasks.has_force_rows:
            held = held + tasks.load[:BASE_DOFS]
        lower[:BASE_DOFS] = upper[:BASE_DOFS] = held
        np.copyto(self._least.upper, np.where(without.repeat(ROWS), 0.0, np.inf))
        np.negative(self._least.upper, out=self._least.lower)
        for number in range(len(without)):
            own = model.contact_rows_of(number)
            rows[:BASE_DOFS, _slots(number, own)] = model.Jc[own, :BASE_DOFS].T
        for number, place, cone in self._cones:
            upper[place] = cone.limits
            own = model.contact_rows_of(number)
            rows[place, _slots(number, own)] = cone.rows @ model.own_wrench(number)
        status = self._least.solve(rows, lower, upper)
        return self._least.missing if status is QPStatus.SOLVED else math.inf


def _slots(number: int, rows: slice) -> slice:
    """Return which variables are the reactions of a contact's rows."""
    first = ROWS * number
    return slice(first, first + rows.stop - rows.start)
