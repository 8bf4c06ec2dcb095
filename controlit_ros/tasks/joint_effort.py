"""JointEffort: joints exert efforts."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.dynamics import Dynamics
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.force_controller import ForceController
from controlit_ros.tasks.force_task import ForceTask
from controlit_ros.tasks.shape import EffortShape
from controlit_ros.tasks.task_state import TaskState


class JointEffort(ForceTask):
    """Commands the efforts of joints, in a level like any other task.

    The goal is the effort beyond what holds the robot, `τ = τ₀ + goal`, or with `total` all of it,
    `τ = goal`; τ₀ holds gravity and forces. With `τ = τ₀ + Eφ y` (`Dynamics`) the rows are
    `J = Eφ Tᵀ A`, so that `J T = Eφ`, and an effort is asked for as an acceleration is elsewhere: a
    lower level leaves it alone, a higher one may take it. Each row is divided by the inertia its
    joint moves, `|Eφ|²`, so that it weighs like an acceleration. A goal nobody states is zero.

    The error is goal minus measured effort. The law is `ForceController`: `max_speed` fades the
    effort of a joint that nothing stops, from half of the joint's limit of speed unless stated.
    """

    command_kind = CommandKind.EFFORT
    error_kind = ErrorKind.CUSTOM
    writes_velocity = True
    latches = False
    is_referred = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        joints = robot.command_joints
        n = len(joints)
        super().__init__(name, robot, n, joints)
        efforts = {"shape": (n,), "broadcast": True, "labels": joints, "unit": "N m"}
        self.total = self.declare(
            "total",
            False,
            access=Access.CONFIGURATION,
            description="whether the goal is the whole effort, instead of that beyond what holds "
            "the robot",
        )
        self.goal = self.declare("goal_effort", 0.0, description="efforts", **efforts)
        self.actual = self.declare("actual_effort", 0.0, access=Access.OUTPUT, **efforts)
        limits = robot.velocity_limits[robot.command_indices]
        self.controller = ForceController(
            self,
            n,
            labels=joints,
            unit="N m",
            max_speed=np.where(np.isfinite(limits), limits, 0.0).tolist(),
        )
        self._held: Array = np.zeros(n)
        self._rows: Array = np.zeros((n, robot.nv))

    def latch_goal(self) -> None:
        """Set the goal to zero: the robot is held, or with `total` let go."""
        self.goal.assign(np.zeros(self.dimension))
        self.controller.reset()

    def shapes(self) -> tuple[EffortShape, ...]:
        """An arrow along the axis of each joint the task acts on."""
        used = np.ones(self.dimension) if self.projection is None else self.projection.any(axis=0)
        return tuple(
            EffortShape(self.goal, self.actual, row, int(self.robot.command_indices[row]))
            for row in np.flatnonzero(used).tolist()
        )

    def _update(self, model: RobotModel, state: TaskState) -> None:
        indices = self.robot.command_indices
        state.jacobian.fill(0.0)
        for row, index in enumerate(indices.tolist()):
            state.jacobian[row, BASE_DOFS + index] = 1.0
        np.take(model.state.velocity, indices, out=state.velocity, mode="clip")
        np.take(model.state.effort, indices, out=state.actual, mode="clip")

    def _error(self, state: TaskState, error: Array) -> None:
        np.subtract(self.goal.value, state.actual, out=error)
        error += self._held

    def refer(self, dynamics: Dynamics, jacobian: Array, command: Array) -> None:
        """Write the rows that make an effort out of an acceleration; see `Task.refer`."""
        if not self.total.value:
            np.copyto(self._held, dynamics.held_effort)
        rows = self._rows
        np.matmul(dynamics.effort_map @ dynamics.task_map.T, dynamics.model.A, out=rows)
        beyond = self.command.value + self._held - dynamics.held_effort - rows @ dynamics.drift
        self.select(rows, jacobian)
        self.select(beyond, command)
        inertia = np.square(jacobian @ dynamics.task_map).sum(axis=1)
        inertia[inertia <= 0.0] = 1.0  # nothing moves there, and no effort is asked for
        jacobian /= inertia[:, None]
        command /= inertia
