"""RobotNodes: the robot in the scene."""

from typing import Any
from urllib.parse import quote

import numpy as np
import pinocchio as pin
from viser import SceneApi

from controlit_console.link_shapes import LinkShape, are_turned, bones, link_shapes, load_mesh
from controlit_console.posture import Posture
from controlit_ros.arrays import Array

ROOT = "/robot"
SAME = 1e-5  # [m, -] below what anybody sees
BONE = (0.25, 0.48, 0.85)
GHOSTLY = 0.35  # [-] opacity
OFF = 0.015  # [m, -] by which a link of a ghost is elsewhere
SIDES = 24  # [#] of cylinders


class RobotNodes:
    """Draws the links of a robot where they are; meshes come one by one, so the page is there.

    Args:
        scene: Where to draw.
        urdf: What the robot looks like.
        root: Under which name.
        tint: Colour of a ghost, which is transparent; `None`: the robot's own.
    """

    def __init__(
        self,
        scene: SceneApi,
        urdf: str,
        root: str = ROOT,
        tint: tuple[float, float, float] | None = None,
    ) -> None:
        self.posture = Posture(urdf)
        self._scene = scene
        self._root, self._tint = root, tint
        self._waiting = list(link_shapes(urdf))
        self._are_turned = are_turned(urdf, self._waiting)
        self.has_shapes = bool(self._waiting)
        self._bones = [] if self.has_shapes else bones(self.posture.model)
        self._missing = 0
        links = dict.fromkeys(shape.link for shape in self._waiting)
        self._frames = {
            link: scene.add_frame(self._name(link), show_axes=False, visible=tint is None)
            for link in links
        }
        self._places = {link: np.full(7, np.inf) for link in links}
        self._sticks = scene.add_line_segments(
            f"{root}/bones",
            np.zeros((1, 2, 3), np.float32),
            BONE if tint is None else tint,
            thickness=8.0,
            thickness_units="screen",
            visible=False,
        )

    @property
    def missing(self) -> int:
        """Meshes that are not on this machine."""
        return self._missing

    @property
    def is_complete(self) -> bool:
        """Whether all shapes are drawn."""
        return not self._waiting

    def draw_more(self) -> None:
        """Draw one of the shapes that are still to be drawn; where meshes are missing, bones."""
        if not self._waiting:
            return
        shape = self._waiting.pop(0)
        if not self._draw(shape, f"{self._name(shape.link)}/{len(self._waiting)}"):
            self._missing += 1
            self._bones = bones(self.posture.model)

    def show(self, actual: "RobotNodes | None" = None) -> None:
        """Move everything to where the posture is now.

        Args:
            actual: The robot, for a ghost: only links that are elsewhere are seen.
        """
        self.posture.update()
        for link, frame in self._frames.items():
            place = self.place(link)
            if np.abs(place - self._places[link]).max() > SAME:
                self._places[link] = place
                frame.position, frame.wxyz = place[:3], place[[6, 3, 4, 5]]
            if actual is not None:
                is_off = np.abs(place - actual.place(link)).max() > OFF
                if frame.visible is not bool(is_off):
                    frame.visible = bool(is_off)
        if self._bones and actual is None:
            ends = [[self.posture.joint(i) for i in pair] for pair in self._bones]
            self._sticks.points = np.array(ends, dtype=np.float32)
            self._sticks.visible = True

    def places(self) -> Array:
        """Return where its links are, `(n, 3)` [m]; none before they were placed."""
        found: Array = np.array([place[:3] for place in self._places.values()]).reshape(-1, 3)
        known: Array = found[np.isfinite(found).all(axis=1)]
        return known

    def remove(self) -> None:
        """Take it away."""
        self._sticks.remove()
        for frame in self._frames.values():
            frame.remove()

    def _name(self, link: str) -> str:
        """Return where in the scene a link is; a slash of its name would hang it on another."""
        return f"{self._root}/links/{quote(link, safe='')}"

    def place(self, link: str) -> Array:
        """Return where a link is, `(7,)`: position [m], quaternion xyzw."""
        pose: Array = pin.SE3ToXYZQUAT(self.posture.link(link))
        return pose

    def _draw(self, shape: LinkShape, name: str) -> bool:
        x, y, z, w = shape.orientation
        placed: dict[str, Any] = {
            "position": shape.position,
            "wxyz": np.array([w, x, y, z]),
            "color": shape.color if self._tint is None else self._tint,
        }
        if self._tint is not None:
            placed |= {"opacity": GHOSTLY, "cast_shadow": False}
        scene = self._scene
        if shape.kind == "box":
            scene.add_box(name, dimensions=np.array(shape.size), **placed)
        elif shape.kind == "sphere":
            scene.add_icosphere(name, radius=shape.size[0], **placed)
        elif shape.kind == "cylinder":
            radius, length = shape.size
            scene.add_cylinder(name, radius, length, radial_segments=SIDES, **placed)
        else:
            mesh = load_mesh(shape, are_turned=self._are_turned)
            if mesh is None:
                return False
            # some files wind triangles either way
            placed |= {"flat_shading": True, "side": "double"}
            scene.add_mesh_simple(name, mesh.vertices, mesh.faces, **placed)
        return True
