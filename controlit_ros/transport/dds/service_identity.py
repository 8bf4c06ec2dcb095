"""Which reader and writer belong to one service or client."""

from uuid import uuid4

from cyclonedds.core import Policy

from .mangling import parse_user_data


def new_identifier() -> str:
    """Return an identifier that the reader and the writer of a service or client both carry."""
    return ".".join(f"{byte:x}" for byte in uuid4().bytes)


def user_value(endpoint: object, key: str) -> str | None:
    """Return a value from the USER_DATA of a matched endpoint, None if it does not have it."""
    qos = getattr(endpoint, "qos", None)
    if qos is None or Policy.Userdata not in qos:
        return None
    return parse_user_data(qos[Policy.Userdata].data).get(key)
