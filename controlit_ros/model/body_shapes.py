"""BodyShapes: the collision geometry of a robot's bodies, and what else is near them."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree as ET

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.urdf_document import urdf_tree
from controlit_ros.resource import ResourceError, resolve_resource

THINNEST = 1e-6  # [m] what is thinner has no inside, and ends the process that seeks its hull
WIDEST = 1e5  # [m] of coordinates; farther is no body


class BodyShapes:
    """Shapes of bodies and obstacles, and the distances of chosen pairs of them.

    Those of a body are the `collision` elements of its link in the URDF; of a mesh its convex hull.

    Args:
        robot: Its text tells the shapes.
        folder: Where relative paths of meshes begin.

    Raises:
        ModelError: A mesh cannot be read.
    """

    def __init__(self, robot: RobotDescription, folder: Path = Path()) -> None:
        self._robot = robot
        try:
            tree = deepcopy(urdf_tree(robot.urdf))
            for mesh in tree.findall("link/collision/geometry/mesh"):
                path = resolve_resource(mesh.get("filename", ""), folder)
                mesh.set("filename", str(path))
            self._geometry = pin.buildGeomFromUrdfString(
                robot.pinocchio, ET.tostring(tree, "unicode"), pin.GeometryType.COLLISION
            )
            for shape in self._geometry.geometryObjects:
                if isinstance(shape.geometry, coal.BVHModelBase):
                    shape.geometry = _hull_of(shape)
        except (ValueError, RuntimeError, ResourceError) as error:
            raise ModelError(f"the shapes of the bodies cannot be read: {_why(error)}") from None
        self._data = pin.GeometryData(self._geometry)
        self._of_robot: int = self._geometry.ngeoms
        self._places: dict[int, pin.SE3] = {}

    @property
    def links(self) -> tuple[str, ...]:
        """The links that have a shape, without repetition."""
        return tuple(dict.fromkeys(map(self.link, range(self._of_robot))))

    def link(self, shape: int) -> str:
        """Return the link of a shape; of an obstacle, its name."""
        found = self._geometry.geometryObjects[shape]
        if shape >= self._of_robot:
            return str(found.name)
        return str(self._robot.pinocchio.frames[found.parentFrame].name)

    def shapes_of(self, links: Iterable[str]) -> tuple[int, ...]:
        """Return the shapes of some links."""
        wanted = set(links)
        return tuple(i for i in range(self._of_robot) if self.link(i) in wanted)

    def joint(self, shape: int) -> int:
        """Return Pinocchio's joint that moves a shape; 0: none."""
        return int(self._geometry.geometryObjects[shape].parentJoint)

    def add_obstacle(
        self, name: str, shape: coal.CollisionGeometry, place: pin.SE3 | None = None
    ) -> int:
        """Add a shape that no joint moves; return its number.

        Args:
            name: Of the obstacle.
            shape: Of it, or of a part of it.
            place: Where the shape is in what `move` moves; none: at its origin.
        """
        item = pin.GeometryObject(name, 0, 0, pin.SE3.Identity(), shape)
        number: int = self._geometry.addGeometryObject(item)
        self._places[number] = place or pin.SE3.Identity()
        return number

    def move(self, shape: int, orientation: Array, position: Array) -> None:
        """Place an obstacle in the world, for the next `update`.

        Args:
            shape: Its number.
            orientation: `(4,)` quaternion xyzw of the whole obstacle.
            position: `(3,)` of its origin [m].
        """
        placement = pin.SE3(pin.Quaternion(orientation), position) * self._places[shape]
        self._geometry.geometryObjects[shape].placement = placement

    def watch(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Choose whose distances are wanted; takes memory."""
        self._geometry.removeAllCollisionPairs()
        for first, second in pairs:
            self._geometry.addCollisionPair(pin.CollisionPair(first, second))
        self._data = pin.GeometryData(self._geometry)
        self._results = self._data.distanceResults

    def update(self, model: RobotModel, distances: Array) -> None:
        """Compute the distances of the pairs, `(pairs,)` [m]; below zero where they overlap."""
        model.place_shapes(self._geometry, self._data)
        pin.computeDistances(self._geometry, self._data)
        for i, result in enumerate(self._results):
            distances[i] = result.min_distance

    def nearest(self, pair: int, points: Array, normal: Array) -> None:
        """Write where a pair is nearest, after `update`.

        Args:
            pair: Its number.
            points: `(2, 3)` of the first and the second shape, in the world [m].
            normal: `(3,)` from the first to the second.
        """
        result = self._results[pair]
        points[0] = result.getNearestPoint1()
        points[1] = result.getNearestPoint2()
        np.copyto(normal, result.normal)


def convex_hull(mesh: coal.BVHModelBase) -> coal.CollisionGeometry:
    """Return the convex hull of a mesh.

    Raises:
        ValueError: It has none: corners are no finite numbers, too far off, or in one plane.
    """
    corners = np.asarray(mesh.vertices())
    if not (np.abs(corners) <= WIDEST).all():
        raise ValueError(f"found corners farther off than {WIDEST:g} m, or not numbers")
    thickness = _thickness(corners)
    if thickness < THINNEST:
        raise ValueError(
            f"found a mesh {thickness:.2g} m thick, expected corners that are not all in one "
            f"plane, at least {THINNEST:g} m"
        )
    mesh.buildConvexHull(True, "Qt")
    return mesh.convex


def read_mesh(path: Path) -> coal.CollisionGeometry:
    """Return the convex hull of a file of triangles.

    Raises:
        ModelError: It cannot be read.
    """
    if not path.is_file():
        raise ModelError(f"the mesh {str(path)!r} cannot be read: there is no such file")
    try:
        return convex_hull(coal.MeshLoader().load(str(path)))
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"the mesh {str(path)!r} cannot be read: {_why(error)}") from None


def _hull_of(shape: pin.GeometryObject) -> coal.CollisionGeometry:
    try:
        return convex_hull(shape.geometry)
    except (ValueError, RuntimeError) as error:
        raise ValueError(f"{shape.meshPath!r}: {_why(error)}") from None


def _thickness(corners: Array) -> float:
    """Return how far corners `(n, 3)` reach along the direction in which they reach least [m]."""
    if not len(corners):
        return 0.0
    centred = corners - corners.mean(axis=0)
    directions = np.linalg.eigh(centred.T @ centred)[1]
    return float(np.ptp(centred @ directions, axis=0).min())


def _why(error: Exception) -> str:
    """Return what a library says is wrong, without where in its code it says so."""
    return " ".join(str(error).rpartition("message:")[2].split())
