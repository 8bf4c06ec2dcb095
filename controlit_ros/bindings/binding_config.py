"""BindingConfig: what shall be bound to what."""

from enum import Enum
from typing import NamedTuple

DEFAULT_PUBLISH_RATE = 100.0  # [Hz] enough for plots and markers; the servo runs ten times as fast
DEFAULT_QUEUE_SIZE = 1  # [messages] of a goal only the newest counts


class Direction(Enum):
    """Which way values go."""

    INPUT = "input"
    OUTPUT = "output"


class BindingConfig(NamedTuple):
    """One binding of a parameter to a transport (paper section 4.4).

    Attributes:
        parameter: Full name, `owner.parameter`.
        direction: Into the controller or out of it.
        topic: Name on the transport, relative to the controller's namespace.
        publish_rate: Highest rate of an output [Hz].
        queue_size: Messages kept for a slow reader.
        latched: Whether late subscribers get the last value.
        message_type: ROS type; empty for the one that fits the parameter.
    """

    parameter: str
    direction: Direction
    topic: str
    publish_rate: float = DEFAULT_PUBLISH_RATE
    queue_size: int = DEFAULT_QUEUE_SIZE
    latched: bool = False
    message_type: str = ""
