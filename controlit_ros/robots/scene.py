"""What surrounds a simulated robot: floors, objects to grasp, shapes on its links."""

from pathlib import Path

import mujoco

from controlit_ros.model.xml_element import XmlError, line_of, read_xml
from controlit_ros.regular_file import (
    MEBIBYTE,
    UnreadableFileError,
    check_readable,
    read_text,
)
from controlit_ros.robots.robot_interface import RobotInterfaceError

MAX_SIZE = 64 * MEBIBYTE  # of a scene and of each file it names

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
        raise RobotInterfaceError(f"scene: {path}: {error}") from None


def check_scene(path: Path) -> None:
    """Find out whether a scene and the files it names can be read, before MuJoCo waits for them.

    Raises:
        RobotInterfaceError: One is missing, no regular file, or too large.
    """
    try:
        scene = read_xml(read_text(path, MAX_SIZE))
    except UnreadableFileError as error:
        raise RobotInterfaceError(f"scene: {path}: {error}") from None
    except XmlError as error:
        raise RobotInterfaceError(f"scene: {path}: {error}") from None
    folders = {path.parent}
    for compiler in scene.findall("compiler"):
        for key in ("meshdir", "texturedir", "assetdir"):
            folders.add(path.parent / compiler.get(key, ""))
    for element in scene.iter():
        name = element.get("file")
        for place in sorted(folder / name for folder in folders) if name else ():
            if place.exists():  # else MuJoCo tells
                try:
                    check_readable(place, MAX_SIZE)
                except UnreadableFileError as error:
                    text = f"scene: {path}: line {line_of(element)}: {place}: {error}"
                    raise RobotInterfaceError(text) from None


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
        raise RobotInterfaceError(f"scene: {path}: {error}") from None
