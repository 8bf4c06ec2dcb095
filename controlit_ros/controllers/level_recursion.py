"""LevelRecursion: the recursion over priority levels, bound to a model and tasks."""

import math
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.kernels import BoundKernel, bind, prioritised_effort, write_reachable_commands
from controlit_ros.tasks import CommandKind, Task
from controlit_ros.tasks.compound_task import CompoundTask

TRUNCATE, DAMP = "truncate", "damp"

NEAR = 0.02  # [m, rad] closer goals are not out of reach
AT_REST = 0.01  # [m/s, rad/s] slower tasks do not reach their goal
RESTS = 5  # [#] questions in a row, some times a second, at which a task has to rest
NO_METRIC: Array = np.zeros((0, 0))


class LawRows(NamedTuple):
    """Rows of levels, and outputs for them; see `kernels.prioritised_effort`.

    Attributes:
        jacobian: `(rows, nv)`.
        command: `(rows,)`.
        bias: `(rows,)`.
        is_force: `(rows,)`.
        weight: `(rows,)`.
        task_ends: `(tasks,)`.
        level_ends: `(levels,)`.
        exact_levels: How many levels, from the highest on, are never singular.
        rank: `(levels or more,)` result.
        condition: `(levels or more,)` likewise.
        strain: `(rows or more,)` likewise.
    """

    jacobian: Array
    command: Array
    bias: Array
    is_force: Flags
    weight: Array
    task_ends: Indices
    level_ends: Indices
    exact_levels: int
    rank: Indices
    condition: Array
    strain: Array

    @classmethod
    def of(cls, tasks: CompoundTask, outputs: "LevelRecursion") -> "LawRows":
        """Return the rows of tasks, with the outputs of the recursion."""
        return cls(
            tasks.jacobian,
            tasks.command,
            tasks.bias,
            tasks.is_force,
            tasks.weight,
            tasks.task_ends,
            tasks.level_ends,
            0,
            outputs.rank,
            outputs.condition,
            outputs.strain,
        )


