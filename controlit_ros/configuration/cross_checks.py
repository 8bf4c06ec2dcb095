"""Checks of a configuration across its sections, on plain values that may still be wrong."""

from collections.abc import Iterator
from typing import Any

from controlit_ros.configuration.location import KeyPath
from controlit_ros.configuration.plugins import PluginKind, check_plugin
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.sections import LISTINGS, NAMED
from controlit_ros.configuration.unchecked import entries, section_of
from controlit_ros.errors import did_you_mean
from controlit_ros.installed import PluginError

RESERVED = (
    "estimation",
    "friction_compensation",
    "modes",
    "odometry",
    "robot_interface",
    "servo_clock",
    "whole_body_controller",
)
"""Names of parts every controller has, which tasks, constraints and events cannot take."""

_PARAMETER_PLUGINS = {
    "null_space_projector_type": PluginKind.NULL_SPACE_PROJECTOR,
    "prioritisation_type": PluginKind.PRIORITISATION,
    "qp_solver_type": PluginKind.QP_SOLVER,
    "robot_interface_type": PluginKind.ROBOT_INTERFACE,
    "servo_clock_type": PluginKind.SERVO_CLOCK,
    "whole_body_controller_type": PluginKind.WHOLE_BODY_CONTROLLER,
}
_ENTRY_PLUGINS = (
    ("tasks", "type", PluginKind.TASK),
    ("constraints", "type", PluginKind.CONSTRAINT),
    ("inequalities", "type", PluginKind.INEQUALITY),
    ("behaviours", "type", PluginKind.BEHAVIOUR),
    ("whole_body_controllers", "type", PluginKind.WHOLE_BODY_CONTROLLER),
    ("whole_body_controllers", "null_space_projector_type", PluginKind.NULL_SPACE_PROJECTOR),
    ("whole_body_controllers", "qp_solver_type", PluginKind.QP_SOLVER),
    ("whole_body_controllers", "prioritisation_type", PluginKind.PRIORITISATION),
)
_DEFAULT_FACTORIES = ("topic", "shared_memory")


def check_across(data: dict[str, Any], collector: ProblemCollector) -> None:
    """Note names that are taken twice or refer to nothing, and plugins that do not exist."""
    _check_names(data, collector)
    for declaring, listing in LISTINGS.items():
        _check_references(data, listing, declaring, collector)
    _check_types(data, collector)
    _check_bindings(data, collector)
    _check_time(data, collector)


def _names(data: dict[str, Any], section: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for i, entry in entries(data, section):
        if isinstance(entry.get("name"), str):
            yield i, entry["name"], entry


def _check_names(data: dict[str, Any], collector: ProblemCollector) -> None:
    taken: dict[str, KeyPath] = {}
    for section in NAMED:
        for i, name, _ in _names(data, section):
            path: KeyPath = (section, i, "name")
            if name in RESERVED:
                collector.add(
                    path, f"{name!r} is a part of every controller, expected another name"
                )
            elif name in taken:
                line = collector.origin.locate(taken[name]).line
                collector.add(
                    path, f"the name {name!r} is taken by {taken[name][0]} in line {line}"
                )
            else:
                taken[name] = path


def _check_references(
    data: dict[str, Any], listing: str, declaring: str, collector: ProblemCollector
) -> None:
    declared = {name: entry for _, name, entry in _names(data, declaring)}
    seen: dict[str, int] = {}
    for i, name, entry in _names(data, listing):
        path: KeyPath = (listing, i, "name")
        if name not in declared:
            collector.add(
                path,
                f"found {name!r}, expected one of the {declaring}{did_you_mean(name, declared)}",
            )
            continue
        if name in seen:
            line = collector.origin.locate((listing, seen[name])).line
            collector.add(path, f"{name!r} is listed twice, first in line {line}")
        seen.setdefault(name, i)
        stated, actual = entry.get("type"), declared[name].get("type")
        if isinstance(stated, str) and listing == "constraint_set" and stated != actual:
            collector.add(
                (listing, i, "type"), f"found {stated!r}, but {name!r} is declared as {actual!r}"
            )


def _check_plugin(
    kind: PluginKind, name: object, path: KeyPath, collector: ProblemCollector
) -> None:
    if isinstance(name, str):
        try:
            check_plugin(kind, name)
        except PluginError as error:
            collector.add(path, str(error))


def _check_types(data: dict[str, Any], collector: ProblemCollector) -> None:
    for section, key, kind in _ENTRY_PLUGINS:
        for i, entry in entries(data, section):
            _check_plugin(kind, entry.get(key), (section, i, key), collector)
    parameters = section_of(data, "parameters")
    for key, kind in _PARAMETER_PLUGINS.items():
        _check_plugin(kind, parameters.get(key), ("parameters", key), collector)
    factories = parameters.get("parameter_binding_factories")
    for i, factory in enumerate(factories if isinstance(factories, (list, tuple)) else ()):
        path = ("parameters", "parameter_binding_factories", i)
        _check_plugin(PluginKind.BINDING_FACTORY, factory, path, collector)


def _check_bindings(data: dict[str, Any], collector: ProblemCollector) -> None:
    listed = section_of(data, "parameters").get("parameter_binding_factories")
    factories = tuple(listed) if isinstance(listed, list | tuple) else _DEFAULT_FACTORIES
    seen: dict[tuple[str, ...], int] = {}
    for i, entry in entries(data, "bindings"):
        transport = entry.get("transport_type")
        path: KeyPath = ("bindings", i, "transport_type")
        before = len(collector.problems)
        _check_plugin(PluginKind.BINDING_FACTORY, transport, path, collector)
        known = len(collector.problems) == before
        if isinstance(transport, str) and known and transport not in factories:
            collector.add(
                path,
                f"{transport!r} is not among parameter_binding_factories: "
                + ", ".join(map(str, factories)),
            )
        key = tuple(str(entry.get(name)) for name in ("parameter", "direction", "topic"))
        if key in seen:
            line = collector.origin.locate(("bindings", seen[key])).line
            collector.add(("bindings", i), f"repeats the binding in line {line}")
        seen.setdefault(key, i)


def _check_time(data: dict[str, Any], collector: ProblemCollector) -> None:
    """Note a servo that waits for the time of a simulator that waits for the servo."""
    is_simulated = section_of(data, "servo_clock").get("use_sim_time") is True
    if section_of(data, "parameters").get("servo_clock_type") != "RosTime" or not is_simulated:
        return
    for section in ("robot_interface", "simulator"):
        if section_of(data, section).get("lock_step") is True:
            collector.add(
                (section, "lock_step"),
                "found true, but servo_clock_type RosTime with use_sim_time waits for the "
                "simulator's time: expected false, or another servo clock",
            )
