"""Drawn bodies: what is drawn on each joint of a robot, its meshes joined."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from controlit_console.link_shapes import LinkShape, Mesh
from controlit_console.posture import Posture
from controlit_ros.arrays import Array

MESH = "mesh"


class PlacedShape(NamedTuple):
    """A shape of a link on the joint that carries it.

    Attributes:
        shape: What it looks like.
        place: Where it is on the joint.
    """

    shape: LinkShape
    place: pin.SE3


class DrawnBody(NamedTuple):
    """What is drawn as one node: a primitive, or all meshes of a colour that move as one.

    Attributes:
        joint: Of the model, that carries it.
        shapes: At least one; several are meshes.
    """

    joint: int
    shapes: tuple[PlacedShape, ...]

    @property
    def color(self) -> tuple[float, float, float]:
        """Red, green, blue, 0 to 1."""
        return self.shapes[0].shape.color

    @property
    def is_mesh(self) -> bool:
        """Whether it has triangles of files."""
        return self.shapes[0].shape.kind == MESH


def drawn_bodies(shapes: Iterable[LinkShape], posture: Posture) -> Iterator[DrawnBody]:
    """Return the nodes by which links are drawn: a page moves few of them quicker than many."""
    joined: dict[tuple[int, tuple[float, float, float]], list[PlacedShape]] = {}
    for shape in shapes:
        joint, place = posture.carrier(shape.link)
        turn = pin.Quaternion(np.asarray(shape.orientation)).toRotationMatrix()
        placed = PlacedShape(shape, place * pin.SE3(turn, np.asarray(shape.position)))
        if shape.kind == MESH:
            joined.setdefault((joint, shape.color), []).append(placed)
        else:
            yield DrawnBody(joint, (placed,))
    for (joint, _), meshes in joined.items():
        yield DrawnBody(joint, tuple(meshes))


def joined_mesh(body: DrawnBody, load: Callable[[LinkShape], Mesh | None]) -> tuple[Mesh, int]:
    """Return the triangles of a body on its joint, and how many of its meshes are missing.

    Args:
        body: Of meshes.
        load: Reads one of them.
    """
    found = [(load(placed.shape), placed.place) for placed in body.shapes]
    meshes = [(mesh, place) for mesh, place in found if mesh is not None]
    vertices: list[Array] = [np.zeros((0, 3), dtype=np.float32)]
    faces: list[Array] = [np.zeros((0, 3), dtype=np.uint32)]
    count = 0
    for mesh, place in meshes:
        placed = mesh.vertices @ place.rotation.T + place.translation
        vertices.append(placed.astype(np.float32))
        faces.append((mesh.faces + count).astype(np.uint32))
        count += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(faces)), len(found) - len(meshes)
