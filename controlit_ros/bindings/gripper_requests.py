"""What the two gripper actions of control_msgs ask for and tell."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import RefusedTrajectoryError, TrajectoryCode
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message


class Grip(NamedTuple):
    """Where a gripper shall go.

    Attributes:
        positions: Of its joints [rad] or [m].
        speed: Highest speed of its joints [rad/s] or [m/s]; infinite where none is stated.
        effort: Highest effort of its joints [N m] or [N]; 0 where none is stated.
    """

    positions: tuple[float, ...]
    speed: float
    effort: float


class GripState(NamedTuple):
    """How a gripper is; `(n,)` vectors in the order of its joints.

    Attributes:
        position: [rad] or [m].
        velocity: [rad/s] or [m/s].
        effort: As measured [N m] or [N].
        stalled: It stands, and not where it should.
        reached: It is where it should be.
    """

    position: Array
    velocity: Array
    effort: Array
    stalled: bool = False
    reached: bool = False


class GripperDialect(NamedTuple):
    """One of the action types.

    Attributes:
        name: Of the action, below that of the gripper.
        type_name: Of the action.
        read: Returns what a goal asks of some joints; raises `RefusedTrajectoryError`.
        result: Returns the fields of a result.
        feedback: Returns the fields of feedback.
    """

    name: str
    type_name: str
    read: Callable[[Message, Sequence[str]], Grip]
    result: Callable[[Sequence[str], GripState], Mapping[str, Any]]
    feedback: Callable[[Sequence[str], GripState], Mapping[str, Any]]


def _read_single(message: Message, joints: Sequence[str]) -> Grip:
    command = message.command
    position = _finite("position", command.position)
    return Grip((position,) * len(joints), math.inf, _stated("max_effort", command.max_effort))


def _read_parallel(message: Message, joints: Sequence[str]) -> Grip:
    command = message.command
    names = tuple(command.name) or joints[:1]
    for name in names:
        if name not in joints:
            raise _refused(f"unknown joint {name!r}{did_you_mean(name, joints)}")
    if len(command.position) != len(names) or len(set(names)) < len(names):
        raise _refused(
            f"found {len(command.position)} positions for {len(set(names))} joints, expected one "
            "for each"
        )
    positions = [_finite("position", position) for position in command.position]
    by_name = dict(zip(names, positions, strict=True))
    speeds = [_positive("velocity", speed) for speed in command.velocity]
    efforts = [_stated("effort", effort) for effort in command.effort]
    return Grip(
        tuple(by_name.get(joint, positions[0]) for joint in joints),
        min(speeds, default=math.inf),
        min((effort for effort in efforts if effort), default=0.0),
    )


def _tell_single(_joints: Sequence[str], state: GripState) -> Mapping[str, Any]:
    return {
        "position": float(state.position[0]),
        "effort": float(state.effort[0]),
        "stalled": state.stalled,
        "reached_goal": state.reached,
    }


def _tell_parallel(joints: Sequence[str], state: GripState) -> Mapping[str, Any]:
    return {
        "state": {
            "name": list(joints),
            "position": state.position,
            "velocity": state.velocity,
            "effort": state.effort,
        },
        "stalled": state.stalled,
        "reached_goal": state.reached,
    }


def _tell_parallel_progress(joints: Sequence[str], state: GripState) -> Mapping[str, Any]:
    return {"state": _tell_parallel(joints, state)["state"]}


def _finite(what: str, value: float) -> float:
    if not math.isfinite(value):
        raise _refused(f"found {what} {value:g}, expected a finite number")
    return value


def _stated(what: str, value: float) -> float:
    if not 0.0 <= value < math.inf:
        raise _refused(f"found {what} {value:g}, expected 0, which is none, or more")
    return value


def _positive(what: str, value: float) -> float:
    if not 0.0 < value < math.inf:
        raise _refused(f"found {what} {value:g}, expected more than 0")
    return value


def _refused(text: str) -> RefusedTrajectoryError:
    return RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, text)


DIALECTS = (
    GripperDialect(
        "gripper_cmd",
        "control_msgs/action/GripperCommand",
        _read_single,
        _tell_single,
        _tell_single,
    ),
    GripperDialect(
        "parallel_gripper_cmd",
        "control_msgs/action/ParallelGripperCommand",
        _read_parallel,
        _tell_parallel,
        _tell_parallel_progress,
    ),
)
"""`GripperCommand` as of old, and `ParallelGripperCommand` as of Jazzy."""
