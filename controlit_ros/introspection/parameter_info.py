"""Parameters as messages."""

import math
from collections.abc import Iterable
from typing import Any

from controlit_ros.configuration import ControllerParameters
from controlit_ros.configuration.described import descriptions
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.flow_text import flow_text
from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection, Quantity
from controlit_ros.tasks import Task

TYPE = "controlit/msg/ParameterInfo"
CONTROLLER = "parameters"
"""Owner of the parameters that hold for the controller as a whole, as in configuration files."""


def parameter_infos(owners: Iterable[ParameterReflection]) -> list[Message]:
    """Return all parameters of several owners."""
    infos = []
    for owner in owners:
        roles = _roles(owner)
        undefined = _undefined(owner)
        infos += [
            parameter_info(p, roles.get(p, ""), has_value=p is not undefined)
            for p in owner.parameters.values()
        ]
    return infos


def parameter_info(parameter: Parameter, role: str = "", *, has_value: bool = True) -> Message:
    """Return a parameter as controlit/msg/ParameterInfo.

    Args:
        parameter: Which one.
        role: What it is for its task.
        has_value: Whether it has one; if not, its numbers are not a number.
    """
    return new(
        TYPE,
        owner=parameter.owner,
        name=parameter.name,
        type=parameter.kind.value,
        shape=[-1 if n is None else n for n in parameter.shape],
        unit=parameter.unit,
        description=parameter.description,
        read_only=parameter.access is not Access.RUN_TIME,
        value=flow_text(parameter.snapshot() if has_value else _no_value(parameter)),
        quantity=parameter.quantity.value,
        unit_length=parameter.unit_length,
        labels=list(parameter.labels),
        turning=list(parameter.turning),
        role=role,
    )


def controller_infos(parameters: ControllerParameters) -> list[Message]:
    """Return the parameters of a configuration's section `parameters`; they are read-only."""
    values, texts = parameters.model_dump(mode="json"), descriptions(ControllerParameters)
    infos = []
    for name, field in ControllerParameters.model_fields.items():
        extra = field.json_schema_extra
        infos.append(
            new(
                TYPE,
                owner=CONTROLLER,
                name=name,
                type=_kind(values[name]).value,
                shape=[-1] if isinstance(values[name], list) else [],
                unit=str(extra.get("unit", "")) if isinstance(extra, dict) else "",
                description=texts[name],
                read_only=True,
                value=flow_text(values[name]),
                quantity=Quantity.PLAIN.value,
            )
        )
    return infos


def _roles(owner: ParameterReflection) -> dict[Parameter, str]:
    """Return what parameters are for their task, which other owners do not tell."""
    if not isinstance(owner, Task):
        return {}
    roles = {
        "goal": owner.goal,
        "goal_velocity": owner.goal_velocity,
        "goal_acceleration": owner.goal_acceleration,
        "actual": owner.actual,
        "error": owner.error,
        "error_norm": owner.error_norm,
    }
    return {parameter: role for role, parameter in roles.items() if parameter is not None}


def _undefined(owner: ParameterReflection) -> Parameter | None:
    """Return the goal of a disabled task that becomes the actual value when it begins to act."""
    if not isinstance(owner, Task) or owner.goal.stated or not owner.is_disabled:
        return None
    return owner.goal if type(owner).latch_goal is Task.latch_goal else None


def _no_value(parameter: Parameter) -> Any:
    return [math.nan] * len(parameter.value) if parameter.is_array else math.nan


def _kind(value: Any) -> Kind:
    """Return what a plain value or its entries are; a text where that says little."""
    entries = value if isinstance(value, list) else [value]
    kinds = {bool: Kind.BOOLEAN, int: Kind.INTEGER, float: Kind.FLOAT}
    found = {kinds.get(type(entry), Kind.TEXT) for entry in entries}
    return found.pop() if len(found) == 1 else Kind.TEXT
