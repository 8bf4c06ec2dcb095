"""The classes that ROS 2 generates for message and service types."""

from functools import reduce
from importlib import import_module
from typing import Any

from controlit_ros.interfaces import UnknownTypeError

_OF_ACTIONS = {
    "Goal": "Goal",
    "Result": "Result",
    "Feedback": "Feedback",
    "SendGoal": "Impl.SendGoalService",
    "GetResult": "Impl.GetResultService",
    "FeedbackMessage": "Impl.FeedbackMessage",
}
"""Where the class of an action has what its parts are called on the wire."""


def rosidl_class(type_name: str) -> Any:
    """Return the class of a message or service type, also of one that an action consists of.

    Raises:
        UnknownTypeError: the package that has the type is not built or not sourced.
    """
    package, kind, name = type_name.split("/")
    action, _, part = name.rpartition("_")
    path = f"{action}.{_OF_ACTIONS.get(part, part)}" if kind == "action" and action else name
    try:
        return reduce(getattr, path.split("."), import_module(f"{package}.{kind}"))
    except (ImportError, AttributeError) as error:
        raise UnknownTypeError(
            f"ROS 2 does not know {type_name!r}: {error}; is the workspace that has the package "
            f"{package!r} built and sourced?"
        ) from error
