"""WBOSC: whole-body operational space control by prioritised projection."""

from collections.abc import Hashable

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.level_recursion import NO_METRIC, LawRows, LevelRecursion
from controlit_ros.controllers.saturation import Saturation, SaturationKernels
from controlit_ros.controllers.task_kernels import TaskKernels
from controlit_ros.controllers.whole_body_controller import CONDITION_NUMBERS, WholeBodyController
from controlit_ros.kernels import (
    BoundKernel,
    bind,
    chain,
    force_share,
    internal_effort,
    is_finite_vector,
)
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Access
from controlit_ros.tasks import ENABLE, CommandKind
from controlit_ros.tasks.compound_task import CompoundTask

# Joints that are left take over nothing for one at its limit where they are nearly singular.
LEAST_SIZE = 0.005  # [-] see `LevelRecursion.singular_size`, which counts unless it is zero

LONGEST_ROUND_TRIP = 0.01  # [s] over longer ones the guard alone keeps joints in their ranges

ADMISSIONS = 4  # [solutions] what one joint at its limit does to others settles in two or three


class WBOSC(WholeBodyController):
    """Effort commands for prioritised tasks under constraints (paper section 3).

    The law is written down in `recursion.compute_effort`, plus what holds the robot and the forces
    it exerts (`recursion.compute_holding_effort`) and the internal forces `L*ᵀ τ_internal`
    (`recursion.compute_internal_effort`); what runs is `kernels.prioritised_effort`,
    `kernels.hold_load` and `kernels.internal_effort`. With `velocity_bias`, `u_i` is the task's
    command minus `J̇ v` plus `J_i drift` (`projections.compute_drift`), so that commanded
    accelerations are exact at any velocity, on underactuated robots too.

    Forces that need more than the effort limits leave shrink, all together (`kernels.force_share`):
    what single joints leave out of them would move the robot.

    Where a task is unilateral (`JointLimit`), lower levels are compensated as with
    `reach_lower_levels`: only then do its rows begin and end to act without a step of the effort.

    Joints that this would lead out of the ranges that the servo enforces are constraints above all
    tasks: `Saturation`.

    Attributes:
        held: Effort and drift of the robot while nothing is commanded but forces.
        saturation: Holds joints at their limits; `None`: `servo_limits` are not known.
        level_rank: `(max_rows,)` rank of each level at the last cycle, highest priority first;
            zero past the last level.
        level_condition: `(max_rows,)` condition number of each level's kept part: an upper
            estimate, at most the rank squared too large.
        condition_numbers: Output parameter with those of the levels there can be.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        self.velocity_bias = self.declare(
            "velocity_bias",
            True,
            description="compensate accelerations no task commands: those due to velocities, and "
            "to gravity where no actuator holds it",
        )
        self.reach_lower_levels = self.declare(
            "reach_lower_levels",
            False,
            description="compensate what higher levels do to lower ones, unlike the published law",
        )
        self._levels = LevelRecursion(self, max_rows)
        self.singularity_handling = self._levels.singularity_handling
        self.damping_threshold = self._levels.damping_threshold
        self.null_space_saturation = self.declare(
            "null_space_saturation",
            False,
            description="a joint that tasks would lead out of its range is held at its end as a "
            "constraint, and the other joints serve the tasks; off: only its effort is cut there",
        )
        self.active_limits = self.declare(
            "active_limits",
            0.0,
            shape=(len(robot.command_joints),),
            broadcast=True,
            labels=robot.command_joints,
            access=Access.OUTPUT,
            description="1 where a joint is held at the upper end of its range as a constraint, "
            "-1 at the lower one, 0: it is not",
        )
        self.force_share = self.declare(
            "force_share",
            1.0,
            access=Access.OUTPUT,
            description="part of the commanded forces that the effort limits leave",
        )
        self._scarce = -1
        self._compensates, self._reaches, self._singular_size = True, False, 0.0  # this cycle
        self._saturates = False  # likewise
        self.saturation: Saturation | None = None
        self._tasks: CompoundTask | None = None
        na = len(robot.command_joints)
        self._forces: Array = np.zeros(na)
        self.held = HeldLoad(robot)
        self.level_rank, self.level_condition = self._levels.rank, self._levels.condition
        self._no_bias: Array = np.zeros(max_rows)
        self._no_drift: Array = np.zeros(robot.nv)
        self._weighting: Array = np.zeros((na, na))
        self._metric: Array = np.zeros((2, na * na))
        self._internal_work: Array = np.zeros((3, na))
        self._bound: TaskKernels[BoundKernel] = TaskKernels()
        self._saturating: TaskKernels[SaturationKernels] = TaskKernels()
        self._rehearsed = Command(robot.command_joints)

    def configure(self, tasks: CompoundTask) -> None:
        """Declare the output with the condition number of each level there can be."""
        self._tasks = tasks
        chain(bind(is_finite_vector, self._forces))()  # compiled before a chain is first needed
        levels = min(len(tasks.tasks), self.max_rows)
        self.condition_numbers = self.declare(
            CONDITION_NUMBERS,
            1.0,
            shape=(levels,),
            broadcast=True,
            access=Access.OUTPUT,
            description="of each level, highest priority first",
        )
        self.condition_numbers.rebind(self.level_condition[:levels])
        if self.servo_limits is not None:
            self.saturation = Saturation(self.robot, self.servo_limits, self.max_rows)
            self.active_limits.rebind(self.saturation.active)

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the effort command."""
        self._begin(model, tasks)
        self.held.refer(model, tasks, self._drift)
        self._solve(model, tasks, command)
        if tasks.has_unilateral_rows:
            self._keep_limits(model, tasks, command)
        if tasks.has_force_rows or len(tasks.internal_command):
            self._exert(model, tasks, command)
        self._saturate(model, tasks, command)

    def compute(
        self, model: ConstrainedModel, tasks: CompoundTask, period: float, command: Command
    ) -> bool:
        """Compute tasks and command; where kernels do all there is to do, in one call of them."""
        tasks.follow_changes()
        if not (tasks.stack.is_plain and self._computes_alone):
            return super().compute(model, tasks, period, command)
        self._begin(model, tasks)
        key = *self._key(command), period
        compute = self._bound.get(model, tasks, key) or self._bound.keep(
            model, tasks, self._chain(model, tasks, period, command), key
        )
        if compute():
            return True
        self._saturate(model, tasks, command)
        return is_finite_vector(tasks.command) and is_finite_vector(command.effort)

    @property
    def _computes_alone(self) -> bool:
        """Whether nobody has a `compute_command` in place of the one that is written here."""
        return getattr(self.compute_command, "__func__", None) is WBOSC.compute_command

    def _begin(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Take over what is set, and what the robot does by itself."""
        self._singular_size = self._levels.singular_size
        self._compensates = self.velocity_bias.value
        self._reaches = self.reach_lower_levels.value or tasks.has_unilateral_rows
        self._saturates = (
            self.null_space_saturation.value and not tasks.has_force_rows and not self._is_delayed
        )
        if self.saturation is not None and not self._saturates:
            self.saturation.restart()
        self._scarce = -1
        self.force_share.value = 1.0
        self.held.update(model, tasks)
        if not self.null_space_projector.is_dynamically_consistent:
            self._write_metric(model)

    @property
    def _is_delayed(self) -> bool:
        """Whether commands travel too long for the law to hold joints at the ends of ranges."""
        return self.servo_limits is not None and bool(
            self.servo_limits.round_trip[0] > LONGEST_ROUND_TRIP
        )

    @property
    def _drift(self) -> Array:
        """What happens by itself, as far as it is compensated."""
        return self.held.drift if self._compensates else self._no_drift

    def _exert(self, model: ConstrainedModel, tasks: CompoundTask, command: Command) -> None:
        """Add the internal forces, and take off what all forces have beyond the effort limits."""
        forces = self._forces
        forces.fill(0.0)
        if len(tasks.internal_command):
            internal_effort(
                tasks.internal_jacobian,
                tasks.internal_command,
                self.robot.command_dofs,
                model.effort_map,
                model.Phi,
                forces,
                self._internal_work,
            )
            command.effort += forces
        if tasks.has_force_rows:
            forces += self.held.effort
            forces -= model.bias_effort
        share, self._scarce = force_share(command.effort, forces, self.limits.effort)
        self.force_share.value = share
        if share < 1.0:
            self.held.shrink(model, tasks, share)

    def complaint(self) -> str:
        """Report forces beyond the limits, joints at their ends, goals out of reach."""
        if self._tasks is None:
            return ""
        if self._scarce < 0:
            held = "" if self.saturation is None else self.saturation.complaint()
            return held or self._levels.complaint(self._tasks)
        kinds = (CommandKind.FORCE, CommandKind.INTERNAL_FORCE)
        names = [
            task.name
            for task in self._tasks.tasks
            if task.command_kind in kinds and task.operational_state.value == ENABLE
        ]
        joint = self.robot.command_joints[self._scarce]
        return (
            f"the forces of {', '.join(names)} need more than the joints have: found that the "
            f"effort limit of {joint!r} ({self.limits.effort[self._scarce]:g}) leaves "
            f"{self.force_share.value:.0%} of them, which is exerted"
        )

    def _solve(self, model: ConstrainedModel, tasks: CompoundTask, command: Command) -> None:
        """Write the effort of the levels."""
        key = self._key(command)
        solve = self._bound.get(model, tasks, key) or self._bound.keep(
            model, tasks, self._law(model, tasks, command), key
        )
        solve()

    def _key(self, command: Command) -> tuple[Hashable, ...]:
        """Return what bound kernels depend on beside model and tasks."""
        return self._compensates, self._reaches, self._singular_size, self._saturates, command

    def _saturate(self, model: ConstrainedModel, tasks: CompoundTask, command: Command) -> None:
        """Make constraints of joints that the effort would lead out of their ranges."""
        saturation = self.saturation
        if saturation is None or not self._saturates:
            return
        key = self._key(command)
        kernels = self._saturating.get(model, tasks, key) or self._saturating.keep(
            model, tasks, self._bind_saturation(saturation, model, tasks, command), key
        )
        if not kernels.check():
            saturation.solve(tasks, command.effort, kernels)

    def _bind_saturation(
        self, saturation: Saturation, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> SaturationKernels:
        is_finite_vector(command.effort)  # compiled before a joint reaches a limit

        def bind_law(rows: LawRows) -> BoundKernel:
            return self._levels.bind(
                model,
                rows,
                self._no_drift,
                saturation.free,
                effort=command.effort,
                reaches=True,
                singular_size=LEAST_SIZE,
                metric=self._metric_of(model),
                acceleration=saturation.acceleration if self._singular_size else None,
                is_moving=self._singular_size > 0.0,
            )

        return saturation.bind(model, tasks, command.effort, self.held.effort, bind_law)

    def _chain(
        self, model: ConstrainedModel, tasks: CompoundTask, period: float, command: Command
    ) -> BoundKernel:
        """Bind the commands of tasks, the law, and checks that it keeps limits and is finite."""
        law = [self._law(model, tasks, command)]
        if self.saturation is not None and self._saturates:
            law.append(self.saturation.check(model, command.effort, self.held.effort))
        return chain(
            *tasks.task_set.commands(period),
            *law,
            bind(is_finite_vector, tasks.command),
            bind(is_finite_vector, command.effort),
        )

    def _law(self, model: ConstrainedModel, tasks: CompoundTask, command: Command) -> BoundKernel:
        """Bind the law to a model, the rows of tasks as they stand, and a command."""
        return self._levels.bind(
            model,
            LawRows.of(tasks, self._levels),
            self._drift,
            self.held.effort,
            effort=command.effort,
            bias=None if self._compensates else self._no_bias,
            reaches=self._reaches,
            singular_size=self._singular_size,
            metric=self._metric_of(model),
        )

    def _keep_limits(self, model: ConstrainedModel, tasks: CompoundTask, command: Command) -> None:
        """Solve again with the unilateral rows that were violated, until none is."""
        for _ in range(ADMISSIONS):
            if not tasks.admit(
                task_map=model.task_map,
                effort_map=model.effort_map,
                Phi=model.Phi,
                bias_effort=self.held.effort,
                drift=self._drift,
                bias=tasks.bias if self._compensates else self._no_bias,
                effort=command.effort,
            ):
                return
            self._solve(model, tasks, command)

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Compute the command of the last cycle again and drop it."""
        if self.saturation is None:
            WBOSC.compute_command(self, model, tasks, self._rehearsed)
            return
        self.saturation.keep()
        WBOSC.compute_command(self, model, tasks, self._rehearsed)
        self.saturation.restore()

    def restart(self) -> None:
        """Release joints that were constraints at their limits."""
        if self.saturation is not None:
            self.saturation.restart()

    def _metric_of(self, model: ConstrainedModel) -> Array:
        """Return the memory of `Eφᵀ W Eφ`, `(rank, rank)`, or `(0, 0)` where W is Φ."""
        if self.null_space_projector.is_dynamically_consistent:
            return NO_METRIC
        width = model.effort_map.shape[1]
        return self._metric[1, : width * width].reshape(width, width)

    def _write_metric(self, model: ConstrainedModel) -> None:
        """Write `Eφᵀ W Eφ`."""
        E = model.effort_map
        na, width = E.shape
        self.null_space_projector.write_weighting(model, self._weighting)
        weighted = self._metric[0, : na * width].reshape(na, width)
        np.matmul(self._weighting, E, out=weighted)
        np.matmul(E.T, weighted, out=self._metric_of(model))
