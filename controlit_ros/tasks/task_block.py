"""TaskBlock: the numbers of all tasks side by side, so that one kernel computes them."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import task_layout as layout
from controlit_ros.parameters import Parameter
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState

_ERRORS = {
    ErrorKind.DIFFERENCE: layout.DIFFERENCE,
    ErrorKind.DIRECTION: layout.DIRECTION,
    ErrorKind.ROTATION: layout.ROTATION,
    ErrorKind.POSE: layout.POSE,
    ErrorKind.CUSTOM: layout.GIVEN,
}
_LAWS = {
    LawKind.PID: layout.PID,
    LawKind.SLIDING_MODE: layout.SLIDING_MODE,
    LawKind.FORCE: layout.FORCE,
    LawKind.FORCE_FEEDBACK: layout.FORCE_FEEDBACK,
    LawKind.CUSTOM: layout.OTHER,
}


class TaskBlock:
    """Memory of the tasks of a compound task.

    The tasks' vector parameters and both their states become views of these arrays, so nothing is
    copied in and out; scalars are copied by `refresh`. The other attributes are those of
    `kernels.task_commands`.

    Args:
        tasks: Configured tasks; their rows follow each other in this order.
        nv: Size of the velocity vector.

    Attributes:
        tasks: The same.
    """

    def __init__(self, tasks: Sequence[Task], nv: int) -> None:
        self.tasks = tuple(tasks)
        count = len(tasks)
        row_start = _starts([task.dimension for task in tasks])
        goal_start = _starts([task.goal.value.size for task in tasks])
        row_count, goal_count = int(row_start[-1]), int(goal_start[-1])
        self.plan: Indices = np.zeros((count, layout.PLAN_COLUMNS), dtype=np.int64)
        self.settings: Array = np.zeros((count, layout.SETTING_COLUMNS))
        self.rows: Array = np.zeros((layout.ROW_KINDS, row_count))
        self.goals: Array = np.zeros((layout.GOAL_KINDS, goal_count))
        self.jacobian: Array = np.zeros((2, row_count, nv))
        self.projection: Array = np.concatenate(
            [np.zeros(0), *(t.projection.ravel() for t in tasks if t.projection is not None)]
        )
        self.plan[:, layout.DESTINATION] = layout.SKIPPED
        self.plan[:, layout.FIRST], self.plan[:, layout.LAST] = row_start[:-1], row_start[1:]
        self.plan[:, layout.BEGIN], self.plan[:, layout.END] = goal_start[:-1], goal_start[1:]
        self.plan[:, layout.PROJECTION] = layout.NOT_PROJECTED
        begin = 0
        for i, task in enumerate(tasks):
            self.plan[i, layout.ERROR_KIND] = _ERRORS[task.error_kind]
            self.plan[i, layout.LAW] = _LAWS[task.controller.kind]
            self.plan[i, layout.ROWS] = task.rows
            if task.controller.kind is LawKind.CUSTOM:
                self.plan[i, layout.ERROR_KIND] = layout.GIVEN
            if task.projection is not None:
                self.plan[i, layout.PROJECTION] = begin
                begin += task.projection.size
            self._adopt(i, task)
        self._error_norm = self.settings[:, layout.ERROR_NORM]
        self._kept_norm: Array = np.zeros(count)
        self.refresh()

    @property
    def destination(self) -> Indices:
        """First row of each task in the stack, or `SENSED`, or `SKIPPED`; `(tasks,)`."""
        return self.plan[:, layout.DESTINATION]

    def refresh(self) -> None:
        """Copy what is scalar and look for news of the goals."""
        for i, task in enumerate(self.tasks):
            law, settings = task.controller, self.settings[i]
            if law.max_integral is not None:
                settings[layout.MAX_INTEGRAL] = law.max_integral.value
            if law.max_velocity is not None and not law.by_component:
                settings[layout.MAX_SPEED] = law.max_velocity.value
            settings[layout.TIMEOUT] = task.goal_timeout.value
            task.note_news()

    def keep(self) -> None:
        """Keep what `restore` brings back: what a cycle without effect would show."""
        self._kept_norm[:] = self._error_norm

    def restore(self) -> None:
        """Bring back what was kept."""
        self._error_norm[:] = self._kept_norm

    def _adopt(self, i: int, task: Task) -> None:
        plan, rows, goals = self.plan[i], self.rows, self.goals
        own = slice(plan[layout.FIRST], plan[layout.LAST])
        entries = slice(plan[layout.BEGIN], plan[layout.END])
        law = task.controller
        _rebind(task.followed.goal, goals[layout.GOAL, entries])
        _rebind(task.actual, goals[layout.ACTUAL, entries])
        _rebind(task.followed.velocity, rows[layout.GOAL_VELOCITY, own])
        _rebind(task.followed.acceleration, rows[layout.GOAL_ACCELERATION, own])
        _rebind(task.followed.error, rows[layout.ERROR, own])
        _rebind(task.command, rows[layout.COMMAND, own])
        if not task.is_led:  # else it is that of the goal, which no kernel knows
            _rebind(task.error_norm, self.settings[i, layout.ERROR_NORM : layout.ERROR_NORM + 1])
        _rebind(task.acts, rows[layout.ACTS, own])
        _rebind(task.hysteresis, rows[layout.HYSTERESIS, own])
        _rebind(law.max_speed, rows[layout.MAX_FORCE_SPEED, own])
        if law.kind is not LawKind.CUSTOM:
            for k, gain in enumerate(law.gains):
                _rebind(gain, rows[layout.GAIN + k, own])
            if law.by_component:
                _rebind(law.max_velocity, rows[layout.MAX_VELOCITY, own])
        law.integral, law.ramp = rows[layout.INTEGRAL, own], rows[layout.RAMP, own]
        states = [
            TaskState(
                jacobian=self.jacobian[k, own],
                bias=rows[layout.BIAS + k, own],
                velocity=rows[layout.VELOCITY + k, own],
                actual=goals[layout.MEASURED + k, entries].reshape(task.actual.value.shape),
            )
            for k in range(2)
        ]
        task.state_pair.move(states[0], states[1], plan[layout.WHICH : layout.WHICH + 1])
        task.feed_forward_age.age = self.settings[
            i, layout.VELOCITY_AGE : layout.ACCELERATION_AGE + 1
        ]


def _starts(sizes: Sequence[int]) -> Indices:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _rebind(parameter: Parameter | None, memory: Array) -> None:
    if parameter is not None:
        parameter.rebind(memory)
