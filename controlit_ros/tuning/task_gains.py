"""TaskGains: the gains of a task, made faster or slower as a whole."""

import math
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.tasks import Task
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.delay_margin import delay_margin
from controlit_ros.tasks.gain_design import LEAST_RATIO, settled


class TaskGains(NamedTuple):
    """Gains of a PID law of second order, each `(dimension,)`.

    Attributes:
        kp: [1/s²].
        ki: [1/s³].
        kd: [1/s].
    """

    kp: Array
    ki: Array
    kd: Array

    @classmethod
    def of(cls, task: Task) -> "TaskGains":
        """Return the present gains of a task with such a law."""
        return cls(*(gain.value.copy() for gain in task.controller.gains))

    def faster(self, factor: float) -> "TaskGains":
        """Return gains whose error does the same in `1 / factor` of the time."""
        return TaskGains(factor**2 * self.kp, factor**3 * self.ki, factor * self.kd)

    def assign_to(self, task: Task) -> None:
        """Give them to a task that does not run."""
        for parameter, value in zip(task.controller.gains, self, strict=True):
            parameter.assign(value)

    @property
    def delay_margin(self) -> float:
        """Dead time at which the weakest row begins to swing ever more [s]; see `delay_margin`."""
        rows = zip(*(gain.tolist() for gain in self), strict=True)
        return min((delay_margin(*row) for row in rows), default=math.inf)

    @property
    def settling_time(self) -> float:
        """Time after which a step of the slowest row has settled, see `settled` [s]; 0: no row.

        A row of less damping than can be asked for is taken for one of the least.
        """
        acts = self.kp > 0.0
        omega = np.sqrt(self.kp[acts])
        ratios = np.maximum(self.kd[acts] / (2.0 * omega), LEAST_RATIO)
        times = [settled(z) / w for z, w in zip(ratios.tolist(), omega.tolist(), strict=True)]
        return max(times, default=0.0)


def objection(task: Task) -> str:
    """Return why the gains of a task cannot be tuned; empty: they can."""
    law = task.controller
    if task.operational_state.value != "enable":
        return f"it is in the state {task.operational_state.value}"
    if law.kind is not LawKind.PID or task.command_kind is not CommandKind.ACCELERATION:
        return "it has no PID law that commands an acceleration"
    if law.is_first_order:
        return "its law is of first order: what follows a step of its goal does not come to rest"
    if task.is_unilateral:
        return "it acts at limits only"
    kp, _, kd = (gain.value for gain in law.gains)
    acts = kp > 0.0
    return "" if acts.any() and (kd[acts] > 0.0).all() else "it has kp or kd of zero"
