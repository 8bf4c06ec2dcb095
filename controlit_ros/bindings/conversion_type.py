"""Conversion: how the values of a parameter travel as messages."""

from collections.abc import Callable
from typing import Any, NamedTuple

from controlit_ros.interfaces import Message


class Conversion(NamedTuple):
    """How values of one parameter travel as messages of one type.

    Attributes:
        type_name: ROS message type.
        from_message: Returns the value a message holds, in a form `Parameter.validate` takes, or
            `None` if the message says nothing about it.
        to_message: Returns a message for `(width,)` numbers (or the value of a text) and a stamp.
        copies: Whether that copies each number to one field of type float64, and nothing else in
            the message depends on them: such messages are encoded once (`MessageForm`).
    """

    type_name: str
    from_message: Callable[[Message], Any]
    to_message: Callable[[Any, float], Message]
    copies: bool = False
