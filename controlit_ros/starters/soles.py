"""What a foot stands on, found from the shapes of its links."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model import RobotDescription

UPRIGHT = 0.98  # [-] of the z axis along the vertical: a sole is stated along x and y of its link
LAYER = 0.05  # [-] of a foot's size: what lies so little above its lowest point is the sole
FLAT = 0.02  # [m] half length and half width from which a foot stands by itself
DEFAULT = (0.08, 0.04)  # [m] half length and half width where the description has no shapes


class Sole(NamedTuple):
    """Where a foot touches the ground, in the frame of a link.

    Attributes:
        point: `(3,)` middle of the sole, or centre of the ball [m].
        half_size: `(2,)` half length and half width along x and y; zeros: a point or a ball [m].
        radius: Of the ball; 0 otherwise [m].
    """

    point: tuple[float, ...]
    half_size: tuple[float, ...] = (0.0, 0.0)
    radius: float = 0.0

    @property
    def is_flat(self) -> bool:
        """Whether it has a size."""
        return min(self.half_size) >= FLAT


class Shapes:
    """The collision shapes of a robot in one configuration.

    Args:
        robot: Its structure.
        urdf: File of the description, from which meshes are found.
        q: `(nq,)` configuration in which feet stand, the base upright.
    """

    def __init__(self, robot: RobotDescription, urdf: Path, q: Array) -> None:
        model = robot.pinocchio
        self._robot, self._data = robot, model.createData()
        pin.framesForwardKinematics(model, self._data, q)
        folders = [str(folder) for folder in urdf.resolve().parents]
        try:
            shapes = pin.buildGeomFromUrdfString(
                model, robot.urdf, pin.GeometryType.COLLISION, package_dirs=folders
            )
            self._objects = list(shapes.geometryObjects)
        except (ValueError, RuntimeError):  # a mesh that is missing, or that nobody can read
            self._objects = []

    def sole(self, link: str, *, is_flat: bool) -> Sole:
        """Return what a link stands on.

        Args:
            link: The end of a leg.
            is_flat: Whether the leg can turn its foot in every direction; where no shape tells, it
                is taken for a sole.
        """
        model = self._robot.pinocchio
        frame_id = model.getFrameId(link, pin.FrameType.BODY)
        place = self._data.oMf[frame_id]
        joint = model.frames[frame_id].parentJoint
        own = [shape for shape in self._objects if shape.parentJoint == joint]
        if not own:
            return Sole((0.0, 0.0, 0.0), DEFAULT if is_flat else (0.0, 0.0))
        points = np.vstack([_vertices(shape, self._data) for shape in own])
        if is_flat and abs(place.rotation[2, 2]) >= UPRIGHT:
            flat = _flat(points, place)
            if flat.is_flat:
                return flat
        return _ball(own, self._data, place) or _point(place, points[np.argmin(points[:, 2])])


def _ball(shapes: list[pin.GeometryObject], data: pin.Data, place: pin.SE3) -> Sole | None:
    """Return the lowest shape as a sole, if it is a ball."""
    lowest = min(shapes, key=lambda shape: float(_vertices(shape, data)[:, 2].min()))
    if lowest.geometry.getNodeType().name != "GEOM_SPHERE":
        return None
    center = (data.oMi[lowest.parentJoint] * lowest.placement).translation
    return _point(place, center)._replace(radius=float(lowest.geometry.radius))


def _point(place: pin.SE3, point: Array) -> Sole:
    return Sole(tuple(place.actInv(point).tolist()))


def _flat(points: Array, place: pin.SE3) -> Sole:
    own = (points - place.translation) @ place.rotation
    up = place.rotation[2, 2]
    bottom = (own[:, 2] * up).min()
    depth = LAYER * np.ptp(own, axis=0).max()
    touching = own[own[:, 2] * up < bottom + depth]
    low, high = touching.min(axis=0), touching.max(axis=0)
    center = (low + high) / 2.0
    half = (high - low)[:2] / 2.0
    return Sole((center[0], center[1], bottom * np.sign(up)), tuple(half.tolist()))


def _vertices(shape: pin.GeometryObject, data: pin.Data) -> Array:
    """Return `(n, 3)` points in the world that span a shape: its own, or the corners of its box."""
    geometry = shape.geometry
    if hasattr(geometry, "vertices"):
        points = np.array(geometry.vertices())
    else:
        geometry.computeLocalAABB()
        box = geometry.aabb_local
        points = np.array([[x, y, z] for x in (box.min_[0], box.max_[0])
                           for y in (box.min_[1], box.max_[1])
                           for z in (box.min_[2], box.max_[2])])  # fmt: skip
    placement = data.oMi[shape.parentJoint] * shape.placement
    placed: Array = points @ placement.rotation.T + placement.translation
    return placed
