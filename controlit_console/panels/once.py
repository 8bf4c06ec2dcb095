"""once: what all pages show alike of a moment is written once for all of them."""

from collections.abc import Callable
from functools import wraps

from controlit_console.seen import Seen


def once(write: Callable[[Seen], str]) -> Callable[[Seen], str]:
    """Return what writes a moment, and tells of the newest one what it wrote before.

    Args:
        write: Returns a piece of HTML.
    """
    last: tuple[Seen | None, str] = (None, "")

    @wraps(write)
    def told(seen: Seen) -> str:
        nonlocal last
        if last[0] is not seen:
            last = seen, write(seen)
        return last[1]

    return told
