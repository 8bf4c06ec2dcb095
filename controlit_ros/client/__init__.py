"""Clients: programs that steer a running controller, over every transport.

    from controlit_ros.client import connect

    with connect("dreamer_controller") as robot:
        robot.task("RightHandPosition").move_to([0.30, -0.30, 1.00], duration=2.0).wait()
        robot.wait_for("RightHandConverged", timeout=5.0)

What is named here stays; `docs/client.md` tells all of it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from controlit_ros.client.names import *  # noqa: F403

NAMES = "controlit_ros.client.names"
"""Module that has them, imported when one is asked for: paths and previews need libraries that take
seconds, which commands that use a part of this room do without."""


def __getattr__(name: str) -> Any:
    if name != "__all__" and name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(NAMES), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *importlib.import_module(NAMES).__all__])
