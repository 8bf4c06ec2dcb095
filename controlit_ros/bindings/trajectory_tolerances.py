"""TrajectoryTolerances: how far joints may be from their trajectory."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import RefusedTrajectoryError, TrajectoryCode
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message

ERASED = -1.0  # what control_msgs/JointTolerance calls a tolerance that is taken back


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


class DefaultTolerances(NamedTuple):
    """What holds where a trajectory states nothing.

    Attributes:
        path: Farthest that a joint may be from its trajectory, by joint [rad or m].
        goal: Farthest that it may be from the end of it, by joint [rad or m].
        stopped_velocity: Fastest that a joint may be at the end [rad/s or m/s].
        patience: How long after the end the goal may be missed [s].
    """

    path: Mapping[str, float]
    goal: Mapping[str, float]
    stopped_velocity: float = np.inf
    patience: float = np.inf

    def on_path(self, joints: Sequence[str]) -> TrajectoryTolerances:
        """Return those while it moves."""
        return _by_joint(self.path, np.inf, joints)

    def at_goal(self, joints: Sequence[str]) -> TrajectoryTolerances:
        """Return those at the end."""
        return _by_joint(self.goal, self.stopped_velocity, joints)


def _by_joint(
    position: Mapping[str, float], velocity: float, joints: Sequence[str]
) -> TrajectoryTolerances:
    limits = np.array([position.get(joint, np.inf) for joint in joints])
    return TrajectoryTolerances(tuple(joints), limits, np.full(len(joints), velocity))


def read_tolerances(
    entries: Iterable[Message], defaults: TrajectoryTolerances
) -> TrajectoryTolerances:
    """Read control_msgs/JointTolerance messages.

    A positive number is a limit, zero the default, and -1 none. Accelerations are not measured:
    limits of theirs are not looked at.

    Args:
        entries: In any order; joints may be left out.
        defaults: Of the joints of the trajectory.

    Raises:
        RefusedTrajectoryError: A joint is none of the trajectory's, or a number none of these.
    """
    joints = defaults.joints
    tolerances = TrajectoryTolerances(joints, defaults.position.copy(), defaults.velocity.copy())
    for entry in entries:
        if entry.name not in joints:
            hint = did_you_mean(entry.name, joints)
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_JOINTS, f"tolerance for unknown joint {entry.name!r}{hint}"
            )
        i = joints.index(entry.name)
        what = f"tolerance of {entry.name!r}"
        for limits, value in (
            (tolerances.position, entry.position),
            (tolerances.velocity, entry.velocity),
        ):
            limits[i] = stated_tolerance(what, value, limits[i])
    return tolerances


def stated_tolerance(what: str, value: float, default: float) -> float:
    """Return a limit by the rule of control_msgs.

    Args:
        what: Its name, for the message.
        value: Above zero as it is, zero for the default, -1 for none.
        default: That one.

    Raises:
        RefusedTrajectoryError: The value is none of these.
    """
    if value > 0.0:
        return float(value)
    if value == 0.0:
        return float(default)
    if value == ERASED:
        return float(np.inf)
    raise RefusedTrajectoryError(
        TrajectoryCode.INVALID_GOAL,
        f"{what}: found {value:g}, expected a number above 0, 0 for the default, or -1 for none",
    )
