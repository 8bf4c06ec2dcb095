"""RobotNodes: the robot in the scene."""

from typing import Any
from urllib.parse import quote

import numpy as np
import pinocchio as pin
from viser import SceneApi

from controlit_console.link_shapes import LinkShape, bones, link_shapes, load_mesh
from controlit_console.posture import Posture
from controlit_ros.arrays import Array

ROOT = "/robot"
SAME = 1e-5  # [m, -] below what anybody sees
BONE = (0.25, 0.48, 0.85)
SIDES = 24  # [#] of cylinders


class RobotNodes:
    """Draws the links of a robot where they are; meshes come one by one, so the page is there.

    Args:
        scene: Where to draw.
        urdf: What the robot looks like.
    """

    def __init__(self, scene: SceneApi, urdf: str) -> None:
        self.posture = Posture(urdf)
        self._scene = scene
        self._waiting = list(link_shapes(urdf))
        self.has_shapes = bool(self._waiting)
        self._bones = [] if self.has_shapes else bones(self.posture.model)
        self._missing = 0
        links = dict.fromkeys(shape.link for shape in self._waiting)
        self._frames = {link: scene.add_frame(_place_of(link), show_axes=False) for link in links}
        self._places = {link: np.full(7, np.inf) for link in links}
        self._sticks = scene.add_line_segments(
            f"{ROOT}/bones",
            np.zeros((1, 2, 3), np.float32),
            BONE,
            thickness=8.0,
            thickness_units="screen",
            visible=False,
        )

    @property
    def missing(self) -> int:
        """Meshes that are not on this machine."""
        return self._missing

    def draw_more(self) -> None:
        """Draw one of the shapes that are still to be drawn; where meshes are missing, bones."""
        if not self._waiting:
            return
        shape = self._waiting.pop(0)
        if not self._draw(shape, f"{_place_of(shape.link)}/{len(self._waiting)}"):
            self._missing += 1
            self._bones = bones(self.posture.model)

    def show(self) -> None:
        """Move everything to where the posture is now."""
        self.posture.update()
        for link, frame in self._frames.items():
            place = self._place(link)
            if np.abs(place - self._places[link]).max() > SAME:
                self._places[link] = place
                frame.position, frame.wxyz = place[:3], place[[6, 3, 4, 5]]
        if self._bones:
            ends = [[self.posture.joint(i) for i in pair] for pair in self._bones]
            self._sticks.points = np.array(ends, dtype=np.float32)
            self._sticks.visible = True

    def remove(self) -> None:
        """Take it away."""
        self._sticks.remove()
        for frame in self._frames.values():
            frame.remove()

    def _place(self, link: str) -> Array:
        pose: Array = pin.SE3ToXYZQUAT(self.posture.link(link))
        return pose

    def _draw(self, shape: LinkShape, name: str) -> bool:
        x, y, z, w = shape.orientation
        placed: dict[str, Any] = {
            "position": shape.position,
            "wxyz": np.array([w, x, y, z]),
            "color": shape.color,
        }
        scene = self._scene
        if shape.kind == "box":
            scene.add_box(name, dimensions=np.array(shape.size), **placed)
        elif shape.kind == "sphere":
            scene.add_icosphere(name, radius=shape.size[0], **placed)
        elif shape.kind == "cylinder":
            radius, length = shape.size
            scene.add_cylinder(name, radius, length, radial_segments=SIDES, **placed)
        else:
            mesh = load_mesh(shape)
            if mesh is None:
                return False
            scene.add_mesh_simple(name, mesh.vertices, mesh.faces, flat_shading=True, **placed)
        return True


def _place_of(link: str) -> str:
    """Return where in the scene a link is, whatever its name; a slash would hang it on another."""
    return f"{ROOT}/links/{quote(link, safe='')}"
