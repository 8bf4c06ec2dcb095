"""SceneShapes: what a body of a simulator's scene looks like, and where it stands."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.errors import did_you_mean
from controlit_ros.model.body_shapes import convex_hull
from controlit_ros.model.model_error import ModelError

if TYPE_CHECKING:
    import mujoco


def load_scene(path: Path) -> "mujoco.MjModel":
    """Return a scene that was read.

    Raises:
        ModelError: It cannot be.
    """
    import mujoco  # noqa: PLC0415 - it takes as long as the rest, and few have a scene

    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise ModelError(f"the scene {str(path)!r} cannot be read: {error}") from None


class SceneShapes(NamedTuple):
    """Shapes of a body in a MuJoCo scene.

    Attributes:
        position: `(3,)` of the body in the world, where the scene has it first [m].
        orientation: `(4,)` quaternion xyzw likewise.
        parts: Shapes, and where each is in the body.
    """

    position: Array
    orientation: Array
    parts: tuple[tuple[coal.CollisionGeometry, pin.SE3], ...]

    @classmethod
    def of(cls, model: "mujoco.MjModel", body: str) -> "SceneShapes":
        """Return the shapes of a body that touch, without those of bodies that hang on it.

        Raises:
            ModelError: There is no such body, or it has no shape.
        """
        import mujoco  # noqa: PLC0415 - see above

        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        names = [model.body(i).name for i in range(model.nbody)]
        if body not in names:
            raise ModelError(
                f"found {body!r}, expected a body of the scene{did_you_mean(body, names)}"
            )
        number = names.index(body)
        geoms = [
            i
            for i in np.flatnonzero(model.geom_bodyid == number).tolist()
            if model.geom_contype[i] or model.geom_conaffinity[i]
        ]
        if not geoms:
            raise ModelError(f"found body {body!r} of the scene without a shape")
        parts = tuple((_shape(model, i), _place(model, i)) for i in geoms)
        turn = data.xquat[number]
        return cls(data.xpos[number].copy(), np.roll(turn, -1), parts)


def _place(model: "mujoco.MjModel", geom: int) -> pin.SE3:
    w, x, y, z = model.geom_quat[geom]
    return pin.SE3(pin.Quaternion(w, x, y, z), model.geom_pos[geom])


def _shape(model: "mujoco.MjModel", geom: int) -> coal.CollisionGeometry:
    """Return a shape as coal has it; MuJoCo tells half edges and half lengths."""
    import mujoco  # noqa: PLC0415 - see above

    kinds, size = mujoco.mjtGeom, model.geom_size[geom]
    kind = kinds(model.geom_type[geom])
    if kind == kinds.mjGEOM_MESH:
        return _mesh(model, model.geom_dataid[geom].item())
    if kind == kinds.mjGEOM_PLANE:
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if kind == kinds.mjGEOM_BOX:
        return coal.Box(2.0 * size)
    if kind == kinds.mjGEOM_SPHERE:
        return coal.Sphere(size[0])
    if kind == kinds.mjGEOM_ELLIPSOID:
        return coal.Ellipsoid(size)
    rounded = {kinds.mjGEOM_CAPSULE: coal.Capsule, kinds.mjGEOM_CYLINDER: coal.Cylinder}
    if kind not in rounded:
        raise ModelError(
            f"found a shape {kind.name} in the scene, expected a plane, sphere, capsule, cylinder, "
            "ellipsoid, box or mesh"
        )
    return rounded[kind](size[0], 2.0 * size[1])


def _mesh(model: "mujoco.MjModel", mesh: int) -> coal.CollisionGeometry:
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    start, faces = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    triangles = coal.BVHModelOBBRSS()
    triangles.beginModel(int(faces), int(count))
    corners = np.asarray(model.mesh_vert[first : first + count], dtype=float)
    for a, b, c in model.mesh_face[start : start + faces].tolist():
        triangles.addTriangle(corners[a], corners[b], corners[c])
    triangles.endModel()
    try:
        return convex_hull(triangles)
    except ValueError as error:
        raise ModelError(str(error)) from None
