"""The demonstrations that installed packages offer, and how to run one."""

from typing import TYPE_CHECKING

from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.installed import PluginError, load_class, named, plugins, summary

if TYPE_CHECKING:
    from controlit_demos.running.demonstration import Demonstration

GROUP = "controlit.demonstrations"
"""Group of entry points: name of a demonstration to a subclass of `Demonstration`."""


class UnknownDemoError(ControlItError):
    """There is no such demonstration; the text names the nearest."""


def demonstrations() -> dict[str, str]:
    """Return name and description of each demonstration, sorted; none is imported."""
    return {name: summary(entry).rstrip(".") for name, entry in plugins(GROUP).items()}


def demo_class(name: str) -> "type[Demonstration]":
    """Return the class of a demonstration; imports what it needs, such as MuJoCo and SciPy.

    Raises:
        UnknownDemoError: There is no such demonstration.
        PluginError: It cannot be imported, or it is no subclass of `Demonstration`.
    """
    known = plugins(GROUP)
    if name not in known:
        raise UnknownDemoError(f"there is no demonstration {name!r}{did_you_mean(name, known)}")
    found = load_class(known[name], "demonstration")
    from controlit_demos.running.demonstration import Demonstration  # noqa: PLC0415 - takes a second

    if not issubclass(found, Demonstration):
        raise PluginError(
            f"{named(known[name], 'demonstration')} is no demonstration: {known[name].value} "
            f"does not derive from {Demonstration.__name__}"
        )
    return found


def run_demo(name: str, options: DemoOptions | None = None) -> int:
    """Run a demonstration; return its exit code: 0 if everything stayed within its bounds.

    Args:
        name: One of `demonstrations()`.
        options: How to run it; the default is one whole run in real time.

    Raises:
        UnknownDemoError: There is no such demonstration.
        PluginError: It cannot be imported.
    """
    return demo_class(name)(options or DemoOptions()).run()
