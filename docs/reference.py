# ruff: noqa: INP001 - a script beside the pages it writes
"""Write from the code what pages of docs/ say of parameters and demonstrations: `make docs`."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from controlit_demos.registry import demonstrations
from controlit_ros.cli.plain_values import write_flow
from controlit_ros.configuration import PluginKind, available, configuration_schema, load_plugin
from controlit_ros.configuration.parameters import APPENDIX_B
from controlit_ros.controllers import FrictionCompensation
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection
from controlit_ros.servo.real_time import RealTimeSettings
from controlit_ros.transport.domain import in_domain

ROOT = Path(__file__).resolve().parent.parent
PAGES = tuple(ROOT / "docs" / name for name in ("configuration.md", "cli.md"))
EXAMPLE = ROOT / "config" / "dreamer" / "benchmark.yaml"  # plugins are asked on a robot
PACKAGE = "controlit_ros."
OWN_NAME = "NAME"  # stands for the controller's in defaults that are made of it
HEAD = ("parameter", "default", "unit", "values", "changes", "meaning")
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
BOUNDS = (
    ("exclusiveMinimum", ">"),
    ("minimum", "≥"),
    ("exclusiveMaximum", "<"),
    ("maximum", "≤"),
)
AT_START, RUNNING = "at start", "running"
PLUGIN_ENTRIES = (
    "ControllerParameters",
    "TaskEntry",
    "ConstraintEntry",
    "InequalityEntry",
    "BehaviourEntry",
)
SECTIONS = {
    "inequalities": PluginKind.INEQUALITY,
    "behaviours": PluginKind.BEHAVIOUR,
    "estimation": PluginKind.ESTIMATOR,
    "robot_interface": PluginKind.ROBOT_INTERFACE,
    "whole_body_controller": PluginKind.WHOLE_BODY_CONTROLLER,
    "servo_clock": PluginKind.SERVO_CLOCK,
}


class Row(NamedTuple):
    """What is said of a parameter; the fields are those of `HEAD`."""

    name: str
    default: str
    unit: str
    values: str
    changes: str
    meaning: str


def main() -> None:
    """Rewrite the pages."""
    for page in PAGES:
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")


def rewritten(page: str) -> str:
    """Return a page with its tables made anew."""
    made = tables()
    return BLOCK.sub(lambda found: found[1] + made[found[2]] + found[3], page)


def tables() -> dict[str, str]:
    """Return every table there is, by its name on the page."""
    schema = configuration_schema()
    models = {"Configuration": schema, **schema["$defs"]}
    made = {
        name: _table(_rows(model)) for name, model in models.items() if name not in PLUGIN_ENTRIES
    }
    made["PluginEntry"] = _table(_rows(models["TaskEntry"]))
    parameters = list(_rows(models["ControllerParameters"]))
    made["AppendixB"] = _table(row for row in parameters if row.name in APPENDIX_B)
    made["Ours"] = _table(row for row in parameters if row.name not in APPENDIX_B)
    stack = load_stack(EXAMPLE)
    friction = FrictionCompensation(stack.robot, (), 1.0 / stack.servo.frequency, 0.0)
    made[friction.name] = "\n" + _of(friction) + "\n"
    made["demonstrations"] = _demonstrations()
    with in_domain("0"):  # some defaults are made of it
        return made | {name: _of_plugins(kind, stack) for name, kind in SECTIONS.items()}


def _demonstrations() -> str:
    """Return what `controlit demo --list` prints."""
    rows = {"name": "description", **demonstrations()}
    width = max(map(len, rows))
    lines = (f"{name:<{width}}  {text}" for name, text in rows.items())
    return "\n".join(("```", "$ controlit demo --list", *lines, "```", ""))


def _table(rows: Iterator[Row]) -> str:
    cells = [HEAD, ("---",) * len(HEAD)]
    cells += [(f"`{row.name}`", *row[1:]) for row in rows]
    return "".join("| " + " | ".join(row) + " |\n" for row in cells)


def _rows(model: Mapping[str, Any]) -> Iterator[Row]:
    required = model.get("required", ())
    for name, schema in model["properties"].items():
        default = schema.get("default")
        is_entry = isinstance(default, Mapping) and default
        yield Row(
            name,
            "required" if name in required else "" if is_entry else f"`{write_flow(default)}`",
            schema.get("unit", ""),
            _values(schema),
            RUNNING if schema.get("changes_while_running") else AT_START,
            schema.get("description", ""),
        )


def _values(schema: Mapping[str, Any]) -> str:
    """Return in words which values a JSON schema allows."""
    if "$ref" in schema:
        return "map"
    if "enum" in schema:
        return ", ".join(f"`{choice}`" for choice in schema["enum"])
    if "anyOf" in schema:
        options = [_values(part) for part in schema["anyOf"] if part.get("type") != "null"]
        return (
            f"{options[0]}; of joints"
            if _is_for_joints(schema)
            else " or ".join(sorted(options, key=len))
        )
    return _plain_values(schema)


def _plain_values(schema: Mapping[str, Any]) -> str:
    kind = schema["type"]
    if "prefixItems" in schema:
        return f"{len(schema['prefixItems'])} numbers"
    if kind == "array":
        return f"list: {_values(schema['items'])}"
    if kind == "object":
        entries = schema.get("additionalProperties")
        return f"map by joint: {_values(entries)}" if isinstance(entries, Mapping) else "map"
    limits = [f"{sign} {schema[key]:g}" for key, sign in BOUNDS if key in schema]
    word = {"boolean": "true, false", "string": "text"}.get(kind, kind)
    return " ".join([word, ", ".join(limits)]).strip()


def _is_for_joints(schema: Mapping[str, Any]) -> bool:
    """Whether values are one for all joints, a list or a map."""
    kinds = [part["type"] for part in schema["anyOf"] if "type" in part]
    return {"array", "object"} <= set(kinds) and kinds[0] not in ("array", "object")


def _of_plugins(kind: PluginKind, stack: ControllerStack) -> str:
    parts = []
    for name, entry in available(kind).items():
        if not entry.value.startswith(PACKAGE):
            continue
        table = _of(_ask(kind, name, stack))
        parts.append(f"`{name}`" + (":\n\n" + table if table else " has none.\n"))
    return "\n" + "\n".join(parts) + "\n"


def _of(part: ParameterReflection) -> str:
    """Return the table of a part's parameters, empty if it has none that can be set."""
    rows = [_row(p) for p in part.parameters.values() if p.access is not Access.OUTPUT]
    return _table(iter(rows)) if rows else ""


