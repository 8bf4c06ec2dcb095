"""Weighted: levels that weigh the more the higher they are, in one quadratic program."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.prioritisation import MAY_YIELD, MISSING_COST, Prioritisation
from controlit_ros.kernels import effort_cost
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.solvers import QPSolver, QPStatus
from controlit_ros.tasks.compound_task import CompoundTask

# Between the weights of the highest and the lowest level. More would drown the lowest in the
# regularisation, which cannot be smaller: a double has sixteen digits.
LARGEST_SPAN = 1e8


class Weighted(Prioritisation):
    """A level disturbs those above it, the less the larger the weight w is.

        min  Σ_i w^(−i) |J_i q̈ + J̇_i v − u_i|² + ε (xᵀ Φ x + φ |L* x|²)

    i counts the levels from 0, the highest. Where no effort keeps the bounds, one more variable is
    what rows are missed by, at a high cost.
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
        self._yielding: QPSolver | None = None
        if may_miss.stop > may_miss.start:
            self._yielding = type(solver)()
            self._yielding.prepare(na + 1, bound_rows)
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
        effort_cost(
            tasks.jacobian,
            tasks.command,
            tasks.is_force,
            tasks.bias,
            held.drift,
            tasks.level_ends,
            _ratio(level_weight, len(tasks.levels)),
            regularisation,
            model.task_map,
            model.effort_map,
            model.Phi,
            held.effort,
            self._solver.hessian,
            self._solver.gradient,
            self._row_work,
            self._square_work,
        )

    def solve(self) -> QPStatus:
        """Solve the problem, or else the one that may miss some rows."""
        solver = self._solver
        status = solver.solve()
        self.missing = 0.0
        self.iterations = solver.iterations
        np.copyto(self.effort, solver.solution)
        if status in MAY_YIELD and self._yielding is not None:
            status = self._yield(self._yielding)
        return status

    def _yield(self, solver: QPSolver) -> QPStatus:
        """Solve the problem with one more variable, by how much rows may be missed."""
        given, n = self._solver, len(self.effort)
        solver.hessian[:n, :n] = given.hessian
        solver.hessian[n, n] = MISSING_COST
        solver.gradient[:n] = given.gradient
        solver.lower[:n], solver.upper[:n] = given.lower, given.upper
        solver.lower[n] = 0.0
        solver.rows[:, :n] = given.rows
        solver.rows[self.bounds.may_miss, n] = -1.0
        np.copyto(solver.row_lower, given.row_lower)
        np.copyto(solver.row_upper, given.row_upper)
        status = solver.solve()
        if status is QPStatus.SOLVED:
            self.missing = solver.solution[n].item()
            np.copyto(self.effort, solver.solution[:n])
            given.multipliers[:n] = solver.multipliers[:n]
            given.multipliers[n:] = solver.multipliers[n + 1 :]
        return status


def _ratio(wanted: float, levels: int) -> float:
    """Return how much a level weighs more than the one below."""
    return wanted if levels < 2 else min(wanted, LARGEST_SPAN ** (1.0 / (levels - 1)))
