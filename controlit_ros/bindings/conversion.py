"""Conversion between parameter values and ROS messages."""

from collections.abc import Callable
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.conversion_type import Conversion
from controlit_ros.bindings.footstep_conversion import FOOTSTEP_PLAN, footstep_conversion
from controlit_ros.bindings.frame_names import ROBOT_ALONE, FrameNames
from controlit_ros.bindings.marker_conversions import marker_conversions
from controlit_ros.bindings.marker_pose import pose_fields, pose_of
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import did_you_mean
from controlit_ros.installed import load, plugins
from controlit_ros.interfaces import Message, new
from controlit_ros.parameters import Kind, Parameter, Quantity

GROUP = "controlit.conversions"
"""Group of entry points: any name to a function that takes a `Parameter` and returns a list of
`Conversion`, one for each message type the parameter can travel as."""

_JOINT_FIELDS = {
    "rad": "position",
    "m": "position",
    "rad/s": "velocity",
    "m/s": "velocity",
    "N m": "effort",
    "N": "effort",
}
_GEOMETRY = {
    Quantity.POINT: "geometry_msgs/msg/Point",
    Quantity.VECTOR: "geometry_msgs/msg/Vector3",
    Quantity.QUATERNION: "geometry_msgs/msg/Quaternion",
    Quantity.POSE: "geometry_msgs/msg/Pose",
    Quantity.PLANAR_TWIST: "geometry_msgs/msg/Twist",
    Quantity.FOOTSTEPS: FOOTSTEP_PLAN,
}
_XYZ = ("x", "y", "z")
_XYZW = ("x", "y", "z", "w")


def default_message_type(parameter: Parameter) -> str:
    """Return the message type that says most about a parameter."""
    if parameter.is_array:
        if parameter.quantity in _GEOMETRY:
            return _GEOMETRY[parameter.quantity]
        if parameter.labels and parameter.unit in _JOINT_FIELDS:
            return "sensor_msgs/msg/JointState"
        return "std_msgs/msg/Float64MultiArray"
    return {
        Kind.FLOAT: "std_msgs/msg/Float64",
        Kind.INTEGER: "std_msgs/msg/Int32",
        Kind.BOOLEAN: "std_msgs/msg/Bool",
        Kind.TEXT: "std_msgs/msg/String",
    }[parameter.kind]


def conversion(
    parameter: Parameter, type_name: str = "", frames: FrameNames = ROBOT_ALONE
) -> Conversion:
    """Return how a parameter travels as a message type; empty for the default type.

    Args:
        parameter: What travels.
        type_name: As what.
        frames: What the world is called in headers.

    Raises:
        ConversionError: The type cannot carry the parameter; the text lists those that can.
    """
    if parameter.shape and None in parameter.shape:
        raise ConversionError(f"{parameter.full_name} is a list and cannot be bound")
    wanted = type_name or default_message_type(parameter)
    candidates = {c.type_name: c for c in _conversions(parameter, frames)}
    if wanted not in candidates:
        hint = did_you_mean(wanted, candidates)
        raise ConversionError(f"{parameter.full_name} cannot travel as {wanted!r}{hint}")
    return candidates[wanted]


def _conversions(parameter: Parameter, frames: FrameNames) -> list[Conversion]:
    if not parameter.is_array:
        return [_scalar(parameter)]
    found = [
        Conversion(
            "std_msgs/msg/Float64MultiArray",
            lambda message: np.asarray(message.data),
            lambda values, _stamp: new("std_msgs/msg/Float64MultiArray", data=values),
            copies=True,
        )
    ]
    size = parameter.value.size
    quantity = parameter.quantity
    if size == 1:
        found.append(
            Conversion(
                "std_msgs/msg/Float64",
                lambda message: message.data,
                lambda values, _stamp: new("std_msgs/msg/Float64", data=float(values[0])),
                copies=True,
            )
        )
    if size == 3:
        found += _with_stamped("Point", _XYZ, "", "point", frames)
        found += _with_stamped("Vector3", _XYZ, "", "vector", frames)
        if quantity is Quantity.POINT:
            found += _with_stamped("Pose", _XYZ, "position", "pose", frames)
        found += _with_stamped("Wrench", _XYZ, "force", "wrench", frames)
    if quantity is Quantity.QUATERNION:
        found += _with_stamped("Quaternion", _XYZW, "", "quaternion", frames)
        found += _with_stamped("Pose", _XYZW, "orientation", "pose", frames)
    if quantity is Quantity.POSE:
        found += _pose(frames)
    found += _ways(parameter, frames)
    if size == 6:
        found += _wrench(frames)
    if parameter.labels and parameter.unit in _JOINT_FIELDS:
        found.append(_joint_state(parameter, _JOINT_FIELDS[parameter.unit]))
    return found + marker_conversions(parameter, frames) + _from_elsewhere(parameter)


