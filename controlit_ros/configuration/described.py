"""Described: parts of a configuration whose fields have texts for their users."""

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ConfigDict


def _describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
    for name, text in descriptions(model).items():
        schema["properties"][name]["description"] = text


class Described(BaseModel):
    """Part of a configuration; the texts below its fields tell its users what they are.

    They are read when somebody asks: pydantic would read its sources at each start.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        json_schema_extra=_describe,
    )


@cache
def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Return what the source of a model says below each field, in one line; empty for none."""
    found = dict.fromkeys(model.model_fields, "")
    for kind in reversed(model.__mro__):
        if issubclass(kind, Described) and kind is not Described:
            (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
            assert isinstance(definition, ast.ClassDef)
            for field, below in pairwise(definition.body):
                name = getattr(getattr(field, "target", None), "id", "")
                if name in found:
                    found[name] = _text(below)
    return found


def _text(below: ast.stmt) -> str:
    """Return the text that a statement is, if it is one."""
    value = below.value if isinstance(below, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else None
    return " ".join(text.split()) if isinstance(text, str) else ""
