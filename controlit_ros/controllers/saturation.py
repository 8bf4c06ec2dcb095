"""Saturation: joints at their limits become constraints of the prioritised law."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.acceleration_limits import AccelerationLimits
from controlit_ros.controllers.level_recursion import LevelRows
from controlit_ros.kernels import (
    GIVEN,
    BoundKernel,
    are_limits_kept,
    bind,
    pin_worst,
    release_first_pin,
    report_pins,
    write_pins,
)
from controlit_ros.kernels.keep_inside import ACCELERATION
from controlit_ros.kernels.saturation import MOTION_ROWS, SATURATION_ROWS
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.tasks.compound_task import CompoundTask

SOLUTIONS = 4  # [-] a cycle; joints that still pass a limit are pinned in the next one


class SaturationKernels(NamedTuple):
    """Kernels bound to a model, the rows of tasks, and a command."""

    rows: LevelRows
    motion_map: Array
    check: BoundKernel
    write: BoundKernel
    release: BoundKernel
    pin: BoundKernel
    solve: BoundKernel


class Saturation:
    """Finds an effort that keeps the limits of the joints and serves the tasks with what is left.

    Saturation in the null space (Flacco, De Luca 2015) at the level of accelerations and efforts.
    With τ the effort of the law without limits and the bounds that the servo enforces
    (`AccelerationLimits`), the change δ of y is the optimum, level by level, of

        min |D S_i δ|²  with  l ≤ Φ (τ − τ₀) + C δ ≤ u,  τ_l ≤ τ + Eφ δ ≤ τ_u,  Φ = C Cᵀ

    so it is zero where τ keeps all limits. An active set P of pinned joints replaces inequalities
    by equalities of a level above all tasks, `C_P δ = u_P − Φ_P (τ − τ₀)` for accelerations and
    `Eφ_P δ = τ_u,P − τ_P` for efforts; `kernels.prioritised_effort` solves that, with the commands
    of tasks at zero. P is kept from cycle to cycle. In each cycle one pin is released if the law
    without it keeps its limit, and joints that pass a limit are pinned, the worst first, with at
    most `SOLUTIONS` solutions.

    Args:
        robot: The robot's structure.
        limits: Bounds that the servo enforces.
        max_rows: Rows that all tasks together have at most.

    Attributes:
        active: `(na,)` which limit holds each joint, `BY_POSITION` and so on of
            `kernels.saturation`, negative at the lower one, 0: none.
        free: `(na,)` effort of the law without limits [N m].
        acceleration: `(nv,)` that it causes [rad/s²].
    """

    def __init__(self, robot: RobotDescription, limits: AccelerationLimits, max_rows: int) -> None:
        na = len(robot.command_joints)
        self._robot, self._limits = robot, limits
        self.active: Array = np.zeros(na)
        self.free: Array = np.zeros(na)
        self.acceleration: Array = np.zeros(robot.nv)
        self._pins: Indices = np.zeros((2, na), dtype=np.int64)
        self._count: Indices = np.zeros(1, dtype=np.int64)
        self._kept = self._pins.copy(), self._count.copy(), self.active.copy()
        self._motion: Array = np.zeros((MOTION_ROWS, na))
        self._scratch: Array = np.zeros((SATURATION_ROWS, na))
        self._jacobian: Array = np.zeros((na + max_rows) * robot.nv)
        self._command: Array = np.zeros(na + max_rows)

    def check(self, model: ConstrainedModel, effort: Array, bias: Array) -> BoundKernel:
        """Bind what tells whether an effort keeps all limits.

        Args:
            model: Newest there is.
            effort: `(na,)`.
            bias: `(na,)` effort at which nothing accelerates.
        """
        state, limits = model.robot_model.state, self._limits
        return bind(
            are_limits_kept,
            effort,
            bias,
            model.Phi,
            state.position,
            state.velocity,
            self._robot.command_indices,
            limits.rows,
            limits.paces,
            limits.round_trip,
            limits.times,
            self._motion,
            self._scratch,
            self._count,
            self.active,
        )

    def stack(self, tasks: CompoundTask) -> LevelRows:
        """Return `na` rows for pins, zero where there is none, as a level above those of tasks."""
        na, rows, nv = len(self.free), len(tasks.command), self._robot.nv
        levels = 1 + len(tasks.level_ends)
        return LevelRows(
            jacobian=self._jacobian[: (na + rows) * nv].reshape(na + rows, nv),
            command=self._command[: na + rows],
            bias=np.zeros(na + rows),
            is_force=np.zeros(na + rows, dtype=np.bool_),
            weight=np.concatenate([np.ones(na), tasks.weight]),
            task_ends=np.concatenate([np.arange(1, na + 1), na + tasks.task_ends]),
            level_ends=np.concatenate([[na], na + tasks.level_ends]),
            exact_levels=1,
            rank=np.zeros(levels, dtype=np.int64),
            condition=np.ones(levels),
            strain=np.zeros(na + rows),
        )

    def bind(
        self,
        model: ConstrainedModel,
        effort: Array,
        bias: Array,
        rows: LevelRows,
        solve: BoundKernel,
    ) -> SaturationKernels:
        """Bind what pins joints and releases them.

        Args:
            model: Newest there is.
            effort: `(na,)` of the command.
            bias: `(na,)` effort at which nothing accelerates.
            rows: Of `stack`.
            solve: Writes the effort under the pins that stand in these rows.
        """
        na, maps, pins = len(self.free), model.effort_map, (self._pins, self._count)
        limits, scratch = self._limits.rows, self._scratch
        write = bind(
            write_pins, *pins, GIVEN, self.free, limits, maps, self._robot.command_dofs, scratch,
            rows.jacobian[:na], rows.command[:na],
        )  # fmt: skip
        law = (*pins, effort, bias, model.Phi, limits)
        release = bind(release_first_pin, *law, scratch)
        pin = bind(pin_worst, *law, maps, scratch)
        check = self.check(model, effort, bias)
        return SaturationKernels(rows, model.UNc_bar, check, write, release, pin, solve)

    def solve(self, tasks: CompoundTask, effort: Array, kernels: SaturationKernels) -> None:
        """Replace an effort that passes limits; after `check`.

        Args:
            tasks: Computed just before.
            effort: `(na,)` of the law without limits; changed in place.
            kernels: Of `bind`.
        """
        rows, motion_map, _, write, release, pin, solve = kernels
        np.copyto(self.free, effort)
        np.matmul(motion_map, self._scratch[ACCELERATION], out=self.acceleration)
        np.copyto(rows.jacobian[len(effort) :], tasks.jacobian)
        if self._count[0] > 1:
            write(0)
            solve()
        if self._count[0] > 0:
            release()
        if self._count[0] == 0:
            np.copyto(effort, self.free)
            if not pin():
                return
        for _ in range(SOLUTIONS):
            write(-1)
            solve()
            if not pin():
                break
        report_pins(self._pins, self._count, self._scratch, self.active)

    def restart(self) -> None:
        """Release all joints."""
        self._count[0] = 0
        self.active.fill(0.0)

    def keep(self) -> None:
        """Keep which joints are pinned for `restore`."""
        for memory, kept in zip((self._pins, self._count, self.active), self._kept, strict=True):
            np.copyto(kept, memory)

    def restore(self) -> None:
        """Pin the joints that were pinned at `keep`."""
        for memory, kept in zip((self._pins, self._count, self.active), self._kept, strict=True):
            np.copyto(memory, kept)
