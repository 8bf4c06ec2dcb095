"""WholeBodyQP: weighted tasks under constraints and limits, as one quadratic program."""

import time
from collections.abc import Iterable

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.contact_cones import ContactCones
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.kernels import acceleration_bounds, effort_cost
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Access, Kind, Parameter, ParameterError
from controlit_ros.solvers import QPError, QPSolver, QPStatus
from controlit_ros.tasks import CommandKind, Task
from controlit_ros.tasks.compound_task import CompoundTask

# Between the weights of the highest and the lowest level. More would drown the lowest in the
# regularisation, which cannot be smaller: a double has sixteen digits.
LARGEST_SPAN = 1e8

ANY_EFFORT = 1e9  # [N m] in place of infinity

LEAST_SIDES, MOST_SIDES = 4, 64
MAY_YIELD = (QPStatus.INFEASIBLE, QPStatus.FAILED)  # close to the one, solvers tell the other
MISSING_COST = 1e6  # of the square of a missing force [N²] beside that of an effort [N² m²]

LEAST_HORIZON = 5  # [cycles] or the bounds would ask for more than a sampled loop can follow


class WholeBodyQP(WholeBodyController):
    """Effort commands of weighted tasks that keep the limits of the joints.

    In every cycle, by `qp_solver`, over the efforts τ of the command joints:

        min  Σ_i w^(−i) |J_i q̈ + J̇_i v − u_i|² + ε (xᵀ Φ x + φ |L* x|²)
        with |τ| ≤ limit,  q̈_min ≤ q̈ ≤ q̈_max
        x = τ − τ₀,  q̈ = UNc̄ Φ x − drift,  τ₀ = UNc̄ᵀ (B + G)

    The accelerations are those under the constraints (`kernels.project`), so constraints hold
    exactly whatever τ is, and are no part of the problem. Levels are weighted, not strict: w is
    `level_weight`, i counts the levels from 0, the highest. Without active bounds one level alone
    has the effort of `WBOSC`. The bounds of q̈ are those of `kernels.acceleration_bounds` with T
    `limit_horizon`; without it there are none.

    With `friction` at contacts, what they bear is part of the problem, too: `ContactCones`. Where
    no effort satisfies it, the forces that are missing are made as small as can be, in the square
    of the largest, all other limits kept; and that is told.

    Forces are part of τ₀ (`HeldLoad`); what the surroundings hold against them is a level of rows
    whose acceleration is theirs. Tasks must act in both directions.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        self.level_weight = self.declare(
            "level_weight",
            1e5,
            lower=1.0,
            upper=LARGEST_SPAN,
            description="how much a level weighs more than the one below; with many levels less, "
            "so that the highest weighs no more than 1e8 times the lowest",
        )
        self.regularisation = self.declare(
            "regularisation",
            1e-9,
            lower=1e-12,
            upper=1.0,
            description="weight of the efforts themselves beside that of the highest level",
        )
        self.limit_horizon = self.declare(
            "limit_horizon",
            0.0,
            lower=0.0,
            unit="s",
            access=Access.CONFIGURATION,
            description="time constant with which joints come to rest at their limits of position "
            "and velocity; 0: the problem has no such bounds",
        )
        self.friction_sides = self.declare(
            "friction_sides",
            8,
            kind=Kind.INTEGER,
            lower=LEAST_SIDES,
            upper=MOST_SIDES,
            access=Access.CONFIGURATION,
            description="sides of the polygon within the circle of friction of each contact that "
            "tells its friction",
        )
        self.contact_margin = self.declare(
            "contact_margin",
            0.05,
            lower=0.0,
            upper=0.9,
            access=Access.CONFIGURATION,
            description="part of the friction and of the half sizes of contacts that is left free",
        )
        self.missing_contact_force = self.declare(
            "missing_contact_force",
            0.0,
            unit="N",
            access=Access.OUTPUT,
            description="by how much a contact is asked for more than it bears, since no effort "
            "within the other limits asks for less; 0: none is",
        )
        self.solver_status = self.declare(
            "solver_status",
            QPStatus.SOLVED.value,
            access=Access.OUTPUT,
            description="what became of the last problem: "
            + ", ".join(status.value for status in QPStatus),
        )
        self.solver_iterations = self.declare(
            "solver_iterations",
            0,
            access=Access.OUTPUT,
            description="how many iterations it took; 0 where the solver does not tell",
        )
        self.solver_time = self.declare(
            "solver_time",
            0.0,
            unit="s",
            access=Access.OUTPUT,
            description="how long the solver took over it",
        )
        self.effort_multipliers = self._multipliers("effort")
        self.acceleration_multipliers = self._multipliers("acceleration")
        na = len(robot.command_joints)
        self._held = HeldLoad(robot)
        self._cones = ContactCones(robot, LEAST_SIDES, 0.0)
        self._of_contacts = slice(0, 0)
        self._yielding: QPSolver | None = None
        self._row_work: Array = np.zeros((max(max_rows, 1), na))
        self._square_work: Array = np.zeros((5, na, na))
        self._motion: Array = np.zeros((2, na))
        self._offset: Array = np.zeros((2, na))

    def _multipliers(self, what: str) -> Parameter:
        joints = self.robot.command_joints
        return self.declare(
            f"{what}_multipliers",
            0.0,
            shape=(len(joints),),
            broadcast=True,
            labels=joints,
            access=Access.OUTPUT,
            description=f"how hard the limits of {what} hold the tasks back: above zero at the "
            "upper, below at the lower, zero where none is met",
        )

    def configure(self, tasks: CompoundTask) -> None:
        """Take the solver's memory.

        Raises:
            ParameterError: A task commands internal forces or is unilateral, the horizon is too
                short, or an effort limit is negative.
            QPError: The solver is not installed.
        """
        self.check_tasks(tasks.tasks)
        horizon, least = self.limit_horizon.value, LEAST_HORIZON * self.period
        if 0.0 < horizon < least:
            raise ParameterError(
                f"{self.limit_horizon.full_name}: found {horizon:g}, expected 0 or at least "
                f"{LEAST_HORIZON} servo periods, {least:g} s"
            )
        for joint, limit in zip(self.robot.command_joints, self.limits.effort, strict=True):
            if not limit >= 0.0:
                raise ParameterError(
                    f"{self.name}: found {limit:g} for the largest effort of {joint!r}, "
                    "expected a number >= 0 [N m]"
                )
        solver, na = self.qp_solver, len(self.robot.command_joints)
        self._cones = ContactCones(self.robot, self.friction_sides.value, self.contact_margin.value)
        bounded = na if horizon else 0
        self._of_contacts = slice(bounded, bounded + self._cones.count)
        solver.prepare(na, self._of_contacts.stop)
        np.negative(self.limits.effort, out=solver.lower)
        np.copyto(solver.upper, self.limits.effort)
        self.effort_multipliers.rebind(solver.multipliers[:na])
        if horizon:
            self.acceleration_multipliers.rebind(solver.multipliers[na : 2 * na])
        if self._cones.count:
            self._yielding = type(solver)()
            self._yielding.prepare(na + 1, self._of_contacts.stop)

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Refuse tasks that command internal forces or are unilateral."""
        for task in tasks:
            if task.command_kind is CommandKind.INTERNAL_FORCE:
                raise ParameterError(
                    f"{self.name}: found the task {task.name!r}, which commands an internal force; "
                    "WholeBodyQP expected tasks that command accelerations, or forces on the "
                    "surroundings (WBOSC takes all)"
                )
            if task.is_unilateral:
                raise ParameterError(
                    f"{self.name}: found the task {task.name!r}, which acts in one direction only; "
                    "WholeBodyQP expected its parameter limit_horizon instead (WBOSC takes both)"
                )

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the effort command.

        Raises:
            QPError: The limits exclude each other, or no solution was found; names the limit.
        """
        solver = self.qp_solver
        self.rehearse(model, tasks)
        began = time.perf_counter()
        status = solver.solve()
        effort = solver.solution
        self.missing_contact_force.value = 0.0
        if status in MAY_YIELD and self._yielding is not None:
            status, effort = self._yield(self._yielding)
        self.solver_time.value = time.perf_counter() - began
        self.solver_status.value = status.value
        self.solver_iterations.value = solver.iterations
        if status is not QPStatus.SOLVED:
            raise QPError(self._explanation(status, model))
        # a bound is met but for rounding
        np.clip(effort, solver.lower, solver.upper, out=command.effort)

    def complaint(self) -> str:
        """Tell that contacts are asked for more than they bear."""
        missing = self.missing_contact_force.value
        if not missing:
            return ""
        return (
            "the contacts cannot bear what the robot does, whatever the efforts are: found that "
            f"{missing:.3g} N are missing within friction and half sizes; it may slip or tip"
        )

    def _yield(self, solver: QPSolver) -> tuple[QPStatus, Array]:
        """Solve the problem with one more variable, the force s by which contacts may miss."""
        given, n = self.qp_solver, len(self.qp_solver.solution)
        solver.hessian[:n, :n] = given.hessian
        solver.hessian[n, n] = MISSING_COST
        solver.gradient[:n] = given.gradient
        solver.lower[:n], solver.upper[:n] = given.lower, given.upper
        solver.lower[n] = 0.0
        solver.rows[:, :n] = given.rows
        solver.rows[self._of_contacts, n] = -1.0
        np.copyto(solver.row_lower, given.row_lower)
        np.copyto(solver.row_upper, given.row_upper)
        status = solver.solve()
        if status is QPStatus.SOLVED:
            self.missing_contact_force.value = solver.solution[n].item()
            given.multipliers[:n] = solver.multipliers[:n]
            given.multipliers[n:] = solver.multipliers[n + 1 :]
        return status, solver.solution[:n]

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Write the problem that is to be solved."""
        solver = self.qp_solver
        self._held.update(model, tasks)
        effort_cost(
            tasks.jacobian,
            tasks.command,
            tasks.is_force,
            tasks.bias,
            self._held.drift,
            tasks.level_ends,
            self._ratio(len(tasks.levels)),
            self.regularisation.value,
            model.task_map,
            model.effort_map,
            model.Phi,
            self._held.effort,
            solver.hessian,
            solver.gradient,
            self._row_work,
            self._square_work,
        )
        if self.limit_horizon.value:
            self._bound_accelerations(model)
        if self._cones.count:
            rows, upper = solver.rows[self._of_contacts], solver.row_upper[self._of_contacts]
            self._cones.update(model, tasks, rows, upper)

    def _ratio(self, levels: int) -> float:
        """Return how much a level weighs more than the one below."""
        wanted: float = self.level_weight.value
        return wanted if levels < 2 else min(wanted, LARGEST_SPAN ** (1.0 / (levels - 1)))

    def _bound_accelerations(self, model: ConstrainedModel) -> None:
        """Write `q̈_min ≤ Φ (τ − τ₀) − drift ≤ q̈_max` of the command joints."""
        solver, state = self.qp_solver, model.robot_model.state
        position, velocity = self._motion
        offset, drift = self._offset
        np.take(state.position, self.robot.command_indices, out=position, mode="clip")
        np.take(state.velocity, self.robot.command_indices, out=velocity, mode="clip")
        np.take(self._held.drift, self.robot.command_dofs, out=drift, mode="clip")
        na = len(position)
        lower, upper = solver.row_lower[:na], solver.row_upper[:na]
        acceleration_bounds(
            position,
            velocity,
            self.limits.lower,
            self.limits.upper,
            self.limits.velocity,
            self.limit_horizon.value,
            lower,
            upper,
        )
        np.copyto(solver.rows[:na], model.Phi)
        np.matmul(model.Phi, self._held.effort, out=offset)
        offset += drift
        lower += offset
        upper += offset

    def _explanation(self, status: QPStatus, model: ConstrainedModel) -> str:
        """Return why there is no effort; only when there is none."""
        if status is QPStatus.NOT_FINITE:
            return f"the problem is not finite{self._joints_not_finite(model)}"
        if status is QPStatus.FAILED or not self.limit_horizon.value:
            return (
                f"{self.qp_solver.title} found no solution: more than "
                f"{self.qp_solver.most_iterations} iterations, or a cost that it takes for singular"
            )
        solver, joints = self.qp_solver, self.robot.command_joints
        n = len(joints)
        rows, lower, upper = solver.rows[:n], solver.row_lower[:n], solver.row_upper[:n]
        reach = np.abs(rows) @ np.minimum(solver.upper, ANY_EFFORT)
        too_much = np.maximum(lower - reach, -reach - upper)
        worst = int(np.argmax(too_much))
        if too_much[worst] > 0.0:
            return (
                f"{joints[worst]!r} cannot be kept within its limit of "
                f"{self._limit_of(worst)}: no effort within the effort limits gives it the "
                f"acceleration that needs, {too_much[worst]:.3g} rad/s² are missing"
            )
        effort = np.clip(self._held.effort, solver.lower, solver.upper)
        reached = rows @ effort
        beyond = np.maximum(lower - reached, reached - upper)
        worst = int(np.argmax(beyond))
        return (
            f"the limits of several joints exclude each other within the effort limits; farthest "
            f"off is {joints[worst]!r}, limit of {self._limit_of(worst)}"
        )

    def _limit_of(self, joint: int) -> str:
        """Tell which limit bounds the acceleration of a joint most."""
        (position, velocity), limits = self._motion[:, joint], self.limits
        lower, upper, speed = limits.lower[joint], limits.upper[joint], limits.velocity[joint]
        if abs(velocity) > speed:
            return f"velocity ({velocity:.3g}, limit {speed:.3g})"
        end = upper if upper - position < position - lower else lower
        return f"position ({position:.3g} at velocity {velocity:.3g}, limit {end:.3g})"

    def _joints_not_finite(self, model: ConstrainedModel) -> str:
        state = model.robot_model.state
        bad = ~np.isfinite(state.position + state.velocity)
        names = [name for name, is_bad in zip(state.joint_names, bad, strict=True) if is_bad]
        return f": the state of {', '.join(names)} is not" if names else ""
