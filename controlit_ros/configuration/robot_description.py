"""Finding the description of the robot."""

import re
from pathlib import Path
from typing import NamedTuple

from controlit_ros.errors import ControlItError
from controlit_ros.regular_file import MEBIBYTE, UnreadableFileError, read_text
from controlit_ros.resource import ResourceError, resolve_resource

XACRO = ".xacro"
ROBOT = re.compile(r"<([\w.-]+:)?robot\b")  # with a prefix or without
MAX_SIZE = 16 * MEBIBYTE  # the largest humanoids have a tenth of one


class RobotDescriptionError(ControlItError):
    """The description of the robot cannot be found or read."""


class DescriptionFile(NamedTuple):
    """A robot description.

    Attributes:
        urdf: Its text.
        path: The file it was read from; None when it was written inline.
    """

    urdf: str
    path: Path | None


def read_robot_description(reference: str, folder: Path) -> DescriptionFile:
    """Read a robot description.

    Args:
        reference: What `resolve_resource` takes, or the text itself.
        folder: Where relative paths begin.

    Raises:
        RobotDescriptionError: There is no such file or it holds no text of a robot.
    """
    if is_inline(reference):
        return DescriptionFile(reference, None)
    try:
        path = resolve_resource(reference, folder)
    except ResourceError as error:
        raise RobotDescriptionError(str(error)) from None
    try:
        urdf = read_text(path, MAX_SIZE)
    except UnreadableFileError as error:
        raise RobotDescriptionError(f"{path}: {error}") from None
    if not ROBOT.search(urdf):
        raise RobotDescriptionError(f"{path} is no URDF: it has no <robot> element")
    if path.suffix == XACRO:
        raise RobotDescriptionError(
            f"{path} is written in xacro, expected a URDF: xacro {path.name} > robot.urdf"
        )
    return DescriptionFile(urdf, path)


def is_inline(reference: str) -> bool:
    """Whether a reference is the text of the description itself."""
    return reference.lstrip().startswith("<")
