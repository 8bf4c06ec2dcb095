"""Definitions of types as the ROS 2 that is sourced has them."""

import os
from pathlib import Path

PREFIXES = "AMENT_PREFIX_PATH"
"""Environment variable that names the folders where packages of ROS 2 are installed."""


def sourced_text(type_name: str) -> str | None:
    """Return the definition of a type in the first place that has it; `None` if there is none.

    Definitions change between distributions, and what goes to programs of one has to fit its own.

    Args:
        type_name: `package/msg/Name`, `package/srv/Name` or `package/action/Name`.
    """
    package, kind, name = type_name.split("/")
    for prefix in filter(None, os.environ.get(PREFIXES, "").split(os.pathsep)):
        path = Path(prefix) / "share" / package / kind / f"{name}.{kind}"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return None
