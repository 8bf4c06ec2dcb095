"""MarkerNodes: what a controller draws of itself, in the scene."""

from typing import Any
from urllib.parse import quote

import numpy as np
from viser import SceneApi
from viser.transforms import SO3

from controlit_console.marker_kinds import (
    ARROW,
    CUBE,
    CYLINDER,
    DELETE,
    LINE_LIST,
    LINE_STRIP,
    SPHERE,
    TRIANGLE_LIST,
)
from controlit_ros.arrays import Array
from controlit_ros.interfaces import Message

ROOT = "/shown"
LINE_WIDTH = 3.0  # [px]
SCENE = "scene/"  # before the name of a body that stands around the robot
BROAD = 1.0  # [m] wide and high: a wall may stand before the robot
SEEN_THROUGH = 0.3  # [-] opacity of what is broad


class MarkerNodes:
    """Draws `visualization_msgs/msg/Marker`s: goals, actual values, contacts, forces, supports.

    Args:
        scene: Where to draw.

    Attributes:
        ghosts: Tasks whose skeletons are left out, since ghosts show the same.
    """

    def __init__(self, scene: SceneApi) -> None:
        self.ghosts: frozenset[str] = frozenset()
        self._scene = scene
        self._nodes: dict[tuple[str, int], tuple[int, Any]] = {}

    def show(self, markers: list[Message]) -> None:
        """Draw some anew, and take those away that are deleted."""
        for marker in markers:
            key = (str(marker.ns), int(marker.id))
            kind, node = self._nodes.get(key, (None, None))
            is_gone = marker.action == DELETE or self._is_of_ghost(marker)
            if node is not None and (is_gone or kind != marker.type):
                self._nodes.pop(key)
                node.remove()
                node = None
            if is_gone:
                continue
            if node is None:
                self._nodes[key] = (int(marker.type), self._add(marker))
            else:
                _move(node, marker)

    def _is_of_ghost(self, marker: Message) -> bool:
        return str(marker.ns) in self.ghosts and marker.type == LINE_LIST

    def clear(self) -> None:
        """Take everything away."""
        for _, node in self._nodes.values():
            node.remove()
        self._nodes.clear()

    def _add(self, marker: Message) -> Any:
        name = f"{ROOT}/{quote(marker.ns, safe='')}/{marker.id}"
        color = (float(marker.color.r), float(marker.color.g), float(marker.color.b))
        scene = self._scene
        if marker.type == ARROW:
            return scene.add_arrows(
                name,
                _points(marker),
                color,
                shaft_radius=0.5 * float(marker.scale.x),
                head_radius=0.5 * float(marker.scale.y),
                head_length=max(1e-3, float(marker.scale.z)),
            )
        if marker.type in (LINE_STRIP, LINE_LIST):
            return scene.add_line_segments(
                name,
                _points(marker),
                _colors(marker),
                thickness=LINE_WIDTH,
                thickness_units="screen",
            )
        return self._add_solid(name, color, marker)

    def _add_solid(self, name: str, color: tuple[float, float, float], marker: Message) -> Any:
        scene = self._scene
        look: dict[str, Any] = {
            "color": color,
            "opacity": _opacity(marker),
            "cast_shadow": False,
            "position": _position(marker),
            "wxyz": _wxyz(marker),
        }
        if marker.type == SPHERE:
            return scene.add_icosphere(name, 0.5, scale=_scale(marker), **look)
        if marker.type == CUBE:
            return scene.add_box(name, dimensions=_scale(marker), **look)
        if marker.type == CYLINDER:
            radius, height = 0.5 * float(marker.scale.x), float(marker.scale.z)
            return scene.add_cylinder(name, radius, height, **look)
        if marker.type == TRIANGLE_LIST:
            corners = np.array([(p.x, p.y, p.z) for p in marker.points], dtype=np.float32)
            faces = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
            look |= {"flat_shading": True, "side": "double"}
            return scene.add_mesh_simple(name, corners, faces, **look)
        return scene.add_frame(name, show_axes=False)


def _move(node: Any, marker: Message) -> None:
    """Move what is drawn already; what has not changed is not sent."""
    if marker.type in (ARROW, LINE_STRIP, LINE_LIST):
        points = _points(marker)
        if points.shape != node.points.shape:
            with_colors = marker.type != ARROW
            node.points = points
            if with_colors:
                node.colors = _colors(marker)
        elif np.abs(points - node.points).max(initial=0.0) > 1e-4:
            node.points = points
        if marker.type == ARROW and abs(node.head_length - marker.scale.z) > 1e-4:
            node.head_length = max(1e-3, float(marker.scale.z))
        return
    position = _position(marker)
    if np.abs(position - node.position).max() > 1e-4:
        node.position = position
    wxyz = _wxyz(marker)
    if np.abs(wxyz - node.wxyz).max() > 1e-3:
        node.wxyz = wxyz


def _points(marker: Message) -> Array:
    """Return pairs of points, `(n, 2, 3)`."""
    places: Any = np.array([(p.x, p.y, p.z) for p in marker.points], dtype=np.float32)
    if marker.type == LINE_STRIP:
        places = np.stack([places[:-1], places[1:]], axis=1)
    pairs: Array = places.reshape(-1, 2, 3)
    return pairs


def _colors(marker: Message) -> Any:
    """Return a colour for each end of each line, `(n, 2, 3)`, or one for all."""
    if len(marker.colors) and marker.type == LINE_LIST:
        ends = np.array([(c.r, c.g, c.b) for c in marker.colors])
        return (255.0 * ends).astype(np.uint8).reshape(-1, 2, 3)
    count = len(_points(marker))
    color = marker.color
    one = (255.0 * np.array([color.r, color.g, color.b])).astype(np.uint8)
    return np.broadcast_to(one, (count, 2, 3)).copy()


def _opacity(marker: Message) -> float | None:
    """Return how opaque it is, `None` for wholly; nobody shall be hidden behind a wall."""
    if marker.color.a < 1.0:
        return float(marker.color.a)
    if not str(marker.ns).startswith(SCENE):
        return None
    *across, height = np.abs(SO3(_wxyz(marker)).as_matrix()) @ _extent(marker)
    return SEEN_THROUGH if height > BROAD and max(across) > BROAD else None


def _extent(marker: Message) -> Array:
    """Return the edges of the box around it, in its own frame, `(3,)` [m]."""
    if marker.type != TRIANGLE_LIST or not len(marker.points):
        return np.array(_scale(marker))
    corners = np.array([(p.x, p.y, p.z) for p in marker.points])
    edges: Array = np.ptp(corners, axis=0)
    return edges


def _scale(marker: Message) -> tuple[float, float, float]:
    scale = marker.scale
    return (float(scale.x), float(scale.y), float(scale.z))


def _position(marker: Message) -> Array:
    place = marker.pose.position
    return np.array([place.x, place.y, place.z])


def _wxyz(marker: Message) -> Array:
    turn = marker.pose.orientation
    found = np.array([turn.w, turn.x, turn.y, turn.z])
    length = np.linalg.norm(found)
    return found / length if length > 0.5 else np.array([1.0, 0.0, 0.0, 0.0])
