"""The root of the project's exceptions, and help with misspelt names."""

from collections.abc import Iterable
from difflib import get_close_matches


class ControlItError(Exception):
    """Root of all exceptions this project raises on purpose."""


def nearest(name: str, candidates: Iterable[str], n: int = 3) -> list[str]:
    """Return up to `n` candidates that look like `name`, the most similar first."""
    by_lower_case: dict[str, str] = {}
    for candidate in candidates:
        by_lower_case.setdefault(candidate.lower(), candidate)
    return [by_lower_case[match] for match in get_close_matches(name.lower(), by_lower_case, n)]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return text to append to a message about the unknown `name`.

    It names the nearest candidates, `" (did you mean 'x' or 'y'?)"`; when none is near, it
    lists all of them; without candidates it says so.
    """
    names = sorted(set(candidates))
    similar = nearest(name, names)
    if similar:
        return f" (did you mean {' or '.join(repr(match) for match in similar)}?)"
    if names:
        return f" (valid names: {', '.join(names)})"
    return " (there are no names to choose from)"
