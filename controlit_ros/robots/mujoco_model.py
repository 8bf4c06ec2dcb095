"""Turn a robot description into a MuJoCo model with drives and transmissions."""

from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from controlit_ros.constraints import Coupling
from controlit_ros.errors import did_you_mean
from controlit_ros.model.urdf_document import end_of, urdf_tree
from controlit_ros.model.world import WORLD
from controlit_ros.robots.floor import add_floor
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotSetup
from controlit_ros.robots.scene import add_scene
from controlit_ros.robots.simulation_options import SimulationOptions

# Time constant and damping ratio of joint limits and transmissions [s, -]. MuJoCo asks for at
# least two steps; the default of 20 ms lets a transmission yield by several hundredths of a rad.
STEPS_PER_TIME_CONSTANT = 2.0
DAMPING_RATIO = 1.0
LIMIT_TIME_CONSTANT = (
    0.005  # [s] stiff enough to stop within a few mrad, soft enough not to chatter
)

# Impedance of a transmission: so close to 1 that it yields to no load it can meet.
RIGID = (0.9999, 0.9999, 0.001, 0.5, 2.0)

# Dummy links of real descriptions weigh nothing, which MuJoCo refuses where they move.
SMALLEST_MASS = 1e-9  # [kg]
SMALLEST_INERTIA = 1e-12  # [kg m²]


def root_link(urdf: str) -> str:
    """Return the name of the link that no joint moves but a floating one, if the robot has that.

    Raises:
        RobotInterfaceError: The text is no robot description or has not exactly one root.
    """
    return _root_link(_read(urdf))


def _read(urdf: str) -> ET.Element:
    """Return a robot without a floating joint and what that hangs from, which is the world."""
    robot = deepcopy(urdf_tree(urdf))
    floating = robot.find("joint[@type='floating']")
    if floating is None:
        return robot
    robot.remove(floating)
    carried = {end_of(floating, "child")}
    joints = robot.findall("joint")
    while grown := {end_of(j, "child") for j in joints if end_of(j, "parent") in carried} - carried:
        carried |= grown
    for joint in joints:
        if end_of(joint, "parent") not in carried:
            robot.remove(joint)
    for link in robot.findall("link"):
        if link.get("name") not in carried:
            robot.remove(link)
    return robot


def _root_link(robot: ET.Element) -> str:
    children = {element.get("link") for element in robot.findall("joint/child")}
    roots = [
        name for link in robot.findall("link") if (name := link.get("name", "")) not in children
    ]
    if len(roots) != 1:
        found = ", ".join(roots) or "none"
        raise RobotInterfaceError(f"robot_description: found roots {found}, expected one root link")
    return roots[0]


def build_model(setup: RobotSetup, options: SimulationOptions) -> mujoco.MjModel:
    """Compile the model of a robot.

    The root link is welded to the world or gets a free joint; command joints get motors, limited
    to the efforts of the description; transmissions become equality constraints, so that a
    transmission loads both of its joints. What surrounds the robot is added from its scene; shapes
    of the scene collide also where those of the robot itself are left out.

    Raises:
        RobotInterfaceError: MuJoCo cannot simulate the description, or it misses a joint.
    """
    robot = _read(setup.urdf)
    root = _root_link(robot)
    if root != WORLD and robot.find(f"link[@name='{WORLD}']") is not None:
        raise RobotInterfaceError(
            f"robot_description: found a link {WORLD!r} that hangs from {root!r}, expected another "
            "name: the simulator's own world has this one"
        )
    try:
        spec = mujoco.MjSpec.from_string(
            _prepare(robot, collisions=options.collisions, floor=options.floor)
        )
    except ValueError as error:
        raise RobotInterfaceError(f"robot_description: MuJoCo refuses it: {error}") from None
    spec.option.timestep = options.timestep
    spec.option.gravity = setup.gravity
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    if options.collisions:
        _exclude_neighbours(spec)
    elif not options.scene and not options.floor:
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    else:
        _separate(spec)
    if not setup.fixed_base:
        if root == WORLD:
            raise RobotInterfaceError(
                f"robot_description: the root link {WORLD!r} cannot float: name it otherwise"
            )
        spec.body(root).add_freejoint(name=f"{root}_free")
    _add_drives(spec, setup, options)
    if options.scene:
        add_scene(spec, Path(options.scene))
    if options.floor:
        add_floor(spec, setup.footprints)
    try:
        return spec.compile()
    except ValueError as error:
        raise RobotInterfaceError(f"robot_description: MuJoCo cannot compile it: {error}") from None


