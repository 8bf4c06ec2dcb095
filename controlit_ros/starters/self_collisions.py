"""Collisions of hands and arms with the rest of a robot."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import coal
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model import RobotDescription
from controlit_ros.model.body_shapes import convex_hull
from controlit_ros.starters.limbs import Limb, configuration


class SelfCollisions:
    """Pairs of collision shapes that meet in a posture, meshes as their convex hulls.

    Only limbs with hands move. Neighbours, and what meets where the search begins, do not count;
    nor does anything where shapes cannot be read.

    Args:
        robot: Its structure.
        urdf: File of the description, from which meshes are found.
        limbs: Limbs that move.
        begin: `(n,)` positions where the search begins [rad or m].
    """

    def __init__(
        self, robot: RobotDescription, urdf: Path, limbs: Sequence[Limb], begin: Array
    ) -> None:
        self._robot, model = robot, robot.pinocchio
        folders = [str(folder) for folder in urdf.resolve().parents]
        try:
            self._shapes = pin.buildGeomFromUrdf(
                model, str(urdf), pin.GeometryType.COLLISION, package_dirs=folders
            )
        except (ValueError, RuntimeError):  # a mesh that is missing, or that cannot be read
            self._shapes = pin.GeometryModel()
        for shape in self._shapes.geometryObjects:
            if isinstance(shape.geometry, coal.BVHModelBase):
                with suppress(ValueError, RuntimeError):  # it stays a surface of triangles
                    shape.geometry = convex_hull(shape.geometry)
        first = {model.getJointId(limb.joints[0]) for limb in limbs}
        moved = [bool(first & set(model.supports[joint])) for joint in range(model.njoints)]
        joints = [shape.parentJoint for shape in self._shapes.geometryObjects]
        for i, one in enumerate(joints):
            for j in range(i):
                other = joints[j]
                is_near = one == other or one == model.parents[other] or other == model.parents[one]
                if (moved[one] or moved[other]) and not is_near:
                    self._shapes.addCollisionPair(pin.CollisionPair(j, i))
        self._data = model.createData()
        self._found = pin.GeometryData(self._shapes)
        self.count(begin)
        meeting = [
            pin.CollisionPair(pair.first, pair.second)
            for pair, result in zip(
                self._shapes.collisionPairs, self._found.collisionResults, strict=True
            )
            if result.isCollision()
        ]
        for pair in meeting:
            self._shapes.removeCollisionPair(pair)
        self._found = pin.GeometryData(self._shapes)

    def count(self, position: Array) -> int:
        """Return how many pairs meet.

        Args:
            position: `(n,)` of the real joints [rad or m].
        """
        q = configuration(self._robot, position)
        pin.computeCollisions(
            self._robot.pinocchio, self._data, self._shapes, self._found, q, False
        )
        return sum(result.isCollision() for result in self._found.collisionResults)
