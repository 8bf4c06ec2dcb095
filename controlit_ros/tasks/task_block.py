"""TaskBlock: the numbers of all tasks side by side, so that one kernel computes them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.task_commands import DIFFERENCE, GIVEN, ROTATION
from controlit_ros.parameters import Parameter
from controlit_ros.tasks.task import ErrorKind, Task
from controlit_ros.tasks.task_state import TaskState

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_KINDS = {
    ErrorKind.DIFFERENCE: DIFFERENCE,
    ErrorKind.ROTATION: ROTATION,
    ErrorKind.CUSTOM: GIVEN,
}


class TaskBlock:
    """Memory of the tasks of a compound task.

    The tasks' vector parameters and both their states become views of these arrays, so nothing is
    copied in and out; limits that are scalars are copied by `refresh`. The attributes are those of
    `kernels.task_commands`.

    Args:
        tasks: Configured tasks; their rows follow each other in this order.
        nv: Size of the velocity vector.
    """

    def __init__(self, tasks: Sequence[Task], nv: int) -> None:
        self._tasks = tuple(tasks)
        count = len(tasks)
        self.row_start: Indices = _starts([task.dimension for task in tasks])
        self.goal_start: Indices = _starts([task.goal.value.size for task in tasks])
        rows, goals = int(self.row_start[-1]), int(self.goal_start[-1])
        self.error_kind: Indices = np.array([_KINDS[t.error_kind] for t in tasks], dtype=np.int64)
        self.which: Indices = np.zeros(count, dtype=np.int64)
        self.measured: Array = np.zeros((2, goals))
        self.jacobian: Array = np.zeros((2, rows, nv))
        self.bias: Array = np.zeros((2, rows))
        self.velocity: Array = np.zeros((2, rows))
        self.goal: Array = np.zeros(goals)
        self.goal_velocity: Array = np.zeros(rows)
        self.goal_acceleration: Array = np.zeros(rows)
        self.kp: Array = np.zeros(rows)
        self.ki: Array = np.zeros(rows)
        self.kd: Array = np.zeros(rows)
        self.max_speed: Array = np.zeros(count)
        self.max_velocity: Array = np.zeros(rows)
        self.max_integral: Array = np.zeros(count)
        self.integral: Array = np.zeros(rows)
        self.actual: Array = np.zeros(goals)
        self.error: Array = np.zeros(rows)
        self.error_norm: Array = np.full(count, np.nan)
        self.command: Array = np.zeros(rows)
        for i, task in enumerate(tasks):
            self._adopt(i, task)
        self.refresh()

    def refresh(self) -> None:
        """Copy the limits that are scalars."""
        for i, task in enumerate(self._tasks):
            controller = task.controller
            self.max_integral[i] = controller.max_integral.value
            if not controller.by_component:
                self.max_speed[i] = controller.max_velocity.value

    def _adopt(self, i: int, task: Task) -> None:
        rows = slice(self.row_start[i], self.row_start[i + 1])
        goals = slice(self.goal_start[i], self.goal_start[i + 1])
        controller = task.controller
        for parameter, memory in (
            (task.goal, self.goal[goals]),
            (task.actual, self.actual[goals]),
            (task.goal_velocity, self.goal_velocity[rows]),
            (task.goal_acceleration, self.goal_acceleration[rows]),
            (task.error, self.error[rows]),
            (task.command, self.command[rows]),
            (controller.kp, self.kp[rows]),
            (controller.ki, self.ki[rows]),
            (controller.kd, self.kd[rows]),
        ):
            _rebind(parameter, memory)
        if controller.by_component:
            _rebind(controller.max_velocity, self.max_velocity[rows])
        controller.integral = self.integral[rows]
        states = [
            TaskState(
                jacobian=self.jacobian[k, rows],
                bias=self.bias[k, rows],
                velocity=self.velocity[k, rows],
                actual=self.measured[k, goals].reshape(task.actual.value.shape),
            )
            for k in range(2)
        ]
        task.adopt_states(states[0], states[1], self.which[i : i + 1])


def _starts(sizes: Sequence[int]) -> Indices:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _rebind(parameter: Parameter | None, memory: Array) -> None:
    if parameter is not None:
        parameter.rebind(memory)
