"""Finding the description of the robot."""

import os
from pathlib import Path
from typing import NamedTuple

from controlit_ros.errors import ControlItError
from controlit_ros.share import PACKAGE, share_directory


class RobotDescriptionError(ControlItError):
    """The description of the robot cannot be found or read."""


class RobotDescription(NamedTuple):
    """A robot description.

    Attributes:
        urdf: Its text.
        path: The file it was read from; None when it was written inline.
    """

    urdf: str
    path: Path | None


def read_robot_description(reference: str, folder: Path) -> RobotDescription:
    """Read a robot description.

    Args:
        reference: `package://<package>/<path>`, `file://<path>`, an absolute path, a path relative
            to `folder`, or the text itself.
        folder: Where relative paths begin.

    Raises:
        RobotDescriptionError: There is no such file or it holds no text of a robot.
    """
    if is_inline(reference):
        return RobotDescription(reference, None)
    path = resolve_robot_description(reference, folder)
    try:
        urdf = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RobotDescriptionError(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise RobotDescriptionError(f"cannot read {path}: {error}") from None
    if "<robot" not in urdf:
        raise RobotDescriptionError(f"{path} is no URDF: it has no <robot> element")
    return RobotDescription(urdf, path)


def is_inline(reference: str) -> bool:
    """Whether a reference is the text of the description itself."""
    return reference.lstrip().startswith("<")


def resolve_robot_description(reference: str, folder: Path) -> Path:
    """Return the path a reference stands for, whether or not it exists.

    Raises:
        RobotDescriptionError: The package is unknown or the scheme is.
    """
    scheme, separator, rest = reference.partition("://")
    if not separator:
        return folder / Path(reference).expanduser()
    if scheme == "file":
        return Path(rest)
    if scheme != "package":
        raise RobotDescriptionError(
            f"found {reference!r}, expected package://, file://, a path or the text of a URDF"
        )
    package, _, inner = rest.partition("/")
    return _package_share(package) / inner


def _package_share(package: str) -> Path:
    if package == PACKAGE:
        return share_directory()
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        share = Path(prefix, "share", package)
        if prefix and package and share.is_dir():
            return share
    raise RobotDescriptionError(
        f"there is no package {package!r} below the prefixes of AMENT_PREFIX_PATH"
    )
