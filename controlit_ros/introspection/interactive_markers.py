"""InteractiveMarkers: goals that are dragged in RViz."""

import threading
import time
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection import marker
from controlit_ros.introspection.goal_handle import GoalHandle, goal_handles
from controlit_ros.introspection.marker import GREEN, Fields, Key
from controlit_ros.introspection.scene import Scene
from controlit_ros.introspection.views import Pose, ShapeView
from controlit_ros.parameters import Poster
from controlit_ros.transport import Qos, Transport

NAMESPACE = "interactive_markers"
UPDATE = "visualization_msgs/msg/InteractiveMarkerUpdate"
FEEDBACK = "visualization_msgs/msg/InteractiveMarkerFeedback"
GET = "visualization_msgs/srv/GetInteractiveMarkers"
QUALITY = Qos(depth=100)  # [messages] as ROS 2's own server; a lost update resets its clients

SCALE = 0.25  # [m] across, with its arrows and rings
HOLD = 1.0  # [s] for which who drags a marker keeps others from it, as in ROS 2's own server
KIND_UPDATE = 1  # InteractiveMarkerUpdate
POSE_UPDATE = 1  # InteractiveMarkerFeedback
INHERIT, FIXED = 0, 1  # orientation modes of InteractiveMarkerControl
MOVE_AXIS, ROTATE_AXIS, MOVE_3D = 3, 5, 7  # interaction modes of it
_QUARTER = 1.0 / sqrt(2.0)
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 0.0, 1.0), "z": (0.0, 1.0, 0.0)}
"""Axes of quaternions that turn a control's x axis to x, z, y; a mirror turn serves as well."""


class InteractiveMarkers:
    """Serves a handle for the goals of each body by the protocol of interactive_markers.

    `interactive_markers/update` tells changes, numbered; `get_interactive_markers` gives
    everything as of a number; `feedback` tells what users do. A dragged handle moves the goals of
    its tasks through the mailbox.

    Args:
        mailbox: Takes goals to the servo.
        complain: Takes the reason why a message was not followed.
        transport: Names are relative to its namespace.
        frames: What frames are called.
    """

    def __init__(
        self,
        mailbox: Poster,
        complain: Callable[[str], None],
        transport: Transport,
        frames: FrameNames,
    ) -> None:
        self._mailbox = mailbox
        self._complain = complain
        self._frames = frames
        self._lock = threading.Lock()
        self._views: list[tuple[str, ShapeView]] = []
        self._handles: dict[str, GoalHandle] = {}
        self._holders: dict[str, tuple[str, float]] = {}
        self._number = 0
        self._server = f"{transport.namespace}/{NAMESPACE}"
        self._publisher = transport.publisher(f"{NAMESPACE}/update", UPDATE, QUALITY)
        transport.subscribe(f"{NAMESPACE}/feedback", FEEDBACK, self._follow, QUALITY)
        transport.serve(f"{NAMESPACE}/get_interactive_markers", GET, self._get)

    @property
    def is_wanted(self) -> bool:
        """Whether anybody listens."""
        return self._publisher.subscriber_count() > 0

    def show(self, scene: Scene) -> None:
        """Tell how the handles of a scene differ from those told before."""
        views = [
            (task.name, shape)
            for task in scene.tasks
            for shape in task.shapes
            if isinstance(shape, ShapeView)
        ]
        with self._lock:
            if views == self._views:
                added, erased = [], []
                moved = [handle for handle in self._handles.values() if handle.follow()]
            else:
                before, self._views = self._handles, views
                self._handles = {handle.name: handle for handle in goal_handles(views)}
                added = [handle for handle in self._handles.values() if _is_new(handle, before)]
                moved = [
                    handle
                    for handle in self._handles.values()
                    if handle not in added and handle.replaces(before[handle.name])
                ]
                erased = [name for name in before if name not in self._handles]
            if not (added or moved or erased):
                return
            self._number += 1
            update = new(
                UPDATE,
                server_id=self._server,
                seq_num=self._number,
                type=KIND_UPDATE,
                markers=[_interactive_marker(handle, self._frames.world) for handle in added],
                poses=[_pose_update(handle, self._frames.world) for handle in moved],
                erases=erased,
            )
        self._publisher.publish(update)

    def _get(self, _request: Message) -> Message:
        with self._lock:
            markers = [
                _interactive_marker(handle, self._frames.world) for handle in self._handles.values()
            ]
            return new(f"{GET}_Response", sequence_number=self._number, markers=markers)

    def _follow(self, feedback: Message) -> None:
        if feedback.event_type != POSE_UPDATE:
            return
        try:
            goals = self._goals(feedback)
            if goals:
                self._mailbox.check_read()
                self._mailbox.post(goals)
        except ControlItError as error:
            self._complain(f"interactive marker {feedback.marker_name!r}: {error}")

    def _goals(self, feedback: Message) -> dict[Any, Any]:
        name = feedback.marker_name
        self._frames.check_world(feedback.header.frame_id)
        now = time.monotonic()
        with self._lock:
            handle = self._handles.get(name)
            if handle is None:
                return {}  # its task was disabled while it was dragged
            holder, since = self._holders.get(name, (feedback.client_id, now))
            if holder != feedback.client_id and now - since < HOLD:
                return {}
            self._holders[name] = (feedback.client_id, now)
            return handle.goals(feedback.pose, feedback.control_name)


def _is_new(handle: GoalHandle, before: dict[str, GoalHandle]) -> bool:
    known = before.get(handle.name)
    return known is None or known.controls != handle.controls


def _pose(pose: Pose) -> Fields:
    return {
        "position": marker.point(pose.position),
        "orientation": marker.rotation(pose.orientation),
    }


def _pose_update(handle: GoalHandle, world: str) -> Fields:
    return {"header": {"frame_id": world}, "name": handle.name, "pose": _pose(handle.pose)}


def _interactive_marker(handle: GoalHandle, world: str) -> Fields:
    controls = []
    ball = marker.sphere(Key(handle.name, 0), np.zeros(3), GREEN).fields()
    can_move, can_turn = handle.controls
    if can_move:
        controls.append(_control("move_3d", MOVE_3D, "x", markers=[ball], always_visible=True))
        controls += [_control(f"move_{axis}", MOVE_AXIS, axis) for axis in _AXES]
    if can_turn:
        controls += [_control(f"rotate_{axis}", ROTATE_AXIS, axis) for axis in _AXES]
    return {
        "header": {"frame_id": world},
        "name": handle.name,
        "description": handle.name,
        "scale": SCALE,
        "pose": _pose(handle.pose),
        "controls": controls,
    }


def _control(name: str, mode: int, axis: str, **fields: Any) -> Fields:
    x, y, z = (_QUARTER * part for part in _AXES[axis])
    return {
        "name": name,
        "orientation": {"w": _QUARTER, "x": x, "y": y, "z": z},
        "orientation_mode": FIXED if mode != ROTATE_AXIS else INHERIT,
        "interaction_mode": mode,
        **fields,
    }
