"""InequalityRows: inequalities as rows over efforts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.named_bound import BoundKind, NamedBound
from controlit_ros.finite import NotFiniteError
from controlit_ros.inequalities import Inequality, RowsOf
from controlit_ros.kernels import rows_over_efforts
from controlit_ros.model.robot_description import RobotDescription

LARGEST = 1e60  # [-] of a row: what kernels make of it stays finite


class _Placed(NamedTuple):
    """An inequality, where its rows are, and the memory for them as it writes them."""

    inequality: Inequality
    place: slice
    rows: Array


class InequalityRows:
    """Rows `R τ ≤ u` of a quadratic program over efforts, those of every inequality.

        A v̇ ≤ b    with    v̇ = UNc̄ Φ (τ − τ₀) − drift    is    A UNc̄ Φ τ ≤ b + A (UNc̄ Φ τ₀ + drift)

    What no effort changes bounds nothing.

    Args:
        robot: Its command joints make the efforts.
        inequalities: In the order in which they are kept: the last gives way first.

    Attributes:
        count: Number of the rows.
        bounds: What each of them bounds.
        places: Of the rows of each inequality.
    """

    def __init__(self, robot: RobotDescription, inequalities: Sequence[Inequality]) -> None:
        na, nv = len(robot.command_joints), robot.nv
        self.count = 0
        placed: list[_Placed] = []
        bounds: list[NamedBound] = []
        for inequality in inequalities:
            n = inequality.rows
            width = nv if inequality.rows_of is RowsOf.ACCELERATION else na
            place = slice(self.count, self.count + n)
            placed.append(_Placed(inequality, place, np.zeros((n, width))))
            labels = inequality.labels or ("",) * n
            bounds += [
                NamedBound(BoundKind.INEQUALITY, inequality.name, inequality.unit, label)
                for label in labels
            ]
            self.count += n
        self._placed = tuple(placed)
        self.bounds = tuple(bounds)
        self.places = tuple(each.place for each in placed)
        self._effect: Array = np.zeros((nv, na))
        self._still: Array = np.zeros(nv)

    def update(self, model: ConstrainedModel, held: HeldLoad, rows: Array, upper: Array) -> None:
        """Write the rows; servo thread.

        Args:
            model: The robot now.
            held: Brought to it.
            rows: `(count, na)` R.
            upper: `(count,)` u.

        Raises:
            NotFiniteError: An inequality wrote what is no number; strict levels would take it
                for a row that nothing moves, and leave it out.
        """
        np.matmul(model.UNc_bar, model.Phi, out=self._effect)
        np.matmul(self._effect, held.effort, out=self._still)
        self._still += held.drift
        upper.fill(np.inf)
        rows.fill(0.0)
        for inequality, place, own in self._placed:
            if inequality.enabled.value:
                own.fill(0.0)
                inequality.update(model, own, upper[place])
                _check(inequality, own, upper[place])
                if inequality.rows_of is RowsOf.ACCELERATION:
                    rows_over_efforts(own, self._effect, self._still, rows[place], upper[place])
                else:
                    np.copyto(rows[place], own)

    def take_command(self, effort: Array) -> None:
        """Tell the effort that was computed; servo thread."""
        for inequality, _, _ in self._placed:
            inequality.take_command(effort)

    def restart(self) -> None:
        """Let every inequality forget what was commanded."""
        for inequality, _, _ in self._placed:
            inequality.restart()


def _check(inequality: Inequality, rows: Array, upper: Array) -> None:
    flat = rows.reshape(-1)
    if not flat.dot(flat) <= LARGEST**2:
        raise NotFiniteError(inequality.name, "the row", rows)
    if not (upper > -np.inf).all():
        raise NotFiniteError(inequality.name, "the bound", np.where(upper == np.inf, 0.0, upper))
