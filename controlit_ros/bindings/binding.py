"""Binding: one parameter joined to one transport."""

from collections.abc import Callable
from dataclasses import dataclass

from controlit_ros.bindings.binding_config import BindingConfig
from controlit_ros.servo import Sampler


@dataclass
class Binding:
    """What a factory made; counts what went through.

    Attributes:
        config: What was asked for.
        message_type: ROS type on the wire.
        received: Values handed to the controller.
        rejected: Messages that did not fit.
        last_rejection: Why the last of them did not.
        sampler: What brings the values of an output; `None` for an input.
        close: Gives up the binding; `None`: its factory cannot take bindings back.
    """

    config: BindingConfig
    message_type: str
    received: int = 0
    rejected: int = 0
    last_rejection: str = ""
    sampler: Sampler | None = None
    close: Callable[[], None] | None = None
