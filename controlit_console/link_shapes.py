"""Shapes of links: what a robot's description says it looks like."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import coal
import numpy as np
import pinocchio as pin

from controlit_console.stl_file import read_stl
from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.model.urdf_document import urdf_tree
from controlit_ros.resource import resolve_resource

GREY = (0.62, 0.65, 0.70)
COLLADA, Y_UP, HEAD = ".dae", b"<up_axis>Y_UP", 8192  # [bytes] of a file within which that stands
ENOUGH = 8  # [#] meshes that tell


class LinkShape(NamedTuple):
    """A shape of a link.

    Attributes:
        link: Its name.
        position: `(3,)` in the link's frame [m].
        orientation: `(4,)` quaternion xyzw.
        color: Red, green, blue, 0 to 1.
        kind: `mesh`, `box`, `cylinder` or `sphere`.
        size: Of a box its three edges, of a cylinder radius and length, of a sphere its radius [m];
            of a mesh its scale along three axes.
        file: Where a mesh is.
    """

    link: str
    position: Array
    orientation: Array
    color: tuple[float, float, float]
    kind: str
    size: tuple[float, ...]
    file: str = ""


class Mesh(NamedTuple):
    """Triangles.

    Attributes:
        vertices: `(n, 3)` [m].
        faces: `(k, 3)` numbers of vertices.
    """

    vertices: Array
    faces: Array


def link_shapes(urdf: str) -> Iterator[LinkShape]:
    """Return the shapes by which a URDF shows its links."""
    robot = urdf_tree(urdf)
    named = {
        str(material.get("name")): color
        for material in robot.iter("material")
        if (color := _color(material)) is not None
    }
    for link in robot.findall("link"):
        for visual in link.iter("visual"):
            shape = _shape(str(link.get("name")), visual, named)
            if shape is not None:
                yield shape


def are_turned(urdf: str, shapes: Iterable[LinkShape]) -> bool:
    """Tell whether meshes whose file says that y is up are meant with z up, as Gazebo takes them.

    Others take them as they are. Where links have their mass tells which the description means.
    """
    centres = _centres_of_mass(urdf)
    asked = [s for s in shapes if s.link in centres and s.file.endswith(COLLADA) and _is_y_up(s)]
    off = np.zeros(2)
    for shape in asked[:ENOUGH]:
        rotation = pin.Quaternion(shape.orientation).toRotationMatrix()
        for i, turned in enumerate((False, True)):
            mesh = load_mesh(shape, are_turned=turned)
            if mesh is not None:
                placed = mesh.vertices @ rotation.T + shape.position
                middle = 0.5 * (placed.min(axis=0) + placed.max(axis=0))
                off[i] += np.linalg.norm(middle - centres[shape.link])
    return bool(off[1] < off[0])


def load_mesh(shape: LinkShape, *, are_turned: bool = False) -> Mesh | None:
    """Return the triangles of a mesh; `None` where the file is not on this machine.

    Args:
        shape: Which.
        are_turned: Whether files that say that y is up are turned.
    """
    try:
        path = resolve_resource(shape.file, Path())
        if (stl := read_stl(path)) is not None:
            corners, faces = stl
            return Mesh(corners * np.array(shape.size, dtype=np.float32), faces)
        model = coal.MeshLoader().load(str(path), np.array(shape.size, dtype=float))
    except (ControlItError, OSError, ValueError, RuntimeError):
        return None
    triangles = [[model.tri_indices(i)[k] for k in range(3)] for i in range(model.num_tris)]
    vertices: Array = np.array(model.vertices(), dtype=np.float32)
    if are_turned and shape.file.endswith(COLLADA) and _is_y_up(shape):
        x, y, z = vertices.T
        vertices = np.stack([x, -z, y], axis=1)
    return Mesh(vertices, np.array(triangles, dtype=np.uint32))


def bones(model: pin.Model) -> list[tuple[int, int]]:
    """Return which joints a stick figure joins: pairs of parent and child."""
    return [(int(parent), joint) for joint, parent in enumerate(model.parents) if parent > 1]


def _is_y_up(shape: LinkShape) -> bool:
    """Tell whether the file of a mesh says that y is up."""
    try:
        with resolve_resource(shape.file, Path()).open("rb") as file:
            return Y_UP in file.read(HEAD)
    except (ControlItError, OSError):
        return False


def _centres_of_mass(urdf: str) -> Mapping[str, Array]:
    """Return where links have their mass, in their frames [m]."""
    found = {}
    for link in urdf_tree(urdf).findall("link"):
        inertial = link.find("inertial")
        if inertial is not None:
            found[str(link.get("name"))] = _origin(inertial.find("origin"))[0]
    return found


def _shape(link: str, visual: ET.Element, named: dict[str, tuple[float, ...]]) -> LinkShape | None:
    geometry = visual.find("geometry")
    if geometry is None or not len(geometry):
        return None
    element = geometry[0]
    position, orientation = _origin(visual.find("origin"))
    color = _color_of(visual, named)[:3]
    red, green, blue = color if any(color) else GREY  # of what is wholly black no shape is seen
    placed = (link, position, orientation, (red, green, blue))
    if element.tag == "mesh":
        scale = _numbers(element.get("scale"), (1.0, 1.0, 1.0))
        return LinkShape(*placed, "mesh", scale, str(element.get("filename")))
    if element.tag == "box":
        return LinkShape(*placed, "box", _numbers(element.get("size"), (0.01, 0.01, 0.01)))
    radius = float(element.get("radius", 0.01))
    if element.tag == "cylinder":
        return LinkShape(*placed, "cylinder", (radius, float(element.get("length", 0.01))))
    return LinkShape(*placed, "sphere", (radius,)) if element.tag == "sphere" else None


def _origin(element: ET.Element | None) -> tuple[Array, Array]:
    attributes = {} if element is None else element.attrib
    roll, pitch, yaw = _numbers(attributes.get("rpy"), (0.0, 0.0, 0.0))
    position = np.array(_numbers(attributes.get("xyz"), (0.0, 0.0, 0.0)))
    return position, pin.Quaternion(pin.rpy.rpyToMatrix(roll, pitch, yaw)).coeffs()


def _color_of(visual: ET.Element, named: dict[str, tuple[float, ...]]) -> tuple[float, ...]:
    material = visual.find("material")
    if material is None:
        return GREY
    return _color(material) or named.get(str(material.get("name")), GREY)


def _color(material: ET.Element) -> tuple[float, ...] | None:
    color = material.find("color")
    return None if color is None else _numbers(color.get("rgba"), (*GREY, 1.0))


def _numbers(text: str | None, otherwise: tuple[float, ...]) -> tuple[float, ...]:
    return otherwise if not text else tuple(float(number) for number in text.split())
