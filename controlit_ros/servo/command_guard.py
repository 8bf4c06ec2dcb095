"""CommandGuard: the last look at a command before the robot gets it."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.controllers.command import Command
from controlit_ros.kernels import is_within
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel

Array = npt.NDArray[np.float64]


class GuardSettings(NamedTuple):
    """Which limits of the URDF are enforced (paper, appendix B), by command joint.

    Attributes:
        enforce_effort: `(na,)` truncate efforts to the URDF's limit.
        enforce_position: `(na,)` the same for commanded positions.
        enforce_velocity: `(na,)` the same for commanded velocities.
        max_effort: `(na,)` effort past which a warning is given, infinite for none [N m].
    """

    enforce_effort: npt.NDArray[np.bool_]
    enforce_position: npt.NDArray[np.bool_]
    enforce_velocity: npt.NDArray[np.bool_]
    max_effort: Array


def is_finite(values: Array) -> bool:
    """Tell whether every entry of a vector is finite (and below 1e154, where squares end)."""
    # a dot product costs a quarter of isfinite().all() and, unlike a sum, never warns of infinities
    return math.isfinite(values.dot(values))


class CommandGuard:
    """Truncates commands to the enforced limits and warns of every joint that passes one."""

    def __init__(
        self, robot: RobotDescription, settings: GuardSettings, notices: NoticeBoard
    ) -> None:
        joints = robot.command_indices
        self._names: Sequence[str] = robot.command_joints
        self._notices = notices
        infinite = np.full(len(joints), np.inf)
        effort = np.where(settings.enforce_effort, robot.effort_limits[joints], infinite)
        velocity = np.where(settings.enforce_velocity, robot.velocity_limits[joints], infinite)
        lower = np.where(settings.enforce_position, robot.lower_limits[joints], -infinite)
        upper = np.where(settings.enforce_position, robot.upper_limits[joints], infinite)
        self._effort = (-effort, effort)
        self._velocity = (-velocity, velocity)
        self._position = (lower, upper)
        self._max_effort = (-settings.max_effort, settings.max_effort)

    def is_finite(self, command: Command) -> bool:
        """Tell whether every number of the command is finite."""
        return (
            is_finite(command.effort)
            and (command.position is None or is_finite(command.position))
            and (command.velocity is None or is_finite(command.velocity))
            and (command.stiffness is None or is_finite(command.stiffness))
            and (command.damping is None or is_finite(command.damping))
        )

    def enforce(self, command: Command, now: float) -> None:
        """Truncate in place and post warnings."""
        self._warn("max_effort_command", command.effort, self._max_effort, now)
        self._truncate("effort limit", command.effort, self._effort, now)
        if command.position is not None:
            self._truncate("position limit", command.position, self._position, now)
        if command.velocity is not None:
            self._truncate("velocity limit", command.velocity, self._velocity, now)

    def _truncate(self, what: str, values: Array, limits: tuple[Array, Array], now: float) -> None:
        if self._warn(what, values, limits, now):
            np.clip(values, limits[0], limits[1], out=values)

    def _warn(self, what: str, values: Array, limits: tuple[Array, Array], now: float) -> bool:
        lower, upper = limits
        if is_within(values, lower, upper):
            return False
        for i in np.flatnonzero((values < lower) | (values > upper)).tolist():
            topic = f"{what} {self._names[i]}"
            if self._notices.is_due(topic, now):
                limit = upper[i] if values[i] > upper[i] else lower[i]
                text = f"{what} of {self._names[i]}: command {values[i]:.4g}, limit {limit:.4g}"
                self._notices.post(NoticeLevel.WARNING, topic, text, now)
        return True
