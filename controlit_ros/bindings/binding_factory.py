"""BindingFactory: makes bindings of one transport type."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig, Direction
from controlit_ros.bindings.frame_names import ROBOT_ALONE, FrameNames
from controlit_ros.errors import ControlItError
from controlit_ros.parameters import Parameter, Poster
from controlit_ros.parameters.mailbox import check_assignable
from controlit_ros.servo import NoticeBoard, NoticeLevel, Outbox
from controlit_ros.transport import Transport


def up_to_date() -> None:
    """Do nothing: the parameters are those of the servo."""


class BindingContext(NamedTuple):
    """What bindings are made of.

    Attributes:
        transport: The node's transport.
        mailbox: Takes values into the controller.
        outbox: Brings values out of it.
        notices: Takes complaints about messages that do not fit.
        clock_offset: Seconds from the servo's clock to ROS time.
        frames: What frames are called in headers.
        refresh: Brings parameters up to date before they are read outside of the servo.
    """

    transport: Transport
    mailbox: Poster
    outbox: Outbox
    notices: NoticeBoard
    clock_offset: float
    frames: FrameNames = ROBOT_ALONE
    refresh: Callable[[], None] = up_to_date


class BindingFactory(ABC):
    """Base of the binding factories (paper section 4.4).

    A plugin: the class is named in the entry point group `controlit.binding_factories`; the entry
    point's name is the `transport_type` of the configuration file.

    Attributes:
        is_remote: Whether its inputs come from whoever reaches them, and so may set no more than
            the parameter `remote_access` says.
    """

    is_remote = True

    def __init__(self, context: BindingContext) -> None:
        self.context = context

    @classmethod
    def check(cls, config: BindingConfig, parameter: Parameter) -> None:
        """Check a binding without making it.

        Raises:
            ControlItError: The parameter cannot be bound like that.
        """
        if config.direction is Direction.INPUT:
            check_assignable(parameter)

    def start(self) -> None:  # noqa: B027 - a hook
        """Begin what needs a thread or memory of this process; idempotent."""

    def stop(self) -> None:  # noqa: B027 - a hook
        """End what `start` began; idempotent."""

    def hand_over(self, binding: Binding, parameter: Parameter, read: Callable[[], Any]) -> None:
        """Post a value that came in, or count it and complain; any thread.

        Args:
            binding: Where it came in.
            parameter: What it is for.
            read: Returns the value, or `None` if there is none; may raise `ControlItError`.
        """
        try:
            value = read()
            if value is not None:
                self.context.mailbox.check_read()
                self.context.mailbox.post({parameter: value})
                binding.received += 1
        except ControlItError as error:
            topic = binding.config.topic
            binding.last_rejection = str(error)
            text = f"topic {topic}: {error}"
            self.context.notices.post(NoticeLevel.WARNING, f"input {topic}", text, time.monotonic())
            binding.rejected += 1  # last: who sees the count finds the reason

    @abstractmethod
    def bind(self, config: BindingConfig, parameter: Parameter) -> Binding:
        """Join a parameter to the transport.

        Raises:
            ControlItError: The parameter cannot be bound like that.
        """
