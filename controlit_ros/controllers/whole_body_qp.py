"""WholeBodyQP: tasks under constraints and limits, by quadratic programs."""

import time
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.contact_rows import ContactRows
from controlit_ros.controllers.contact_support import ContactSupport
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.kept_inequalities import KeptInequalities
from controlit_ros.controllers.level_recursion import TRUNCATE, LawRows, LevelRecursion
from controlit_ros.controllers.named_bound import BoundKind, NamedBound
from controlit_ros.controllers.task_kernels import TaskKernels
from controlit_ros.controllers.task_pairs import TaskPairs
from controlit_ros.controllers.weighted import LARGEST_SPAN
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.inequalities import Inequality
from controlit_ros.kernels import GIVEN, BoundKernel, acceleration_bounds
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Access, Kind, Parameter, ParameterError
from controlit_ros.solvers import QPError, QPStatus
from controlit_ros.tasks import Task
from controlit_ros.tasks.compound_task import CompoundTask

ANY_EFFORT = 1e9  # [N m] in place of infinity

LEAST_SIDES, MOST_SIDES = 4, 64

YIELD, SAFE = "yield", "safe"

LEAST_HORIZON = 5  # [cycles] or the bounds would ask for more than a sampled loop can follow


class Solution(NamedTuple):
    """What a problem came to.

    Attributes:
        effort: `(na,)` [N m] or [N].
        multipliers: `(na + m,)` as those of `Prioritisation`.
    """

    effort: Array
    multipliers: Array


