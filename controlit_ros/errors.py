"""The root of the project's exceptions, and help with misspelt names."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

MOST_NAMES = 24
"""Names a message lists; a wall of all parameters would hide what it says."""

SERVO_PROCESS = "the servo's process"
"""How texts begin that tell how a servo in a process of its own ended, answers of services among
them: they are no refusals."""

LONGEST_SHOWN = 80  # [characters] a value needs no more to be recognised


class ControlItError(Exception):
    """Root of all exceptions this project raises on purpose."""


def nearest(name: str, candidates: Iterable[str], n: int = 3) -> list[str]:
    """Return up to `n` candidates that look like `name`, the most similar first.

    Where none does, those whose last part does: `Posture.kp` for `kp`.
    """
    names = list(candidates)
    for part in (str.lower, _end):
        table: dict[str, list[str]] = {}
        for candidate in names:
            table.setdefault(part(candidate), []).append(candidate)
        similar = get_close_matches(part(name), table, n)
        if similar:
            return [candidate for match in similar for candidate in table[match]][:n]
    return []


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return text to append to a message about the unknown `name`.

    It names the nearest candidates, `" (did you mean 'x' or 'y'?)"`; when none is near, it
    lists them, the first of very many; without candidates it says so.
    """
    names = sorted(set(candidates))
    similar = nearest(name, names)
    if similar:
        return f" (did you mean {' or '.join(repr(match) for match in similar)}?)"
    if names:
        left = len(names) - MOST_NAMES
        rest = f" and {left} more" if left > 0 else ""
        return f" (valid names: {', '.join(names[:MOST_NAMES])}{rest})"
    return " (there are no names to choose from)"


def show(value: Any) -> str:
    """Write a value for a message, as YAML has it and not too long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value.tolist() if hasattr(value, "tolist") else value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def told(error: BaseException) -> str:
    """Write an error for a message, also one that cannot write itself."""
    try:
        return repr(error)
    except (Exception, SystemExit):  # noqa: BLE001 - whoever wrote the class may have done anything
        return type(error).__name__


def _end(name: str) -> str:
    return name.lower().replace("/", ".").rpartition(".")[2]
