"""What surrounds a simulated robot: floors, objects to grasp, shapes on its links."""

from pathlib import Path

import mujoco

from controlit_ros.robots.robot_interface import RobotInterfaceError

PREFIX = "scene/"
"""Of all names of the scene, so that they never meet those of the robot."""

OPTIONS = ("cone", "impratio", "noslip_iterations", "noslip_tolerance")
"""Settings of the physics of contacts, which the scene knows best."""


def add_scene(spec: mujoco.MjSpec, path: Path) -> None:
    """Add the bodies of an MJCF file to the model of a robot.

    A body of the scene's world that has the name of a link is fixed to that link, with all that
    hangs on it; everything else stands in the world. All names of the scene get `PREFIX` before
    them. Assets, equalities, contact rules and sensors come along, and the settings of contacts
    (`OPTIONS`).

    Args:
        spec: The robot; changed.
        path: The file.

    Raises:
        RobotInterfaceError: MuJoCo cannot read the file or join it to the robot.
    """
    world, additions = _read(path), _read(path)  # what was attached once cannot be divided
    links = {body.name for body in spec.bodies}
    for option in OPTIONS:
        setattr(spec.option, option, getattr(world.option, option))
    try:
        for body in list(world.worldbody.bodies):
            if body.name in links:
                addition = additions.body(body.name)
                spec.body(body.name).add_frame().attach_body(addition, PREFIX, "")
                world.delete(body)
        spec.attach(world, frame=spec.worldbody.add_frame(), prefix=PREFIX)
    except ValueError as error:
        raise RobotInterfaceError(f"scene {path}: {error}") from None


def free_bodies(model: mujoco.MjModel) -> tuple[str, ...]:
    """Return the names of the scene's bodies that move freely, without the prefix."""
    bodies = (
        model.body(model.jnt_bodyid[joint]).name
        for joint in range(model.njnt)
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
    )
    return tuple(body.removeprefix(PREFIX) for body in bodies if body.startswith(PREFIX))


def _read(path: Path) -> mujoco.MjSpec:
    try:
        return mujoco.MjSpec.from_file(str(path))
    except ValueError as error:
        raise RobotInterfaceError(f"scene {path}: {error}") from None
