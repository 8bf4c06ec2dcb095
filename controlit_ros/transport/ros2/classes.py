"""The classes that ROS 2 generates for message and service types."""

from importlib import import_module
from typing import Any

from controlit_ros.interfaces import UnknownTypeError


def rosidl_class(type_name: str) -> Any:
    """Return the class of a message or service type.

    Raises:
        UnknownTypeError: the package that has the type is not built or not sourced.
    """
    package, kind, name = type_name.split("/")
    try:
        return getattr(import_module(f"{package}.{kind}"), name)
    except (ImportError, AttributeError) as error:
        raise UnknownTypeError(
            f"ROS 2 does not know {type_name!r}: {error}; is the workspace that has the package "
            f"{package!r} built and sourced?"
        ) from error