def _ask(kind: PluginKind, name: str, stack: ControllerStack) -> ParameterReflection:
    plugin = load_plugin(kind, name)
    arguments = {
        PluginKind.ROBOT_INTERFACE: (stack.robot_interface.setup._replace(name=OWN_NAME),),
        PluginKind.INEQUALITY: (OWN_NAME, stack.robot),
        PluginKind.BEHAVIOUR: (OWN_NAME, stack.robot),
        PluginKind.ESTIMATOR: (OWN_NAME, stack.robot),
        PluginKind.WHOLE_BODY_CONTROLLER: (stack.robot, 1),
        PluginKind.SERVO_CLOCK: (stack.clock.frequency, RealTimeSettings(0, ())),
    }[kind]
    part: ParameterReflection = plugin(*arguments)
    return part


def _row(parameter: Parameter) -> Row:
    default = parameter.snapshot()
    if parameter.labels and len(set(default)) == 1:
        default = default[0]
    text = write_flow(default)
    return Row(
        parameter.name,
        "from the controller's name" if OWN_NAME in text else f"`{text}`",
        parameter.unit,
        _allowed(parameter),
        RUNNING if parameter.access is Access.RUN_TIME else AT_START,
        parameter.description,
    )


def _allowed(parameter: Parameter) -> str:
    """Return in words which values a parameter allows."""
    if parameter.choices:
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    word = {
        Kind.FLOAT: "number",
        Kind.INTEGER: "integer",
        Kind.BOOLEAN: "true, false",
        Kind.TEXT: "text",
    }[parameter.kind]
    bounds = (("≥", parameter.lower), ("≤", parameter.upper))
    limits = [f"{sign} {bound:g}" for sign, bound in bounds if bound is not None]
    text = " ".join([word, ", ".join(limits)]).strip()
    if parameter.labels:
        return (
            f"{text}; of {', '.join(parameter.labels) if len(parameter.labels) < 3 else 'joints'}"
        )
    if not parameter.shape:
        return text
    count = parameter.shape[0]
    return f"{word}s" if count is None else f"{count} {word}s"


if __name__ == "__main__":
    main()
