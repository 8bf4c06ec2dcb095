"""Weighted: levels that weigh the more the higher they are, in one quadratic program."""

from collections.abc import Callable

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.least_missing import LeastMissing
from controlit_ros.controllers.prioritisation import MAY_YIELD, Prioritisation
from controlit_ros.controllers.task_kernels import TaskKernels
from controlit_ros.kernels import GIVEN, BoundKernel, bind, effort_cost
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.solvers import QPSolver, QPStatus
from controlit_ros.tasks.compound_task import CompoundTask

# Between the weights of the highest and the lowest level. More would drown the lowest in the
# regularisation, which cannot be smaller: a double has sixteen digits.
LARGEST_SPAN = 1e8

STEADYING = 1e-3  # added to each diagonal element of H, in parts of it, where a solver fails
ROUNDING = 1e-8  # [N], and in parts of what is missing; within less, solvers find no effort
MOST_STEPS = 4  # each takes back what that changes of the solution, but for what weighs little


class Weighted(Prioritisation):
    """A level disturbs those above it, the less the larger the weight w is.

        min  Σ_i w^(−i) |W_i (J_i q̈ + J̇_i v − u_i)|² + ε (xᵀ Φ x + φ |L* x|²)

    W_i² are the weights of the tasks in their level, i counts the levels from 0, the highest. The
    weights span so much that solvers take bounds for parallel, and find none within them; so who
    fails is asked again in proximal steps, each with `½ δ Σ_j H_jj (τ_j − τ'_j)²` more, τ' the
    effort of the step before. Where no effort keeps the bounds, rows are first missed by as little
    as can be, whatever the tasks want, then the tasks are served within bounds that are wider by
    that. If that fails, too, the effort that misses least remains, and no level is served.
    """

    def _prepare(
        self,
        robot: RobotDescription,
        solver: QPSolver,
        task_rows: int,
        bound_rows: int,
        may_miss: slice,
    ) -> None:
        na = len(robot.command_joints)
        self._solver = solver
        solver.prepare(na, bound_rows)
        self.bounds = EffortBounds.of(solver, may_miss)
        self.multipliers = solver.multipliers
        self._yielding = LeastMissing.beside(solver, na, bound_rows, may_miss)
        self._was_free = True  # nothing held the last effort back
        self._levels = 0
        self._costs: TaskKernels[BoundKernel] = TaskKernels()
        self._gradient: Array = np.zeros(na)
        self._weights: Array = np.zeros(na)
        self._row_upper: Array = np.zeros(bound_rows)
        self._row_work: Array = np.zeros((max(task_rows, 1), na))
        self._square_work: Array = np.zeros((5, na, na))

    def write(
        self,
        model: ConstrainedModel,
        tasks: CompoundTask,
        held: HeldLoad,
        *,
        level_weight: float,
        regularisation: float,
    ) -> None:
        """Write the cost; the bounds are the solver's own."""
        self._levels = len(tasks.levels)
        write = self._costs.get(model, tasks) or self._bind_cost(model, tasks)
        ratio = _ratio(level_weight, len(tasks.levels))
        write(held.drift, ratio, regularisation, held.effort)

    def _bind_cost(self, model: ConstrainedModel, tasks: CompoundTask) -> BoundKernel:
        cost = self._bound(effort_cost, model, tasks, self._row_work, self._square_work)
        return self._costs.keep(model, tasks, cost)

    def _bound(
        self,
        cost: Callable[..., None],
        model: ConstrainedModel,
        tasks: CompoundTask,
        *work: Array,
    ) -> BoundKernel:
        """Return a kernel that writes the solver's cost from a model and tasks."""
        solver = self._solver
        return bind(
            cost,
            tasks.jacobian,
            tasks.command,
            tasks.is_force,
            tasks.weight,
            tasks.bias,
            GIVEN,
            tasks.level_ends,
            GIVEN,
            GIVEN,
            model.task_map,
            model.effort_map,
            model.Phi,
            GIVEN,
            solver.hessian,
            solver.gradient,
            *work,
        )

    def solve(self) -> QPStatus:
        """Solve the problem, or else the one that may miss some rows."""
        solver = self._solver
        self.missing = 0.0
        self.unsolved = 0
        is_free = self._was_free and solver.solve_free()
        status = QPStatus.SOLVED if is_free else solver.solve()
        self.iterations = solver.iterations
        self._was_free = is_free or not solver.multipliers.any()
        if status is QPStatus.SOLVED:
            self.effort[:] = solver.solution
        elif status in MAY_YIELD:
            self.effort.fill(0.0)
            status = self._solve_in_steps()
            if status in MAY_YIELD and self._yielding is not None:
                status = self._yield(self._yielding)
        return status

    def _solve_in_steps(self) -> QPStatus:
        """Solve with more weight of efforts, which are counted from those of the step before."""
        solver, weights = self._solver, self._weights
        diagonal = solver.hessian.reshape(-1)[:: len(weights) + 1]
        np.copyto(self._gradient, solver.gradient)
        np.multiply(diagonal, STEADYING, out=weights)
        diagonal += weights
        found = QPStatus.FAILED
        for _ in range(MOST_STEPS):
            np.multiply(weights, self.effort, out=solver.gradient)
            np.subtract(self._gradient, solver.gradient, out=solver.gradient)
            status = solver.solve()
            self.iterations += solver.iterations
            if status is not QPStatus.SOLVED:
                found = found if found is QPStatus.SOLVED else status
                break
            found = status
            np.copyto(self.effort, solver.solution)
        diagonal -= weights
        np.copyto(solver.gradient, self._gradient)
        return found

    def _yield(self, least: LeastMissing) -> QPStatus:
        """Miss the rows that may be missed by as little as can be; then serve the tasks."""
        given = self._solver
        np.copyto(least.lower, given.lower)
        np.copyto(least.upper, given.upper)
        status = least.solve(given.rows, given.row_lower, given.row_upper)
        self.iterations += least.iterations
        if status is not QPStatus.SOLVED:
            return status
        self.missing = least.missing
        np.copyto(self.effort, least.solution)
        np.copyto(self._row_upper, given.row_upper)
        given.row_upper[self.bounds.may_miss] += self.missing + ROUNDING * (1.0 + self.missing)
        if self._solve_in_steps() is not QPStatus.SOLVED:
            self.unsolved = self._levels
            given.multipliers.fill(0.0)
        np.copyto(given.row_upper, self._row_upper)
        return QPStatus.SOLVED


def _ratio(wanted: float, levels: int) -> float:
    """Return how much a level weighs more than the one below."""
    return wanted if levels < 2 else min(wanted, LARGEST_SPAN ** (1.0 / (levels - 1)))
