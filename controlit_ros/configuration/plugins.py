"""Plugins: parts of a controller that installed packages offer by name."""

from collections.abc import Mapping
from enum import Enum
from importlib.metadata import EntryPoint
from typing import Any

from controlit_ros.errors import did_you_mean
from controlit_ros.installed import PluginError, load_class, plugins


class PluginKind(Enum):
    """The entry point group of each kind of plugin."""

    TASK = "controlit.tasks"
    CONSTRAINT = "controlit.constraints"
    INEQUALITY = "controlit.inequalities"
    BEHAVIOUR = "controlit.behaviours"
    WHOLE_BODY_CONTROLLER = "controlit.whole_body_controllers"
    NULL_SPACE_PROJECTOR = "controlit.null_space_projectors"
    QP_SOLVER = "controlit.qp_solvers"
    PRIORITISATION = "controlit.prioritisations"
    ESTIMATOR = "controlit.estimators"
    ROBOT_INTERFACE = "controlit.robot_interfaces"
    SERVO_CLOCK = "controlit.servo_clocks"
    BINDING_FACTORY = "controlit.binding_factories"
    CONTROL_LAW = "controlit.control_laws"

    @property
    def title(self) -> str:
        """What a user calls it: "task type"."""
        return f"{self.name.lower().replace('_', ' ').replace('qp', 'QP')} type"


def available(kind: PluginKind) -> Mapping[str, EntryPoint]:
    """Return the installed plugins of a kind by type name, sorted; none is imported."""
    return plugins(kind.value)


def check_plugin(kind: PluginKind, type_name: str) -> EntryPoint:
    """Return the entry point of a plugin without importing it.

    Raises:
        PluginError: No installed package offers it; the text names the nearest.
    """
    known = available(kind)
    if type_name not in known:
        article = "an" if kind.title[0] in "aeiou" else "a"
        raise PluginError(
            f"found {type_name!r}, expected {article} {kind.title}{did_you_mean(type_name, known)}"
        )
    return known[type_name]


def load_plugin(kind: PluginKind, type_name: str) -> type[Any]:
    """Import the class of a plugin.

    Raises:
        PluginError: No installed package offers it, its module cannot be imported, or it is no
            class.
    """
    return load_class(check_plugin(kind, type_name), kind.title)