def _from_elsewhere(parameter: Parameter) -> list[Conversion]:
    return [
        converted
        for entry in plugins(GROUP).values()
        for converted in load(entry, "conversion")(parameter)
    ]


def _scalar(parameter: Parameter) -> Conversion:
    type_name = default_message_type(parameter)
    return Conversion(
        type_name,
        lambda message: message.data,
        lambda value, _stamp: new(type_name, data=value),
        copies=parameter.kind is Kind.FLOAT,
    )


def _with_stamped(
    name: str, axes: tuple[str, ...], part: str, inner: str, frames: FrameNames
) -> list[Conversion]:
    """Return the conversions of a geometry message and of its stamped form.

    Args:
        name: Name of the message in geometry_msgs.
        axes: Fields of the numbers.
        part: Field of the message that holds them; empty for the message itself.
        inner: Field of the stamped form that holds the message.
        frames: What the world is called.
    """

    def read(message: Message) -> Array:
        holder = getattr(message, part) if part else message
        return np.array([getattr(holder, axis) for axis in axes])

    def fields(values: Array) -> dict[str, Any]:
        numbers = dict(zip(axes, values.tolist(), strict=True))
        return {part: numbers} if part else numbers

    return _plain_and_stamped(name, inner, read, fields, frames)


def _ways(parameter: Parameter, frames: FrameNames) -> list[Conversion]:
    """Return the conversions of where a robot shall go."""
    if parameter.quantity is Quantity.FOOTSTEPS:
        return [footstep_conversion(parameter, frames)]
    return [_planar_twist()] if parameter.quantity is Quantity.PLANAR_TWIST else []


def _planar_twist() -> Conversion:
    name = "geometry_msgs/msg/Twist"

    def read(message: Message) -> Array:
        return np.array([message.linear.x, message.linear.y, message.angular.z])

    def write(values: Array, _stamp: float) -> Message:
        x, y, turning = values.tolist()
        return new(name, linear={"x": x, "y": y}, angular={"z": turning})

    return Conversion(name, read, write, copies=True)


def _wrench(frames: FrameNames) -> list[Conversion]:
    def read(message: Message) -> Array:
        force, torque = message.force, message.torque
        return np.array([force.x, force.y, force.z, torque.x, torque.y, torque.z])

    def fields(values: Array) -> dict[str, Any]:
        numbers = values.tolist()
        return {
            "force": dict(zip(_XYZ, numbers[:3], strict=True)),
            "torque": dict(zip(_XYZ, numbers[3:], strict=True)),
        }

    return _plain_and_stamped("Wrench", "wrench", read, fields, frames)


def _pose(frames: FrameNames) -> list[Conversion]:
    def read(message: Message) -> Array:
        return pose_of(message)

    return _plain_and_stamped("Pose", "pose", read, pose_fields, frames)


def _plain_and_stamped(
    name: str,
    inner: str,
    read: Callable[[Message], Array],
    fields: Callable[[Array], dict[str, Any]],
    frames: FrameNames,
) -> list[Conversion]:
    plain, stamped = f"geometry_msgs/msg/{name}", f"geometry_msgs/msg/{name}Stamped"

    def read_stamped(message: Message) -> Array:
        frames.check_world(message.header.frame_id)
        return read(getattr(message, inner))

    def write_stamped(values: Array, stamp: float) -> Message:
        header = {"stamp": time_fields(stamp), "frame_id": frames.world}
        return new(stamped, header=header, **{inner: fields(values)})

    return [
        Conversion(plain, read, lambda values, _stamp: new(plain, **fields(values)), copies=True),
        Conversion(stamped, read_stamped, write_stamped, copies=True),
    ]


def _joint_state(parameter: Parameter, field: str) -> Conversion:
    type_name = "sensor_msgs/msg/JointState"
    names = list(parameter.labels)

    def read(message: Message) -> dict[str, float]:
        values = np.asarray(getattr(message, field))
        if len(values) != len(message.name):
            raise ConversionError(
                f"{parameter.full_name}: found {len(message.name)} names and {len(values)} numbers "
                f"in {field}, expected as many"
            )
        named = dict(zip(message.name, values.tolist(), strict=True))
        if len(named) < len(values):
            twice = next(name for name in message.name if list(message.name).count(name) > 1)
            raise ConversionError(f"{parameter.full_name}: {twice!r} stands twice, expected once")
        return named

    def write(values: Array, stamp: float) -> Message:
        return new(type_name, header={"stamp": time_fields(stamp)}, name=names, **{field: values})

    return Conversion(type_name, read, write, copies=True)
