"""Plain values (numbers, texts, lists, maps) as people type and read them."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import typer
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

PLAIN_TEXT = re.compile(r"[A-Za-z_/][\w/.+()=<>-]*( [\w/.+()=<>-]+)*")
"""Texts that need no quotes."""

AMBIGUOUS = frozenset({"true", "false", "null", "yes", "no", "on", "off"})


def read_value(source: str, what: str) -> Any:
    """Return the value of a YAML text from the command line.

    Raises:
        typer.BadParameter: The text is no YAML.
    """
    try:
        return YAML(typ="safe", pure=True).load(source)
    except (YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(getattr(error, "problem", None) or error).split())
        raise typer.BadParameter(
            f"found {source!r}, expected YAML ({reason})", param_hint=what
        ) from None


def read_fields(source: str) -> dict[str, Any]:
    """Return the fields of a message from the command line, YAML; empty for none.

    Raises:
        typer.BadParameter: The text is no map.
    """
    value = read_value(source, "VALUES") if source.strip() else {}
    if not isinstance(value, dict):
        raise typer.BadParameter(
            f"found {source!r}, expected fields as in '{{task: Posture}}'", param_hint="VALUES"
        )
    return {str(key): entry for key, entry in value.items()}


def write_value(value: Any) -> str:
    """Return a value as YAML: maps over several lines, lists of plain values in one."""
    return "\n".join(_lines(value))


def write_flow(value: Any) -> str:
    """Return a value as one line of YAML."""
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{write_flow(key)}: {write_flow(entry)}" for key, entry in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(write_flow(entry) for entry in value) + "]"
    return _scalar(value)


def rounded(value: Any) -> Any:
    """Return a value with as many digits of its numbers as people look at."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return value


def _lines(value: Any) -> list[str]:
    if isinstance(value, Mapping) and value:
        lines = []
        for key, entry in value.items():
            if isinstance(entry, str) and "\n" in entry:
                lines += [f"{key}: |", *(f"  {line}" for line in entry.splitlines())]
            elif _is_block(entry):
                lines += [f"{key}:", *(f"  {line}" for line in _lines(entry))]
            else:
                lines.append(f"{key}: {write_flow(entry)}")
        return lines
    if isinstance(value, list | tuple) and _is_block(value):
        lines = []
        for entry in value:
            first, *rest = _lines(entry)
            lines += [f"- {first}", *(f"  {line}" for line in rest)]
        return lines
    return [write_flow(value)]


def _is_block(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, list | tuple) and any(
        isinstance(entry, Mapping | list | tuple) for entry in value
    )


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, str):
        is_plain = PLAIN_TEXT.fullmatch(value) and value.lower() not in AMBIGUOUS
        return value if is_plain else json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return str(value)


def _float(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
