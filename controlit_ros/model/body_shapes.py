"""BodyShapes: the collision geometry of a robot's bodies, and what else is near them."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.resource import ResourceError, resolve_resource

MESH = re.compile(r'(<mesh\b[^>]*?\bfilename\s*=\s*)(["\'])(.*?)\2', re.DOTALL)


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
            text = MESH.sub(lambda found: _absolute(found, folder), robot.urdf)
            self._geometry = pin.buildGeomFromUrdfString(
                robot.pinocchio, text, pin.GeometryType.COLLISION
            )
            for shape in self._geometry.geometryObjects:
                if isinstance(shape.geometry, coal.BVHModelBase):
                    shape.geometry = convex_hull(shape.geometry)
        except (ValueError, RuntimeError, ResourceError) as error:
            raise ModelError(f"the shapes of the bodies cannot be read: {error}") from None
        self._data = pin.GeometryData(self._geometry)
        self._of_robot: int = self._geometry.ngeoms

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

    def add_obstacle(self, name: str, shape: coal.CollisionGeometry) -> int:
        """Add a shape that no joint moves, at the world's origin; return its number."""
        item = pin.GeometryObject(name, 0, 0, pin.SE3.Identity(), shape)
        number: int = self._geometry.addGeometryObject(item)
        return number

    def move(self, shape: int, orientation: Array, position: Array) -> None:
        """Place an obstacle in the world, for the next `update`.

        Args:
            shape: Its number.
            orientation: `(4,)` quaternion xyzw.
            position: `(3,)` of its origin [m].
        """
        placement = pin.SE3(pin.Quaternion(orientation), position)
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
    """Return the convex hull of a mesh."""
    mesh.buildConvexHull(True, "Qt")
    return mesh.convex


def read_mesh(path: Path) -> coal.CollisionGeometry:
    """Return the convex hull of a file of triangles.

    Raises:
        ModelError: It cannot be read.
    """
    try:
        return convex_hull(coal.MeshLoader().load(str(path)))
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"the mesh {str(path)!r} cannot be read: {error}") from None


def _absolute(found: re.Match[str], folder: Path) -> str:
    begin, quote, reference = found.groups()
    return f"{begin}{quote}{resolve_resource(reference, folder)}{quote}"
