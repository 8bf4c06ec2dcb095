"""Moments: from what a feed brought to what the page shows."""

import math
import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from controlit_console.feed import Feed
from controlit_console.joint_row import NO_LIMITS, DescribedLimits, JointRow, joint_limits
from controlit_console.parts import ParameterView, PartsSeen
from controlit_console.posture import Posture
from controlit_console.seen import DiagnosisSeen, ImuSeen, Seen
from controlit_ros.client.explanations import explanation_of
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.interfaces import Message

LEVELS = {0: "ok", 1: "warning", 2: "error", 3: "stale"}
"""Of diagnostic_msgs/msg/DiagnosticStatus."""
WORLD = "world"  # a root link that is called so is where it is
PATIENCE = 3.0  # [s] with joints of a robot of whose base nobody tells where it is
LATENCY_FIELDS = ("read", "odometry", "update_model", "compute_command", "events", "write", "total")


class Moments:
    """Decodes what came, once for all pages.

    Args:
        feed: What listens.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._limits: Mapping[str, DescribedLimits] | None = None
        self._joints: Message | None = None
        self._since = math.inf  # [s] when joints came first
        self._stands = False  # where its base is, as far as anybody tells
        self._efforts: dict[str, float] = {}
        self._goal_of: dict[str, Message] = {}
        self._frequency = self._round_trip = math.nan
        self._latency: dict[str, float] = {}
        self._explanation: Explanation | None = None
        self._imu: ImuSeen | None = None

    def pose(self, posture: Posture) -> bool:
        """Put a posture to where the robot is; return whether there was news.

        Joints alone are none until it is told where the base is: it would stand in the ground.
        """
        newest = self._feed.newest
        joints = newest["joints"].news()
        if joints is not None:
            self._joints = joints
            self._since = min(self._since, time.monotonic())
            posture.set_joints([str(name) for name in joints.name], joints.position)
        moved = [_set_base(posture, told) for told in self._bases()]
        is_late = time.monotonic() - self._since > PATIENCE
        self._stands |= any(moved) or is_late or posture.root == WORLD
        return self._stands and (any(moved) or joints is not None)

    def pose_goal(self, posture: Posture) -> None:
        """Put joints to the goals of the posture tasks that act, the first levels last."""
        for name, goal in self._goals():
            posture.set_joints([str(joint) for joint in goal.name], goal.position)
            self._goal_of[name] = goal

    def _goals(self) -> Iterable[tuple[str, Message]]:
        for task in sorted(self._feed.parts.tasks, key=lambda task: task.priority or 0):
            newest = self._feed.postures.get(task.name)
            if newest is not None and task.state == "enable":
                goal = newest.news() or self._goal_of.get(task.name)
                if goal is not None:
                    yield task.name, goal

    def _bases(self) -> Iterable[Message]:
        while self._feed.bases:
            yield self._feed.bases.popleft()
        base = self._feed.newest["tf"].news()
        if base is not None:
            yield base

    def look(self) -> Seen:
        """Return what is to be shown now."""
        feed = self._feed
        self._take()
        joints = tuple(self._joint_rows())
        return Seen(
            time.monotonic(),
            feed.robot.name,
            feed.state or "unknown",
            "",
            feed.parts,
            joints,
            self._frequency,
            self._round_trip,
            self._latency,
            self._explanation,
            tuple(feed.notes),
            _numbers(
                feed.parts, joints, self._latency, self._frequency, self._round_trip, self._imu
            ),
            self._imu,
            tuple(_diagnosis(status) for status in list(feed.diagnoses.values())),
        )

    def _take(self) -> None:
        newest = self._feed.newest
        if (command := newest["command"].news()) is not None:
            efforts = zip(command.name, command.effort, strict=True)
            self._efforts = {str(name): float(effort) for name, effort in efforts}
        if (frequency := newest["frequency"].news()) is not None:
            self._frequency = float(frequency.data)
        if (round_trip := newest["round_trip"].news()) is not None:
            self._round_trip = float(round_trip.data)
        if (latency := newest["latency"].news()) is not None:
            self._latency = {name: float(getattr(latency, name)) for name in LATENCY_FIELDS}
        if (explanation := newest["explanation"].news()) is not None:
            self._explanation = explanation_of(explanation)

        if (imu := newest["imu"].news()) is not None:
            rate, force = imu.angular_velocity, imu.linear_acceleration
            self._imu = ImuSeen((rate.x, rate.y, rate.z), (force.x, force.y, force.z))

    def _joint_rows(self) -> Iterable[JointRow]:
        if self._limits is None and self._feed.description:
            self._limits = joint_limits(self._feed.description)
        joints, limits = self._joints, self._limits or {}
        if joints is None:
            return
        rows = zip(joints.name, joints.position, joints.velocity, joints.effort, strict=True)
        for name, position, velocity, effort in rows:
            sent = self._efforts.get(str(name), float(effort))
            known = limits.get(str(name), NO_LIMITS)
            yield JointRow(str(name), float(position), float(velocity), sent, known)


def _set_base(posture: Posture, told: Message) -> bool:
    """Put a robot to where transforms say its root link is; return whether they say so."""
    own = [t.transform for t in told.transforms if str(t.child_frame_id) == posture.root]
    for transform in own:
        place, turn = transform.translation, transform.rotation
        posture.set_base(
            np.array([place.x, place.y, place.z]), np.array([turn.x, turn.y, turn.z, turn.w])
        )
    return bool(own)


def _diagnosis(status: Message) -> DiagnosisSeen:
    level = status.level if isinstance(status.level, int) else status.level[0]
    values = tuple((str(pair.key), str(pair.value)) for pair in status.values)
    return DiagnosisSeen(
        str(status.name), LEVELS.get(int(level), "stale"), str(status.message), values
    )


def _numbers(
    parts: PartsSeen,
    joints: tuple[JointRow, ...],
    latency: Mapping[str, float],
    frequency: float,
    round_trip: float,
    imu: ImuSeen | None,
) -> dict[str, float]:
    """Return everything that can be plotted, by name: owner, dot, what."""
    found: dict[str, float] = {}
    for part in (*parts.tasks, *parts.constraints, *parts.others):
        for parameter in part.parameters:
            found.update(_entries(parameter))
    for parameter in parts.controller_parameters:
        found.update(_entries(parameter))
    for row in joints:
        found[f"{row.name}.position"] = row.position
        found[f"{row.name}.velocity"] = row.velocity
        found[f"{row.name}.effort"] = row.effort
    if imu is not None:
        found |= {f"imu.rate[{axis}]": value for axis, value in zip("xyz", imu.rate, strict=True)}
        found |= {f"imu.force[{axis}]": value for axis, value in zip("xyz", imu.force, strict=True)}
    found |= {f"servo.{name}": value for name, value in latency.items()}
    return found | {"servo.frequency": frequency, "servo.round_trip": round_trip}


def _entries(parameter: ParameterView) -> Iterable[tuple[str, float]]:
    """Return the numbers of a parameter; of a vector each by its label or its number."""
    value: Any = parameter.value
    if isinstance(value, (bool, int, float)):
        yield parameter.full_name, float(value)
    elif isinstance(value, list):
        labels = parameter.labels if len(parameter.labels) == len(value) else range(len(value))
        for label, entry in zip(labels, value, strict=True):
            if isinstance(entry, (bool, int, float)):
                yield f"{parameter.full_name}[{label}]", float(entry)