class LevelRecursion:
    """Memory and outputs of `kernels.prioritised_effort`.

    Attributes:
        rank: `(max_rows,)` rank of each level at the last cycle, highest priority first; zero past
            the last level.
        condition: `(max_rows,)` condition number of each level's kept part: an upper estimate, at
            most the rank squared too large.
        strain: `(max_rows,)` joint acceleration that the command of each row needs along singular
            directions, as a multiple of its bound; 0: none of its level's directions is singular.
        singularity_handling: Parameter of the owner.
        damping_threshold: Likewise.
    """

    def __init__(self, owner: WholeBodyController, max_rows: int, handling: str = DAMP) -> None:
        self.singularity_handling = owner.declare(
            "singularity_handling",
            handling,
            choices=(TRUNCATE, DAMP),
            description="how a level treats directions that its joints have nearly lost, as a "
            "straight arm has along itself: damp bounds the joint accelerations along them, so "
            "that the robot comes to rest at the edge of its workspace; truncate follows the "
            "command exactly until the direction is lost",
        )
        self.damping_threshold = owner.declare(
            "damping_threshold",
            0.001,
            lower=1e-5,
            upper=1.0,
            description="square of the size of a direction below which damping begins: task "
            "motion per joint motion, as a part of the most that the joints can do to the task",
        )
        robot = owner.robot
        na = len(robot.command_joints)
        rows = na + max_rows  # pinned joints are rows above those of tasks
        self.rank: Indices = np.zeros(max_rows, dtype=np.int64)
        self.condition: Array = np.ones(max_rows)
        self.strain: Array = np.zeros(max_rows)
        self._rests = 0
        self._no_acceleration: Array = np.zeros(robot.nv)
        self._effort: Array = np.zeros(na)
        self._row_work: Array = np.zeros((3, rows, na))
        self._square_work: Array = np.zeros((5, rows, rows))
        self._basis: Array = np.zeros((4, na, na))
        self._joint_work: Array = np.zeros((rows + 2, robot.nv))
        self._vectors: Array = np.zeros((14, rows))
        self._places: Indices = np.zeros(robot.nv, dtype=np.int64)

    @property
    def singular_size(self) -> float:
        """Size s₀ below which a direction is singular; 0: none is."""
        is_damped = self.singularity_handling.value == DAMP
        return math.sqrt(self.damping_threshold.value) if is_damped else 0.0

    def complaint(self, tasks: CompoundTask) -> str:
        """Report a task that rests with its goal in a singular direction; see `Task.complaint`."""
        task = self._unreached_task(tasks)
        self._rests = 0 if task is None else self._rests + 1
        if task is None or self._rests < RESTS:
            return ""
        return (
            f"the goal of {task.name} is out of reach by {task.error_norm.value:.3g} "
            f"{task.controller.unit}: no joint moves it farther in that direction from "
            "this posture; expected a goal within reach, or another posture"
        )

    def _unreached_task(self, tasks: CompoundTask) -> Task | None:
        if not (self.singular_size and self.strain.any()):
            return None
        for task in tasks.tasks:
            rows = tasks.place(task)
            if (
                task.command_kind is CommandKind.ACCELERATION
                and self.strain[rows].max(initial=0.0) > 1.0
                and task.error_norm.value > NEAR
                and np.abs(task.active.velocity).max() < AT_REST
            ):
                return task
        return None

    def bind(
        self,
        model: ConstrainedModel,
        rows: LawRows,
        drift: object,
        bias_effort: object,
        *,
        effort: Array | None = None,
        bias: Array | None = None,
        reaches: bool = False,
        singular_size: float = 0.0,
        metric: Array = NO_METRIC,
        acceleration: Array | None = None,
        is_moving: bool = True,
    ) -> BoundKernel:
        """Bind the recursion to arrays that stay.

        Args:
            model: See `kernels.prioritised_effort`, as for all that follow.
            rows: Levels to solve.
            drift: `(nv,)`, or `GIVEN` when the kernel is called.
            bias_effort: `(na,)`, or `GIVEN`.
            effort: `(na,)` result; none: memory of its own.
            bias: `(rows or more,)` in place of that of the rows.
            reaches: Whether a level makes up for what those above do to it.
            singular_size: s₀; 0: directions are followed until they are lost.
            metric: `(rank, rank)` of another null-space projector.
            acceleration: `(nv,)` to which the solution is added; none: zero.
            is_moving: Whether motion along singular directions is damped.
        """
        return bind(
            prioritised_effort,
            rows.jacobian,
            rows.command,
            rows.bias if bias is None else bias,
            drift,
            rows.is_force,
            rows.weight,
            rows.task_ends,
            rows.level_ends,
            rows.exact_levels,
            bool(reaches),
            float(singular_size),
            metric,
            model.mobility,
            model.task_map,
            model.effort_map,
            model.UNc_bar,
            model.robot_model.A,
            model.robot_model.v if is_moving else self._no_acceleration,
            self._no_acceleration if acceleration is None else acceleration,
            bias_effort,
            self._effort if effort is None else effort,
            rows.rank,
            rows.condition,
            rows.strain,
            self._row_work,
            self._square_work,
            self._basis,
            self._joint_work,
            self._vectors,
            self._places,
        )

    def bind_reachable_commands(
        self, model: ConstrainedModel, tasks: CompoundTask, drift: object
    ) -> BoundKernel:
        """Bind what replaces the commands of singular levels, after the recursion.

        Args:
            model: As in `bind`.
            tasks: Whose commands are replaced.
            drift: `(nv,)`, or `GIVEN` when the kernel is called.
        """
        return bind(
            write_reachable_commands,
            tasks.jacobian,
            tasks.bias,
            drift,
            tasks.is_force,
            tasks.level_ends,
            self.strain,
            model.task_map,
            self._vectors,
            tasks.command,
        )
