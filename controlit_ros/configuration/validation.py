"""Typed validation of a configuration, with messages in the words of its users."""

import re
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from controlit_ros.configuration.configuration import Configuration
from controlit_ros.configuration.described import descriptions
from controlit_ros.configuration.entries import (
    BehaviourEntry,
    BindingEntry,
    BindingProperties,
    CompoundTaskEntry,
    ConstraintEntry,
    ConstraintSetEntry,
    EventEntry,
    InequalityEntry,
    ModeEntry,
    ModesEntry,
    ModeTransitionEntry,
    TaskEntry,
    WholeBodyControllerEntry,
)
from controlit_ros.configuration.location import KeyPath
from controlit_ros.configuration.parameters import ControllerParameters
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.errors import did_you_mean, show

_ENTRIES: dict[str | int, type[BaseModel]] = {
    "tasks": TaskEntry,
    "constraints": ConstraintEntry,
    "inequalities": InequalityEntry,
    "behaviours": BehaviourEntry,
    "compound_task": CompoundTaskEntry,
    "constraint_set": ConstraintSetEntry,
    "bindings": BindingEntry,
    "events": EventEntry,
    "whole_body_controllers": WholeBodyControllerEntry,
}
_MODES: dict[KeyPath, type[BaseModel]] = {
    ("states",): ModeEntry,
    ("transitions",): ModeTransitionEntry,
}
_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a map",
    "expected": "",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "a number > {gt:g}",
    "greater_than_equal": "a number >= {ge:g}",
    "int_from_float": "an integer",
    "int_type": "an integer",
    "less_than": "a number < {lt:g}",
    "less_than_equal": "a number <= {le:g}",
    "literal_error": "{expected}",
    "model_type": "a map of keys and values",
    "string_too_short": "a text that is not empty",
    "string_type": "a text",
    "too_long": "{max_length} entries",
    "tuple_type": "a list",
}


def validate(data: dict[str, Any], collector: ProblemCollector) -> Configuration | None:
    """Turn plain values into a configuration, or note every problem and return None."""
    try:
        return Configuration.model_validate(data, context=collector.origin)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            collector.add(*_explain(detail))
        return None


def _explain(detail: ErrorDetails) -> tuple[KeyPath, str]:
    path: KeyPath = detail["loc"]
    key = str(path[-1]) if path else ""
    if path and path[-1] == "[key]":
        path = path[:-2]
    section = _section(path)
    if detail["type"] == "extra_forbidden":
        known = section.model_fields if section else ()
        return path, f"unknown key {key!r}{did_you_mean(key, known)}"
    if detail["type"] == "missing":
        if isinstance(path[-1], int):  # a vector that is too short
            return path[:-1], f"entry {key} is missing"
        text = descriptions(section).get(key) if section else None
        about = f": {text}" if text else ""
        return path[:-1], f"the key {key!r} is missing{about}"
    found = detail["input"]
    message = f"found {show(found)}, expected {_expected(detail)}{_unit(section, key)}"
    if detail["type"] == "literal_error" and isinstance(found, str):
        close = did_you_mean(found, re.findall(r"'(\w+)'", str(detail["ctx"]["expected"])))
        message += close if "did you mean" in close else ""
    return path, message


def _expected(detail: ErrorDetails) -> str:
    template = _EXPECTED.get(detail["type"])
    if template is None or template == "":
        return detail["msg"]
    return template.format(**detail.get("ctx", {}))


def _unit(section: type[BaseModel] | None, key: str) -> str:
    field = section.model_fields.get(key) if section else None
    extra = field.json_schema_extra if field else None
    return f" [{extra['unit']}]" if isinstance(extra, dict) and "unit" in extra else ""


def _section(path: KeyPath) -> type[BaseModel] | None:
    """Return the model that holds the last key of a path."""
    if len(path) == 1:
        return Configuration
    if path[:1] == ("modes",):
        return _MODES.get(path[1:-2]) if len(path) > 2 else ModesEntry
    if path[:1] == ("parameters",):
        return ControllerParameters if len(path) == 2 else None
    if len(path) == 3:
        return _ENTRIES.get(path[0])
    return BindingProperties if path[2:3] == ("properties",) else None
