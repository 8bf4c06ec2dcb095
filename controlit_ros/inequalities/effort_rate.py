"""EffortRate: efforts do not change faster than drives follow."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.inequality import RowsOf
from controlit_ros.inequalities.joint_inequality import JointInequality
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Access


class EffortRate(JointInequality):
    """Bounds the change of each effort from one cycle to the next, `|τ − τ'| ≤ rate Δ`.

    τ' is what the controller computed in the cycle before; the first effort after a start is free.
    """

    rows_of = RowsOf.EFFORT
    unit = "N m"

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        joints = robot.command_joints
        self.rate = self.declare_of_joints(
            "rate",
            1000.0,
            lower=1e-3,
            unit="N m/s",
            description="fastest change of the effort of each joint [N m/s] or [N/s]",
        )
        self.last = self.declare(
            "last_effort",
            np.zeros(len(joints)),
            shape=(len(joints),),
            labels=joints,
            unit="N m",
            access=Access.OUTPUT,
            description="what the change is counted from [N m] or [N]; not a number before the "
            "first effort",
        )
        self._step: Array = np.zeros(len(joints))

    def configure(self, constraints: ConstraintSet, period: float) -> None:
        """Take the period."""
        super().configure(constraints, period)
        self.restart()

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:  # noqa: ARG002 - no model
        """Write `τ ≤ τ' + rate Δ` and `−τ ≤ −τ' + rate Δ`."""
        last = self.last.value
        if math.isnan(last[0]):
            return
        na = len(last)
        np.copyto(rows, self._both)
        np.multiply(self.rate.value, self.period, out=self._step)
        np.add(self._step, last, out=upper[:na])
        np.subtract(self._step, last, out=upper[na:])

    def take_command(self, effort: Array) -> None:
        """Keep the effort."""
        np.copyto(self.last.value, effort)

    def restart(self) -> None:
        """Let the next effort be any."""
        self.last.value.fill(math.nan)
