"""Where the shared files of the package are: message texts, robots, configurations."""

import os
import site
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from .errors import ControlItError

PACKAGE = "controlit"
MARKER = Path("msg", "ServoComputeLatency.msg")
"""A file that every complete share directory holds."""


@cache
def share_directory() -> Path:
    """Return the directory that `package://controlit/...` stands for.

    A source checkout (also one installed with `pip install -e`) comes first, then the ROS
    prefixes of the environment, then what pip installed.

    Raises:
        ControlItError: none of the places holds the shared files.
    """
    places = list(_candidates())
    for place in places:
        if (place / MARKER).is_file():
            return place
    looked_in = ", ".join(str(place) for place in places)
    raise ControlItError(f"the shared files of {PACKAGE!r} are missing; looked in {looked_in}")


def _candidates() -> Iterator[Path]:
    yield Path(__file__).resolve().parent.parent
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if prefix:
            yield Path(prefix, "share", PACKAGE)
    yield Path(sys.prefix, "share", PACKAGE)
    yield Path(site.getuserbase(), "share", PACKAGE)
    try:
        installed = files(PACKAGE) or []
    except PackageNotFoundError:
        return
    for path in installed:
        if path.parts[-2:] == MARKER.parts:
            yield Path(str(path.locate())).resolve().parent.parent
