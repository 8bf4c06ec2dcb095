"""Hierarchical: strict levels, a quadratic program each."""

import numpy as np

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.least_missing import LeastMissing
from controlit_ros.controllers.prioritisation import MAY_YIELD, Prioritisation
from controlit_ros.controllers.task_kernels import TaskKernels
from controlit_ros.finite import is_finite
from controlit_ros.kernels import (
    GIVEN,
    BoundKernel,
    bind,
    coordinates_left,
    keep_met,
    level_coordinates,
    level_problem,
    lock_rows,
    lock_suspected,
    most_beyond,
)
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.solvers import QPSolver, QPStatus
from controlit_ros.tasks.compound_task import CompoundTask

KEPT = 1e-8
"""By how much a level may miss a bound while others are suspected, in the bound's unit."""


class Hierarchical(Prioritisation):
    """No level changes what those above it reach.

    Level by level, from the highest:

        min  ½ |W_i (J_i q̈ + J̇_i v − u_i)|² + ½ ε (xᵀ Φ x + φ |L* x|²)
        with the bounds, and J_j q̈ as it was found for every level j above

    Escande, Mansard and Wieber, Hierarchical quadratic programming, 2014. The equalities are not
    rows: in the coordinates of `kernels.level_coordinates` each level has some of its own, which do
    not move the levels above, so each problem has the variables that those above have left, and
    the last levels are small. Where no effort keeps the bounds, a level above all makes small what
    rows are missed by.

    What holds a level back holds it by holding what is left for those below, so that bound is met
    for those below, too (`kernels.lock_rows`). Which bounds do is sure of most; one that only may
    is kept like any other, and met where the next level is not solved, or misses a bound,
    otherwise. Efforts that do not move a level weigh a little more than ε in its problem
    (`kernels.level_problem`). Where a solver gives up on a level below the first, it and those
    below keep what they had by chance: within the bounds, and without effect on the levels above.

    `multipliers` are the sum over the levels, of bounds that are met in the end.
    """

    def _prepare(
        self,
        robot: RobotDescription,
        solver: QPSolver,
        task_rows: int,
        bound_rows: int,
        may_miss: slice,
    ) -> None:
        na, rows = len(robot.command_joints), max(task_rows, 1)
        self.bounds = EffortBounds.zeros(na, bound_rows, may_miss)
        # by how many variables are left, so that each level begins where it ended
        self._solvers = {na: solver} | {n: type(solver)() for n in range(1, na)}
        for n, own in self._solvers.items():
            own.prepare(n, na + bound_rows)
        missed = slice(na + may_miss.start, na + may_miss.stop)
        self._yielding = LeastMissing.beside(solver, na, na + bound_rows, missed)
        self._is_finite = True
        self._is_begun = False  # whether the coordinates are within the bounds
        self._regularisation = 0.0
        self._level_ends: Indices = np.zeros(0, dtype=np.int64)
        self._level_rank: Indices = np.zeros(rows, dtype=np.int64)
        self._wanted: Array = np.zeros(rows)
        self._whole: Array = np.zeros(rows)
        self._motion: Array = np.zeros((rows, na))
        self._internal: Array = np.zeros((na, na))
        self._held: Array = np.zeros(na)
        self._w: Array = np.zeros(na)
        m = na + bound_rows
        most = max(rows, m)
        self._rows: Array = np.zeros((m, na))
        self._limits: Array = np.zeros((2, m))
        self._reached: Array = np.zeros(m)
        self._own_multipliers: Array = np.zeros(m)
        self._locked: Flags = np.zeros(m, dtype=bool)
        self._suspected: Flags = np.zeros(m, dtype=bool)
        self._row_work: Array = np.zeros((3, most, na))
        self._square_work: Array = np.zeros((most, most))
        self._basis: Array = np.zeros(na * na)
        self._basis_work: Array = np.zeros((3, na, na))
        self._vectors: Array = np.zeros((4, most))
        self._bound: TaskKernels[BoundKernel] = TaskKernels()
        self._problems = {n: self._bind_problem(own) for n, own in self._solvers.items()}
        # compiled now: only what holds a level back has them called
        self._coordinates_left(0, 0)
        lock_suspected(self._rows, 0, self._suspected, self._locked)
        self._is_kept(solver)

    def _bind_problem(self, solver: QPSolver) -> BoundKernel:
        lower, upper = self._limits
        return bind(
            level_problem,
            GIVEN,
            GIVEN,
            GIVEN,
            GIVEN,
            self._rows,
            lower,
            upper,
            GIVEN,
            self._w,
            solver.hessian,
            solver.gradient,
            solver.rows,
            solver.row_lower,
            solver.row_upper,
            self._basis_work,
        )

    def write(
        self,
        model: ConstrainedModel,
        tasks: CompoundTask,
        held: HeldLoad,
        *,
        level_weight: float,  # noqa: ARG002 - strict levels weigh nothing
        regularisation: float,
    ) -> None:
        """Write coordinates and bounds; the cost of a level needs what those above reach."""
        self._regularisation = regularisation
        self._level_ends = tasks.level_ends
        rows, na, width = len(tasks.command), len(self._w), model.width
        S, B = self._coordinates(rows, width)
        write = self._bound.get(model, tasks) or self._bind_coordinates(model, tasks)
        self._is_finite = write(held.drift) and is_finite(self._wanted[:rows])
        self._motion[:rows, width:] = 0.0
        np.matmul(S, B.T, out=self._motion[:rows, :width])
        self._weigh(tasks.weight)
        self._rows[:na, width:] = self._internal[width:].T
        np.matmul(model.effort_map, B.T, out=self._rows[:na, :width])
        np.copyto(self._held, held.effort)
        self._write_bounds()

    def _coordinates(self, rows: int, width: int) -> tuple[Array, Array]:
        """Return the memory of the rows of tasks and of the coordinates of levels."""
        S = self._row_work[0].reshape(-1)[: rows * width].reshape(rows, width)
        return S, self._basis[: width * width].reshape(width, width)

    def _bind_coordinates(self, model: ConstrainedModel, tasks: CompoundTask) -> BoundKernel:
        coordinates = bind(
            level_coordinates,
            tasks.jacobian,
            tasks.command,
            tasks.is_force,
            tasks.bias,
            GIVEN,
            model.mobility,
            tasks.level_ends,
            model.task_map,
            model.effort_map,
            model.Phi,
            self._wanted,
            self._whole,
            *self._coordinates(len(tasks.command), model.width),
            self._internal,
            self._level_rank,
            self._row_work[1],
            self._square_work,
            self._basis_work,
            self._vectors,
        )
        return self._bound.keep(model, tasks, coordinates)

    def _weigh(self, weight: Array) -> None:
        """Let each row count as much in its level as it weighs; which are independent stays."""
        rows = len(weight)
        root = np.sqrt(weight, out=self._vectors[0, :rows])
        self._motion[:rows] *= root[:, None]
        self._wanted[:rows] *= root
        self._whole[:rows] *= root

    def _write_bounds(self) -> None:
        """Write the bounds of `τ = τ₀ + G w` as those of rows over w."""
        na, bounds, (lower, upper) = len(self._held), self.bounds, self._limits
        np.matmul(bounds.rows, self._rows[:na], out=self._rows[na:])
        offset = self._reached
        np.copyto(offset[:na], self._held)
        np.matmul(bounds.rows, self._held, out=offset[na:])
        np.subtract(bounds.lower, offset[:na], out=lower[:na])
        np.subtract(bounds.upper, offset[:na], out=upper[:na])
        np.subtract(bounds.row_lower, offset[na:], out=lower[na:])
        np.subtract(bounds.row_upper, offset[na:], out=upper[na:])

    def solve(self) -> QPStatus:
        """Solve level by level, and where nothing keeps the bounds once more with less of them."""
        self.iterations = 0
        self.missing = 0.0
        self.unsolved = 0
        if not self._is_finite:
            return QPStatus.NOT_FINITE
        self._w.fill(0.0)
        self._suspected.fill(False)
        self._is_begun = False
        status = self._solve_levels(0)
        if status in MAY_YIELD and not self._is_begun and self._yielding is not None:
            status = self._yield(self._yielding)
        if status is QPStatus.SOLVED:
            np.matmul(self._rows[: len(self._w)], self._w, out=self.effort)
            self.effort += self._held
            self._forget_what_is_not_met()
        return status

    def _solve_levels(self, first: int) -> QPStatus:
        """Solve the levels, highest first, by the coordinates from `first` on."""
        self.multipliers.fill(0.0)
        for level in range(len(self._level_ends)):
            status, first = self._solve_and_lock(level, first)
            if status in MAY_YIELD and self._is_begun:
                self.unsolved = len(self._level_ends) - level
                return QPStatus.SOLVED
            if status is not QPStatus.SOLVED:
                return status
        # if nothing is wanted, then little effort
        return QPStatus.SOLVED if self._is_begun else self._solve_level(slice(0, 0), 0, 0)

    def _solve_and_lock(self, level: int, first: int) -> tuple[QPStatus, int]:
        """Solve a level by the coordinates from `first` on; return where the next begins, too."""
        rank = self._level_rank[level].item()
        if not rank:
            return QPStatus.SOLVED, first
        status = self._solve_level(self._rows_of(level), first, rank)
        if status is QPStatus.SOLVED:
            least = self._solvers[len(self._w) - first].hessian[-1, -1].item()
            return status, self._lock(level + 1, first + rank, least)
        if status in MAY_YIELD and lock_suspected(self._rows, first, self._suspected, self._locked):
            return self._solve_and_lock(level, self._keep_locked(level, first))
        return status, first

    def _rows_of(self, level: int) -> slice:
        start = self._level_ends[level - 1].item() if level else 0
        return slice(start, self._level_ends[level].item())

    def _solve_level(self, rows: slice, first: int, rank: int) -> QPStatus:
        """Solve the problem of a level in the coordinates from `first` on."""
        w = self._w
        solver, write = self._solvers[len(w) - first], self._problems[len(w) - first]
        self._own_multipliers.fill(0.0)
        if write(
            self._motion[rows], self._wanted[rows], rank, self._regularisation, self._is_begun
        ):
            self._is_begun = True
            return QPStatus.SOLVED
        status = solver.solve(is_feasible=self._is_begun)
        self.iterations += solver.iterations
        if status is QPStatus.SOLVED and self._suspected.any() and not self._is_kept(solver):
            status = QPStatus.FAILED
        if status is QPStatus.SOLVED:
            self._is_begun = True
            np.copyto(w[first:], solver.solution)
            np.copyto(self._own_multipliers, solver.multipliers[len(w) - first :])
            self.multipliers += self._own_multipliers
        return status

    def _is_kept(self, solver: QPSolver) -> bool:
        missed: float = most_beyond(
            solver.rows, solver.row_lower, solver.row_upper, solver.solution
        )
        return missed <= KEPT

    def _lock(self, level: int, first: int, regularisation: float) -> int:
        """Keep met what holds a level back for sure; return the first coordinate that is left.

        Args:
            level: The next to be solved.
            first: The first coordinate that does not move the levels above it.
            regularisation: Weight of the efforts in the problem that was solved.
        """
        if first < len(self._w) and lock_rows(
            self._rows,
            self._own_multipliers,
            regularisation,
            self._w,
            first,
            self._locked,
            self._suspected,
        ):
            return self._keep_locked(level, first)
        return first

    def _keep_locked(self, level: int, first: int) -> int:
        """Let the first coordinates left move locked rows; return the first that moves none."""
        w, left = self._w, len(self._w) - first
        kept, B = self._coordinates_left(level, first)
        for values in (self._rows, self._motion):
            turned = self._row_work[2].reshape(-1)[: len(values) * left].reshape(-1, left)
            np.matmul(values[:, first:], B.T, out=turned)
            values[:, first:] = turned
        turned = self._row_work[2, 0, :left]
        np.matmul(B, w[first:], out=turned)
        w[first:] = turned
        return first + kept

    def _coordinates_left(self, level: int, first: int) -> tuple[int, Array]:
        """Return how many of the coordinates left move locked rows, and their directions."""
        left = len(self._w) - first
        B = self._basis[: left * left].reshape(left, left)
        kept: int = coordinates_left(
            self._rows,
            self._locked,
            self._motion,
            self._whole,
            self._level_ends,
            level,
            first,
            B,
            self._level_rank,
            self._row_work[1],
            self._square_work,
            self._basis_work,
            self._vectors,
        )
        return kept, B

    def _yield(self, least: LeastMissing) -> QPStatus:
        """Miss the rows that may be missed by as little as can be; then solve the levels."""
        lower, upper = self._limits
        status = least.solve(self._rows, lower, upper)
        self.iterations += least.iterations
        if status is not QPStatus.SOLVED:
            return status
        self.missing = least.missing
        np.copyto(self._w, least.solution)
        np.copyto(self._own_multipliers, least.multipliers)
        upper[len(self._w) :][self.bounds.may_miss] += self.missing
        self._is_begun = True
        return self._solve_levels(self._lock(0, 0, 1.0))

    def _forget_what_is_not_met(self) -> None:
        """Leave the multipliers only of bounds that the effort meets: lower levels leave some."""
        reached, (lower, upper) = self._reached, self._limits
        np.matmul(self._rows, self._w, out=reached)
        keep_met(reached, lower, upper, self.multipliers)
