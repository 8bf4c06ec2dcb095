"""MarkerNodes: what a controller draws of itself, in the scene."""

from typing import Any
from urllib.parse import quote

import numpy as np
from viser import SceneApi
from viser.transforms import SO3

from controlit_console.lattice import lattice
from controlit_console.marker_kinds import (
    ARROW,
    CUBE,
    CYLINDER,
    LINE_LIST,
    LINE_STRIP,
    SPHERE,
    TRIANGLE_LIST,
)
from controlit_console.seen_marker import SeenMarker
from controlit_ros.arrays import Array

ROOT = "/shown"
LINE_WIDTH = 3.0  # [px]
THIN = 1.5  # [px] of the lines of a wall
SCENE = "scene/"  # before the name of a body that stands around the robot
BROAD = 1.0  # [m] wide and high: a wall may stand before the robot
SEEN_THROUGH = 0.3  # [-] opacity of what is broad


class MarkerNodes:
    """Draws markers: goals, actual values, contacts, forces, supports.

    Args:
        scene: Where to draw.

    Attributes:
        ghosts: Tasks whose skeletons are left out, since ghosts show the same.
    """

    def __init__(self, scene: SceneApi) -> None:
        self.ghosts: frozenset[str] = frozenset()
        self._scene = scene
        self._nodes: dict[tuple[str, int], tuple[int, Any]] = {}

    def show(self, markers: list[SeenMarker]) -> None:
        """Draw some anew, and take those away that are deleted."""
        for marker in markers:
            key = (marker.ns, marker.id)
            kind, node = self._nodes.get(key, (None, None))
            is_gone = marker.is_deleted or self._is_of_ghost(marker)
            if node is not None and (is_gone or kind != marker.type):
                self._nodes.pop(key)
                node.remove()
                node = None
            if is_gone:
                continue
            if node is None:
                self._nodes[key] = (marker.type, self._add(marker))
            else:
                _move(node, marker)

    def _is_of_ghost(self, marker: SeenMarker) -> bool:
        return marker.ns in self.ghosts and marker.type == LINE_LIST

    def clear(self) -> None:
        """Take everything away."""
        for _, node in self._nodes.values():
            node.remove()
        self._nodes.clear()

    def _add(self, marker: SeenMarker) -> Any:
        name = f"{ROOT}/{quote(marker.ns, safe='')}/{marker.id}"
        red, green, blue, _ = marker.color.tolist()
        color = (red, green, blue)
        scene = self._scene
        if marker.type == ARROW:
            shaft, head, length = marker.scale.tolist()
            return scene.add_arrows(
                name,
                _points(marker),
                color,
                shaft_radius=0.5 * shaft,
                head_radius=0.5 * head,
                head_length=max(1e-3, length),
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

    def _add_solid(self, name: str, color: tuple[float, float, float], marker: SeenMarker) -> Any:
        scene = self._scene
        look: dict[str, Any] = {
            "color": color,
            "opacity": _opacity(marker),
            "cast_shadow": False,
            "position": marker.position,
            "wxyz": _wxyz(marker),
        }
        if marker.type == SPHERE:
            return scene.add_icosphere(name, 0.5, scale=tuple(marker.scale.tolist()), **look)
        if marker.type == CUBE and _hides(marker):
            return scene.add_line_segments(
                name,
                lattice(marker.scale).astype(np.float32),
                color,
                thickness=THIN,
                thickness_units="screen",
                position=marker.position,
                wxyz=_wxyz(marker),
            )
        if marker.type == CUBE:
            return scene.add_box(name, dimensions=tuple(marker.scale.tolist()), **look)
        if marker.type == CYLINDER:
            width, _, height = marker.scale.tolist()
            return scene.add_cylinder(name, 0.5 * width, height, **look)
        if marker.type == TRIANGLE_LIST:
            corners = marker.points.astype(np.float32)
            faces = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
            look |= {"flat_shading": True, "side": "double"}
            return scene.add_mesh_simple(name, corners, faces, **look)
        return scene.add_frame(name, show_axes=False)


def _move(node: Any, marker: SeenMarker) -> None:
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
        length = max(1e-3, float(marker.scale[2]))
        if marker.type == ARROW and abs(node.head_length - length) > 1e-4:
            node.head_length = length
        return
    if np.abs(marker.position - node.position).max() > 1e-4:
        node.position = marker.position
    wxyz = _wxyz(marker)
    if np.abs(wxyz - node.wxyz).max() > 1e-3:
        node.wxyz = wxyz


def _points(marker: SeenMarker) -> Array:
    """Return pairs of points, `(n, 2, 3)`."""
    places: Any = marker.points.astype(np.float32)
    if marker.type == LINE_STRIP:
        places = np.stack([places[:-1], places[1:]], axis=1)
    pairs: Array = places.reshape(-1, 2, 3)
    return pairs


def _colors(marker: SeenMarker) -> Any:
    """Return a colour for each end of each line, `(n, 2, 3)`, or one for all."""
    if len(marker.colors) and marker.type == LINE_LIST:
        return (255.0 * marker.colors[:, :3]).astype(np.uint8).reshape(-1, 2, 3)
    count = len(_points(marker))
    one = (255.0 * marker.color[:3]).astype(np.uint8)
    return np.broadcast_to(one, (count, 2, 3)).copy()


def _opacity(marker: SeenMarker) -> float | None:
    """Return how opaque it is, `None` for wholly; nobody shall be hidden behind it."""
    opacity = float(marker.color[3])
    if opacity < 1.0:
        return opacity
    return SEEN_THROUGH if _hides(marker) else None


def _hides(marker: SeenMarker) -> bool:
    """Tell whether it is a wall, opaque, high and wide, behind which a robot is not seen."""
    if not marker.ns.startswith(SCENE) or marker.color[3] < 1.0:
        return False
    *across, height = np.abs(SO3(_wxyz(marker)).as_matrix()) @ _extent(marker)
    return bool(height > BROAD and max(across) > BROAD)


def _extent(marker: SeenMarker) -> Array:
    """Return the edges of the box around it, in its own frame, `(3,)` [m]."""
    if marker.type != TRIANGLE_LIST or not len(marker.points):
        return marker.scale
    edges: Array = np.ptp(marker.points, axis=0)
    return edges


def _wxyz(marker: SeenMarker) -> Array:
    found = marker.orientation[[3, 0, 1, 2]]
    length = np.sqrt(found @ found)
    return found / length if length > 0.5 else np.array([1.0, 0.0, 0.0, 0.0])
