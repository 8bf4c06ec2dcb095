"""JointObserver: how near joints come to what they can do."""

from collections.abc import Mapping, Sequence

import numpy as np

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.trace import Trace
from controlit_ros.arrays import Array
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.scripting import SimulatedController

EFFORT, SPEED, STOP = "highest effort", "highest joint speed", "nearest stop of a joint"
FREE = 0.01  # [-] of its range that a joint begins away from its stops, or these do not count


class JointObserver:
    """Looks at efforts sent and at joints measured, beside the limits of the description.

    Args:
        controller: Started.
    """

    def __init__(self, controller: SimulatedController) -> None:
        robot = controller.stack.robot
        driven = [robot.real_joints.index(name) for name in robot.command_joints]
        self._driven, self._coordinator = driven, controller.node.coordinator
        self._effort_limits = robot.effort_limits[driven]
        self._velocity_limits = robot.velocity_limits[driven]
        self._lower, self._upper = robot.lower_limits[driven], robot.upper_limits[driven]
        self._simulation = simulated_robot(controller.stack).simulation
        self._state = self._simulation.initial_state()
        self._counts = self._left(self._state.position[driven]) > FREE  # grippers begin closed
        self._effort = self._speed = 0.0
        self._nearest = np.inf

    def look(self, elapsed: float) -> None:  # noqa: ARG002 - the highest of all counts
        """Keep the highest parts of the limits, and the least distance to a stop."""
        self._simulation.state(self._state)
        position = self._state.position[self._driven]
        velocity = self._state.velocity[self._driven]
        effort = self._coordinator.command.effort
        self._effort = max(self._effort, np.max(np.abs(effort) / self._effort_limits))
        self._speed = max(self._speed, np.max(np.abs(velocity) / self._velocity_limits))
        self._nearest = min(self._nearest, self._left(position)[self._counts].min())

    def findings(self) -> Mapping[str, float]:
        """Return parts of the limits, and what is left of a joint's range [%]."""
        found = {EFFORT: self._effort, SPEED: self._speed, STOP: self._nearest}
        return {name: 100.0 * float(value) for name, value in found.items()}

    def traces(self) -> Sequence[Trace]:
        """Return none."""
        return ()

    def _left(self, position: Array) -> Array:
        """Return how far joints are from their stops, in parts of their ranges."""
        left = np.minimum(position - self._lower, self._upper - position)
        parts: Array = left / np.where(np.isfinite(left), self._upper - self._lower, 1.0)
        return parts


WITHIN_LIMITS = (
    Criterion(EFFORT, "%", most=100.0),
    Criterion(SPEED, "%", most=101.0),
    Criterion(STOP, "% of range", least=-0.1),
)
"""What is expected of each robot."""
