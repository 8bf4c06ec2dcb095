"""GoalHandles: what the operator drags to move goals."""

import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

import numpy as np
from viser import ClientHandle, TransformControlsEvent

from controlit_ros.arrays import Array
from controlit_ros.client.link import ControllerLink
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import DEFAULT
from controlit_ros.transport.errors import TransportClosedError

FEEDBACK = "visualization_msgs/msg/InteractiveMarkerFeedback"
GET = "visualization_msgs/srv/GetInteractiveMarkers"
POSE_UPDATE = 1  # InteractiveMarkerFeedback
WORLD = "world"
SIZE = 0.22  # [m] of the arrows
ROOT = "/handles"
SEPARATOR = " + "


class HandlePose(NamedTuple):
    """Where a handle is.

    Attributes:
        position: `(3,)` in the world [m].
        wxyz: `(4,)` quaternion, as viser has it.
        moves: Whether it can be moved.
        turns: Whether it can be turned.
    """

    position: Array
    wxyz: Array
    moves: bool = True
    turns: bool = True


class Board(Protocol):
    """What there is to drag."""

    poses: dict[str, HandlePose]

    def drag(self, client: str, name: str, position: Array, wxyz: Array, *, turned: bool) -> None:
        """Hear where a handle is dragged to, and whether it was turned."""

    def release(self, name: str) -> None:
        """Hear that a handle was let go."""


class HandleBoard:
    """Which handles a controller offers and where they are, by its interactive markers.

    Args:
        link: The way to the controller.

    Attributes:
        poses: By the name of the handle: the tasks that it moves, joined.
    """

    def __init__(self, link: ControllerLink) -> None:
        self.poses: dict[str, HandlePose] = {}
        self._link = link
        topic = link.topic("interactive_markers/feedback")
        self._publisher = link.transport.publisher(topic, FEEDBACK, DEFAULT)

    def ask(self) -> None:
        """Ask for all handles."""
        self._take(self._link.ask("interactive_markers/get_interactive_markers", GET).markers)

    def follow(self, update: Message) -> None:
        """Take a `visualization_msgs/msg/InteractiveMarkerUpdate`."""
        self._take(update.markers)
        for moved in update.poses:
            known = self.poses.get(str(moved.name))
            if known is not None:
                position, wxyz = _pose(moved.pose)
                self.poses[str(moved.name)] = known._replace(position=position, wxyz=wxyz)
        for name in update.erases:
            self.poses.pop(str(name), None)

    def drag(self, client: str, name: str, position: Array, wxyz: Array, *, turned: bool) -> None:
        """Tell the controller where a handle is now; it moves goals by its own checks."""
        w, x, y, z = (float(number) for number in wxyz)
        self._publisher.publish(
            new(
                FEEDBACK,
                header={"frame_id": WORLD},
                client_id=client,
                marker_name=name,
                control_name="rotate_x" if turned else "move_3d",
                event_type=POSE_UPDATE,
                pose={
                    "position": dict(zip("xyz", (float(p) for p in position), strict=True)),
                    "orientation": {"x": x, "y": y, "z": z, "w": w},
                },
            )
        )

    def release(self, name: str) -> None:
        """Leave the goal where it was dragged to."""

    def close(self) -> None:
        """Drag no more."""
        self._publisher.close()

    def _take(self, markers: Any) -> None:
        for marker in markers:
            position, wxyz = _pose(marker.pose)
            names = [str(control.name) for control in marker.controls]
            self.poses[str(marker.name)] = HandlePose(
                position,
                wxyz,
                any(name.startswith("move") for name in names),
                any(name.startswith("rotate") for name in names),
            )


class GoalHandles:
    """Handles in the scene of one browser, there while it may move the robot.

    Args:
        client: The browser.
        board: What there is to drag.
        may_move: Tells whether the browser may move the robot now.
        is_there: Tells whether the browser is there.

    Attributes:
        dragged: Name of the handle that is held now, or was when the browser was lost; empty for
            none.
    """

    def __init__(
        self,
        client: ClientHandle,
        board: Board,
        may_move: Callable[[], bool],
        is_there: Callable[[], bool],
    ) -> None:
        self.dragged = ""
        self._is_there = is_there
        self._client = client
        self._board = board
        self._may_move = may_move
        self._shown: dict[str, Any] = {}
        self._orientation: Array = np.array([1.0, 0.0, 0.0, 0.0])

    def show(self, *, are_wanted: bool) -> None:
        """Put handles where the goals are; take away those that are gone."""
        poses = self._board.poses if are_wanted else {}
        for name in [name for name in self._shown if name not in poses]:
            self._shown.pop(name).remove()
            if self.dragged == name:
                self.dragged = ""
        for name, pose in list(poses.items()):
            if name not in self._shown:
                self._shown[name] = self._add(name, pose)
            elif name != self.dragged:
                _place(self._shown[name], pose)

    def _add(self, name: str, pose: HandlePose) -> Any:
        handle = self._client.scene.add_transform_controls(
            f"{ROOT}/{quote(name, safe='')}",
            scale=SIZE,
            disable_axes=not pose.moves,
            disable_sliders=not pose.moves,
            disable_rotations=not pose.turns,
            depth_test=False,
            position=pose.position,
            wxyz=pose.wxyz,
        )

        async def follow(event: TransformControlsEvent) -> None:
            self._follow(name, event)

        handle.on_update(follow)
        return handle

    def _follow(self, name: str, event: TransformControlsEvent) -> None:
        handle = event.target
        if event.phase == "start":
            self.dragged, self._orientation = name, np.array(handle.wxyz)
        elif event.phase == "end":
            if self._is_there():  # viser ends the drags of a lost browser itself
                self.dragged = ""
                if self._may_move():
                    self._board.release(name)
        elif self._may_move():
            turned = np.abs(np.array(handle.wxyz) - self._orientation).max() > 1e-6
            page = f"controlit_console_{self._client.client_id}"
            with contextlib.suppress(TransportClosedError):  # the controller has gone since
                self._board.drag(page, name, handle.position, handle.wxyz, turned=bool(turned))


def tasks_of(handle: str) -> list[str]:
    """Return the tasks that a handle moves."""
    return [name for name in handle.split(SEPARATOR) if name]


def _place(handle: Any, pose: HandlePose) -> None:
    if np.abs(pose.position - handle.position).max() > 1e-4:
        handle.position = pose.position
    if np.abs(pose.wxyz - handle.wxyz).max() > 1e-3:
        handle.wxyz = pose.wxyz


def _pose(pose: Message) -> tuple[Array, Array]:
    place, turn = pose.position, pose.orientation
    wxyz = np.array([turn.w, turn.x, turn.y, turn.z])
    length = float(np.linalg.norm(wxyz))
    return np.array([place.x, place.y, place.z]), wxyz / length if length > 0.5 else np.eye(4)[0]
