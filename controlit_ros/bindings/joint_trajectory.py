"""JointTrajectory: positions of joints over time, from points far apart."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message

LONGEST = 86_400.0  # [s] of a motion; what needs more is a mistake
ROUNDING = 1e-6  # [rad] or [m] how far past a limit a planner may round
AT_REST = 1e-9  # [rad/s] or [m/s] what counts as no velocity at the end


class TrajectoryCode(IntEnum):
    """What control_msgs/FollowJointTrajectory reports."""

    SUCCESSFUL = 0
    INVALID_GOAL = -1
    INVALID_JOINTS = -2
    OLD_HEADER_TIMESTAMP = -3
    PATH_TOLERANCE_VIOLATED = -4
    GOAL_TOLERANCE_VIOLATED = -5


class RefusedTrajectoryError(ControlItError):
    """A trajectory cannot be followed; the text says what was found and what was expected."""

    def __init__(self, code: TrajectoryCode, text: str) -> None:
        super().__init__(text)
        self.code = code


class JointSample(NamedTuple):
    """Where the joints shall be at one time.

    Attributes:
        position: `(n,)` [rad] or [m].
        velocity: `(n,)` its derivative.
        acceleration: `(n,)` the derivative of that.
    """

    position: Array
    velocity: Array
    acceleration: Array


class TrajectoryPoint(NamedTuple):
    """One stated point.

    Attributes:
        time: Since the beginning [s].
        position: `(n,)` [rad] or [m].
        velocity: `(n,)`, or `None` where it is not stated.
        acceleration: `(n,)`, or `None` where it is not stated.
    """

    time: float
    position: Array
    velocity: Array | None = None
    acceleration: Array | None = None


class JointTrajectory:
    """Joins points as ROS 2's joint_trajectory_controller does.

    Between two points that both state velocities and accelerations lies a polynomial of fifth
    degree, between two that state velocities one of third degree, else a straight line. Before the
    first and after the last point the joints rest.

    Args:
        joints: Names of the joints.
        points: At least one, in the order of their times.
    """

    def __init__(self, joints: Sequence[str], points: Sequence[TrajectoryPoint]) -> None:
        self.joints = tuple(joints)
        self.points = tuple(points)
        self._times = [point.time for point in self.points]

    @property
    def duration(self) -> float:
        """Time of the last point [s]."""
        return self._times[-1]

    def joined(self, time: float, start: JointSample) -> "JointTrajectory":
        """Return the trajectory that leads from a start, at a time, to the points after that time.

        Args:
            time: When the start holds [s]; points up to then are left out.
            start: Where the joints are, in the order of `joints`.
        """
        later = [point for point in self.points if point.time > time]
        return JointTrajectory(self.joints, [TrajectoryPoint(time, *start), *later])

    def sample(self, time: float) -> JointSample:
        """Return where the joints shall be at a time [s]."""
        index = int(np.searchsorted(self._times, time, side="right"))
        if index == 0:
            return at_rest(self.points[0].position)
        if index == len(self.points):
            return at_rest(self.points[-1].position)
        first, second = self.points[index - 1], self.points[index]
        with np.errstate(all="ignore"):  # who posts the sample refuses what is not finite
            return interpolate(first, second, time - first.time)


def at_rest(position: Array) -> JointSample:
    """Return the sample that stays at a position `(n,)`."""
    return JointSample(position, np.zeros_like(position), np.zeros_like(position))


def interpolate(first: TrajectoryPoint, second: TrajectoryPoint, time: float) -> JointSample:
    """Return what lies between two points, a time [s] after the first."""
    return _evaluate(coefficients(first, second), time)


def coefficients(first: TrajectoryPoint, second: TrajectoryPoint) -> tuple[Array, ...]:
    """Return the six coefficients `(n,)` of the powers of the time since the first point."""
    duration = second.time - first.time
    step = second.position - first.position
    zero = np.zeros_like(step)
    if first.velocity is None or second.velocity is None:
        return (first.position, step / duration, zero, zero, zero, zero)
    if first.acceleration is None or second.acceleration is None:
        cubic = _cubic(first.velocity, second.velocity, step, duration)
        return (first.position, *cubic, zero, zero)
    a = 0.5 * first.acceleration
    # what a motion with the first point's velocity and acceleration misses at the end
    position = step - first.velocity * duration - a * duration**2
    velocity = (second.velocity - first.velocity - 2.0 * a * duration) * duration
    acceleration = (second.acceleration - first.acceleration) * duration**2
    return (
        first.position,
        first.velocity,
        a,
        (10.0 * position - 4.0 * velocity + 0.5 * acceleration) / duration**3,
        (-15.0 * position + 7.0 * velocity - acceleration) / duration**4,
        (6.0 * position - 3.0 * velocity + 0.5 * acceleration) / duration**5,
    )


def _cubic(
    first_velocity: Array, second_velocity: Array, step: Array, duration: float
) -> tuple[Array, Array, Array]:
    return (
        first_velocity,
        (3.0 * step / duration - 2.0 * first_velocity - second_velocity) / duration,
        (first_velocity + second_velocity - 2.0 * step / duration) / duration**2,
    )


def _evaluate(coefficients: Sequence[Array], time: float) -> JointSample:
    c0, c1, c2, c3, c4, c5 = coefficients
    t = time
    return JointSample(
        c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5)))),
        c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5))),
        2.0 * c2 + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5)),
    )


def read_trajectory(message: Message, known: Sequence[str]) -> JointTrajectory:
    """Read a trajectory_msgs/JointTrajectory.

    Joints may be left out, velocities and accelerations too.

    Args:
        message: What came in.
        known: Names of the joints that can be moved.

    Raises:
        RefusedTrajectoryError: The message has no points, unknown joints, wrong lengths or times,
            numbers that are not finite, or a velocity at the end.
    """
    joints = tuple(message.joint_names)
    _check_joints(joints, known)
    if not message.points:
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, "found no points, expected one or more"
        )
    points = [_read_point(i, point, joints) for i, point in enumerate(message.points)]
    _check_times([point.time for point in points])
    last = points[-1].velocity
    if last is not None and np.abs(last).max() > AT_REST:
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, "found a velocity at the last point, expected none"
        )
    return JointTrajectory(joints, points)


def check_limits(
    trajectory: JointTrajectory, lower: Mapping[str, float], upper: Mapping[str, float]
) -> None:
    """Check that no point leads a joint out of its range.

    Args:
        trajectory: What was asked for.
        lower: Lowest position by joint [rad or m].
        upper: Highest position by joint [rad or m].

    Raises:
        RefusedTrajectoryError: One does; the text names point, joint, position and range.
    """
    for index, point in enumerate(trajectory.points):
        for joint, position in zip(trajectory.joints, point.position.tolist(), strict=True):
            if not lower[joint] - ROUNDING <= position <= upper[joint] + ROUNDING:
                raise RefusedTrajectoryError(
                    TrajectoryCode.INVALID_GOAL,
                    f"point {index} leads {joint} to {position:g}, expected "
                    f"{lower[joint]:g} to {upper[joint]:g}, its limits",
                )


def _check_joints(joints: Sequence[str], known: Sequence[str]) -> None:
    if not joints:
        raise RefusedTrajectoryError(TrajectoryCode.INVALID_JOINTS, "found no joint_names")
    for joint in joints:
        if joint not in known:
            hint = did_you_mean(joint, known)
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_JOINTS, f"unknown joint {joint!r}{hint}"
            )
        if joints.count(joint) > 1:
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_JOINTS, f"joint {joint!r} stands twice"
            )


def _check_times(times: Sequence[float]) -> None:
    if times[0] < 0.0:
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL,
            f"found time_from_start {times[0]:g} s at point 0, expected growing times from 0 on",
        )
    for index, (before, time) in enumerate(pairwise(times), 1):
        if time <= before:
            earlier, found = distinct(before, time)
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_GOAL,
                f"found time_from_start {earlier}, {found} s at points {index - 1} and {index}, "
                "expected growing times from 0 on",
            )
    if times[-1] > LONGEST:
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL,
            f"found time_from_start {times[-1]:g} s at the last point, expected at most "
            f"{LONGEST:g} s",
        )
    if times[-1] <= 0.0:
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL,
            "found time_from_start 0 s at the last point, expected more: the goal must not jump",
        )


def _read_point(index: int, point: Message, joints: Sequence[str]) -> TrajectoryPoint:
    if len(point.effort):
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, f"point {index} states efforts, expected none"
        )
    position = _read_numbers(index, "positions", point.positions, joints)
    if position is None:
        raise RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, f"point {index} has no positions")
    return TrajectoryPoint(
        seconds(point.time_from_start),
        position,
        _read_numbers(index, "velocities", point.velocities, joints),
        _read_numbers(index, "accelerations", point.accelerations, joints),
    )


def _read_numbers(
    index: int, what: str, numbers: Iterable[float], joints: Sequence[str]
) -> Array | None:
    values = np.array(numbers, dtype=np.float64)
    if not len(values):
        return None
    if len(values) != len(joints):
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL,
            f"point {index} has {len(values)} {what}, expected {len(joints)}",
        )
    if not np.isfinite(values).all():
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, f"point {index} has {what} that are not finite"
        )
    return values


def seconds(message: Message) -> float:
    """Return a builtin_interfaces/Time or Duration as seconds."""
    return float(message.sec) + 1e-9 * float(message.nanosec)


def distinct(first: float, second: float) -> tuple[str, str]:
    """Return two numbers with as many digits as it takes to distinguish them."""
    for digits in range(4, 18):
        texts = f"{first:.{digits}g}", f"{second:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts
