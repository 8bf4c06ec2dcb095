"""RunSamples: what a running servo is about, sampled for who watches."""

import math
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import Sampler
from controlit_ros.tasks import Task

RATE = 10.0  # [Hz] more than anybody reads
LARGE = {"m": 0.01, "rad": 0.05, "N": 5.0, "N m": 1.0}
"""Error by unit that counts as large where errors of different units are compared."""
CENTIMETRES = 100.0  # [cm/m]


class Worst(NamedTuple):
    """Something that is farther off, or nearer to its limit, than all others.

    Attributes:
        name: Of task or joint.
        text: Its value with unit.
        part: Value as a part of what is large, or of the limit [-].
    """

    name: str
    text: str
    part: float


class RunSamples:
    """Errors of tasks, efforts and speeds of joints, taken from a servo at a low rate.

    Args:
        node: The servo, not started yet.
    """

    def __init__(self, node: ServoNode) -> None:
        stack, coordinator = node.stack, node.coordinator
        self._tasks = stack.tasks.tasks
        self._joints = stack.robot.command_joints
        limits = JointLimits.of(stack.robot)
        self._limits = np.array([limits.effort, limits.velocity])
        indices, count = stack.robot.command_indices, len(self._tasks)
        state, command = coordinator.robot_state, coordinator.command
        joints = len(self._joints)
        self._errors: Array = np.full(count, math.nan)
        self._strain: Array = np.zeros((2, joints))

        def fill(row: Array) -> None:
            for i, task in enumerate(self._tasks):
                row[i] = task.error_norm.value
            row[count : count + joints] = command.effort
            state.velocity.take(indices, out=row[count + joints :], mode="clip")

        node.outbox.add_sampler(Sampler(count + 2 * joints, fill, self._keep, rate=RATE))

    def _keep(self, _stamp: float, row: Array) -> None:
        count = len(self._tasks)
        self._errors, self._strain = row[:count].copy(), row[count:].reshape(2, -1).copy()

    def worst_task(self) -> Worst | None:
        """Return the task farthest from its goal, `None` if none acts."""
        found = [
            _worst(task, float(error))
            for task, error in zip(self._tasks, self._errors, strict=True)
            if math.isfinite(error)
        ]
        return max(found, key=lambda worst: worst.part, default=None)

    def nearest_limit(self, quantity: int) -> Worst:
        """Return the joint nearest to its limit of effort (0) or speed (1)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.nan_to_num(np.abs(self._strain[quantity]) / self._limits[quantity])
        joint = int(parts.argmax())
        part = float(parts[joint])
        return Worst(self._joints[joint], f"{100.0 * part:.0f} %", part)


def _worst(task: Task, error: float) -> Worst:
    is_turn = task.goal.unit_length and not task.goal.unit  # a pose counts by its place
    unit = "rad" if is_turn else task.goal.unit.split(",")[0]
    part = error / LARGE.get(unit, 1.0)
    text = f"{CENTIMETRES * error:.2f} cm" if unit == "m" else f"{error:.3g} {unit}".rstrip()
    return Worst(task.name, text, part)
