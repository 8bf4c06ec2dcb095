"""A floor for robots without a scene, and shapes that stand on it."""

import math

import mujoco
import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.footprint import Footprint
from controlit_ros.robots.robot_interface import RobotInterfaceError
from controlit_ros.robots.scene import PREFIX

FLOOR = f"{PREFIX}floor"
FOOTPRINT = f"{PREFIX}footprint_"
"""Of the names of shapes where contact constraints say that the robot touches the world."""

LAYER = 2
"""Bit of what touches the floor; the robot's own shapes touch each other by another one."""

THICKNESS = 0.001  # [m] half of that of soles, which a plane needs to be solid
SMALLEST_BALL = 0.005  # [m] of points

# As firm as the floors of the robots that stand in config/: a foot sinks in by a tenth of a
# millimetre and does not creep.
SOLREF = (0.005, 1.0)
SOLIMP = (0.99, 0.999, 0.001, 0.5, 2.0)
FRICTION = (1.0, 0.005, 0.0001)
IMPEDANCE_RATIO = 100.0


def add_floor(spec: mujoco.MjSpec, footprints: tuple[Footprint, ...]) -> None:
    """Add the plane z = 0 and, on links of contact constraints, soles and balls.

    Shapes that the links have already touch the floor as well, but for those of the links that get
    one here: these stand where the constraints say.
    """
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = IMPEDANCE_RATIO
    touching = {footprint.link for footprint in footprints}
    for body in spec.bodies:
        for geom in body.geoms:
            own = not geom.name.startswith(PREFIX)
            if body.name != "world" and own and body.name not in touching:
                geom.conaffinity |= LAYER
    spec.worldbody.add_geom(
        name=FLOOR,
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=(0.0, 0.0, 0.1),
        contype=1 | LAYER,
        conaffinity=1,
        **_surface(),
    )
    for number, footprint in enumerate(footprints):
        half = footprint.half_size
        is_sole = min(half) > 0.0
        ball = max(footprint.radius, SMALLEST_BALL)
        kind = mujoco.mjtGeom.mjGEOM_BOX if is_sole else mujoco.mjtGeom.mjGEOM_SPHERE
        spec.body(footprint.link).add_geom(
            name=f"{FOOTPRINT}{number}",
            type=kind,
            size=(*half, THICKNESS) if is_sole else (ball, 0.0, 0.0),
            pos=footprint.center,
            mass=0.0,
            contype=0,
            conaffinity=LAYER,
            **_surface(),
        )


def height_on_floor(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Return how far the robot's lowest shape is above the plane z = 0 [m].

    Soles and balls of contact constraints count where there are any; otherwise every shape that
    can touch something.

    Raises:
        RobotInterfaceError: The robot has no such shape.
    """
    shapes = [g for g in range(model.ngeom) if model.geom(g).name.startswith(FOOTPRINT)]
    if not shapes:
        shapes = [g for g in range(model.ngeom) if _can_stand(model, g)]
    if not shapes:
        raise RobotInterfaceError(
            "place_on_floor: found no shape to stand on, expected a contact constraint on a foot, "
            "a scene with its sole, or a box, sphere or cylinder as collision shape"
        )
    return min(_bottom(model, data, geom) for geom in shapes)


def _surface() -> dict[str, object]:
    return {"solref": SOLREF, "solimp": SOLIMP, "friction": FRICTION}


def _can_stand(model: mujoco.MjModel, geom: int) -> bool:
    """Tell whether a shape is of the robot and touches."""
    body = model.geom_bodyid[geom]
    root = model.body(model.body_rootid[body]).name
    is_of_robot = model.body_weldid[body] != 0 and not root.startswith(PREFIX)
    return bool(is_of_robot and (model.geom_contype[geom] or model.geom_conaffinity[geom]))


def _bottom(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    """Return the height of a shape's lowest point [m]."""
    down = -data.geom_xmat[geom].reshape(3, 3)[2]  # the direction down, in the shape's axes
    return float(data.geom_xpos[geom, 2]) - _reach(model, geom, down)


def _reach(model: mujoco.MjModel, geom: int, way: Array) -> float:
    """Return how far a shape extends from its centre in a direction, its support function [m]."""
    size, kind = model.geom_size[geom], mujoco.mjtGeom(model.geom_type[geom])
    across = math.hypot(way[0], way[1])
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        return float(size[0])
    if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        return float(size[0] + abs(way[2]) * size[1])
    if kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        return float(across * size[0] + abs(way[2]) * size[1])
    if kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        return float(np.linalg.norm(way * size))
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        mesh = model.geom_dataid[geom]
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        return float((model.mesh_vert[first : first + count] @ way).max())
    return float(np.abs(way) @ size)
