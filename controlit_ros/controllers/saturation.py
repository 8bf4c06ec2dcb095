"""Saturation: joints at ends of their ranges become constraints of the prioritised law."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.acceleration_limits import AccelerationLimits
from controlit_ros.controllers.level_recursion import LawRows
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
from controlit_ros.kernels.hold_inside import ALLOWED_SPEED, RANGE
from controlit_ros.kernels.keep_inside import ACCELERATION, BOUNDS, RANGE_DOWN, RANGE_UP, WANTED
from controlit_ros.kernels.saturation import MOTION_ROWS, POSITION, SATURATION_ROWS
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.tasks.compound_task import CompoundTask

TOLERANCE = 1.0  # [rad/s²] beyond a bound that is worth a warning, as in the guard
SOLUTIONS = 4  # [-] a cycle; joints that still pass a limit are pinned in the next one


class SaturationKernels(NamedTuple):
    """Kernels bound to a model, the rows of tasks, and a command.

    Attributes:
        jacobian: `(na + rows, nv)` rows of pins, then those of tasks.
        motion_map: `(nv, na)` of the model.
        check: `kernels.are_limits_kept`.
        write: `kernels.write_pins`.
        release: `kernels.release_first_pin`.
        pin: `kernels.pin_worst`.
        solve: The law for so many pins.
    """

    jacobian: Array
    motion_map: Array
    check: BoundKernel
    write: BoundKernel
    release: BoundKernel
    pin: BoundKernel
    solve: Callable[[int], BoundKernel]


class Saturation:
    """Finds an effort that keeps joints in their ranges and serves the tasks with what is left.

    Saturation in the null space (Flacco, De Luca 2015) at the level of accelerations. With τ the
    effort of the law without limits and the bounds that the servo enforces (`AccelerationLimits`),
    the change δ of y is the optimum, level by level, of

        min |D S_i δ|²  with  l ≤ Φ (τ − τ₀) + C δ ≤ u,  Φ = C Cᵀ

    so it is zero where τ keeps all limits. An active set P of pinned joints replaces inequalities
    by equalities of a level above all tasks, `C_P δ = u_P − Φ_P (τ − τ₀)`;
    `kernels.prioritised_effort` solves that, with the commands of tasks at zero. P is kept from
    cycle to cycle. In each cycle one pin is released if the law without it keeps its limit, and
    joints that pass a limit are pinned, the worst first, with at most `SOLUTIONS` solutions.

    Limits of velocity and effort are left to the guard: tasks that ask for more than these allow
    would let the other joints make up for it at any speed, until all are at their limits.

    Args:
        robot: The robot's structure.
        limits: Bounds that the servo enforces.
        max_rows: Rows that all tasks together have at most.

    Attributes:
        active: `(na,)` 1 for a joint held at its upper end, −1 at its lower one, 0: free.
        bounds: `(4, na)` of accelerations, for the speed up and down, for the range up and down.
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
        self.bounds: Array = self._scratch[BOUNDS:WANTED]
        self._jacobian: Array = np.zeros((na + max_rows) * robot.nv)
        self._command: Array = np.zeros(na + max_rows)

    def check(self, model: ConstrainedModel, effort: Array, bias: Array) -> BoundKernel:
        """Bind the check that an effort keeps all limits.

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

    def bind(
        self,
        model: ConstrainedModel,
        tasks: CompoundTask,
        effort: Array,
        bias: Array,
        bind_law: Callable[[LawRows], BoundKernel],
    ) -> SaturationKernels:
        """Bind what pins joints and releases them.

        Args:
            model: Newest there is.
            tasks: As they stand.
            effort: `(na,)` of the command.
            bias: `(na,)` effort at which nothing accelerates.
            bind_law: Binds the law to rows, on top of `free`.
        """
        na, nv = len(self.free), self._robot.nv
        rows = na + len(tasks.command)
        jacobian = self._jacobian[: rows * nv].reshape(rows, nv)
        weight: Array = np.concatenate([np.ones(na), tasks.weight])
        nothing: Array = np.zeros(rows)

        @cache
        def solve(count: int) -> BoundKernel:
            ends = np.concatenate([np.arange(1, count + 1), count + tasks.task_ends])
            levels = np.concatenate([[count], count + tasks.level_ends])
            return bind_law(
                LawRows(
                    jacobian=jacobian[na - count :],
                    command=self._command[na - count : rows],
                    bias=nothing[na - count :],
                    is_force=nothing[na - count :] > 0.0,
                    weight=weight[na - count :],
                    task_ends=ends,
                    level_ends=levels,
                    exact_levels=1,
                    rank=np.zeros(len(levels), dtype=np.int64),
                    condition=np.ones(len(levels)),
                    strain=np.zeros(rows - na + count),
                )
            )

        pins = self._pins, self._count
        law = *pins, effort, bias, model.Phi, self._scratch
        kernels = SaturationKernels(
            jacobian,
            model.UNc_bar,
            self.check(model, effort, bias),
            bind(
                write_pins,
                *pins,
                GIVEN,
                self._robot.command_dofs,
                self._scratch,
                jacobian[:na],
                self._command[:na],
            ),
            bind(release_first_pin, *law),
            bind(pin_worst, *law),
            solve,
        )
        self._compile(kernels)
        return kernels

    def _compile(self, kernels: SaturationKernels) -> None:
        """Call what no cycle needs before a joint reaches a limit; leave no trace."""
        memory = self._pins, self._count, self.active
        before = [part.copy() for part in memory]
        self._count[0] = 1
        kernels.write(-1)
        kernels.release()
        kernels.pin()
        report_pins(*memory)
        for part, value in zip(memory, before, strict=True):
            np.copyto(part, value)

    def solve(self, tasks: CompoundTask, effort: Array, kernels: SaturationKernels) -> None:
        """Replace an effort that passes limits; after `check`.

        Args:
            tasks: Computed just before.
            effort: `(na,)` of the law without limits; changed in place.
            kernels: Of `bind`.
        """
        np.copyto(self.free, effort)
        np.matmul(kernels.motion_map, self._scratch[ACCELERATION], out=self.acceleration)
        np.copyto(kernels.jacobian[len(effort) :], tasks.jacobian)
        if self._count[0] > 1:
            kernels.solve(kernels.write(0))()
        if self._count[0] > 0:
            kernels.release()
        if self._count[0] == 0:
            np.copyto(effort, self.free)
            if not kernels.pin():
                return
        for _ in range(SOLUTIONS):
            kernels.solve(kernels.write(-1))()
            if not kernels.pin():
                break
        report_pins(self._pins, self._count, self.active)

    def complaint(self) -> str:
        """Name the joint that tasks push most against the end of its range; empty: none."""
        acceleration, active = self._scratch[ACCELERATION], self.active
        above = np.where(active > 0.0, acceleration - self.bounds[RANGE_UP], 0.0)
        excess = np.where(active < 0.0, -acceleration - self.bounds[RANGE_DOWN], above)
        i = int(np.argmax(excess))
        if not excess[i] > TOLERANCE:
            return ""
        lower, upper = self._limits.rows[RANGE:ALLOWED_SPEED, i]
        return (
            f"position limit of {self._robot.command_joints[i]}: held back at "
            f"{self._motion[POSITION, i]:.4g}, limit {upper if active[i] > 0.0 else lower:.4g}"
        )

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
