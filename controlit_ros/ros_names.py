"""Names by the rules of ROS 2: tokens of letters, digits and underscores between slashes."""

import re

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def fault_of_token(token: str) -> str:
    """Tell what is wrong with a name, or with what stands between two slashes; empty: nothing."""
    if not _TOKEN.fullmatch(token):
        return (
            f"found {token!r}, expected letters, digits and underscores, not starting with a digit"
        )
    return "two underscores in a row are reserved" if "__" in token else ""


def is_topic(name: str) -> bool:
    """Tell whether a topic or service may have a name: `/a/b`, `a/b`, or `~/a` below its node."""
    rest = name[2:] if name.startswith("~/") else name.removeprefix("/")
    return not any(map(fault_of_token, rest.split("/")))
