"""TrajectoryTolerances: how far joints may be from their trajectory."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import RefusedTrajectoryError, TrajectoryCode
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message


class TrajectoryTolerances(NamedTuple):
    """Limits of the errors joint by joint; infinite for none.

    Attributes:
        joints: Names, in the order of the trajectory.
        position: `(n,)` [rad] or [m].
        velocity: `(n,)` [rad/s] or [m/s].
    """

    joints: tuple[str, ...]
    position: Array
    velocity: Array

    def violation(self, position: Array, velocity: Array) -> str:
        """Return which joint is beyond its limit, and how far; empty if none is.

        Args:
            position: `(n,)` errors.
            velocity: `(n,)` errors.
        """
        for what, errors, limits in (
            ("position", position, self.position),
            ("velocity", velocity, self.velocity),
        ):
            beyond = np.flatnonzero(np.abs(errors) > limits)
            if len(beyond):
                i = int(beyond[0])
                return (
                    f"{self.joints[i]} is off by {abs(errors[i]):.4g} in {what}, "
                    f"limit {limits[i]:.4g}"
                )
        return ""


def no_tolerances(joints: Sequence[str]) -> TrajectoryTolerances:
    """Return tolerances that allow everything."""
    infinite = np.full(len(joints), np.inf)
    return TrajectoryTolerances(tuple(joints), infinite, infinite.copy())


def read_tolerances(entries: Iterable[Message], joints: Sequence[str]) -> TrajectoryTolerances:
    """Read control_msgs/JointTolerance messages.

    Zero means the default, which is no limit; so does a negative number. Accelerations are not
    measured: limits of theirs are not looked at.

    Raises:
        RefusedTrajectoryError: A joint is none of the trajectory's, or a number is not one.
    """
    tolerances = no_tolerances(joints)
    for entry in entries:
        if entry.name not in tolerances.joints:
            hint = did_you_mean(entry.name, joints)
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_JOINTS, f"tolerance for unknown joint {entry.name!r}{hint}"
            )
        i = tolerances.joints.index(entry.name)
        for limits, value in (
            (tolerances.position, entry.position),
            (tolerances.velocity, entry.velocity),
        ):
            if np.isnan(value):
                raise RefusedTrajectoryError(
                    TrajectoryCode.INVALID_GOAL, f"tolerance of {entry.name!r} is not a number"
                )
            if value > 0.0:
                limits[i] = value
    return tolerances
