"""GivingWay: which rows are missed, and by how much, where no effort keeps them all."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.least_missing import MISSING_COSTS
from controlit_ros.solvers import QPSolver, QPStatus

ROUNDING = 1e-6  # of a row, and of what it is missed by; within less, solvers find no effort
NOTHING = 1e-4  # of a row: what the steps leave of less is not missed


class _Group:
    """Rows that give way together: each by a slack s of its own, of least sum of squares.

    Proximal steps over the efforts, as in `LeastMissing`.

    Args:
        solver: Not yet prepared.
        efforts: na.
        rows: m, of all groups.
        place: Of those of this one.
    """

    def __init__(self, solver: QPSolver, efforts: int, rows: int, place: slice) -> None:
        self.place = place
        self._n, slacks = efforts, place.stop - place.start
        solver.prepare(efforts + slacks, rows)
        solver.lower[efforts:] = 0.0
        solver.rows[place, efforts:] = -np.eye(slacks)
        self._solver = solver
        self._slack_costs = solver.hessian.reshape(-1)[:: efforts + slacks + 1][efforts:]
        self.iterations = 0

    @property
    def slack(self) -> Array:
        """What was found, `(rows of the group,)`."""
        return self._solver.solution[self._n :]

    def solve(self, bounds: EffortBounds, upper: Array, effort: Array) -> QPStatus:
        """Find the slack.

        Args:
            bounds: Of the efforts; those of its rows that are kept.
            upper: `(m,)` upper bounds of the rows; infinite for what gives way before.
            effort: `(na,)` from where the efforts are counted; result.
        """
        solver, n = self._solver, self._n
        np.copyto(solver.lower[:n], bounds.lower)
        np.copyto(solver.upper[:n], bounds.upper)
        solver.rows[:, :n] = bounds.rows
        np.copyto(solver.row_lower, bounds.row_lower)
        np.copyto(solver.row_upper, upper)
        found, self.iterations = QPStatus.FAILED, 0
        for cost in MISSING_COSTS:
            np.negative(effort, out=solver.gradient[:n])
            self._slack_costs[:] = cost
            status = solver.solve()  # writes nothing where it fails
            self.iterations += solver.iterations
            if status is not QPStatus.SOLVED:
                return found if found is QPStatus.SOLVED else status
            found = status
            np.copyto(effort, solver.solution[:n])
        return found


class GivingWay:
    """Widens the bounds of rows by as little as can be, those of the first groups least.

    Group by group, from the first:

        min |s|²  with the bounds of efforts, the rows that never give way, those of the groups
        before as they were widened, and  R τ − s ≤ u,  s ≥ 0  of this one

    which is a hierarchy of least squares (Kanoun, Lamiraux, Wieber, Kinematic control of redundant
    manipulators, 2011). s is unique, and changes without jumps while the order of the groups and
    the rank of their rows stay.

    Args:
        solver: Others of its type are made.
        efforts: na.
        rows: m, of all bounds.
        groups: Places of rows that may give way, the last first.

    Attributes:
        effort: `(na,)` one that keeps the widened bounds.
        missing: `(groups,)` the largest slack of each.
        nothing: `(groups,)` what it is where all rows are kept.
        iterations: What the last problem took.
    """

    def __init__(self, solver: QPSolver, efforts: int, rows: int, groups: Sequence[slice]) -> None:
        self._groups = [
            _Group(type(solver)(), efforts, rows, place)
            for place in groups
            if place.stop > place.start
        ]
        self._numbers = [i for i, place in enumerate(groups) if place.stop > place.start]
        self._given: Array = np.zeros(rows)
        self._slack: Array = np.zeros(rows)
        self.effort: Array = np.zeros(efforts)
        self.missing: Array = np.zeros(len(groups))
        self.nothing: Array = np.zeros(len(groups))
        self.iterations = 0

    def widen(self, bounds: EffortBounds, last: Array) -> QPStatus:
        """Widen the upper bounds of the rows; `restore` takes it back.

        Args:
            bounds: Of a problem that no effort solves.
            last: `(na,)` the effort before, from which little is changed.
        """
        given, upper = self._given, bounds.row_upper
        np.copyto(given, upper)
        np.clip(last, bounds.lower, bounds.upper, out=self.effort)
        self.missing.fill(0.0)
        self.iterations = 0
        for group in self._groups:
            upper[group.place] = np.inf
        for number, group in zip(self._numbers, self._groups, strict=True):
            place = group.place
            np.copyto(upper[place], given[place])
            status = group.solve(bounds, upper, self.effort)
            self.iterations += group.iterations
            if status is not QPStatus.SOLVED:
                np.copyto(upper, given)
                return status
            self._give_way(number, group, upper[place])
        return QPStatus.SOLVED

    def restore(self, bounds: EffortBounds) -> None:
        """Write the bounds as they were before `widen`."""
        np.copyto(bounds.row_upper, self._given)

    def _give_way(self, number: int, group: _Group, upper: Array) -> None:
        slack = self._slack[: len(upper)]
        np.copyto(slack, group.slack)
        largest = slack.max().item()
        self.missing[number] = largest if largest > NOTHING else 0.0
        slack *= 1.0 + ROUNDING
        slack += ROUNDING
        upper += slack
