"""RobotNodes: the robot in the scene."""

import time
from functools import partial
from typing import Any
from urllib.parse import quote

import numpy as np
import pinocchio as pin
from viser import SceneApi

from controlit_console.drawn_bodies import DrawnBody, drawn_bodies, joined_mesh
from controlit_console.link_shapes import are_turned, bones, link_shapes, load_mesh
from controlit_console.posture import Posture
from controlit_ros.arrays import Array

ROOT = "/robot"
BONE = (0.25, 0.48, 0.85)
SIDES = 24  # [#] of cylinders
AT_ONCE = 0.02  # [s] for which shapes are drawn before the next picture


class RobotNodes:
    """Draws a robot where it is; shapes come some at a time, so the page is there.

    Frames hang on each other as the robot's joints do: what turns moves all that it carries, in
    one message.

    Args:
        scene: Where to draw.
        urdf: What the robot looks like.
        root: Under which name.
        color: Of all of it; `None`: the robot's own.
        look: What else all shapes are drawn with.
    """

    def __init__(
        self,
        scene: SceneApi,
        urdf: str,
        root: str = ROOT,
        color: tuple[float, float, float] | None = None,
        **look: Any,
    ) -> None:
        self.posture = Posture(urdf)
        self._scene, self._color, self._look = scene, color, look
        shapes = list(link_shapes(urdf))
        self._load = partial(load_mesh, are_turned=are_turned(urdf, shapes))
        self._waiting = list(drawn_bodies(shapes, self.posture))
        self.has_shapes = bool(shapes)
        self._bones = [] if self.has_shapes else bones(self.posture.model)
        self.missing = 0
        self._links = tuple(dict.fromkeys(shape.link for shape in shapes))
        self._shown = self.posture.nowhere()
        self._is_placed = False
        self._frames = _frames(scene, root, self.posture.model)
        self._count = 0
        self._sticks = scene.add_line_segments(
            f"{root}/bones",
            np.zeros((1, 2, 3), np.float32),
            BONE,
            thickness=8.0,
            thickness_units="screen",
            visible=False,
        )

    @property
    def is_complete(self) -> bool:
        """Whether all shapes are drawn."""
        return not self._waiting

    def draw_more(self) -> None:
        """Draw some of the shapes that are still to be drawn; where meshes are missing, bones."""
        end = time.perf_counter() + AT_ONCE
        for body in [body for body in self._waiting if self._is_due(body)]:
            self._waiting.remove(body)
            self._draw(body)
            if time.perf_counter() > end:
                return

    def show(self) -> None:
        """Move everything to where the posture is now."""
        self.posture.update()
        self._is_placed = True
        self._move()
        if self._bones:
            places = self.posture.joints()[:, :3, 3]
            self._sticks.points = places[np.array(self._bones)].astype(np.float32)
            self._sticks.visible = True

    def places(self) -> Array:
        """Return where its links are, `(n, 3)` [m]; none before they were placed."""
        links = self._links if self._is_placed else ()
        return np.array([self.posture.link(link).translation for link in links]).reshape(-1, 3)

    def remove(self) -> None:
        """Take it away."""
        self._sticks.remove()
        self._frames[1].remove()  # and all that hangs on it

    def _is_due(self, body: DrawnBody) -> bool:  # noqa: ARG002 - a ghost asks which
        """Tell whether a body that is not drawn yet is to be drawn now."""
        return True

    def _move(self) -> None:
        for joint in self.posture.moved(self._shown):
            place = self.posture.beside_parent(joint)
            frame = self._frames[joint]
            if (place.translation != frame.position).any():  # which few joints change
                frame.position = place.translation.copy()
            frame.wxyz = _wxyz(place)

    def _draw(self, body: DrawnBody) -> Any:
        """Draw a body; return its node, `None` where nothing of it is on this machine."""
        self._count += 1
        name = f"{self._frames[body.joint].name}/:{self._count}"  # no joint's: its colon is quoted
        (shape, place), *_ = body.shapes
        look: dict[str, Any] = {"color": self._color or body.color, **self._look}
        scene = self._scene
        if body.is_mesh:
            mesh, missing = joined_mesh(body, self._load)
            if missing:
                self.missing += missing
                self._bones = bones(self.posture.model)
            if not len(mesh.faces):
                return None
            # some files wind triangles either way
            look |= {"flat_shading": True, "side": "double"}
            return scene.add_mesh_simple(name, mesh.vertices, mesh.faces, **look)
        look |= {"position": place.translation, "wxyz": _wxyz(place)}
        if shape.kind == "box":
            return scene.add_box(name, dimensions=np.array(shape.size), **look)
        if shape.kind == "sphere":
            return scene.add_icosphere(name, radius=shape.size[0], **look)
        radius, length = shape.size
        return scene.add_cylinder(name, radius, length, radial_segments=SIDES, **look)


def _frames(scene: SceneApi, root: str, model: pin.Model) -> dict[int, Any]:
    """Return a frame for each joint, on that of its parent.

    A slash of a joint's name would hang it on another.
    """
    frames: dict[int, Any] = {}
    for joint in range(1, model.njoints):
        parent = model.parents[joint]
        above = frames[parent].name if parent else root
        name = f"{above}/{quote(model.names[joint], safe='')}"
        frames[joint] = scene.add_frame(name, show_axes=False)
    return frames


def _wxyz(place: pin.SE3) -> Array:
    x, y, z, w = pin.Quaternion(place.rotation).coeffs()
    return np.array([w, x, y, z])
