"""Where the files are that configurations refer to: robots, scenes."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from controlit_ros.errors import ControlItError
from controlit_ros.share import PACKAGE, share_directory

ROBOTS_PACKAGE = "example-robot-data"


class ResourceError(ControlItError):
    """A reference leads nowhere."""


def resolve_resource(reference: str, folder: Path) -> Path:
    """Return the path a reference stands for, whether or not there is a file.

    Args:
        reference: `package://<package>/<path>`, `file://<path>`, an absolute path, or a path
            relative to `folder`. A package is this one, one below a ROS prefix
            (`AMENT_PREFIX_PATH`), or one whose share folder pip has installed.
        folder: Where relative paths begin.

    Raises:
        ResourceError: The package is unknown or the scheme is.
    """
    scheme, separator, rest = reference.partition("://")
    if not separator:
        return folder / Path(reference).expanduser()
    if scheme == "file":
        return Path(rest)
    if scheme != "package":
        raise ResourceError(f"found {reference!r}, expected package://, file:// or a path")
    package, _, inner = rest.partition("/")
    return _package_share(package) / inner


def _package_share(package: str) -> Path:
    if package == PACKAGE:
        return share_directory()
    for prefix in _prefixes():
        share = prefix / "share" / package
        if package and share.is_dir():
            return share
    if package == ROBOTS_PACKAGE:
        raise ResourceError(
            f"the package {package!r} is not installed: pip install 'controlit[robots]' brings it"
        )
    raise ResourceError(
        f"there is no package {package!r} below the prefixes of AMENT_PREFIX_PATH or of this Python"
    )


def _prefixes() -> Iterator[Path]:
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if prefix:
            yield Path(prefix)
    yield Path(sys.prefix)
    for entry in sys.path:
        yield Path(entry, "cmeel.prefix")  # where wheels with libraries of C++ put their data
