"""lazily: names that others take from a room, imported when somebody asks for one.

Who needs one module of a room, as clients do, does not wait for all the others and for what those
need: the compiler of the kernels, the robot's dynamics, the schema of files.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

NAMES = "names"  # module of a room that has them


def lazily(room: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a room."""

    def find(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        if find_spec(f"{room}.{name}") is not None:
            return import_module(f"{room}.{name}")
        return getattr(import_module(f"{room}.{NAMES}"), name)

    return find
