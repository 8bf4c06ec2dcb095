"""How the values of a task are read from its messages in a bag."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from controlit_ros.interfaces import Message
from controlit_ros.recording.task_track import TrackKind

FORCES = ("force", "wrench")
SPACE = ("x", "y", "z")
FIELDS = {
    "geometry_msgs/msg/Point": SPACE,
    "geometry_msgs/msg/Vector3": SPACE,
    "geometry_msgs/msg/Quaternion": (*SPACE, "w"),
}
POSE = "geometry_msgs/msg/Pose"
JOINTS, NUMBERS = "sensor_msgs/msg/JointState", "std_msgs/msg/Float64MultiArray"


class TrackReader(NamedTuple):
    """What the messages of a task mean.

    Attributes:
        kind: What the numbers are.
        values: Returns the numbers of a message.
        width: How many there are.
        names: Of the joints of a posture.
        part: What of the task it is, behind its name; empty: all of it.
    """

    kind: TrackKind
    values: Callable[[Message], Sequence[float]]
    width: int
    names: tuple[str, ...] = ()
    part: str = ""


def track_readers(quantity: str, first: Message, joints: Sequence[str]) -> tuple[TrackReader, ...]:
    """Return how messages of a task are read, a pose as place and as turn; none: not drawn.

    Args:
        quantity: Name of the parameter without `goal_` or `actual_`.
        first: Any of the messages.
        joints: Of the robot.
    """
    type_name = first.__type_name__
    if type_name in FIELDS:
        fields = FIELDS[type_name]
        kind = _in_space(quantity, fields)
        return (_space_reader(kind, fields),)
    if type_name == POSE:
        place = _space_reader(TrackKind.POSITION, SPACE, "position")
        turn = _space_reader(TrackKind.ORIENTATION, (*SPACE, "w"), "orientation")
        return place, turn._replace(part="orientation")
    if type_name == JOINTS and len(first.position):  # not of efforts
        is_posture = set(first.name) <= set(joints)
        kind = TrackKind.POSTURE if is_posture else TrackKind.POSITION
        names = tuple(first.name) if is_posture else ()
        return (TrackReader(kind, lambda m: m.position, len(first.position), names),)
    if type_name == NUMBERS and quantity in FORCES:
        return (TrackReader(TrackKind.FORCE, lambda m: m.data, len(first.data)),)
    return ()


def _space_reader(kind: TrackKind, fields: Sequence[str], inner: str = "") -> TrackReader:
    """Return how fields of a message are read, or those of what it holds."""

    def values(message: Message) -> Sequence[float]:
        holder = getattr(message, inner) if inner else message
        return [getattr(holder, field) for field in fields]

    return TrackReader(kind, values, len(fields))


def _in_space(quantity: str, fields: Sequence[str]) -> TrackKind:
    if len(fields) > len(SPACE):
        return TrackKind.ORIENTATION
    if quantity in FORCES:
        return TrackKind.FORCE
    return TrackKind.DIRECTION if quantity == "vector" else TrackKind.POSITION
