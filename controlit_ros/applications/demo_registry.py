"""The demos there are, and how to run one."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from controlit_ros.applications.demo_options import DemoOptions
from controlit_ros.errors import ControlItError, did_you_mean

if TYPE_CHECKING:
    from controlit_ros.applications.demo import Demo


class DemoEntry(NamedTuple):
    """Where a demonstration is, so that listing them imports none.

    Attributes:
        description: One line.
        module: Module of `controlit_ros.applications`.
        class_name: Subclass of `Demo` in it.
    """

    description: str
    module: str
    class_name: str


ENTRIES: Mapping[str, DemoEntry] = {
    "hands": DemoEntry(
        "Dreamer in simulation follows hand goals that a second process sends over topics",
        "hands_demo",
        "HandsDemo",
    ),
    "repositioning": DemoEntry(
        "Dreamer's right hand goes to random places, some of them out of its reach",
        "repositioning_demo",
        "RepositioningDemo",
    ),
    "humanoid": DemoEntry(
        "Talos keeps its balance when pushed, shifts its weight and lifts a foot",
        "humanoid_demo",
        "HumanoidDemo",
    ),
    "trikey": DemoEntry(
        "A base on three omni wheels drives a route and turns as it goes",
        "trikey_demo",
        "TrikeyDemo",
    ),
    "disassembly": DemoEntry(
        "Dreamer takes a valve off a tube and stores the tube, as a finite state machine",
        "disassembly_demo",
        "DisassemblyDemo",
    ),
}
"""Each demo by name."""

DEMOS: Mapping[str, str] = {name: entry.description for name, entry in ENTRIES.items()}
"""Name and description of each demo."""


class UnknownDemoError(ControlItError):
    """There is no such demo; the text lists the nearest."""


def demo_class(name: str) -> "type[Demo]":
    """Return the class of a demo; imports what it needs, such as MuJoCo and SciPy.

    Raises:
        UnknownDemoError: There is no such demo.
    """
    entry = ENTRIES.get(name)
    if entry is None:
        raise UnknownDemoError(f"unknown demo {name!r}{did_you_mean(name, DEMOS)}")
    module = import_module(f"controlit_ros.applications.{entry.module}")
    found: type[Demo] = getattr(module, entry.class_name)
    return found


def run_demo(name: str, options: DemoOptions | None = None) -> int:
    """Run a demo and return its exit code: 0 if everything stayed within its bounds.

    Args:
        name: One of `DEMOS`.
        options: How to run it; the default is one whole run in real time.

    Raises:
        UnknownDemoError: There is no such demo.
    """
    return demo_class(name)(options or DemoOptions()).run()
