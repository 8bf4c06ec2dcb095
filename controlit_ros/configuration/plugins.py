"""Plugins: parts of a controller that installed packages offer by name."""

from collections.abc import Mapping
from enum import Enum
from importlib.metadata import EntryPoint
from typing import Any

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.installed import entry_points


class PluginError(ControlItError):
    """A plugin does not exist or cannot be loaded."""


class PluginKind(Enum):
    """The entry point group of each kind of plugin."""

    TASK = "controlit.tasks"
    CONSTRAINT = "controlit.constraints"
    WHOLE_BODY_CONTROLLER = "controlit.whole_body_controllers"
    NULL_SPACE_PROJECTOR = "controlit.null_space_projectors"
    ROBOT_INTERFACE = "controlit.robot_interfaces"
    SERVO_CLOCK = "controlit.servo_clocks"
    BINDING_FACTORY = "controlit.binding_factories"
    CONTROL_LAW = "controlit.control_laws"

    @property
    def title(self) -> str:
        """What a user calls it: "task type"."""
        return f"{self.name.lower().replace('_', ' ')} type"


def available(kind: PluginKind) -> Mapping[str, EntryPoint]:
    """Return the installed plugins of a kind by type name, sorted; none is imported."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(kind.value), key=lambda entry: entry.name):
        found.setdefault(entry.name, entry)
    return found


def check_plugin(kind: PluginKind, type_name: str) -> EntryPoint:
    """Return the entry point of a plugin without importing it.

    Raises:
        PluginError: No installed package offers it; the text names the nearest.
    """
    plugins = available(kind)
    if type_name not in plugins:
        article = "an" if kind.title[0] in "aeiou" else "a"
        raise PluginError(
            f"found {type_name!r}, expected {article} {kind.title}"
            f"{did_you_mean(type_name, plugins)}"
        )
    return plugins[type_name]


def load_plugin(kind: PluginKind, type_name: str) -> type[Any]:
    """Import the class of a plugin.

    Raises:
        PluginError: No installed package offers it, its module cannot be imported, or it is no
            class.
    """
    entry = check_plugin(kind, type_name)
    package = f" of {entry.dist.name}" if entry.dist else ""
    try:
        loaded = entry.load()
    except Exception as error:  # a third party's module may fail in any way
        raise PluginError(
            f"the {kind.title} {type_name!r}{package} cannot be loaded from {entry.value}: "
            f"{type(error).__name__}: {error}"
        ) from error
    if not isinstance(loaded, type):
        raise PluginError(
            f"the {kind.title} {type_name!r}{package} is no class: {entry.value} is {loaded!r}"
        )
    return loaded
