"""KeptInequalities: the inequalities of a problem, and what becomes of them."""

from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.giving_way import GivingWay
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.inequality_rows import InequalityRows
from controlit_ros.controllers.named_bound import NamedBound
from controlit_ros.controllers.prioritisation import MAY_YIELD, Prioritisation
from controlit_ros.inequalities import Inequality
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.solvers import QPSolver, QPStatus
from controlit_ros.tasks.compound_task import CompoundTask

Write = Callable[[ConstrainedModel, CompoundTask], None]


class KeptInequalities:
    """Rows of inequalities that stand last in a problem, and give way where they must.

    Efforts and `limit_horizon` never give way. Contacts with friction are kept next, for what they
    do not bear is no motion that the model foresees; then the inequalities, in their order.

    Args:
        robot: Its command joints make the efforts.
        inequalities: Configured, in their order.
        solver: Others of its type are made.
        of_contacts: Rows of contacts with friction; those of the inequalities come next.

    Attributes:
        end: Of all rows.
        bounds: What each of the rows bounds.
        may_miss: Rows that the prioritisation may miss by itself: those of contacts, if there is no
            inequality to miss before them.
    """

    def __init__(
        self,
        robot: RobotDescription,
        inequalities: Sequence[Inequality],
        solver: QPSolver,
        of_contacts: slice,
    ) -> None:
        self._inequalities = tuple(inequalities)
        self._rows = InequalityRows(robot, inequalities)
        self.bounds: tuple[NamedBound, ...] = self._rows.bounds
        start = of_contacts.stop
        self.end: int = start + self._rows.count
        self._place = slice(start, self.end)
        self._last: Array = np.zeros(len(robot.command_joints))
        self._gave_way = False
        self._given: Array = np.zeros(len(self._inequalities))
        places = [slice(start + place.start, start + place.stop) for place in self._rows.places]
        self.may_miss = slice(0, 0) if self._rows.count else of_contacts
        self._giving: GivingWay | None = None
        if self._rows.count:
            self._giving = GivingWay(solver, len(self._last), self.end, (of_contacts, *places))

    @property
    def missed(self) -> tuple[Inequality, ...]:
        """Those that gave way: no effort kept them beside others."""
        given = self._given.tolist()
        return tuple(e for e, way in zip(self._inequalities, given, strict=True) if way > 0.0)

    @property
    def weak(self) -> tuple[Inequality, ...]:
        """Those that ask for less than would keep them, since there is no more to be had."""
        return tuple(e for e in self._inequalities if e.enabled.value and e.shortfall > 0.0)

    def update(self, model: ConstrainedModel, held: HeldLoad, bounds: EffortBounds) -> None:
        """Write the rows; servo thread."""
        if self._giving is not None:
            place = self._place
            self._rows.update(model, held, bounds.rows[place], bounds.row_upper[place])

    def solve(
        self, levels: Prioritisation, write: Write, model: ConstrainedModel, tasks: CompoundTask
    ) -> QPStatus:
        """Solve the problem, or else one with less of the inequalities.

        Args:
            levels: The problem was written to it.
            write: Writes it again.
            model: Of which it is.
            tasks: Likewise.
        """
        giving = self._giving
        if giving is None:
            return levels.solve()
        # once they exclude each other they do so for a while, and to find it out takes longest
        status = QPStatus.INFEASIBLE if self._gave_way else levels.solve()
        if status not in MAY_YIELD:
            self._show(giving.nothing)
            return status
        status = giving.widen(levels.bounds, self._last)
        if status is not QPStatus.SOLVED:
            return status
        self._show(giving.missing)
        write(model, tasks)
        if levels.solve() is not QPStatus.SOLVED:
            np.copyto(levels.effort, giving.effort)
            levels.multipliers.fill(0.0)
            levels.unsolved = len(tasks.levels)
        giving.restore(levels.bounds)
        levels.missing = max(levels.missing, giving.missing[0].item())
        levels.iterations += giving.iterations
        return QPStatus.SOLVED

    def take_command(self, effort: Array) -> None:
        """Tell the effort that was computed; servo thread."""
        if self._giving is not None:
            np.copyto(self._last, effort)
            self._rows.take_command(effort)

    def restart(self) -> None:
        """Forget what was commanded; servo thread."""
        self._gave_way = False
        self._rows.restart()

    def complaint(self) -> str:
        """Tell which inequalities are not kept."""
        missed = [each for each in self._inequalities if each.missing.value > 0.0]
        if not missed:
            return ""
        amounts = ", ".join(f"{e.name!r} by {e.missing.value:.3g} {e.unit}" for e in missed)
        return (
            f"inequalities that no effort keeps together: found that {amounts} is missed, expected "
            "none; it goes on with as little of that as can be"
        )

    def _show(self, missing: Array) -> None:
        """Tell by how much each is missed; the first entry is that of the contacts."""
        self._gave_way = bool(missing.any())
        np.copyto(self._given, missing[1:])
        for inequality, value in zip(self._inequalities, missing[1:].tolist(), strict=True):
            shortfall = inequality.shortfall if inequality.enabled.value else 0.0
            inequality.missing.value = max(value, shortfall)