def _add_drives(spec: mujoco.MjSpec, setup: RobotSetup, options: SimulationOptions) -> None:
    """Give joints their friction and limits, motors, and transmissions."""
    names = [joint.name for joint in spec.joints]
    for i, name in enumerate(setup.joint_names):
        joint = _joint(spec, name, names)
        joint.armature = setup.reflected_inertia[i]
        joint.damping[0] = options.joint_damping[i]
        joint.frictionloss = options.joint_friction[i]
        joint.solref_limit = (LIMIT_TIME_CONSTANT, DAMPING_RATIO)
    for name in setup.command_names:
        _joint(spec, name, names)
        spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT).set_to_motor()
    for coupling in setup.couplings:
        _joint(spec, coupling.master, names)
        _joint(spec, coupling.slave, names)
        _add_transmission(spec, coupling, options.timestep)


def _prepare(robot: ET.Element, *, collisions: bool, floor: bool) -> str:
    """Leave out the shapes physics does not need, and mend inertias no real body has.

    For a floor alone simple shapes do; those of meshes would have to be found and read.
    """
    for link in robot.findall("link"):
        for shape in (*link.findall("visual"), *link.findall("collision")):
            is_simple = floor and shape.find("geometry/mesh") is None
            if shape.tag == "visual" or not (collisions or is_simple):
                link.remove(shape)
    for joint in robot.findall("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)  # transmissions are those the controller knows
    for inertia in robot.findall("link/inertial/inertia"):
        _mend(inertia)
    for tag in ("mujoco", "material"):
        for element in robot.findall(tag):
            robot.remove(element)
    options = ET.SubElement(robot, "mujoco")
    ET.SubElement(
        options,
        "compiler",
        {
            "balanceinertia": "true",  # published moments may violate the triangle inequality
            "boundmass": f"{SMALLEST_MASS:g}",
            "boundinertia": f"{SMALLEST_INERTIA:g}",
            "inertiafromgeom": "false",
            "fusestatic": "false",  # links at fixed joints keep their names
        },
    )
    return ET.tostring(robot, encoding="unicode")


def _mend(inertia: ET.Element) -> None:
    """Raise principal moments that are not positive to the smallest MuJoCo takes."""
    keys = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    ixx, ixy, ixz, iyy, iyz, izz = (float(inertia.get(key, 0.0)) for key in keys)
    matrix = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    moments, axes = np.linalg.eigh(matrix)
    if moments[0] >= SMALLEST_INERTIA:
        return
    mended = (axes * np.maximum(moments, SMALLEST_INERTIA)) @ axes.T
    for key, value in zip(keys, mended[np.triu_indices(3)].tolist(), strict=True):
        inertia.set(key, repr(value))


def _joint(spec: mujoco.MjSpec, name: str, names: list[str]) -> mujoco.MjsJoint:
    joint = spec.joint(name)
    if joint is None:
        raise RobotInterfaceError(
            f"robot_description: MuJoCo finds no joint {name!r}{did_you_mean(name, names)}"
        )
    if joint.type not in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
        raise RobotInterfaceError(
            f"robot_description: joint {name!r}: found {joint.type.name}, "
            "expected one degree of freedom"
        )
    return joint


def _add_transmission(spec: mujoco.MjSpec, coupling: Coupling, timestep: float) -> None:
    equality = spec.add_equality(
        name=f"{coupling.slave}_follows_{coupling.master}",
        type=mujoco.mjtEq.mjEQ_JOINT,
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
        name1=coupling.slave,
        name2=coupling.master,
        solref=(STEPS_PER_TIME_CONSTANT * timestep, DAMPING_RATIO),
        solimp=RIGID,
    )
    equality.data[:] = 0.0
    equality.data[:2] = coupling.offset, coupling.ratio  # polynomial of the master's position


def _separate(spec: mujoco.MjSpec) -> None:
    """Let no links collide with each other."""
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0


def _exclude_neighbours(spec: mujoco.MjSpec) -> None:
    """Let no link collide with its parent, not even with a base bolted to the world."""
    for body in spec.bodies:
        parent = body.parent
        if parent is not None and parent.name != WORLD:
            spec.add_exclude(bodyname1=parent.name, bodyname2=body.name)
