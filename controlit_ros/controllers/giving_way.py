"""GivingWay: which rows are missed, and by how much, where no effort keeps them all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.least_missing import LeastMissing
from controlit_ros.controllers.prioritisation import MAY_YIELD
from controlit_ros.solvers import QPSolver, QPStatus

ROUNDING = 1e-5  # of a row, and of what it is missed by; within less, solvers find no effort
ROOM = 5e-7  # of a row that is not missed; what contacts bear is kept to 1e-6 N
NOTHING = 1e-4  # of a row: what the steps leave of less is not missed


class _Group(NamedTuple):
    """Rows that give way together, each by an amount of its own.

    Attributes:
        number: Of the group.
        place: Of its rows.
        least: By how little.
    """

    number: int
    place: slice
    least: LeastMissing


class GivingWay:
    """Widens the bounds of rows by as little as can be, those of the first groups least.

    Group by group, from the first:

        min |s|²  with the bounds of efforts, the rows that never give way, those of the groups
        before as they were widened, and  R τ − s ≤ u,  s ≥ 0  of this one

    which is a hierarchy of least squares (Kanoun, Lamiraux, Wieber, Kinematic control of redundant
    manipulators, 2011). s is unique, and changes without jumps while the order of the groups and
    the rank of their rows stay. A group whose problem the solver gives up on is missed by what the
    effort found so far, at first the one before, leaves of it.

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
        self._groups: list[_Group] = []
        for number, place in enumerate(groups):
            least = LeastMissing.beside(solver, efforts, rows, place, one_by_one=True)
            if least is not None:
                self._groups.append(_Group(number, place, least))
        self._given: Array = np.zeros(rows)
        self._slack: Array = np.zeros(rows)
        self._excess: Array = np.zeros(rows)
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
        for number, place, least in self._groups:
            np.copyto(upper[place], given[place])
            np.copyto(least.lower, bounds.lower)
            np.copyto(least.upper, bounds.upper)
            status = least.solve(bounds.rows, bounds.row_lower, upper, self.effort)
            self.iterations += least.iterations
            if status is QPStatus.SOLVED:
                np.copyto(self.effort, least.solution)
                self._give_way(number, least.amounts, upper[place])
            elif status in MAY_YIELD and self._keeps_all_but(place, bounds):
                self._give_way(number, self._excess[place], upper[place])
            else:
                np.copyto(upper, given)
                return status
        return QPStatus.SOLVED

    def restore(self, bounds: EffortBounds) -> None:
        """Write the bounds as they were before `widen`."""
        np.copyto(bounds.row_upper, self._given)

    def _keeps_all_but(self, place: slice, bounds: EffortBounds) -> bool:
        """Tell whether `effort` keeps the other rows, and write by how much it misses each."""
        excess, reached = self._excess, self._slack
        np.matmul(bounds.rows, self.effort, out=reached)
        np.subtract(bounds.row_lower, reached, out=excess)
        is_above = excess.max() <= ROUNDING
        np.subtract(reached, bounds.row_upper, out=excess)
        np.maximum(excess, 0.0, out=excess)
        others = max(excess[: place.start].max(initial=0.0), excess[place.stop :].max(initial=0.0))
        return bool(is_above and others <= ROUNDING)

    def _give_way(self, number: int, amounts: Array, upper: Array) -> None:
        slack, largest = self._slack[: len(upper)], amounts.max().item()
        np.copyto(slack, amounts)
        self.missing[number] = largest if largest > NOTHING else 0.0
        slack *= 1.0 + ROUNDING
        slack += ROOM
        upper += slack