class WholeBodyQP(WholeBodyController):
    """Effort commands of prioritised tasks that keep the limits of the joints.

    In every cycle, by `qp_solver`, over the efforts τ of the command joints:

        min  Σ_i w^(−i) |W_i (J_i q̈ + J̇_i v − u_i)|² + ε (xᵀ Φ x + φ |L* x|²)
        with |τ| ≤ limit,  q̈_min ≤ q̈ ≤ q̈_max
        x = τ − τ₀,  q̈ = UNc̄ Φ x − drift,  τ₀ = UNc̄ᵀ (B + G)

    The accelerations are those under the constraints (`kernels.project`), so constraints hold
    exactly whatever τ is, and are no part of the problem. This is what the `prioritisation`
    `Weighted` makes of several levels: w is `level_weight`, i counts the levels from 0, the
    highest, and W_i² are the weights of their rows. Others share the limits among the levels in
    another way; one level alone is the same in each, and has the effort of `WBOSC` without active
    bounds. The bounds of q̈ are those of `kernels.acceleration_bounds` with T `limit_horizon`;
    without it there are none.

    With `friction` at contacts, what they bear is part of the problem, too: `ContactRows`. Where
    no effort satisfies it, the largest force that is missing is made as small as can be, all other
    limits kept, before the tasks are served; and that is told.

    `inequalities` are more rows: `InequalityRows`. Where no effort keeps them all, those give way
    that stand last, and contacts with friction after all of them, by as little as can be:
    `GivingWay`.

    Forces are part of τ₀ (`HeldLoad`), those between contacts too: these come out as far as limits
    and friction leave them. What the surroundings hold is a level of rows whose acceleration is
    theirs. Tasks must act in both directions.
    """

    keeps_inequalities = True

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        self.level_weight = self.declare(
            "level_weight",
            1e5,
            lower=1.0,
            upper=LARGEST_SPAN,
            description="how much a level weighs more than the one below, if they are Weighted; "
            "with many levels less, so that the highest weighs no more than 1e8 times the lowest",
        )
        self.regularisation = self.declare(
            "regularisation",
            1e-9,
            lower=1e-12,
            upper=1.0,
            description="weight of the efforts themselves beside that of the highest level",
        )
        self.priority_ramp = self.declare(
            "priority_ramp",
            0.3,
            lower=0.0,
            unit="s",
            description="time in which a level takes the place of another, if they are "
            "Generalised; 0: at once",
        )
        self.priority_pairs = self.declare(
            "priority_pairs",
            (),
            kind=Kind.TEXT,
            shape=(None,),
            access=Access.CONFIGURATION,
            description="tasks two by two, one after the other, whose levels stand above each "
            "other by a part, if they are Generalised",
        )
        self.pair_priorities = self.declare(
            "pair_priorities",
            (),
            kind=Kind.FLOAT,
            shape=(None,),
            lower=0.0,
            upper=1.0,
            description="how much the first of each pair stands above the second: 1 strictly, 0 "
            "the other way round",
        )
        self._levels = LevelRecursion(self, max_rows, TRUNCATE)
        self.singularity_handling = self._levels.singularity_handling
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
        self.contact_ramp_time = self.declare(
            "contact_ramp_time",
            0.3,
            lower=0.0,
            unit="s",
            description="time in which what a contact with friction may bear falls to zero before "
            "it leaves, and rises once it is there; 0: it comes and goes at once",
        )
        self.contacts_wait = self.declare(
            "contacts_wait",
            True,
            description="whether a contact leaves only while the others bear the robot at rest; "
            "false for steps that are quicker than that",
        )
        self.on_conflict = self.declare(
            "on_conflict",
            YIELD,
            choices=(YIELD, SAFE),
            description="where inequalities exclude each other: yield, the last gives way, by as "
            "little as can be; safe, the controller enters its safe state",
        )
        self.missing_contact_force = self.declare(
            "missing_contact_force",
            0.0,
            unit="N",
            access=Access.OUTPUT,
            description="by how much a contact is asked for more than it bears, since no effort "
            "within the other limits asks for less; 0: none is",
        )
        self.unsolved_levels = self.declare(
            "unsolved_levels",
            0,
            kind=Kind.INTEGER,
            access=Access.OUTPUT,
            description="how many of the lowest levels the solver gave up on; they are within the "
            "limits, but not served",
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
            kind=Kind.INTEGER,
            access=Access.OUTPUT,
            description="how many iterations it took, of all levels; 0 where the solver does not "
            "tell",
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
        self._pairs = TaskPairs(self.priority_pairs, self.pair_priorities)
        self._held = HeldLoad(robot)
        self._cones = ContactRows(robot, LEAST_SIDES, 0.0)
        self._of_contacts = slice(0, 0)
        self._kept = KeptInequalities(robot, (), self.qp_solver, slice(0, 0))
        self._tasks: CompoundTask | None = None
        self._solve_levels: TaskKernels[BoundKernel] = TaskKernels()
        self._limit_commands: TaskKernels[BoundKernel] = TaskKernels()
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
            ParameterError: A task is unilateral, the horizon is too short, an effort limit is
                negative, or pairs of tasks are none.
            QPError: The solver is not installed.
        """
        self.check_tasks(tasks.tasks)
        self._tasks = tasks
        self._pairs.configure(tasks.tasks, is_known=self.prioritisation.takes_pairs)
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
        sides, margin = self.friction_sides.value, self.contact_margin.value
        self._cones = ContactRows(self.robot, sides, margin)
        self._support = ContactSupport(self.robot, sides, margin, type(self.qp_solver)())
        na, levels = len(self.robot.command_joints), self.prioritisation
        bounded = na if horizon else 0
        of_contacts = self._of_contacts = slice(bounded, bounded + self._cones.count)
        self._kept = KeptInequalities(self.robot, self.inequalities, self.qp_solver, of_contacts)
        levels.prepare(
            self.robot,
            self.qp_solver,
            task_rows=self.max_rows,
            bound_rows=self._kept.end,
            may_miss=self._kept.may_miss,
        )
        np.negative(self.limits.effort, out=levels.bounds.lower)
        np.copyto(levels.bounds.upper, self.limits.effort)
        self.effort_multipliers.rebind(levels.multipliers[:na])
        if horizon:
            self.acceleration_multipliers.rebind(levels.multipliers[na : 2 * na])

    @property
    def contact_ramp(self) -> float:
        """See `WholeBodyController`."""
        return float(self.contact_ramp_time.value) if self._cones.count else 0.0

    def unborne(self, model: ConstrainedModel, tasks: CompoundTask, without: Flags) -> float:
        """Return what is missing in the last problem, and at rest if contacts shall wait."""
        missing = float(self.missing_contact_force.value)
        if self.contacts_wait.value and not missing:
            return self._support.missing(model, tasks, without)
        return missing

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Refuse tasks that are unilateral."""
        for task in tasks:
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
        levels, ramp = self.prioritisation, self.priority_ramp.value
        levels.advance(tasks, self._pairs.values(), self.period / max(ramp, self.period))
        self.rehearse(model, tasks)
        began = time.perf_counter()
        status = self._kept.solve(levels, self._write, model, tasks)
        self.solver_time.value = time.perf_counter() - began
        self.solver_status.value = status.value
        self.solver_iterations.value = levels.iterations
        self.missing_contact_force.value = levels.missing
        self.unsolved_levels.value = levels.unsolved
        if status is not QPStatus.SOLVED:
            raise QPError(self._explanation(status, model))
        if self.on_conflict.value == SAFE and (missed := self._kept.complaint()):
            raise QPError(missed)
        # a bound is met but for rounding
        np.clip(levels.effort, levels.bounds.lower, levels.bounds.upper, out=command.effort)
        self._kept.take_command(command.effort)

    def restart(self) -> None:
        """Let every level stand where it belongs; the inequalities forget what was commanded."""
        self.prioritisation.restart()
        self._kept.restart()

    def solve_without(
        self, model: ConstrainedModel, tasks: CompoundTask, left_out: Flags
    ) -> Solution | None:
        """Solve the problem of the last `rehearse` with fewer bounds; not for the servo thread.

        Args:
            model: As in `rehearse`.
            tasks: Likewise.
            left_out: `(na + m, 2)` which lower and upper bounds, in the order of `named_bounds`.

        Returns:
            The solution; none: there was none.
        """
        levels, na = self.prioritisation, len(self.robot.command_joints)
        bounds = levels.bounds
        given = [bound.copy() for bound in bounds[:5]]
        for bound, without, none in (
            (bounds.lower, left_out[:na, 0], -np.inf),
            (bounds.upper, left_out[:na, 1], np.inf),
            (bounds.row_lower, left_out[na:, 0], -np.inf),
            (bounds.row_upper, left_out[na:, 1], np.inf),
        ):
            bound[without] = none
        self._write(model, tasks)
        status = levels.solve()
        for bound, before in zip(bounds[:5], given, strict=True):
            np.copyto(bound, before)
        if status is not QPStatus.SOLVED:
            return None
        return Solution(levels.effort.copy(), levels.multipliers.copy())

    def named_bounds(self) -> tuple[tuple[NamedBound, NamedBound], ...]:
        """Name the lower and the upper bound of each variable, then of each row of the problem.

        Those of accelerations are of position or of velocity, whichever is the tighter one now.
        """
        robot = self.robot
        slides = robot.is_sliding[robot.command_indices]
        efforts, accelerations = [], []
        for i, (joint, slide) in enumerate(zip(robot.command_joints, slides, strict=True)):
            effort = NamedBound(BoundKind.EFFORT, joint, "N" if slide else "N m")
            efforts.append((effort, effort))
            unit = "m/s²" if slide else "rad/s²"
            lower, upper = (NamedBound(kind, joint, unit) for kind in self._tighter(i))
            accelerations.append((lower, upper))
        joints = accelerations if self.limit_horizon.value else []
        others = (*self._cones.bounds, *self._kept.bounds)
        return (*efforts, *joints, *((bound, bound) for bound in others))

    @property
    def missed(self) -> frozenset[str]:
        """Names of the inequalities that the last effort does not keep."""
        return frozenset(inequality.name for inequality in self._kept.missed)

    @property
    def weak(self) -> tuple[Inequality, ...]:
        """Inequalities that ask for less than would keep them, since there is no more to be had."""
        return self._kept.weak

    def _tighter(self, joint: int) -> tuple[BoundKind, BoundKind]:
        """Tell which limit is the lower and which the upper bound of a joint's acceleration."""
        horizon = self.limit_horizon.value
        if not horizon:
            return BoundKind.POSITION, BoundKind.POSITION
        (position, velocity), limits = self._motion[:, joint], self.limits
        kinds = []
        for end, sign in ((limits.lower[joint], -1.0), (limits.upper[joint], 1.0)):
            by_range = sign * (end - position) / horizon**2 - 2.0 * sign * velocity / horizon
            by_speed = (limits.velocity[joint] - sign * velocity) / horizon
            kinds.append(BoundKind.VELOCITY if by_speed < by_range else BoundKind.POSITION)
        return kinds[0], kinds[1]

    def complaint(self) -> str:
        """Tell what is asked for more than can be: inequalities, contacts, levels."""
        if missed := self._kept.complaint():
            return missed
        missing, unsolved = self.missing_contact_force.value, self.unsolved_levels.value
        if missing:
            return (
                "the contacts cannot bear what the robot does, whatever the efforts are: found "
                f"that {missing:.3g} N are missing within friction and half sizes; it may slip or "
                "tip"
            )
        if unsolved:
            return (
                f"{self.qp_solver.title} gave up on the lowest priority levels: found that "
                f"{unsolved} of them are not served, expected none; the levels above are"
            )
        return "" if self._tasks is None else self._levels.complaint(self._tasks)

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Write the problem that is to be solved."""
        bounds = self.prioritisation.bounds
        self._held.update(model, tasks)
        self._held.refer(model, tasks, self._held.drift)
        if size := self._levels.singular_size:
            self._limit_singular_commands(model, tasks, size)
        self._held.press(model, tasks)
        if self.limit_horizon.value:
            self._bound_accelerations(model)
        if self._cones.count:
            of_contacts = self._of_contacts
            self._cones.update(
                model, tasks, bounds.rows[of_contacts], bounds.row_upper[of_contacts]
            )
        self._kept.update(model, self._held, bounds)
        self._write(model, tasks)

    def _write(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        self.prioritisation.write(
            model,
            tasks,
            self._held,
            level_weight=self.level_weight.value,
            regularisation=self.regularisation.value,
        )

    def _limit_singular_commands(
        self, model: ConstrainedModel, tasks: CompoundTask, size: float
    ) -> None:
        """Replace the commands of singular levels by accelerations that end at the edge."""
        solve = self._solve_levels.get(model, tasks, size)
        if solve is None:
            rows = LawRows.of(tasks, self._levels)
            solve = self._levels.bind(model, rows, GIVEN, GIVEN, singular_size=size)
            self._solve_levels.keep(model, tasks, solve, size)
        solve(self._held.drift, self._held.effort)
        if self._levels.strain.any():
            limit = self._limit_commands.get(model, tasks) or self._limit_commands.keep(
                model, tasks, self._levels.bind_reachable_commands(model, tasks, GIVEN)
            )
            limit(self._held.drift)

    def _bound_accelerations(self, model: ConstrainedModel) -> None:
        """Write `q̈_min ≤ Φ (τ − τ₀) − drift ≤ q̈_max` of the command joints."""
        bounds, state = self.prioritisation.bounds, model.robot_model.state
        position, velocity = self._motion
        offset, drift = self._offset
        np.take(state.position, self.robot.command_indices, out=position, mode="clip")
        np.take(state.velocity, self.robot.command_indices, out=velocity, mode="clip")
        np.take(self._held.drift, self.robot.command_dofs, out=drift, mode="clip")
        na = len(position)
        lower, upper = bounds.row_lower[:na], bounds.row_upper[:na]
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
        np.copyto(bounds.rows[:na], model.Phi)
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
        bounds, joints = self.prioritisation.bounds, self.robot.command_joints
        n = len(joints)
        rows, lower, upper = bounds.rows[:n], bounds.row_lower[:n], bounds.row_upper[:n]
        reach = np.abs(rows) @ np.minimum(bounds.upper, ANY_EFFORT)
        too_much = np.maximum(lower - reach, -reach - upper)
        worst = int(np.argmax(too_much))
        if too_much[worst] > 0.0:
            return (
                f"{joints[worst]!r} cannot be kept within its limit of "
                f"{self._limit_of(worst)}: no effort within the effort limits gives it the "
                f"acceleration that needs, {too_much[worst]:.3g} rad/s² are missing"
            )
        effort = np.clip(self._held.effort, bounds.lower, bounds.upper)
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
