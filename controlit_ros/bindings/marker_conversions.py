"""Positions, orientations and directions as markers of RViz."""

from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.conversion_type import Conversion
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.bindings.marker_pose import READINGS, pointing, pose_fields
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import Message, new
from controlit_ros.parameters import Parameter, Quantity

Fields = dict[str, Any]

FEEDBACK = "visualization_msgs/msg/InteractiveMarkerFeedback"
MARKER = "visualization_msgs/msg/Marker"
MARKER_ARRAY = "visualization_msgs/msg/MarkerArray"

POSE_UPDATE = 1  # events of InteractiveMarkerFeedback
ADD = 0  # actions of Marker
ARROW, SPHERE = 0, 2  # types of it
POINT_SIZE = {"x": 0.04, "y": 0.04, "z": 0.04}  # [m] across
ARROW_SIZE = {"x": 0.2, "y": 0.02, "z": 0.03}  # [m] length, breadth and height
GOAL_COLOR = {"r": 0.1, "g": 0.8, "b": 0.2, "a": 0.8}  # green, as in the paper's figures
ACTUAL_COLOR = {"r": 0.15, "g": 0.35, "b": 1.0, "a": 0.8}  # blue
NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])


def marker_conversions(parameter: Parameter, frames: FrameNames) -> list[Conversion]:
    """Return how a parameter travels as markers: none unless it is a place or a direction.

    Read, a marker that somebody drags (`InteractiveMarkerFeedback`: changes of its pose, other
    events say nothing) or that somebody shows (`Marker`, `MarkerArray` of one). Written, a ball
    for a point, and an arrow at the origin for an orientation (its x axis) or a direction; for a
    pose the arrow is at its place.
    """
    quantity = parameter.quantity
    reading = READINGS.get(quantity)
    # a vector without unit length has a size, which no pose shows
    if reading is None or (quantity is Quantity.VECTOR and not parameter.unit_length):
        return []

    def dragged(message: Message) -> Array | None:
        if message.event_type != POSE_UPDATE:
            return None
        frames.check_world(message.header.frame_id)
        return reading(message.pose)

    def shown(message: Message) -> Array | None:
        if message.action != ADD:
            return None
        frames.check_world(message.header.frame_id)
        return reading(message.pose)

    def first_shown(message: Message) -> Array | None:
        if len(message.markers) != 1:
            raise ConversionError(f"found {len(message.markers)} markers, expected 1")
        return shown(message.markers[0])

    def feedback(values: Array, stamp: float) -> Message:
        pose = _pose(quantity, values)
        name = parameter.full_name
        header = _header(stamp, frames)
        return new(FEEDBACK, header=header, marker_name=name, event_type=POSE_UPDATE, pose=pose)

    return [
        Conversion(FEEDBACK, dragged, feedback),
        Conversion(
            MARKER,
            shown,
            lambda values, stamp: new(MARKER, **_marker(parameter, values, stamp, frames)),
        ),
        Conversion(
            MARKER_ARRAY,
            first_shown,
            lambda values, stamp: new(
                MARKER_ARRAY, markers=[_marker(parameter, values, stamp, frames)]
            ),
        ),
    ]


def _header(stamp: float, frames: FrameNames) -> Fields:
    return {"stamp": time_fields(stamp), "frame_id": frames.world}


def _pose(quantity: Quantity, values: Array) -> Fields:
    position, turn = np.zeros(3), NO_TURN
    if quantity is Quantity.POSE:
        return pose_fields(values)
    if quantity is Quantity.POINT:
        position = values
    else:
        turn = values if quantity is Quantity.QUATERNION else pointing(values)
    return pose_fields(np.concatenate([position, turn]))


def _marker(parameter: Parameter, values: Array, stamp: float, frames: FrameNames) -> Fields:
    is_point = parameter.quantity is Quantity.POINT
    return {
        "header": _header(stamp, frames),
        "ns": parameter.owner,
        "type": SPHERE if is_point else ARROW,
        "action": ADD,
        "pose": _pose(parameter.quantity, values),
        "scale": POINT_SIZE if is_point else ARROW_SIZE,
        "color": GOAL_COLOR if parameter.name.startswith("goal") else ACTUAL_COLOR,
    }
