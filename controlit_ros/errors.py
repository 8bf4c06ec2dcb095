"""The root of all errors controlit raises, and help for misspelt names."""

from collections.abc import Iterable
from difflib import get_close_matches


class ControlItError(Exception):
    """Root of every error raised on purpose."""


def nearest(name: str, candidates: Iterable[str], n: int = 3) -> list[str]:
    """Return up to `n` candidates that resemble `name`, best first, ignoring case."""
    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    return [by_folded[match] for match in get_close_matches(name.casefold(), by_folded, n, 0.6)]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return a bracketed hint to append to a message about an unknown `name`."""
    valid = list(candidates)
    close = nearest(name, valid)
    if close:
        return f" (did you mean {' or '.join(map(repr, close))}?)"
    return f" (valid: {', '.join(map(str, valid)) or 'none'})"
