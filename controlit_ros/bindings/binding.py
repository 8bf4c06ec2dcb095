"""Binding: one parameter joined to one transport."""

from dataclasses import dataclass, field

from controlit_ros.bindings.binding_config import BindingConfig


@dataclass
class Binding:
    """What a factory made; counts what went through.

    Attributes:
        config: What was asked for.
        message_type: ROS type on the wire.
        received: Values handed to the controller.
        rejected: Messages that did not fit.
        last_rejection: Why the last of them did not.
    """

    config: BindingConfig
    message_type: str
    received: int = 0
    rejected: int = 0
    last_rejection: str = field(default="")
