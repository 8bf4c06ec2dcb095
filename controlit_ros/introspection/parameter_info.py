"""Parameters as messages."""

from collections.abc import Iterable
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from controlit_ros.configuration import ControllerParameters
from controlit_ros.interfaces import Message, new
from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection

TYPE = "controlit/msg/ParameterInfo"
CONTROLLER = "parameters"
"""Owner of the parameters that hold for the controller as a whole, as in configuration files."""


def parameter_infos(owners: Iterable[ParameterReflection]) -> list[Message]:
    """Return all parameters of several owners."""
    return [parameter_info(p) for owner in owners for p in owner.parameters.values()]


def parameter_info(parameter: Parameter) -> Message:
    """Return a parameter as controlit/msg/ParameterInfo."""
    return new(
        TYPE,
        owner=parameter.owner,
        name=parameter.name,
        type=parameter.kind.value,
        shape=[-1 if n is None else n for n in parameter.shape],
        unit=parameter.unit,
        description=parameter.description,
        read_only=parameter.access is not Access.RUN_TIME,
        value=flow_text(parameter.snapshot()),
    )


def controller_infos(parameters: ControllerParameters) -> list[Message]:
    """Return the parameters of a configuration's section `parameters`; they are read-only."""
    values = parameters.model_dump(mode="json")
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
                description=field.description or "",
                read_only=True,
                value=flow_text(values[name]),
            )
        )
    return infos


def flow_text(value: Any) -> str:
    """Return a plain value as one line of YAML."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = True
    yaml.width = 1_000_000
    stream = StringIO()
    yaml.dump(value, stream)
    return stream.getvalue().removesuffix("...\n").strip()


def _kind(value: Any) -> Kind:
    """Return what a plain value or its entries are; a text where that says little."""
    entries = value if isinstance(value, list) else [value]
    kinds = {bool: Kind.BOOLEAN, int: Kind.INTEGER, float: Kind.FLOAT}
    found = {kinds.get(type(entry), Kind.TEXT) for entry in entries}
    return found.pop() if len(found) == 1 else Kind.TEXT
